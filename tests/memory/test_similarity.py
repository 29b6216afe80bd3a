"""Vectors and words of turns: made by jobs, made up for, given back, and taken out again."""

from datetime import timedelta

import numpy as np
import pytest
from django.conf import LazySettings

from memory.conversations.asking import create_session
from memory.forgetting.deletion import erase_turn
from memory.jobs.queue import enqueue, run_due
from memory.models import Job, Session, Turn, VectorBlock, WordBlock
from memory.recall import Given, Stored
from memory.recall.index.blocks import read_messages
from memory.recall.index.indexing import embed_missing, forget, renew_some
from memory.recall.index.messages import split_parts
from memory.recall.index.scoring import score_messages
from memory.recall.rewriting.exchanges import Exchange
from memory.text.embedding import Embedded, get_embedder
from memory.text.vectors import Block
from tests.pages.conversations import turn_of

pytestmark = pytest.mark.django_db

HERON = "What does the heron eat?"


def embedded(session: Session) -> list[tuple[int, int]]:
    rows = VectorBlock.objects.filter(session=session)
    return sorted((at, side) for row in rows for at, side in Block.unpacked(row.payload).numbers)


def worded(session: Session) -> list[int]:
    return read_messages(session).numbers.tolist()


def remember(session: Session, count: int = 3) -> list[Turn]:
    turns = [turn_of(session, query=f"{HERON} {number}") for number in range(count)]
    embed_missing()
    run_due()
    return turns


def test_turns_without_a_vector_are_made_up_for_once(session: Session) -> None:
    for _ in range(3):
        turn_of(session)
    turn_of(session, status="failed")
    assert embed_missing() == 3
    assert Job.objects.filter(kind="embed_session").count() == 1
    run_due()
    assert embedded(session) == [(at, side) for at in (1, 2, 3) for side in (0, 1)]
    assert worded(session) == [2, 3, 4, 5, 6, 7]
    assert embed_missing() == 0


def test_what_another_engine_left_behind_goes_once_it_is_made_anew(session: Session) -> None:
    remember(session, 1)
    VectorBlock.objects.update(model="another")
    assert embed_missing() == 1
    assert set(VectorBlock.objects.values_list("model", flat=True)) == {"another"}
    run_due()
    assert set(VectorBlock.objects.values_list("model", flat=True)) == {get_embedder().model}
    assert embedded(session) == [(1, 0), (1, 1)]
    assert worded(session) == [2, 3]


def test_without_an_engine_words_are_kept_and_no_vectors(
    session: Session, settings: LazySettings
) -> None:
    settings.EMBEDDING = "none"
    remember(session, 1)
    assert (embedded(session), worded(session)) == ([], [2, 3])
    assert embed_missing() == 0
    settings.EMBEDDING = "minilm"
    assert embed_missing() == 1


def test_words_do_not_wait_for_an_engine_that_is_away(
    session: Session, settings: LazySettings
) -> None:
    settings.EMBEDDING_BASE_URL, settings.EMBEDDING_MODEL = "http://127.0.0.1:9/v1", "away"
    turn_of(session)
    embed_missing()
    run_due()
    assert (embedded(session), worded(session)) == ([], [2, 3])
    assert Job.objects.get().error == "EmbeddingError"


def test_a_turn_is_kept_once_whoever_asks_for_it(session: Session) -> None:
    turn = remember(session)[1]
    enqueue("embed_turn", turn.pk)
    enqueue("embed_session", session.pk)
    run_due()
    assert len(embedded(session)) == 6
    assert worded(session) == [2, 3, 4, 5, 6, 7]


def test_many_turns_fill_blocks_of_256_rows(session: Session, settings: LazySettings) -> None:
    settings.EMBEDDING = "none"
    remember(session, 130)
    assert worded(session) == [*range(2, 262)]
    sizes = WordBlock.objects.order_by("number").values_list("first_position", "last_position")
    assert list(sizes) == [(1, 128), (129, 130)]


def test_what_is_kept_is_of_the_question_as_it_stands_alone(session: Session) -> None:
    turn_of(session, query="And at night?", standalone_query="Does the heron hunt at night?")
    embed_missing()
    run_due()
    assert read_messages(session).words.count_texts("heron") == 1
    question, answer = Stored(session, 2).vectors([1])[1]
    engine = get_embedder()
    assert engine
    expected = engine.embed(["Does the heron hunt at night?", "The fifteenth."])
    assert question is not None
    assert answer is not None
    assert np.stack([question, answer]) == pytest.approx(expected, abs=0.01)
    assert question.dtype == np.float32


