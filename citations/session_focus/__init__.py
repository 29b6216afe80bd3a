"""The documents that a session is about, and their effect on ranking."""
