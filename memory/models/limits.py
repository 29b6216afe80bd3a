"""What a person has used of what their tier allows."""

from typing import ClassVar

from django.db import models

from memory.forgetting.handling import Handling
from memory.models.people import User


class Usage(models.Model):
    """How often a person did a thing in the current window of time: one row for each thing."""

    owner = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=16)
    # The window's number: seconds since 1970, divided by its length.
    window = models.PositiveBigIntegerField()
    used = models.PositiveIntegerField()

    handling: ClassVar = Handling(
        person="owner",
        trace="kind window used",
        link="id owner",
        withheld="id owner kind window used",
    )

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["owner", "kind"], name="usage_unique"),
        ]
