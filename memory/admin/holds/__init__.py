"""Legal holds in the admin."""
