from django.apps import AppConfig


class CitationsConfig(AppConfig):
    """Documents, their passages, and the citations that point to them."""

    name = "citations"
