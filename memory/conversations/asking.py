"""Asking: a question is stored as a turn before anything that can fail."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from django.conf import settings
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.db.models import F, Q
from django.utils import timezone

from memory import audit
from memory.conversations.attempts import begin_again, has_text
from memory.conversations.idempotency import compute_fingerprints, find_earlier_turn
from memory.conversations.interrupting import interrupt_lapsed
from memory.conversations.liveness import abandoned, claim
from memory.errors import (
    NotFound,
    Refusal,
    SessionFull,
    TurnInProgress,
    TurnNotCut,
    TurnNotRetryable,
)
from memory.holds import refuse_overwriting
from memory.metrics.counting import count
from memory.models import Attempt, IdempotencyKey, Purpose, Session, Turn, User
from memory.models.conversations import AnswerLength, Rewriting, TitleBy
from memory.models.rows import lock_rows
from memory.models.turns import TurnQuerySet
from memory.outages import retry_clash
from memory.people import rate_limits
from memory.personal_data import consent
from memory.recall.facts.learning import learn
from memory.recall.titles import make_title, names_session
from memory.sealing import ledger, load_data_key
from memory.text.token_counting import count_tokens

PATIENCE_SECONDS = 5.0
# Interval, in seconds, for checking that the answering process is alive.
LOOK_SECONDS = 1.0


@dataclass(frozen=True)
class Question:
    """A question as typed, with the options of its answer."""

    text: str
    # Empty: that of its session, or else CITATION_STYLE.
    style: str = ""
    # The length of the answer; empty: that of its session, or else normal.
    length: str = ""
    # The form of the answer: a name of chat.structures, or `prose`; empty: chosen by the question.
    structure: str = ""
    # The query to search for, instead of a rewrite.
    standalone: str | None = None
    # Whether the client sends a history instead of the stored one.
    has_history: bool = False
    # The client's key, and a canonical text of its request, compared with a second use of the key.
    idempotency_key: str = ""
    request: str = ""


@dataclass(frozen=True)
class AskedTurn:
    """The turn of a question; `attempt` is None when the turn existed already."""

    turn: Turn
    attempt: Attempt | None


def choose_rewriting(text: str, standalone: str | None) -> Rewriting:
    """Return the way from the question to its query."""
    if standalone is None:
        return Rewriting.AUTOMATIC
    return Rewriting.AS_TYPED if standalone == text else Rewriting.GIVEN


def create_session(owner: User, **values: object) -> Session:
    """Start a conversation that expires after its owner's tier's time.

    Only a temporary one may begin without the owner's consent to keep it. Raises NotFound for the
    id of an erased one, which is never reused.
    """
    now = timezone.now()
    titled = {"title_by": TitleBy.PERSON} if values.get("title") else {}
    session = Session(owner=owner, **{"created_at": now, "last_activity": now} | titled | values)
    if not session.temporary:
        consent.require(owner.pk, Purpose.STORE)
    session.expires_at = session.compute_expiry(session.last_activity)
    load_data_key(owner.pk)
    with transaction.atomic():
        session.save(force_insert=True)
        # Checked after the insertion, which waits for a concurrent deletion.
        if "id" in values and ledger.find_erased_ids([session.pk]):
            raise NotFound
        audit.record("session.created", actor=owner.pk, subject=session)
    count("sessions_begun_total", kind="temporary" if session.temporary else "kept")
    return session


def ask(
    session: Session,
    question: Question,
    *,
    in_transaction: Callable[[Turn], None] | None = None,
    patience: float = PATIENCE_SECONDS,
    before_waiting: Callable[[], object] | None = None,
) -> AskedTurn:
    """Store the question as the session's next turn with its first attempt, in one transaction.

    `in_transaction` is called with the new turn inside that transaction. Waits up to `patience`
    seconds for an open turn, then raises TurnInProgress; `before_waiting` is called before that.
    The same idempotency key returns the same turn, or a conflict for another request.
    """
    fingerprints = compute_fingerprints(session.owner, question.idempotency_key, question.request)
    tokens = count_tokens(question.text)
    give_up = time.monotonic() + patience
    ask_now = partial(_ask_now, session, question, tokens, fingerprints, in_transaction)
    while True:
        try:
            return retry_clash(ask_now)
        except TurnInProgress:
            if time.monotonic() >= give_up:
                raise
            if before_waiting:
                before_waiting()
            interrupt_lapsed(session=session)
            _wait_while_answering(session, fingerprints, give_up)


def _wait_while_answering(
    session: Session, fingerprints: tuple[str, str] | None, give_up: float
) -> None:
    """Wait for the end of the turn that is being answered.

    Waiting only reads: each attempt to ask would take the write lock.
    """
    answering = Turn.objects.open().filter(session=session, owner=session.owner_id)
    until = min(give_up, time.monotonic() + LOOK_SECONDS)
    _wait()
    while (
        time.monotonic() < until
        and not find_earlier_turn(session.owner, fingerprints)
        and answering.exists()
    ):
        _wait()


def _wait() -> None:
    """Sleep without a connection, which others may need to finish."""
    if not connection.in_atomic_block:
        connection.close()
    time.sleep(0.1)


def _ask_now(
    session: Session,
    question: Question,
    tokens: int,
    fingerprints: tuple[str, str] | None,
    in_transaction: Callable[[Turn], None] | None,
) -> AskedTurn:
    asked: AskedTurn | None = None
    try:
        with transaction.atomic():
            if earlier := find_earlier_turn(session.owner, fingerprints):
                return AskedTurn(earlier, None)
            asked = _store(session, question, tokens, fingerprints, in_transaction)
    except IntegrityError as error:
        # Either another request used this key first, or a turn of the session is open.
        if earlier := find_earlier_turn(session.owner, fingerprints):
            return AskedTurn(earlier, None)
        raise TurnInProgress from error
    except DatabaseError:
        # The result of a broken commit is unknown: if it stored an attempt, no thread here answers
        # it.
        if asked and asked.attempt:
            abandoned.add(asked.attempt.pk)
        raise
    return asked


def _store(
    session: Session,
    question: Question,
    tokens: int,
    fingerprints: tuple[str, str] | None,
    in_transaction: Callable[[Turn], None] | None,
) -> AskedTurn:
    current = _lock_session(session)
    if current.is_full:
        raise SessionFull
    rate_limits.take_turn(current.owner)
    turn = _build_next_turn(current, question, tokens)
    attempt = Attempt.objects.create(
        turn=turn, owner=turn.owner, number=1, given_history=question.has_history, **claim()
    )
    if fingerprints:
        IdempotencyKey.objects.create(
            owner=current.owner, turn=turn, key=fingerprints[0], body=fingerprints[1]
        )
    if in_transaction:
        in_transaction(turn)
    learn(turn, current)
    _count(current, turn)
    audit.record("turn.asked", actor=current.owner_id, subject=turn)
    return AskedTurn(turn, attempt)


def _lock_session(session: Session) -> Session:
    """Lock the session and its owner, so that a withdrawal of consent sees the new turn.

    Raises NotFound, or ConsentNeeded without the consent to store it.
    """
    rows = Session.objects.visible(User(pk=session.owner_id)).filter(pk=session.pk)
    rows = lock_rows(rows.select_related("owner").order_by())
    allowed = Q(temporary=True) | consent.build_allowed_filter(Purpose.STORE)
    current = next(iter(rows.join_policy().annotate(may_be_kept=allowed)), None)
    if current is None:
        raise NotFound
    if not vars(current)["may_be_kept"]:
        raise consent.ConsentNeeded(Purpose.STORE)
    return current


def _build_next_turn(session: Session, question: Question, tokens: int) -> Turn:
    turn = Turn(
        session=session,
        owner=session.owner,
        position=session.last_position + 1,
        query=question.text,
        query_tokens=tokens,
        style=question.style or session.style or settings.CITATION_STYLE,
        length=question.length or session.length or AnswerLength.NORMAL,
        rewriting=choose_rewriting(question.text, question.standalone),
        standalone_query=question.standalone,
        structure=question.structure,
        asked_at=timezone.now(),
    )
    turn.save(force_insert=True)
    return turn


def _count(session: Session, turn: Turn) -> None:
    """Update the session's clock and counters; its first question gives the title."""
    changes: dict[str, object] = {
        "last_activity": turn.asked_at,
        "expires_at": session.compute_expiry(turn.asked_at),
        "last_position": turn.position,
        "turn_count": F("turn_count") + 1,
        "context_tokens": F("context_tokens") + turn.query_tokens,
    }
    if names_session(session, turn.query, turn.position):
        title = make_title(turn.query)
        changes["title"] = Session._meta.get_field("title").seal_value(session, title)
        changes["title_by"] = TitleBy.QUESTION
    Session.objects.filter(pk=session.pk, owner=session.owner_id).update(**changes)


