"""Admin of prompts, models and emergency accesses."""

from chat.admin import emergencies, records

__all__ = ["emergencies", "records"]
