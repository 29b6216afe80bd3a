import gc

from django.apps import AppConfig


class ChatConfig(AppConfig):
    """The turn pipeline with its pages and API."""

    name = "chat"

    def ready(self) -> None:
        from chat import suggestions  # noqa: F401, PLC0415 - registers its job
        from chat.condensing import writing  # noqa: F401, PLC0415 - and this one its
        from chat.noticing import proposing  # noqa: F401, PLC0415 - and this one its
        from chat.packages import making  # noqa: F401, PLC0415 - and this one its
        from chat.turns.personal import origins  # noqa: F401, PLC0415 - registers deletions

        # All modules are imported: the garbage collector need not scan them again.
        gc.freeze()
        gc.enable()
