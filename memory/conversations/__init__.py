"""Conversations: asking, attempts, editing, listing and searching."""
