"""Pages of the library."""
