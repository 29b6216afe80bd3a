"""Sessions. Questions and answers are sealed; the rest is in the clear."""

import re
from datetime import datetime, timedelta
from typing import ClassVar, Self

from django.conf import settings
from django.db import models
from django.db.models import JSONField, OuterRef, Q, Subquery
from django.db.models.functions import JSONObject
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _
from uuid_utils.compat import uuid7

from memory.classification import Handling
from memory.fields import SealedJSONField, SealedTextField
from memory.models.governance.policies import RetentionPolicy, make_default_policy
from memory.models.people import CitationFormat, User

TITLE_LENGTH = 60
# The terms of a policy that apply to a session.
RULING = (
    "tier version lifetime max_turns temporary_lifetime archived_lifetime pinned_lifetime".split()
)


def default_window() -> int:
    return int(settings.MAX_TOKENS_PER_CONTEXT)


# Controls of text direction, which would reverse the text after a title in a list.
DIRECTIONS = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def shorten_to_title(question: str) -> str:
    """Return the question as a title: one line of at most 60 characters, cut between words."""
    line = " ".join(DIRECTIONS.sub("", question).split())
    if len(line) <= TITLE_LENGTH:
        return line
    cut = line[: TITLE_LENGTH - 1]
    return (cut.rsplit(" ", 1)[0] if " " in cut else cut) + "…"


class Strategy(models.TextChoices):
    """The choice of turns for the window."""

    AUTO = "auto", _("Automatic")
    SEQUENTIAL = "sequential", _("Newest turns")
    RELEVANCE = "relevance", _("Most relevant turns")
    HYBRID = "hybrid", _("Newest and most relevant turns")


class CitationStyle(models.TextChoices):
    """The display of an answer's citations."""

    INLINE = "inline", _("Numbers in the text")
    FOOTNOTE = "footnote", _("Footnotes")
    REFERENCE = "reference", _("List of sources")


class AnswerLength(models.TextChoices):
    """The length of a language model's answer."""

    BRIEF = "brief", _("Brief")
    NORMAL = "normal", _("Normal")
    THOROUGH = "thorough", _("Thorough")


class Rewriting(models.TextChoices):
    """The origin of the query that is searched for."""

    AUTOMATIC = "automatic", _("Made to stand alone")
    AS_TYPED = "as_typed", _("As typed")
    GIVEN = "given", _("Given by the client")


class Reach(models.TextChoices):
    """The other conversations that a session recalls, with its person's consent."""

    SESSION = "session", _("This conversation alone")
    DOCUMENTS = "documents", _("Conversations on the same documents")
    EVERYTHING = "everything", _("All conversations")


class TitleBy(models.TextChoices):
    """The author of a session's title; unknown for older sessions."""

    QUESTION = "question", _("The first question")
    SUMMARY = "summary", _("Its summary's topics")
    PERSON = "person", _("You")


class SessionQuerySet(models.QuerySet["Session"]):
    def owned(self, user: User) -> Self:
        return self.filter(owner=user)

    def live(self) -> Self:
        """Sessions that have not expired: others are hidden at once, purged or not."""
        return self.filter(expires_at__gt=timezone.now())

    def visible(self, user: User) -> Self:
        return self.owned(user).live()

    def expired(self) -> Self:
        """Expired sessions that wait for their purge."""
        return self.filter(expires_at__lte=timezone.now())

    def recallable(self) -> Self:
        """Sessions that others may recall: kept, live, not archived, with a wider reach."""
        kept = self.live().filter(temporary=False, archived=False)
        return kept.exclude(reach=Reach.SESSION)

    def join_policy(self) -> Self:
        """Read the policy of the owner's tier in the same statement."""
        versions = RetentionPolicy.objects.filter(tier=OuterRef("owner__tier"))
        terms = JSONObject(**{name: name for name in RULING})
        newest = versions.order_by("-version").values(terms=terms)[:1]
        return self.annotate(ruling=Subquery(newest, output_field=JSONField()))

    def latest_first(self) -> Self:
        return self.order_by("-last_activity", "-id")


