"""Summaries of older turns, which keep a long conversation within reach."""
