"""Plain ground: words, tokens, vectors and marks of texts; nothing here knows a row."""
