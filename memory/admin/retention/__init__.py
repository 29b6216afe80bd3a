"""Retention in the admin."""
