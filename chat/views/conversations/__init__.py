"""Pages of conversations."""
