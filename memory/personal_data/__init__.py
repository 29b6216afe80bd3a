"""Personal data: its places, its consents, and its export."""