def test_vectors_are_read_from_the_blocks_that_hold_them(
    session: Session, django_assert_num_queries: object
) -> None:
    remember(session)
    turn_of(session, response="")
    embed_missing()
    run_due()
    with django_assert_num_queries(1):  # type: ignore[operator]
        found = Stored(session, 5).vectors([2, 4, 9])
    assert set(found) == {2, 4}
    assert found[4][1] is None
    assert Stored(session, 4).vectors([4]) == {}  # not before the question


def test_the_newest_turn_has_vectors_before_its_job_is_done(session: Session) -> None:
    turn_of(session, query="And at night?", standalone_query="Does the heron hunt at night?")
    early = Stored(session, 2).vectors([1])
    embed_missing()
    run_due()
    stored = Stored(session, 2).vectors([1])
    assert np.stack(early[1]) == pytest.approx(np.stack(stored[1]), abs=0.01)  # type: ignore[arg-type]
    turn_of(session, outcome=Turn.Outcome.NOTHING_FOUND)  # never indexed
    assert Stored(session, 3).vectors([2]) == {}


def test_of_a_history_that_a_client_brings_the_last_two_turns_are_embedded() -> None:
    told = [Exchange("What is rent?", "A payment [1]."), Exchange("Of what?", "For a flat.")]
    past = Given([*told, Exchange("Why?", "…"), Exchange("And then?", "Nothing more.")])
    found = past.vectors(range(1, 5))
    assert set(found) == {3, 4}
    assert found[3] == (None, None)  # there is nothing to compare in it
    assert found[4][1] is not None
    assert Given(told).vectors([1])[1][0] is not None


def test_what_is_forgotten_is_out_of_the_blocks_and_the_rest_stays(session: Session) -> None:
    remember(session)
    Turn.objects.filter(session=session, position=3).update(status=Turn.Status.FAILED)
    forget(session, {3})
    assert worded(session) == [2, 3, 4, 5]
    assert {at for at, _ in embedded(session)} == {1, 2}
    Turn.objects.filter(session=session).update(status=Turn.Status.FAILED)
    forget(session, {1})
    assert not VectorBlock.objects.exists()
    assert not WordBlock.objects.exists()


def test_what_was_made_of_later_questions_is_made_again(session: Session) -> None:
    later = remember(session)[2]
    sealed = Turn._meta.get_field("standalone_query").seal_value(later, "What about Zanzibar?")  # type: ignore[attr-defined]
    Turn.objects.filter(pk=later.pk).update(standalone_query=sealed)
    WordBlock.objects.all().delete()
    embed_missing()
    run_due()
    assert read_messages(session).words.count_texts("zanzibar") == 1
    Turn.objects.filter(session=session, position=1).update(status=Turn.Status.FAILED)
    Turn.objects.filter(pk=later.pk).update(standalone_query=None)
    forget(session, {1})
    assert worded(session) == []
    run_due()
    assert worded(session) == [4, 5, 6, 7]
    assert read_messages(session).words.count_texts("zanzibar") == 0


def test_a_turn_withdrawn_while_it_was_embedded_leaves_nothing(session: Session) -> None:
    turn = turn_of(session)
    embed_missing()
    Turn.objects.filter(pk=turn.pk).update(status=Turn.Status.FAILED)
    run_due()
    assert (embedded(session), worded(session)) == ([], [])


def test_what_was_said_is_in_no_block_in_the_clear(session: Session) -> None:
    remember(session, 1)
    for row in (*VectorBlock.objects.all(), *WordBlock.objects.all()):
        stored = type(row).objects.filter(pk=row.pk).values_list("payload", flat=True).get()
        assert bytes(stored) != row.payload
        assert row.payload[:64] not in bytes(stored)


LONG = """I moved to Porto in spring and still look for furniture.
My sister keeps a heron called Ludmila in her garden.
The landlord wants the rent on the first of each month.
Which papers do I need for the tax office?
```python
print("Nothing of this is a sentence. Nor is this. Nor this.")
```
"""


def test_a_long_question_is_found_by_one_of_its_sentences_too(session: Session) -> None:
    remember(session, 2)
    turn = turn_of(session, query=LONG)
    embed_missing()
    run_due()
    asked = Embedded("What is the heron of my sister called?")
    with_parts = score_messages([session.pk], asked, owner=session.owner_id)
    row = with_parts.heard.messages.numbers.tolist().index(2 * turn.position)
    parts = VectorBlock.objects.get(model=get_embedder().model + "/parts")
    numbers = Block.unpacked(parts.payload).numbers.tolist()
    assert numbers == [[turn.position, part] for part in range(4)]
    parts.delete()
    assert (
        with_parts.scores[row]
        > score_messages([session.pk], asked, owner=session.owner_id).scores[row]
    )


