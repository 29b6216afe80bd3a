"""Summaries by a model: a background job of a conversation that has extracts.

Nothing waits for it; an extract stays if its summary fails. A summary is deleted with each of its
turns (memory.recall.summaries.editing), so a row that still exists still matches the turns that
were read.
"""

import logging
import time
from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta
from uuid import UUID

from django.conf import settings
from django.db.models import Q
from django.utils import timezone

from chat import llm
from chat.condensing.guard import Original, find_objection, tidy_text
from chat.prompting.summaries import VERSION, write_summary_prompt
from citations.languages import identify_language
from memory.errors import ModelError
from memory.holds import is_held
from memory.jobs import AuditClass, Lease, WorkClass, enqueue, give_way, job, register_kind
from memory.models import Job, Session, Summary, Turn
from memory.models.summaries import EXTRACT, TO_BE_WRITTEN, SummaryQuerySet
from memory.outages import one_transaction
from memory.personal_data.recipients import note_recipients
from memory.recall.summaries import condensing
from memory.recall.summaries.condensing import SECTION_WORDS, SEGMENT_WORDS
from memory.recall.summaries.contents import read_parts
from memory.recall.summaries.levels import Range
from memory.recall.summaries.making import when_condensed
from memory.recall.summaries.values import find_values
from memory.text.citation_markers import strip_markers, strip_places
from memory.text.token_counting import count_tokens

log = logging.getLogger(__name__)

WRITE = register_kind("write_summaries", WorkClass.BULK, AuditClass.RECORDED, is_patient=True)
Kind = Summary.Kind
# Kinds in the order of writing, since each is made from those before. Summaries of single turns
# stay extracts.
LEVELS = (Kind.SEGMENT, Kind.SECTION, Kind.ROLLING, Kind.SESSION)
WORDS = {Kind.SEGMENT: SEGMENT_WORDS, Kind.SECTION: SECTION_WORDS}
# Most calls in a job, and the seconds after which it begins no other; then it is queued again.
MOST_CALLS, LONG = 8, 60.0
# Minutes before each retry while the model fails: at most four retries a day.
PAUSES = (5, 20, 80, 320)
# Bounds of the original: characters of one part, tokens of all parts (or half the window).
LONGEST_PART, SHORTEST_PART, MOST_TOKENS = 5_000, 200, 3_000
USUAL_WINDOW = 4_096
ANSWER_TOKENS = 2  # a word


@when_condensed
def write_later(session: Session) -> None:
    """Enqueue a job for the conversation's summaries, in the caller's transaction."""
    if llm.is_configured() and list_unwritten(session).exists():
        enqueue(WRITE, session.pk, owner=session.owner_id)


def list_unwritten(session: Session) -> SummaryQuerySet:
    """Return the summaries for a model to write.

    These are extracts that this prompt's version was not tried on, and summaries by a model that
    their person wants written anew.
    """
    rows = session.summaries.filter(kind__in=LEVELS, state=Summary.State.MADE)
    is_new = Q(model=EXTRACT) & ~Q(prompt_version=VERSION)
    return rows.filter(is_new | (~Q(model=EXTRACT) & Q(prompt_version=TO_BE_WRITTEN)))


@job(WRITE)
def write_summaries(lease: Lease) -> None:
    """Have a model write the remaining summaries; after a failure, enqueue another job."""
    session = _get_writable(lease.subject)
    pause: timedelta | None = None
    if session is not None:
        try:
            is_all = _write_some(lease, session)
            pause = None if is_all else timedelta(0)
        except llm.Interrupted as interrupted:
            pause = interrupted.pause
        except ModelError as error:
            log.warning("summaries_not_written", extra={"reason": error.code})
            pause = _pause(session.pk)
    with lease.finishing():
        if session is not None and pause is not None:
            enqueue(WRITE, session.pk, owner=session.owner_id, delay=pause)


def _get_writable(session_id: UUID) -> Session | None:
    """Return the live, unheld session if a model is configured and compression is enabled."""
    if not (llm.is_configured() and settings.ENABLE_COMPRESSION):
        return None
    live = Session.objects.select_related("owner").filter(expires_at__gt=timezone.now())
    session = live.filter(pk=session_id, owner__is_active=True).first()
    return None if session is None or is_held(session) else session


def _pause(session_id: UUID) -> timedelta | None:
    """Return the time until the next retry, or None if there were enough."""
    since = timezone.now() - timedelta(days=1)
    # Jobs that wrote something don't count.
    tried = Job.objects.filter(
        kind=WRITE, subject=session_id, finished_at__gte=since, progress=0
    ).count()
    return timedelta(minutes=PAUSES[tried]) if tried < len(PAUSES) else None


