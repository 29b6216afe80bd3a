"""The index of a session's messages, by words and by meaning."""
