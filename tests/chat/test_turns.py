"""One turn from the question to its record, without a model: the quoting answerer."""

from collections import Counter
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from chat.models import ContextRecord
from chat.shapes.resources.turns import load_citations, turn_shape
from chat.streams.snapshots import NOTHING, Cursor, list_new_events, read_snapshot
from chat.turns import checkpointing
from chat.turns.pipeline import answer_now, take_turn
from citations.models import Document, Source
from memory.conversations.asking import Question, create_session, retry
from memory.conversations.attempts import begin
from memory.conversations.checkpoints import Grown, store
from memory.conversations.interrupting import interrupt_lapsed
from memory.models import Attempt, Session, Turn, User, VectorBlock
from tests.bench.material import session_of
from tests.bench.measures import counted, turn_without_answerer
from tests.chat.remembered import said

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("library")]


def test_it_answers_from_the_library_with_a_checked_citation(session: Session) -> None:
    turn = said(session, "What is the Determination Date?")
    assert turn.status == "complete"
    assert "fifteenth day of each calendar month" in turn.response
    citation = turn.citations.first()
    assert citation
    assert turn.response[citation.start :].startswith("[1]")
    assert "fifteenth day" in citation.quote
    assert citation.score > 0.8


def test_a_follow_up_finds_the_business_day_convention(session: Session) -> None:
    said(session, "What is the Determination Date?")
    turn = said(session, "And what happens if it falls on a weekend?")
    assert "preceding Business Day" in turn.response
    assert "Determination Date" in turn.standalone_query


def test_a_document_keeps_its_number_through_the_session(session: Session) -> None:
    said(session, "What is the Determination Date?")
    said(session, "Which drugs target PIK3CA directly?")
    said(session, "Which law governs the pooling and servicing agreement?")
    numbers = list(Source.objects.filter(session=session).values_list("number", flat=True))
    assert sorted(numbers) == list(range(1, len(numbers) + 1))
    last = session.turns.get(position=3)
    assert "State of New York" in last.response
    assert last.citations.first().source.number == 1


def test_a_turn_takes_at_most_thirty_statements(owner: User) -> None:
    session = session_of(owner, 40)
    turn_without_answerer(session)
    with counted() as counts:
        turn_without_answerer(session)
    assert counts["statements"] <= 30


def test_it_says_plainly_that_the_library_holds_nothing(session: Session) -> None:
    turn = said(session, "Which yeast makes sourdough bread rise?")
    assert turn.response.startswith("The library holds nothing on this question.")
    assert not turn.citations.exists()


def test_the_hash_of_a_prompt_is_one_s_own(owner: User, colleague: User) -> None:
    hashes = []
    for someone in (owner, owner, colleague):
        session = create_session(someone)
        answer_now(take_turn(session, Question("What is the Determination Date?")).attempt)
        hashes.append(ContextRecord.objects.get(turn__session=session).prompt_hash)
    assert hashes[0] == hashes[1]
    assert hashes[0] != hashes[2], "a guess at the words can't be tried without the key"


def test_the_vector_of_a_finished_turn_is_stored_by_a_job(session: Session) -> None:
    from memory.jobs.queue import run_due

    said(session, "What is the Determination Date?")
    said(session, "Which drugs target PIK3CA directly?")
    run_due()
    block = VectorBlock.objects.get()
    assert block.last_position == 2


def test_without_embedding_words_are_enough(session: Session, settings) -> None:
    settings.EMBEDDING = "none"
    assert "fifteenth day" in said(session, "What is the Determination Date?").response


def test_the_first_event_says_in_how_many_documents_is_searched(session: Session) -> None:
    turn = said(session, "What is the Determination Date?")
    everything = Document.objects.count()
    assert next(list_new_events(read_snapshot(turn), NOTHING)).data["documents"] == everything
    source = Source.objects.get(session=session)
    limited = said(session, "And on a weekend?", documents=[source.document_id])
    assert next(list_new_events(read_snapshot(limited), NOTHING)).data["documents"] == 1
    # Nobody counts for a reader who has been told.
    assert read_snapshot(turn, seen=Cursor(1, 2)).turn["documents"] is None


def test_the_shape_of_turns_takes_seven_queries(session: Session) -> None:
    for _ in range(3):
        said(session, "What is the Determination Date?")
    # 1 turns with their session, 2 citations with source, document and passage, 3 claims,
    # 4 turns drawn on, 5 which turns of other sessions and 6 which facts they were answered with,
    # 7 the steps of each
    with CaptureQueriesContext(connection) as queries:
        shapes = [turn_shape(turn) for turn in load_citations(session.turns.all())]
    assert len(shapes) == 3
    assert len(queries) == 7


def test_the_queries_of_a_turn_do_not_grow_with_the_session(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A machine that is slow would note more often that the answer is still being written.
    monkeypatch.setattr(checkpointing, "CHECKPOINT_SECONDS", 60.0)

    def queries_of_a_turn() -> int:
        asked = take_turn(session, Question("What is the Determination Date?"))
        with CaptureQueriesContext(connection) as queries:
            answer_now(asked.attempt)
        return len(queries)

    queries_of_a_turn()
    few = queries_of_a_turn()
    for _ in range(8):
        queries_of_a_turn()
    assert queries_of_a_turn() == few


def test_a_turn_asks_the_database_little_and_nothing_twice(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpointing, "CHECKPOINT_SECONDS", 60.0)
    said(session, "What is the Determination Date?")
    with CaptureQueriesContext(connection) as queries:
        said(session, "And what happens if it falls on a weekend?")
    statements = [
        each["sql"] for each in queries.captured_queries if "SAVEPOINT" not in each["sql"]
    ]
    asked = Counter(statement for statement in statements if statement.startswith("SELECT"))
    again = [statement for statement, times in asked.items() if times > 1]
    # The policy is read when the question comes and when its answer ends; each search checks for
    # changes of the library, and scans private passages.
    may_again = ("memory_retentionpolicy", "citations_library", "citations_passage")
    assert [each for each in again if not any(name in each for name in may_again)] == []

    assert len(statements) <= 60


def test_text_rescued_from_a_dead_process_has_no_citations_of_other_text(session: Session) -> None:
    turn = said(session, "What is the Determination Date?")
    assert turn.citations.exists()
    Turn.objects.filter(pk=turn.pk).update(status="interrupted")
    attempt = retry(turn)
    begin(attempt, opening={})
    store([Grown(attempt, attempt.number, "It is another text [1], half wr")])
    Attempt.objects.filter(pk=attempt.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    interrupt_lapsed(session=session)
    turn.refresh_from_db()
    assert turn.response == "It is another text, half wr"
    assert not turn.citations.exists()
    reader = Cursor(attempt.number, 12)
    assert next(list_new_events(read_snapshot(turn), reader)).name == "turn"


def test_an_expired_session_stays_expired_when_its_answer_ends(session: Session) -> None:
    asked = take_turn(session, Question("What is the Determination Date?"))
    past = timezone.now() - timedelta(seconds=1)
    Session.objects.filter(pk=session.pk).update(expires_at=past)
    answer_now(asked.attempt)
    session.refresh_from_db()
    assert session.expires_at == past
