"""Answers that are followed while they come."""
