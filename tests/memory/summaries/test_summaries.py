"""Summaries of a long conversation: made by a job, level by level, and gone with their turns."""

from typing import Any

import pytest

from memory import holds
from memory.conversations.asking import create_session
from memory.errors import Held
from memory.forgetting.answers import delete_answers
from memory.forgetting.deletion import erase_session, erase_turn
from memory.forgetting.retention.trimming import trim
from memory.models import AuditEvent, Job, Session, Summary, Turn, User
from memory.recall.summaries import editing, making
from memory.recall.summaries.editing import NotEdited
from tests.memory.summaries.told import ANSWER, condensed, go_on, told, work

pytestmark = pytest.mark.django_db

Kind = Summary.Kind


def ranges(session: Session, kind: str) -> list[tuple[int, int]]:
    rows = session.summaries.filter(kind=kind).order_by("first_position")
    return list(rows.values_list("first_position", "last_position"))


def test_a_long_conversation_has_segments_of_five_sections_of_segments_and_a_whole(
    owner: User,
) -> None:
    session = told(owner, 33)
    rows = condensed(session)
    assert ranges(session, Kind.TURN) == [(at, at) for at in range(1, 31)]
    assert ranges(session, Kind.SEGMENT) == [(at, at + 4) for at in range(1, 31, 5)]
    assert ranges(session, Kind.SECTION) == [(1, 25)]
    assert ranges(session, Kind.SESSION) == [(1, 30)]
    for row in rows:
        assert row.is_extract
        assert not row.is_edited
        assert 0 < row.tokens_after < row.tokens_before
    whole = session.summaries.get(kind=Kind.SESSION)
    assert 0 < len(whole.text.split()) <= 200
    assert whole.topics
    turn = session.summaries.get(kind=Kind.TURN, first_position=7)
    assert " 750 euros" in turn.text, turn.text
    assert "7 March 2024" in turn.text
    assert turn.turn == session.turns.get(position=7)


def test_where_a_quotation_stands_is_not_part_of_what_was_said(owner: User) -> None:
    quoted = (
        "How high is the deposit?",
        "> The deposit is 150 euros. [1]\n\n*Fernhill Deed · p. 3*",
    )
    session = told(owner, 20, said=[quoted] * 20)
    texts = [row.text for row in condensed(session)]
    assert all("150 euros" in text for text in texts)
    assert not any("Deed" in text for text in texts)
    assert "Deed" not in "".join(session.summaries.get(kind=Kind.SESSION).topics)


def test_a_short_conversation_is_not_condensed_until_its_window_is_full(owner: User) -> None:
    session = told(owner, 19)
    assert condensed(session) == []
    session.context_window = 512
    session.save()
    assert ranges(session, Kind.SEGMENT) == []
    condensed(session)
    assert ranges(session, Kind.SEGMENT) == [(1, 5), (6, 10), (11, 15)]


def test_what_is_made_stays_as_it_is_while_the_conversation_goes_on(owner: User) -> None:
    session = told(owner, 25)
    before = {row.pk for row in condensed(session) if row.kind != Kind.SESSION}
    go_on(session, 26)
    condensed(session)
    assert before <= set(session.summaries.values_list("pk", flat=True))
    assert ranges(session, Kind.SECTION) == [(1, 25), (26, 50)]
    assert ranges(session, Kind.SESSION) == [(1, 50)]
    made = set(session.summaries.values_list("pk", flat=True))
    condensed(session)
    assert set(session.summaries.values_list("pk", flat=True)) == made, "nothing was to do"


