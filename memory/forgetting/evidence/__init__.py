"""Evidence that what was erased is in no store any more."""
