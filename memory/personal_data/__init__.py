"""What is held about a person: where, with whose consent, and how it is taken along."""
