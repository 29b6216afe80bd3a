"""Streams of answers in progress."""
