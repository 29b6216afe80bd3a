"""What a person said before, of themselves and in other sessions, as an answer draws on it."""
