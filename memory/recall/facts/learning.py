"""Learning of facts when a question is asked, in the transaction that stores it.

Learned facts are shared with other sessions if the person consents to recall and the session's
reach isn't limited to itself. Otherwise they count only in their own session. A new value ends the
old one, and both stay with their times.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime

from memory.holds import is_held
from memory.models import Consent, Fact, FactKind, Purpose, Session, Turn
from memory.outages import one_transaction
from memory.personal_data import consent
from memory.recall.facts.clauses import Learned
from memory.recall.facts.ending import make_room
from memory.recall.facts.extraction import extract_facts
from memory.recall.facts.wishes import EITHER, is_opposed, is_same_thing
from memory.text.words import split_words

# Aspects that end together: "answer normally again".
MANNER = frozenset({"format", "length", "language", "tone"})
EVERYTHING, LAST = "all", "last"
# Called with each question, in its transaction: hooks of packages with a language model.
Heard = Callable[[Turn], None]
_told: list[Heard] = []


def when_learned(function: Heard) -> Heard:
    """Register an extractor of further facts."""
    _told.append(function)
    return function


def learn(turn: Turn, session: Session) -> None:
    """Store the facts in the question; call with the session and its owner locked.

    A question without facts costs no statement.
    """
    for tell in _told:
        tell(turn)
    if said := extract_facts(turn.query):
        is_shared = session.recalls and consent.allows(turn.owner_id, Purpose.RECALL)
        _keep(said, turn, is_shared=is_shared)


@one_transaction
def keep_noticed(turn: Turn, said: Sequence[Learned]) -> None:
    """Store further facts of the turn's question, unless newer ones are known."""
    mine = Session.objects.visible(turn.owner).select_for_update().filter(pk=turn.session_id)
    session = mine.first()
    consent.lock_person(turn.owner_id)
    there = Turn.objects.filter(pk=turn.pk, owner=turn.owner_id).exists()
    if session is None or not there or is_held(session):
        return
    later = Fact.objects.visible(turn.owner).filter(valid_from__gt=turn.asked_at)
    newer = {(row.kind, row.subject) for row in later}
    # A later consent doesn't cover earlier statements.
    decided = Consent.objects.filter(owner=turn.owner, purpose=Purpose.RECALL)
    is_allowed = session.recalls and consent.allows(turn.owner_id, Purpose.RECALL)
    is_shared = is_allowed and not decided.filter(at__gt=turn.asked_at).exists()
    fresh = [each for each in said if (each.kind, each.subject) not in newer]
    _keep(fresh, turn, is_shared=is_shared)


def _keep(said: Sequence[Learned], turn: Turn, *, is_shared: bool) -> None:
    present = _present(turn, is_shared=is_shared)
    for each in said:
        if each.ends and (meant := _find_ended_facts(each, present, turn)):
            _end(meant, turn.asked_at, None)
            present = [row for row in present if row not in meant]
        elif each.ends and each.otherwise:
            kept = replace(each, subject=each.otherwise, ends=False)
            _add(kept, turn, present, is_shared=is_shared)
        elif not each.ends:
            _add(each, turn, present, is_shared=is_shared)
    make_room(turn.owner_id)


def _present(turn: Turn, *, is_shared: bool) -> list[Fact]:
    """Return the current facts in the session, the newest first."""
    rows = Fact.objects.visible(turn.owner).current().order_by("-valid_from", "-id")
    if not is_shared:
        rows = rows.filter(session=turn.session_id)
    return [row for row in rows if row.is_shared or row.session_id == turn.session_id]


def _add(said: Learned, turn: Turn, present: list[Fact], *, is_shared: bool) -> None:
    before = [row for row in present if row.kind == said.kind and is_replaced(row, said)]
    if any(split_words(row.text) == split_words(said.text) for row in before):
        return
    fact = Fact.objects.create(
        owner_id=turn.owner_id,
        session_id=turn.session_id,
        turn=turn,
        said_in=turn.pk,
        kind=said.kind,
        subject=said.subject,
        text=said.text,
        is_shared=is_shared,
        valid_from=turn.asked_at,
    )
    _end(before, turn.asked_at, fact)
    present.insert(0, fact)


def is_replaced(row: Fact, said: Learned) -> bool:
    """Return whether the statement replaces the row, which is of its kind."""
    is_wish = row.kind == FactKind.WISH
    return row.subject == said.subject or (is_wish and is_opposed(said, row.subject, row.text))


def _find_ended_facts(said: Learned, present: Sequence[Fact], turn: Turn) -> list[Fact]:
    """Return the ended facts: of this subject, and with this value if one is given."""
    if said.subject == LAST:
        return [
            row
            for row in present
            if row.kind == FactKind.WISH and row.turn_id == _get_previous_turn_id(turn)
        ]
    if said.subject == EVERYTHING:
        return [row for row in present if row.kind == FactKind.WISH and row.subject in MANNER]
    mine = [row for row in present if row.kind == said.kind]
    same = [row for row in mine if row.subject == said.subject and _has_value(said, row)]
    return same + [row for row in mine if row not in same and _is_ruled(said, row)]


def _is_ruled(said: Learned, row: Fact) -> bool:
    """Return whether the row is an "always" or "never" wish about the same thing."""
    named, rule = said.subject.partition(":")[0], row.subject.partition(":")[0]
    return named in (rule, EITHER) and is_same_thing(said.subject, row.subject)


def _get_previous_turn_id(turn: Turn) -> object:
    """Return the id of the previous turn."""
    rows = Turn.objects.filter(session=turn.session_id, position=turn.position - 1)
    return rows.values_list("pk", flat=True).first()


def _has_value(said: Learned, row: Fact) -> bool:
    if row.kind == FactKind.WISH:
        return any(
            each.value == said.value for each in extract_facts(row.text)
        ) or not extract_facts(row.text)
    # "I'm no longer vegetarian" ends "soy vegetariana".
    there = {word[:5] for word in split_words(row.text)}
    return {word[:5] for word in split_words(said.value)} <= there


def _end(rows: Sequence[Fact], moment: datetime, newer: Fact | None) -> None:
    for row in rows:
        row.valid_until, row.replaced_by = max(moment, row.valid_from), newer
        row.save(update_fields=["valid_until", "replaced_by"])
