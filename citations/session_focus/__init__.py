"""Which documents a session is about, and what follows from it."""
