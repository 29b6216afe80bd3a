"""Signing in: links that let someone in, the browsers that are, and guesses, counted."""
