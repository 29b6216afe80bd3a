"""Answers in the form of a structure: chosen, gathered for, written, and checked cell by cell."""
