"""Turns and their dependent rows. Questions and answers are sealed; the rest is in the clear."""

from typing import ClassVar, Self

from django.db import models
from django.db.models import CharField, Func, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from uuid_utils.compat import uuid7

from memory.classification import Handling
from memory.fields import SealedJSONField, SealedTextField
from memory.models.conversations import AnswerLength, CitationStyle, Rewriting, Session
from memory.models.people import User
from memory.owners import OwnerId

# The failure of an answer deleted with the document that it used.
WITHDRAWN = "document_deleted"
# The failure of an answer that repeated a deleted memory.
SOURCE_GONE = "memory_deleted"


class TurnQuerySet(models.QuerySet["Turn"]):
    def visible(self, user: User) -> Self:
        """Turns of the person's sessions that have not expired."""
        return self.filter(owner=user, session__expires_at__gt=timezone.now())

    def finished(self) -> Self:
        """Turns with a complete answer, whatever its outcome."""
        return self.filter(status=Turn.Status.COMPLETE)

    def remembered(self) -> Self:
        """Turns that may be context: not failed or interrupted, and with content."""
        return self.finished().exclude(outcome__in=Turn.Outcome.list_empty())

    def open(self) -> Self:
        # SQLite uses the index of open turns only if the statement contains their states.
        states = [
            Func(template=f"'{state}'", output_field=CharField()) for state in Turn.Status.open()
        ]
        return self.filter(status__in=states)

    def retryable(self) -> Self:
        """As `Turn.may_be_retried`."""
        poor = ~Q(failure="") | Q(outcome__in=Turn.Outcome.mendable())
        ended = Q(status__in=[Turn.Status.FAILED, Turn.Status.INTERRUPTED])
        return self.filter(ended | Q(poor, status=Turn.Status.COMPLETE))

    def cut(self) -> Self:
        """As `Turn.may_go_on`."""
        return self.filter(status=Turn.Status.COMPLETE, outcome=Turn.Outcome.CUT)


