from django.apps import AppConfig


class MemoryConfig(AppConfig):
    """People, sessions and turns: what is remembered, and how it is forgotten."""

    name = "memory"

    def ready(self) -> None:
        from memory import account_events, checks  # noqa: F401, PLC0415 - registers them
        from memory.recall import similarity  # noqa: F401, PLC0415 - registers its job

        account_events.listen()
