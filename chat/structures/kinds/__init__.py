"""The structures, one module each."""
