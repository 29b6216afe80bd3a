"""Summaries by a language model, kept only if they pass the guard."""
