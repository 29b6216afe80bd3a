"""Requests for erasure and export in the admin."""
