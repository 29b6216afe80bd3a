"""What relevance needs of a session's turns, made from them: blocks, each sealed as one value."""

from typing import ClassVar

from django.db import models
from uuid_utils.compat import uuid7

from memory.fields import SealedBytesField
from memory.forgetting.handling import Handling
from memory.models.conversations import Session
from memory.models.people import User


class VectorBlock(models.Model):
    """Up to 256 vectors of a session's questions and answers, sealed as one value."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="vector_blocks")
    owner = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    number = models.PositiveIntegerField(default=1)
    model = models.CharField(max_length=200)
    dimensions = models.PositiveSmallIntegerField()
    # No vector in it is of an earlier or a later turn.
    first_position = models.PositiveIntegerField()
    last_position = models.PositiveIntegerField()
    payload = SealedBytesField()

    handling: ClassVar = Handling(
        person="owner",
        content="payload",
        trace="number model dimensions first_position last_position",
        link="id session owner",
        withheld="id session owner number model dimensions first_position last_position payload",
    )

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["session", "model", "number"], name="vector_block_unique"
            ),
        ]


class WordBlock(models.Model):
    """The words of up to 256 questions and answers of a session, counted and sealed as one value.

    With them: when they were said, who is named as the speaker, and what their wording shows.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="word_blocks")
    owner = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    number = models.PositiveIntegerField(default=1)
    first_position = models.PositiveIntegerField()
    last_position = models.PositiveIntegerField()
    payload = SealedBytesField()

    handling: ClassVar = Handling(
        person="owner",
        content="payload",
        trace="number first_position last_position",
        link="id session owner",
        withheld="id session owner number first_position last_position payload",
    )

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["session", "number"], name="word_block_unique"),
        ]
