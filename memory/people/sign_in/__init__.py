"""Signing in: sign-in links, signed-in browsers, and counters of guesses."""
