"""Counters for operators: numbers, never personal data."""
