"""Evidence that erased text is in no store any more."""
