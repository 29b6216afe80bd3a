"""The child process in which a file is parsed, and its restrictions."""
