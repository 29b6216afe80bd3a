import gc

from django.apps import AppConfig


class ChatConfig(AppConfig):
    """The turn pipeline and its two faces, page and API."""

    name = "chat"

    def ready(self) -> None:
        from chat import suggestions  # noqa: F401, PLC0415 - registers its job
        from chat.condensing import writing  # noqa: F401, PLC0415 - and this one its
        from chat.noticing import proposing  # noqa: F401, PLC0415 - and this one its
        from chat.packages import making  # noqa: F401, PLC0415 - and this one its
        from chat.turns.personal import origins  # noqa: F401, PLC0415 - registers what goes

        # All is imported: from here on garbage is looked for as usual, though not in what stays.
        gc.freeze()
        gc.enable()
