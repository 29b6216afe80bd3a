"""Uploads of files."""
