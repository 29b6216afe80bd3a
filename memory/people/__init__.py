"""People: how they come in, what they may, and how all of it ends."""
