"""The numbers of the dashboard: what is stored, what will go, and how far behind anything is."""

from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise
from typing import Any

from django.conf import settings
from django.db.models import Count, Q, QuerySet, Sum
from django.db.models.functions import TruncDate
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from memory.admin.requests.erasures import Request
from memory.admin.rows import first_of
from memory.forgetting.retention.due import Due
from memory.forgetting.retention.sweeping import lag
from memory.holds import hold_on_session
from memory.models import LegalHold, RetentionRun, Session, Tier, User, WaitingDeletion

# Days since the last question or answer, by which conversations are sorted.
AGES = (1, 7, 30)
# Days since a hold began, and until a request has to be answered.
HELD_FOR = (30, 90, 365)
DUE_IN = (0, 7, 14)
WEEK, FORTNIGHT = 7, 14
RUNS = 14
# The most rows that are counted for a number: behind them it says that there are more.
MOST = 100_000
Series = list[tuple[str, list[int]]]


@dataclass(frozen=True)
class Plot:
    """Numbers for bars: one bar for each label, in as many parts as there are series.

    What `empty` says stands in the place of bars that would all be empty.
    """

    title: str
    labels: list[str]
    series: Series
    empty: str = ""

    @property
    def total(self) -> int:
        return sum(sum(values) for name, values in self.series)


@dataclass(frozen=True)
class PurgeLag:
    """How far the purge is behind, in seconds, and whether that is more than it should be."""

    seconds: int
    failing: int
    waiting: str

    @property
    def is_late(self) -> bool:
        # A sweep comes every interval, and needs a while itself.
        return self.seconds > 2 * settings.CLEANUP_INTERVAL + 60 or self.failing > 0


def purge_lag() -> PurgeLag:
    """Return how far the purge is behind."""
    behind = lag()
    return PurgeLag(round(behind.seconds), behind.failing, counted(Due().free()))


def counted(rows: QuerySet[Any]) -> str:
    """Return how many rows there are, or that there are more than are counted."""
    number = rows.order_by().values("pk")[: MOST + 1].count()
    return in_full(min(number, MOST), is_all=number <= MOST)


def in_full(number: int, *, is_all: bool) -> str:
    return str(number) if is_all else _("over %(number)s") % {"number": number}


def stored() -> Plot:
    """Count the conversations that live, by age and tier."""
    live, is_all = first_of(Session.objects.live(), MOST, by="-pk")
    tiers = _by_age(live, AGES, since="last_activity", group="owner__tier")
    title = _("Stored conversations, by days since the last question")
    return Plot(
        title if is_all else f"{title} ({_('the newest %(number)s') % {'number': MOST}})",
        _between(AGES),
        _series(Tier.choices, tiers),
        _("Nothing is stored."),
    )


def held() -> Plot:
    """Count the holds that are active, by age and scope."""
    scopes = _by_age(LegalHold.objects.active(), HELD_FOR, since="starts_at", group="scope")
    return Plot(
        _("Legal holds, by days since they began"),
        _between(HELD_FOR),
        _series(LegalHold.Scope.choices, scopes),
        _("Nothing is held."),
    )


def _by_age(
    rows: QuerySet[Any], ages: tuple[int, ...], *, since: str, group: str
) -> dict[str, list[int]]:
    now, buckets = timezone.now(), {}
    limits = [None, *(now - timedelta(days=days) for days in ages), None]
    for number, (newer, older) in enumerate(pairwise(limits)):
        inside = Q(**{f"{since}__gt": older}) if older else Q()
        inside &= Q(**{f"{since}__lte": newer}) if newer else Q()
        buckets[f"age{number}"] = Count("pk", filter=inside)
    counted = rows.order_by(group).values(group).annotate(**buckets)
    return {row[group]: [row[name] for name in buckets] for row in counted}


def _between(ages: tuple[int, ...]) -> list[str]:
    between = pairwise(ages)
    return [f"< {ages[0]}", *(f"{first}–{last}" for first, last in between), f"> {ages[-1]}"]


