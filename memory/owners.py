"""The owner of a dependent row, in a column of its own.

Each row of a person names that person, so their rows can be selected and removed by one index.
Landed migrations import this module by its name.
"""

from typing import Any

from django.db import models


class OwnerId(models.UUIDField):  # type: ignore[type-arg]
    """The owner of the row behind the foreign key `of`, copied when the row is first written.

    No foreign key: the row is deleted with that one, and a check would slow every write.
    """

    def __init__(self, *, of: str, **options: Any) -> None:
        self.of = of
        super().__init__(**{"editable": False, **options})

    def deconstruct(self) -> Any:
        name, path, args, options = super().deconstruct()
        return name, path, args, {**options, "of": self.of}

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        if getattr(model_instance, self.attname) is None:
            owner = getattr(model_instance, self.of).owner_id
            setattr(model_instance, self.attname, owner)
        return getattr(model_instance, self.attname)
