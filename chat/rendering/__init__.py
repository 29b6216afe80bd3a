"""Markdown of answers, and text of passages, as safe HTML."""
