from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from config.context_file import OPTIONS


class Command(BaseCommand):
    """Prints the settings of the context file as YAML, each with the origin of its value."""

    help = "Print the context settings that are in force, and where each value comes from."

    def handle(self, **options: Any) -> None:
        shown: set[str] = set()
        for key, option in OPTIONS.items():
            if option.setting not in shown:
                only = next(iter(option.choices or ("",)))
                value = getattr(settings, option.setting, only)
                origin = settings.CONTEXT_ORIGINS.get(option.setting, "default")
                self.stdout.write(f"{key} = {str(value).lower()}  # {origin}")
                shown.add(option.setting)
