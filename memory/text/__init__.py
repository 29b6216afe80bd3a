"""Text processing: words, tokens, vectors and markers; independent of models and rows."""
