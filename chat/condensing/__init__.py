"""Summaries in a language model's words, where one is set up; what doesn't hold is turned down."""
