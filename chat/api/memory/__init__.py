"""Endpoints for memory: of one session, and of a person across sessions."""
