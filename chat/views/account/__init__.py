"""Pages of a person's account."""