@pytest.mark.parametrize(
    ("strategy", "kinds"),
    [("turn", {"turn"}), ("rolling", {"turn", "rolling"})],
)
def test_other_strategies_make_what_they_need_only(
    owner: User, settings: Any, strategy: str, kinds: set[str]
) -> None:
    settings.COMPRESSION_STRATEGY = strategy
    session = told(owner, 40)
    assert {row.kind for row in condensed(session)} == kinds
    go_on(session, 10)
    condensed(session)
    assert ranges(session, Kind.ROLLING) == ([(1, 50)] if strategy == "rolling" else [])
    for row in session.summaries.filter(kind=Kind.ROLLING):
        assert len(row.text.split()) <= settings.SUMMARY_LENGTH


def test_nothing_is_made_where_it_is_switched_off(owner: User, settings: Any) -> None:
    settings.ENABLE_COMPRESSION = False
    assert condensed(told(owner, 30)) == []


def test_with_a_turn_goes_all_that_was_made_of_it_and_is_made_again_without_it(
    owner: User,
) -> None:
    session = told(owner, 30)
    condensed(session)
    secret, value = session.turns.get(position=7), " 750 euros"
    segment = session.summaries.get(kind=Kind.SEGMENT, first_position=6)
    editing.edit(segment, f"We spoke of{value}.")
    others = set(session.summaries.filter(kind=Kind.SEGMENT).values_list("pk", flat=True))
    assert editing.count_edited(session, 7) == 1
    assert editing.count_edited(session, 11) == 0

    erase_turn(secret, actor=owner)

    left = session.summaries.all()
    assert not [row for row in left if value in row.text + (row.made_text or "")]
    assert not left.filter(first_position__lte=7, last_position__gte=7).exists()
    assert others - {segment.pk} <= set(left.values_list("pk", flat=True))
    work()
    assert ranges(session, Kind.SEGMENT) == [(at, at + 4) for at in range(1, 31, 5)]
    assert ranges(session, Kind.SESSION) == [(1, 30)]
    assert not [row for row in session.summaries.all() if value in row.text]


def test_with_an_answer_goes_what_was_made_of_it(owner: User) -> None:
    session = told(owner, 25)
    condensed(session)
    delete_answers(session.pk, [session.turns.get(position=7).pk])
    work()
    assert ranges(session, Kind.SECTION) == [(1, 25)]
    assert not [row for row in session.summaries.all() if " 750 euros" in row.text]


def test_with_trimmed_turns_and_with_the_session_its_summaries_go(owner: User) -> None:
    session = told(owner, 60)
    condensed(session)
    trim(session.pk, keep=20)
    assert not session.summaries.filter(first_position__lte=40).exists()
    work()
    assert ranges(session, Kind.SECTION) == [(26, 50)]
    session.refresh_from_db()
    erase_session(session, actor=owner)
    assert not Summary.objects.exists()


def test_what_was_read_before_a_turn_was_deleted_is_not_stored(owner: User) -> None:
    session = told(owner, 25)
    at = next(making.find_incomplete_sections(session))
    turns, rows = making._make_missing_summaries(session, at)
    erase_turn(session.turns.get(position=3), actor=owner)
    making._store(session, turns, rows)
    assert not session.summaries.exists()


def test_an_answer_that_is_another_now_is_not_remembered_as_it_was(owner: User) -> None:
    session = told(owner, 25)
    at = next(making.find_incomplete_sections(session))
    turns, rows = making._make_missing_summaries(session, at)
    Turn.objects.filter(pk=turns[3].pk).update(status=Turn.Status.FAILED)
    making._store(session, turns, rows)
    assert not session.summaries.exists()


# --- The person's own --------------------------------------------------------------------------


