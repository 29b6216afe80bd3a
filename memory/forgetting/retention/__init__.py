"""Retention: its terms, the sessions that are due, and their purge."""
