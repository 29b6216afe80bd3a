"""The relevance index of a session: blocks of vectors and words, each sealed as one value."""

from typing import ClassVar, Self

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from uuid_utils.compat import uuid7

from memory.classification import ALL, Handling
from memory.fields import SealedBytesField, SealedTextField
from memory.models.conversations import Session
from memory.models.people import User
from memory.models.turns import Turn


class VectorBlock(models.Model):
    """Up to 256 vectors of a session's questions and answers, sealed as one value."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    session = models.ForeignKey(
        Session, on_delete=models.CASCADE, related_name="vector_blocks", db_index=False
    )
    owner = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    number = models.PositiveIntegerField(default=1)
    model = models.CharField(max_length=200)
    dimensions = models.PositiveSmallIntegerField()
    # All its vectors are of turns in this range.
    first_position = models.PositiveIntegerField()
    last_position = models.PositiveIntegerField()
    payload = SealedBytesField()

    handling: ClassVar = Handling(person="owner", trace="model", withheld=ALL)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["session", "model", "number"], name="vector_block_unique"
            ),
        ]


class WordBlock(models.Model):
    """The words of up to 256 questions and answers of a session, counted and sealed as one value.

    Also their times, their speakers, and the cues of their wording.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    session = models.ForeignKey(
        Session, on_delete=models.CASCADE, related_name="word_blocks", db_index=False
    )
    owner = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    number = models.PositiveIntegerField(default=1)
    # The version of the stored features (memory.recall.index.messages); 0 is from before versions.
    version = models.PositiveSmallIntegerField(default=0, db_default=0)
    first_position = models.PositiveIntegerField()
    last_position = models.PositiveIntegerField()
    payload = SealedBytesField()

    handling: ClassVar = Handling(person="owner", withheld=ALL)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["session", "number"], name="word_block_unique"),
        ]
        indexes: ClassVar = [
            # Blocks that an update of the product makes outdated.
            models.Index(fields=["version", "session"], name="word_block_version"),
        ]


# A session's memory beside its turns: the entities that were named in it.


class EntityQuerySet(models.QuerySet["Entity"]):
    def visible(self, user: User) -> Self:
        """Entities of the person's sessions, without removed ones."""
        mine = self.filter(owner=user, session__expires_at__gt=timezone.now())
        return mine.remembered()

    def remembered(self) -> Self:
        return self.exclude(standing=Entity.Standing.REMOVED)


class Entity(models.Model):
    """An entity named in a session, with the sentence that introduced it.

    It belongs to the turn whose words it holds, and is deleted with it. An entity removed by the
    person stays as a fingerprint without words, so that it isn't added again automatically.
    """

    class Kind(models.TextChoices):
        TERM = "term", _("Defined term")
        DOCUMENT = "document", _("Document")
        SECTION = "section", _("Section")
        NAME = "name", _("Name")

    class Standing(models.TextChoices):
        FOUND = "found", _("Noticed")
        KEPT = "kept", _("Kept by you")
        REMOVED = "removed", _("Removed by you")

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    session = models.ForeignKey(
        Session, on_delete=models.CASCADE, related_name="entities", db_index=False
    )
    owner = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    # None: the person wrote it themselves.
    turn = models.ForeignKey(Turn, null=True, on_delete=models.CASCADE, related_name="entities")
    kind = models.CharField(max_length=16, choices=Kind)
    standing = models.CharField(max_length=16, choices=Standing, default=Standing.FOUND)
    # Of the name (memory.sealing.fingerprint_words): equal names of a session are one entity.
    fingerprint = models.CharField(max_length=17)
    name = SealedTextField()
    snippet = SealedTextField()
    # The position of its last mention, and the number of turns with one.
    position = models.PositiveIntegerField()
    mentions = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(default=timezone.now)

    objects = EntityQuerySet.as_manager()

    handling: ClassVar = Handling(person="owner", trace="fingerprint")

    class Meta:
        verbose_name = _("name that is remembered")
        verbose_name_plural = _("names that are remembered")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["session", "fingerprint"], name="entity_unique"),
            models.CheckConstraint(
                condition=Q(standing__in=["found", "kept", "removed"]),
                name="entity_standing_is_known",
            ),
        ]

    def __str__(self) -> str:
        return str(self.id)

    @property
    def is_kept(self) -> bool:
        return self.standing == self.Standing.KEPT
