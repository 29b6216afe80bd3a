"""People: sign-in, rights, and the end of access."""
