from django.apps import AppConfig


class ChatConfig(AppConfig):
    """The turn pipeline and its two faces, page and API."""

    name = "chat"