def test_a_person_edits_a_summary_and_goes_back(owner: User) -> None:
    session = told(owner, 25)
    condensed(session)
    whole = session.summaries.get(kind=Kind.SESSION)
    made = whole.text
    editing.edit(whole, "In my words.")
    editing.edit(whole, "In better words.")
    whole.refresh_from_db()
    assert (whole.text, whole.made_text, whole.is_edited) == ("In better words.", made, True)
    go_on(session, 10)
    condensed(session)
    assert session.summaries.get(kind=Kind.SESSION).text == "In better words.", "it stays"

    editing.go_back(whole)
    assert (whole.text, whole.made_text, whole.is_edited) == (made, None, False)
    with pytest.raises(NotEdited):
        editing.go_back(whole)
    work()
    assert ranges(session, Kind.SESSION) == [(1, 35)], "what was said since is in it"
    actions = AuditEvent.objects.filter(subject_id=whole.pk).values_list("action", flat=True)
    assert list(actions) == ["summary.edited", "summary.edited", "summary.restored"]


def test_what_a_person_writes_of_a_segment_reaches_what_is_made_of_it(owner: User) -> None:
    session = told(owner, 50)
    condensed(session)
    segment = session.summaries.get(kind=Kind.SEGMENT, first_position=6)
    others = session.summaries.get(kind=Kind.SECTION, first_position=26)
    editing.edit(segment, "The Zanzibar deposit is 7,777 euros.")
    work()
    for kind in (Kind.SECTION, Kind.SESSION):
        above = session.summaries.get(kind=kind, first_position=1)
        assert "Zanzibar" in above.text, kind
    assert session.summaries.filter(pk=others.pk).exists(), "what is made of others stays"

    editing.go_back(segment)
    work()
    texts = [row.text for row in session.summaries.all()]
    assert len(texts) == 50 + 10 + 2 + 1
    assert not any("Zanzibar" in text for text in texts)


def test_what_a_person_writes_stands_above_a_segment_too(owner: User) -> None:
    session = told(owner, 25)
    condensed(session)
    whole = session.summaries.get(kind=Kind.SESSION)
    editing.edit(whole, "In my words.")
    editing.edit(
        session.summaries.get(kind=Kind.SEGMENT, first_position=6), "The Zanzibar deposit."
    )
    work()
    assert session.summaries.get(kind=Kind.SESSION).text == "In my words."


def test_a_summary_is_made_anew_with_those_above_it(owner: User) -> None:
    session = told(owner, 25)
    condensed(session)
    segment = session.summaries.get(kind=Kind.SEGMENT, first_position=6)
    editing.edit(segment, "Mine.")
    editing.make_anew(segment, by_model=False)
    left = {row.kind for row in session.summaries.all()}
    assert left == {"turn", "segment"}
    work()
    assert ranges(session, Kind.SECTION) == [(1, 25)]
    assert session.summaries.get(kind=Kind.SEGMENT, first_position=6).text != "Mine."


def test_what_is_held_is_neither_edited_nor_replaced(owner: User, admin: User) -> None:
    session = told(owner, 25)
    condensed(session)
    whole = session.summaries.get(kind=Kind.SESSION)
    holds.place(session, reason="court", author=admin)
    with pytest.raises(Held):
        editing.edit(whole, "Other.")
    with pytest.raises(Held):
        editing.make_anew(whole, by_model=False)
    go_on(session, 10)
    condensed(session)
    assert session.summaries.get(kind=Kind.SESSION).pk == whole.pk
    assert ranges(session, Kind.SEGMENT)[-1] == (31, 35), "what is new is added"


def test_the_job_is_asked_for_when_a_segment_is_complete(owner: User) -> None:
    session = create_session(owner)
    session.last_position = 24
    asked_for = [at for at in range(15, 31) if making.needs_condensing(session, at)]
    assert asked_for == [20, 25, 30]
    assert not Job.objects.exists()


def test_what_it_says_is_sealed(owner: User) -> None:
    session = told(owner, 25, said=[("Is Zanzibarfee 4711 due?", ANSWER.format(at=1))])
    condensed(session)
    row = session.summaries.get(kind=Kind.TURN, first_position=1)
    assert "Zanzibarfee" in row.text
    stored = Summary.objects.filter(pk=row.pk).values("text", "topics", "model").get()
    assert b"Zanzibarfee" not in bytes(stored["text"])
