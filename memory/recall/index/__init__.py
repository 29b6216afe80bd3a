"""The index of what was said in a session, by words and by meaning."""
