"""The admin of prompts and models, and the reading of conversations in an emergency."""

from chat.admin import emergencies, records

__all__ = ["emergencies", "records"]
