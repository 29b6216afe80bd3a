"""Turns of a person's earlier sessions, recalled when a question calls for them."""
