"""Renewal of a searchable document: its index, its vectors, its reading."""
