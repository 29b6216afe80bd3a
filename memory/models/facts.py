"""Facts about a person, and wishes for every answer, with their history."""

from typing import ClassVar, Self

from django.db import models
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from uuid_utils.compat import uuid7

from memory.classification import Handling
from memory.fields import SealedTextField
from memory.models.conversations import Session
from memory.models.people import User
from memory.models.turns import Turn


class FactKind(models.TextChoices):
    """The kinds of facts."""

    WISH = "wish", _("Wish for answers")
    PREFERENCE = "preference", _("Preference")
    FACT = "fact", _("Fact")


class FactQuerySet(models.QuerySet["Fact"]):
    def visible(self, user: User) -> Self:
        """The person's facts that have not expired, nor has their session."""
        return self.live(user)._filter_live(user)

    def hidden(self, user: User) -> Self:
        """Facts that their person just deleted, or values just corrected."""
        return self._mine(user).exclude(deleted_at=None)._filter_live(user)

    def live(self, user: User) -> Self:
        """Facts that have neither expired nor been deleted, of any session."""
        return self._mine(user).filter(deleted_at=None)

    def _mine(self, user: User) -> Self:
        now = timezone.now()
        return self.filter(Q(expires_at=None) | Q(expires_at__gt=now), owner=user)

    def _filter_live(self, user: User) -> Self:
        # Not by a join, which would search the sessions of all people.
        session = Session.objects.visible(user).filter(pk=OuterRef("session"))
        return self.filter(Q(session=None) | Exists(session))

    def current(self) -> Self:
        """Facts that are neither replaced nor ended."""
        return self.filter(valid_until=None)

    def expired(self) -> Self:
        """Confirmed facts past their own expiry."""
        return self.filter(expires_at__lte=timezone.now())


class Fact(models.Model):
    """A statement by a person about themselves, in their words.

    Until it is confirmed it is deleted with its turn and its session; a confirmed fact has an
    expiry of its own. A new statement replaces it and keeps it as past.
    """

    class State(models.TextChoices):
        FOUND = "found", _("Noticed")
        CONFIRMED = "confirmed", _("Confirmed by you")

    class Origin(models.TextChoices):
        SAID = "said", _("Said in a question")
        WRITTEN = "written", _("Written down by you")

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    owner = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+", db_index=False)
    # Its session and turn; a confirmed one has neither.
    session = models.ForeignKey(Session, null=True, on_delete=models.CASCADE, related_name="facts")
    turn = models.ForeignKey(Turn, null=True, on_delete=models.CASCADE, related_name="facts")
    # The turn in which it was stated, only as an id, since a confirmed one outlives the turn.
    said_in = models.UUIDField(null=True)
    origin = models.CharField(max_length=16, choices=Origin, default=Origin.SAID)
    kind = models.CharField(max_length=16, choices=FactKind)
    state = models.CharField(max_length=16, choices=State, default=State.FOUND)
    # Whether it was learned or written under the consent to recall between conversations.
    is_shared = models.BooleanField(default=False)
    # Its topic, as "home" or "uses:postgresql": a newer value replaces it.
    subject = SealedTextField()
    text = SealedTextField()
    valid_from = models.DateTimeField(default=timezone.now)
    valid_until = models.DateTimeField(null=True)
    replaced_by = models.ForeignKey(
        "self", null=True, on_delete=models.SET_NULL, related_name="replaces"
    )
    confirmed_at = models.DateTimeField(null=True)
    expires_at = models.DateTimeField(null=True)
    # Hidden since then: it can be restored for a short while, and is then deleted for good.
    deleted_at = models.DateTimeField(null=True)

    objects = FactQuerySet.as_manager()

    handling: ClassVar = Handling(
        person="owner",
        withheld="deleted_at",
        # Deleted facts are kept only for undo.
        exported=lambda: Q(deleted_at=None),
    )

    class Meta:
        verbose_name = _("fact")
        verbose_name_plural = _("facts")
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(state__in=["found", "confirmed"]), name="fact_state_is_known"
            ),
            models.CheckConstraint(
                condition=Q(kind__in=["wish", "preference", "fact"]), name="fact_kind_is_known"
            ),
        ]
        indexes: ClassVar = [
            # The page and GET /memory/facts: one person's, newest first.
            models.Index(fields=["owner", "-valid_from", "-id"], name="fact_newest"),
            # Facts that a new value replaces, and those that count for a question.
            models.Index(fields=["owner"], condition=Q(valid_until=None), name="fact_current"),
            # The sweep of confirmed ones past their expiry.
            models.Index(
                fields=["expires_at"], condition=Q(expires_at__isnull=False), name="fact_expiry"
            ),
        ]

    def __str__(self) -> str:
        return str(self.id)
