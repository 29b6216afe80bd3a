"""Endpoints for a person's own data: consents, packages and erasures."""