def _series(names: Any, counted: dict[str, list[int]]) -> Series:
    return [(str(name), counted.get(key, [0] * (len(AGES) + 1))) for key, name in names]


def asked(requests: list[Request]) -> Plot:
    """Count the requests that are not answered, by when they have to be, and by kind."""
    labels = [_("late"), *(_("in %(days)s days") % {"days": days} for days in (7, 14, 30))]
    kinds: dict[str, list[int]] = {kind: [0] * len(labels) for kind in (_("Erasure"), _("Access"))}
    for request in requests:
        left = request.due_at - timezone.now()
        kinds[request.kind][sum(left > timedelta(days=days) for days in DUE_IN)] += 1
    return Plot(
        _("Requests, by when they are to be answered"),
        labels,
        list(kinds.items()),
        _("Nothing waits for an answer."),
    )


def behind() -> Plot:
    """Show by how much the last purges were behind when they began."""
    runs = RetentionRun.objects.filter(lag__isnull=False).order_by("-created_at")
    latest = list(runs.values_list("created_at", "lag")[:RUNS])[::-1]
    lags = [lag or 0 for at, lag in latest]
    moments, today = [timezone.localtime(at) for at, lag in latest], timezone.localdate()
    return Plot(
        _("Seconds behind, when the last purges began"),
        [date_format(at, "H:i" if at.date() == today else "j M") for at in moments],
        [(_("seconds"), lags)],
        _("No purge had anything to do yet."),
    )


def going() -> Plot:
    """Count the conversations that expire within a week, by day; what is held stays."""
    now = timezone.now()
    days = [timezone.localdate() + timedelta(days=days) for days in range(WEEK + 1)]
    week = Session.objects.filter(expires_at__gt=now, expires_at__lte=now + timedelta(days=WEEK))
    rows, is_all = first_of(week, MOST, by="expires_at")
    by_day = rows.annotate(day=TruncDate("expires_at")).order_by("day").values_list("day")
    free = dict(by_day.filter(~hold_on_session()).annotate(Count("pk")))
    held = dict(by_day.filter(hold_on_session()).annotate(Count("pk")))
    series = [(_("will go"), _by(days, free)), (_("held"), _by(days, held))]
    empty, title = _("Nothing expires within a week."), _("Expiring this week")
    if not is_all:
        title = f"{title} ({_('the first %(number)s') % {'number': MOST}})"
    return Plot(title, [_day(day) for day in days], series, empty)


def purged() -> Plot:
    """Count the conversations that were purged within a fortnight, by day."""
    since = timezone.localdate() - timedelta(days=FORTNIGHT - 1)
    days = [since + timedelta(days=days) for days in range(FORTNIGHT)]
    runs = RetentionRun.objects.filter(created_at__gt=timezone.now() - timedelta(days=FORTNIGHT))
    by_day = runs.annotate(day=TruncDate("created_at")).order_by("day").values_list("day")
    gone = dict(by_day.annotate(Sum("sessions_gone")))
    series = [(_("purged"), _by(days, gone))]
    return Plot(_("Purged"), [_day(day) for day in days], series, _("Nothing in a fortnight."))


def _by(days: list[date], counted: dict[date, int]) -> list[int]:
    return [counted.get(day) or 0 for day in days]


def _day(day: date) -> str:
    return date_format(day, "j M")


def tiles() -> list[tuple[str, str, str]]:
    """Return single numbers, each with its name and the admin's page about it."""
    live, is_all = first_of(Session.objects.live(), MOST, by="-pk")
    turns = live.aggregate(turns=Sum("turn_count"))["turns"] or 0
    waiting = WaitingDeletion.objects.open()
    return [
        (_("People"), counted(User.objects.filter(is_active=True)), "memory_user"),
        (_("Conversations"), counted(Session.objects.live()), "memory_session"),
        (_("Questions"), in_full(turns, is_all=is_all), "memory_turn"),
        (_("Legal holds"), counted(LegalHold.objects.active()), "memory_legalhold"),
        (_("Deletions that wait"), counted(waiting), "memory_waitingdeletion"),
    ]
