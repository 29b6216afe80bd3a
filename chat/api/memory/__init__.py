"""What is remembered: in one session, and of a person beyond it."""