def retry(turn: Turn) -> Attempt:
    """Begin a new attempt at a turn without an answer, or with a poor one."""
    return _reopen_turn(turn, Turn.objects.retryable(), TurnNotRetryable)


def go_on(turn: Turn) -> Attempt | None:
    """Begin an attempt that continues a cut answer; None if one is open already."""
    if Turn.objects.open().filter(pk=turn.pk, outcome=Turn.Outcome.CUT).exists():
        return None
    return _reopen_turn(turn, Turn.objects.cut(), TurnNotCut, goes_on=True)


def _reopen_turn(
    turn: Turn, those: TurnQuerySet, refusal: type[Refusal], *, goes_on: bool = False
) -> Attempt:
    try:
        with transaction.atomic():
            if not Turn.objects.visible(turn.owner).filter(pk=turn.pk).exists():
                raise NotFound
            if not turn.session.temporary:
                consent.lock_person(turn.owner_id)
                consent.require(turn.owner_id, Purpose.STORE)
            # Without a join, so that the second of two concurrent calls sees the changed status.
            mine = those.filter(pk=turn.pk)
            if not mine.update(status=Turn.Status.PENDING, failure="", finished_at=None):
                raise refusal
            if has_text(turn.pk):  # a new answer would replace it
                refuse_overwriting(turn)
            rate_limits.take_turn(turn.owner)
            turn.refresh_from_db(fields=["response", "response_tokens", "outcome"])
            # The attempt continues from its initial text.
            attempt = begin_again(turn, partial=turn.response if goes_on else "")
            action = "turn.continued" if goes_on else "turn.retried"
            audit.record(action, actor=turn.owner_id, subject=turn)
    except IntegrityError as error:  # another turn of the session is open
        raise TurnInProgress from error
    return attempt
