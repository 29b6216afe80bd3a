"""Summaries: what older turns become, so that a long conversation stays within reach."""