class Turn(models.Model):
    """One question and its answer.

    pending -> answering -> complete | interrupted | failed; a retry goes back to pending.
    """

    class Status(models.TextChoices):
        PENDING = "pending", _("Waiting")
        ANSWERING = "answering", _("Answering")
        COMPLETE = "complete", _("Complete")
        INTERRUPTED = "interrupted", _("Interrupted")
        FAILED = "failed", _("Failed")

        @classmethod
        def open(cls) -> list["Turn.Status"]:
            return [cls.PENDING, cls.ANSWERING]

    class Outcome(models.TextChoices):
        """The outcome of an answer; older turns may have none."""

        ANSWERED = "answered", _("Answered")
        UNSURE = "unsure", _("Not sure")
        NOTHING_FOUND = "nothing_found", _("Nothing found")
        NOT_READ_YET = "not_read_yet", _("Documents are still being read")
        SMALL_TALK = "small_talk", _("Small talk")
        ABOUT_CONVERSATION = "about_conversation", _("About this conversation")
        NOTED = "noted", _("Noted")
        CUT = "cut", _("Cut off")
        FILTERED = "filtered", _("Held back by a filter")
        EMPTY = "empty", _("Empty")
        LOOPED = "looped", _("Repeating itself")
        OTHER_LANGUAGE = "other_language", _("In another language")
        REFUSED = "refused", _("Refused")

        @classmethod
        def unanswered(cls) -> list["Turn.Outcome"]:
            """Outcomes of ordinary questions whose answer has no content."""
            unsaid = [cls.NOTHING_FOUND, cls.NOT_READ_YET, cls.REFUSED]
            return [*unsaid, cls.FILTERED, cls.EMPTY, cls.LOOPED]

        @classmethod
        def mendable(cls) -> list["Turn.Outcome"]:
            """Outcomes of a language model's answers that a retry may improve."""
            said = [cls.CUT, cls.FILTERED, cls.EMPTY, cls.LOOPED]
            return [*said, cls.OTHER_LANGUAGE, cls.REFUSED]

        @classmethod
        def list_empty(cls) -> list["Turn.Outcome"]:
            """Outcomes of answers that later questions and answers may not use."""
            return [*cls.unanswered(), cls.SMALL_TALK, cls.ABOUT_CONVERSATION, cls.NOTED]

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    session = models.ForeignKey(
        Session, on_delete=models.CASCADE, related_name="turns", db_index=False
    )
    owner = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+", db_index=False)
    # Gapless when written, never renumbered.
    position = models.PositiveIntegerField()
    status = models.CharField(max_length=16, choices=Status, default=Status.PENDING)
    query = SealedTextField()
    query_tokens = models.PositiveIntegerField()
    rewriting = models.CharField(max_length=16, choices=Rewriting, default=Rewriting.AUTOMATIC)
    standalone_query = SealedTextField(null=True)
    rewrite_reason = models.CharField(max_length=40, blank=True)
    rewrite_confidence = models.FloatField(null=True)
    # Whether it is unrelated to the earlier turns.
    new_topic = models.BooleanField(default=False)
    # The position of the first turn of its topic, which may have been interrupted; unknown for
    # older turns.
    topic = models.PositiveIntegerField(null=True)
    outcome = models.CharField(max_length=24, choices=Outcome, blank=True, default="")
    # The probability that the library holds an answer, from 0 to 1; unknown for small talk.
    answerability = models.FloatField(null=True)
    response = SealedTextField()
    # Names of chat.structures: the form that the question seemed to want, empty for prose; and the
    # requested or actual form.
    intent = models.CharField(max_length=24, blank=True, default="", db_default="")
    structure = models.CharField(max_length=24, blank=True, default="", db_default="")
    # The answer's content in that form (chat.structures.storing); null: prose.
    structured_output = SealedJSONField(null=True)
    # The reasoning of a model before its answer: shown, never cited, never remembered.
    reasoning = SealedTextField(null=True)
    response_tokens = models.PositiveIntegerField(default=0)
    # The answer's tokens in later prompts: without citation numbers.
    recalled_tokens = models.PositiveIntegerField(default=0)
    prompt_tokens = models.PositiveIntegerField(default=0)
    style = models.CharField(max_length=16, choices=CitationStyle, default=CitationStyle.INLINE)
    length = models.CharField(max_length=16, choices=AnswerLength, default=AnswerLength.NORMAL)
    model = models.CharField(max_length=200, blank=True)
    failure = models.CharField(max_length=40, blank=True)
    asked_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True)
    rating = models.SmallIntegerField(null=True)
    feedback = SealedTextField()

    handling: ClassVar = Handling(
        person="owner",
        trace="rewrite_reason model failure intent structure",
        # An unfinished turn is not exported.
        exported=lambda: ~Q(status__in=Turn.Status.open()),
    )

    objects = TurnQuerySet.as_manager()

    class Meta:
        verbose_name = _("question")
        verbose_name_plural = _("questions")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["session", "position"], name="turn_position_unique"),
            models.UniqueConstraint(
                fields=["session"],
                condition=Q(status__in=["pending", "answering"]),
                name="turn_one_open_a_session",
            ),
            models.CheckConstraint(
                condition=Q(rating=None) | Q(rating__in=[-1, 1]), name="turn_rating_is_a_thumb"
            ),
            models.CheckConstraint(
                condition=Q(answerability=None) | Q(answerability__range=(0, 1)),
                name="turn_answerability_is_a_share",
            ),
        ]
        indexes: ClassVar = [
            # The search in questions and answers: one person's turns, newest first.
            models.Index(fields=["owner", "-asked_at", "-id"], name="turn_newest"),
            # The latest change of topic: entities from before it are dropped.
            models.Index(
                fields=["session", "-position"], condition=Q(new_topic=True), name="turn_topic"
            ),
        ]

    def __str__(self) -> str:
        return str(self.id)

    @property
    def is_open(self) -> bool:
        return self.status in self.Status.open()

    @property
    def may_be_retried(self) -> bool:
        """Whether it may be retried: it has no answer, or a poor one."""
        if self.status == self.Status.COMPLETE:
            return bool(self.failure) or self.outcome in self.Outcome.mendable()
        return not self.is_open

    @property
    def may_go_on(self) -> bool:
        """Whether its answer was cut, and can be continued."""
        return self.status == self.Status.COMPLETE and self.outcome == self.Outcome.CUT

    @property
    def tokens(self) -> int:
        return self.query_tokens + self.response_tokens


class RewriteSource(models.Model):
    """An earlier turn whose words went into the rewrite of a later question."""

    turn = models.ForeignKey(
        Turn, on_delete=models.CASCADE, related_name="rewrite_sources", db_index=False
    )
    source = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="+")
    owner_id = OwnerId(of="turn")

    handling: ClassVar = Handling(person="turn__owner", withheld="id owner_id")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["turn", "source"], name="rewrite_source_unique"),
        ]


class IdempotencyKey(models.Model):
    """A client's key for one question: another request with it returns the same turn."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    owner = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+", db_index=False)
    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="+")
    # Fingerprints (memory.sealing.fingerprint_words), which hide key and body.
    key = models.CharField(max_length=17)
    body = models.CharField(max_length=17)
    created_at = models.DateTimeField(default=timezone.now)

    handling: ClassVar = Handling(
        person="owner",
        secret="key body",
        withheld="id owner turn created_at",
    )

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["owner", "key"], name="idempotency_key_unique"),
        ]
        indexes: ClassVar = [
            # The sweep of keys older than a day.
            models.Index(fields=["created_at"], name="idempotency_key_age"),
        ]
