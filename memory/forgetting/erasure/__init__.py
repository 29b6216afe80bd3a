"""Erasure: a person's wish, carried out, proved and kept after a restore."""