def test_parts_go_with_their_turn_and_with_their_engine(session: Session) -> None:
    first, second = (turn_of(session, query=LONG) for _ in range(2))
    embed_missing()
    run_due()
    assert renew_some(9) == 0  # they are of the engine of now
    parts = VectorBlock.objects.filter(model__endswith="/parts")
    forget(session, {second.position})
    second.delete()
    run_due()
    assert set(Block.unpacked(parts.get().payload).positions.tolist()) == {first.position}
    VectorBlock.objects.filter(model=get_embedder().model).update(model="another")
    parts.update(model="another/parts")
    assert renew_some(9) == 1
    run_due()
    assert {row.model.removesuffix("/parts") for row in VectorBlock.objects.all()} == {
        get_embedder().model
    }


@pytest.mark.parametrize(
    ("said", "parts"),
    [
        ("One is short. So are two.", 0),
        ("```\n" + "Code has sentences here, it says. " * 9 + "\n```", 0),
        ("This sentence has quite enough words in it. " * 3, 0),
        ("This sentence has quite enough words in it. " * 9, 4),
        ("Yes. " * 99, 4),
        ("word " * 30_000, 0),
    ],
)
def test_a_message_has_parts_if_it_has_sentences_enough(said: str, parts: int) -> None:
    found = split_parts(said)
    assert len(found) == parts
    assert all(len(part.split()) <= 80 for part in found)


def spoken(session: Session, *said: tuple[str, str]) -> list[Turn]:
    turns = [turn_of(session, query=query, response=response) for query, response in said]
    embed_missing()
    run_due()
    return turns


def vector_of(session: Session, position: int, side: int) -> "np.ndarray":
    [block] = [Block.unpacked(row.payload) for row in VectorBlock.objects.filter(session=session)]
    [row] = [at for at, each in enumerate(block.numbers.tolist()) if each == [position, side]]
    return block.whole(np.array([row]))[0]


def likest(vector: "np.ndarray", texts: list[str]) -> str:
    engine = get_embedder()
    assert engine
    return texts[int((engine.embed(texts) @ vector).argmax())]


def test_what_people_say_in_few_words_is_read_with_what_it_answers(session: Session) -> None:
    long = "In the end we drove to the lighthouse at Skagen with both of the children and the dog."
    spoken(
        session,
        ("Ana: Where did you go on Sunday, to the harbour or to the lighthouse?", "Ben: Both!"),
        ("Ana: Nice.", f"Ben: {long}"),
    )
    before = "Where did you go on Sunday, to the harbour or to the lighthouse?"
    texts = ["Both!", f"{before} Both!", "Nice.", "Both! Nice.", long, f"Nice. {long}"]
    found = [likest(vector_of(session, at, side), texts) for at, side in ((1, 1), (2, 0), (2, 1))]
    assert found == [f"{before} Both!", "Both! Nice.", long]


def test_what_is_said_after_a_pause_or_without_a_name_stands_for_itself(session: Session) -> None:
    first, later = spoken(
        session, ("Ana: Where?", "Ben: At the harbour."), ("Ana: Nice.", "Ben: Yes")
    )
    Turn.objects.filter(pk=later.pk).update(asked_at=first.asked_at + timedelta(hours=4))
    forget(session, [first.position])
    run_due()
    assert likest(vector_of(session, 2, 0), ["Nice.", "At the harbour. Nice."]) == "Nice."
    other = create_session(session.owner)
    spoken(other, ("Where is the harbour?", "In the north."))
    texts = ["In the north.", "Where is the harbour? In the north."]
    assert likest(vector_of(other, 1, 1), texts) == "In the north."


def test_what_was_read_with_a_deleted_message_is_read_anew_without_it(session: Session) -> None:
    spoken(session, ("Ana: Who was ill?", "Ben: My uncle Zbigniew."), ("Ana: Oh no!", "Ben: Yes"))
    texts = ["Oh no!", "My uncle Zbigniew. Oh no!"]
    assert likest(vector_of(session, 2, 0), texts) == texts[1]
    Session.objects.filter(pk=session.pk).update(turn_count=2, context_tokens=100)
    erase_turn(session.turns.get(position=1), actor=session.owner)
    run_due()
    assert likest(vector_of(session, 2, 0), texts) == texts[0]
