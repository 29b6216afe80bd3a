from django.apps import AppConfig


class MemoryConfig(AppConfig):
    """People, sessions and turns: what is remembered, and how it is forgotten."""

    name = "memory"

    def ready(self) -> None:
        from memory import (  # noqa: PLC0415
            account_events,
            append_only,
            checks,  # noqa: F401 - registers them
            model_checks,  # noqa: F401 - registers them
        )
        from memory.forgetting import (  # noqa: PLC0415
            carrying_out,  # noqa: F401 - registers its job
            consent,
            erasure,  # noqa: F401 - registers its ways
            ratings,  # noqa: F401 - registers its job
        )
        from memory.recall import similarity  # noqa: F401, PLC0415 - registers its job

        account_events.listen()
        append_only.listen()
        consent.listen()
