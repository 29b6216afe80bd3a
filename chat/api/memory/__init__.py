"""What is remembered of a person beyond one session: facts, and what was said earlier."""
