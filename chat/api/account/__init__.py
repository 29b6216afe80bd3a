"""What a person may ask for all that is theirs: consents, packages, erasures."""
