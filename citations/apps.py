from django.apps import AppConfig


class CitationsConfig(AppConfig):
    """Documents, their passages, and the citations that point to them."""

    name = "citations"

    def ready(self) -> None:
        from citations import checks, deletion, tasks  # noqa: F401, PLC0415 - register what they do
        from citations.attribution import answers  # noqa: F401, PLC0415 - registers itself
