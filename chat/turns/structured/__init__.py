"""Structured answers: chosen, retrieved for, written, and checked cell by cell."""
