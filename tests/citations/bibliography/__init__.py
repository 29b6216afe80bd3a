"""Bibliographies, compared with the manuals of their formats."""
