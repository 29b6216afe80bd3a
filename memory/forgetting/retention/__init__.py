"""Retention: terms, what is due by them, and its purge."""
