"""A turn, from the question to the stored answer."""