def _write_some(lease: Lease, session: Session) -> bool:
    """Write one job's share of summaries; return whether none is left. Raises ModelError."""
    model = llm.choose_model(session.model, session.owner.tier)
    note_recipients(session.owner_id, llm.list_servers(model))
    begun = time.monotonic()
    for written in range(MOST_CALLS):
        row = _find_next(session)
        if row is None:
            return True
        lease.pulse(progress=written)
        original = read_original(row, model)
        _take(row, _ask_summary(original, model, lease, written), original, model)
        lease.pulse(progress=written + 1)
        give_way(lease)
        if time.monotonic() - begun > LONG:
            break
    return _find_next(session) is None


def _find_next(session: Session) -> Summary | None:
    """Return the next summary to write: lower levels first, the newest first."""
    rows = list_unwritten(session).order_by("-last_position")
    return next((row for level in LEVELS if (row := rows.filter(kind=level).first())), None)


def _ask_summary(original: Original, model: str, lease: Lease, written: int) -> str:
    values = find_values(original.extract)
    prompt = write_summary_prompt(
        original.parts, values, words=original.words, language=identify_language(original.text)
    )
    most = ANSWER_TOKENS * original.words
    with suppress(llm.ContextOverflow):  # a retry would be as long
        return llm.ask_in_background(prompt, lease, model=model, tokens=most, progress=written)
    return ""


def _take(row: Summary, said: str, original: Original, model: str) -> None:
    """Store a model's summary, or note that the guard rejected it."""
    reason = find_objection(said, original)
    log.info("summary_written", extra={"kind": row.kind, "reason": reason})
    _store(row, "" if reason else tidy_text(said), model)


def read_original(row: Summary, model: str) -> Original:
    """Return the texts that the model reads for a summary: turns, or the summaries below it."""
    limit, extract = WORDS.get(Kind(row.kind), settings.SUMMARY_LENGTH), _find_extract(row)
    room = min((llm.get_window(model) or USUAL_WINDOW) // 2, MOST_TOKENS)
    if row.kind == Kind.SEGMENT:
        turns = [
            f"{turn.query}\n{strip_places(strip_markers(turn.response))}"
            for turn in _read_turns(row)
        ]
        return Original(_shorten_texts(turns, room), extract, limit)
    texts = [part.text for part in read_parts(row)]
    if row.kind == Kind.ROLLING or sum(map(count_tokens, texts)) > room:
        # The extract covers the texts that don't fit.
        texts = [extract, *_select_newest(texts, room - count_tokens(extract))]
    return Original(texts, extract, limit)


def _find_extract(row: Summary) -> str:
    """Return the extract that the model's summary replaces; make it again if it is gone."""
    if row.is_extract:
        return row.text
    at = Range(row.first_position, row.last_position)
    if row.kind == Kind.SEGMENT:
        return condensing.summarise_segment(row.session, _read_turns(row), at).text
    return condensing.summarise_parts(row.session, row.kind, read_parts(row), at).text


def _read_turns(row: Summary) -> list[Turn]:
    at = (row.first_position, row.last_position)
    return list(row.session.turns.remembered().filter(position__range=at).order_by("position"))


def _shorten_texts(texts: Sequence[str], room: int) -> list[str]:
    """Cut all texts to one length, halved until they fit together."""
    longest = LONGEST_PART
    while longest > SHORTEST_PART and sum(count_tokens(each[:longest]) for each in texts) > room:
        longest //= 2
    return [each[:longest] for each in texts]


def _select_newest(texts: Sequence[str], room: int) -> list[str]:
    chosen: list[str] = []
    for text in reversed(texts):
        room -= count_tokens(text)
        if room < 0:
            break
        chosen.append(text)
    return chosen[::-1]


@one_transaction
def _store(row: Summary, text: str, model: str) -> None:
    """Store the text, or note that there is none, unless the summary has changed meanwhile."""
    session = Session.objects.select_for_update().filter(pk=row.session_id).first()
    if (
        session is None
        or is_held(session)
        or not list_unwritten(session).filter(pk=row.pk).exists()
    ):
        return
    row.prompt_version = VERSION
    if text:
        row.text, row.tokens_after = text, count_tokens(text)
        row.model = llm.get_model(model).model[:200]
    row.save(update_fields=["text", "tokens_after", "model", "prompt_version"])
