"""Erasure: a person's request, its execution, its proof, and its replay after a restore."""
