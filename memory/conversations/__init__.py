"""Conversations: asking, attempts, changing, listing and searching them."""
