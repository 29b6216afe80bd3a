"""The process of its own in which a file is parsed, and what is taken from it."""