class Session(models.Model):
    """One conversation of one person."""

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    owner = models.ForeignKey(
        User, on_delete=models.CASCADE, related_name="sessions", db_index=False
    )
    title = SealedTextField()
    # Empty: none yet, or unknown.
    title_by = models.CharField(
        max_length=16, choices=TitleBy, blank=True, default="", db_default=""
    )
    metadata = SealedJSONField()
    created_at = models.DateTimeField(default=timezone.now)
    last_activity = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField()
    # Seconds; at most its owner's lifetime. And the last time that the owner extended it.
    own_lifetime = models.PositiveIntegerField(null=True)
    extended_at = models.DateTimeField(null=True)
    # Turns; at most its tier's number. A lower number deletes none.
    max_turns = models.PositiveIntegerField(null=True)
    # The earliest end, whatever the lifetime: the session was unpinned or unarchived.
    kept_until = models.DateTimeField(null=True)
    context_window = models.PositiveIntegerField(default=default_window)
    strategy = models.CharField(max_length=16, choices=Strategy, default=Strategy.AUTO)
    # Empty: that of CITATION_STYLE.
    style = models.CharField(max_length=16, choices=CitationStyle, blank=True)
    # Empty: that of its person, or else CITATION_FORMAT.
    citation_format = models.CharField(
        max_length=24, choices=CitationFormat, blank=True, default="", db_default=""
    )
    # Empty: normal. And the configured model that answers; empty: its tier's.
    length = models.CharField(max_length=16, choices=AnswerLength, blank=True, default="")
    model = models.CharField(max_length=100, blank=True, default="")
    # A session with the reach SESSION neither recalls others nor is recalled.
    reach = models.CharField(
        max_length=16, choices=Reach, default=Reach.EVERYTHING, db_default=Reach.EVERYTHING
    )
    temporary = models.BooleanField(default=False)
    pinned = models.BooleanField(default=False)
    archived = models.BooleanField(default=False)
    # Counted once when written, so that lists and prompts need no count.
    turn_count = models.PositiveIntegerField(default=0)
    last_position = models.PositiveIntegerField(default=0)
    context_tokens = models.PositiveBigIntegerField(default=0)

    handling: ClassVar = Handling(
        person="owner",
        trace="model",
        # Expired sessions are not exported; their dependent rows would be incomplete.
        exported=lambda: Q(expires_at__gt=timezone.now()),
    )

    objects = SessionQuerySet.as_manager()

    class Meta:
        verbose_name = _("conversation")
        verbose_name_plural = _("conversations")
        indexes: ClassVar = [
            # The sidebar and GET /sessions: one person's sessions, latest first.
            models.Index(fields=["owner", "-last_activity", "-id"], name="session_latest"),
            # The pinned sessions above them.
            models.Index(
                fields=["owner", "-last_activity", "-id"],
                condition=Q(pinned=True),
                name="session_pinned",
            ),
            # The retention sweep.
            models.Index(fields=["expires_at"], name="session_expiry"),
        ]

    def __str__(self) -> str:
        return str(self.id)

    def compute_expiry(self, moment: datetime, policy: RetentionPolicy | None = None) -> datetime:
        """Return the session's expiry if its last question or answer was at the moment.

        By the policy of its owner's tier, unless another is given.
        """
        return moment + self.compute_lifetime(policy or self.policy)

    def compute_end(self, policy: RetentionPolicy, *, now: datetime) -> datetime:
        """Return the end of the live session under the policy, at the earliest now.

        So it never ended before the policy was applied.
        """
        return max(self.compute_expiry(self.clock_began, policy), self.kept_until or now, now)

    def compute_lifetime(self, policy: RetentionPolicy) -> timedelta:
        """Return the session's lifetime: that of the policy, or a shorter one of its own."""
        flags = {name: getattr(self, name) for name in ("temporary", "pinned", "archived")}
        wished = [self.own_lifetime, self.owner.own_lifetime]
        shorter = [timedelta(seconds=seconds) for seconds in wished if seconds is not None]
        return min([policy.get_lifetime(**flags), *shorter])

    @cached_property
    def policy(self) -> RetentionPolicy:
        """The policy of its owner's tier, read with the session or on first use."""
        tier = self.owner.tier
        if "ruling" not in vars(self):
            return RetentionPolicy.objects.ruling(tier)
        terms = vars(self)["ruling"]
        return RetentionPolicy(**terms) if terms else make_default_policy(tier)

    @property
    def turn_limit(self) -> int:
        """The largest number of turns: that of its tier, or a lower one of its own."""
        return min(self.policy.max_turns, self.max_turns or self.policy.max_turns)

    @property
    def is_full(self) -> bool:
        return self.turn_count >= self.turn_limit

    @property
    def recalls(self) -> bool:
        """Whether it may recall other sessions, and they it, with its person's consent."""
        return not self.temporary and self.reach != Reach.SESSION

    @property
    def is_closing(self) -> bool:
        """Whether it is temporary and its page was closed, so that it ends early."""
        return self.temporary and self.expires_at < self.compute_expiry(self.clock_began)

    @property
    def clock_began(self) -> datetime:
        """The start of its lifetime: the last question or answer, or its last extension."""
        return max(self.last_activity, self.extended_at or self.last_activity)
