"""Counters of the work, for its operators: numbers, never anything of a person."""
