"""Prompts: their texts, the place of earlier turns, and the markers that answers may use."""
