"""How units are scored, and how likely the library is said to hold an answer."""

from uuid import uuid4

import pytest
from django.conf import LazySettings

from chat.quoting import READ, QuestionReading, read_passages
from chat.quoting.reading import SIGNED
from chat.quoting.scoring import UNSEEN
from chat.quoting.spans import ScoredUnit
from chat.turns.grounding.answerability import FEW_DOCUMENTS, NOTHING, SURE, answerability
from citations.formats.blocks import BlockKind
from citations.models import Document, Passage
from citations.retrieval import Found, Scope, find_passages
from citations.retrieval.units import UnitForm
from memory.text.embedding import Embedded
from tests.chat.quoting.material import HANDBOOK, add
from tests.chat.quoting.passages import passage_of
from tests.effort import computed_within

P = BlockKind.PARAGRAPH
QUESTION = "When do the gates open?"
SECONDS = 5


def hit(passage: Passage, rank: int = 1, fit: float = 0.8) -> Found:
    return Found(passage, rank, fit, fit, None, None, fit)


def best(reading: QuestionReading) -> str:
    return max(reading.candidates, key=lambda each: each.score).text


def likely(question: str, scope: Scope | None = None) -> float:
    scope = scope or Scope()
    asked = Embedded(question)
    found = find_passages(asked, scope=scope)
    return answerability(read_passages(asked, found), found, scope)


# --- Units ----------------------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.once
def test_what_is_said_in_other_words_for_the_same_is_likelier(settings: LazySettings) -> None:
    settings.EMBEDDING = "none"
    passage = passage_of(
        (P, "Money is counted at noon. Fees are refunded within a month. Dogs bark at night.")
    )
    reading = read_passages(Embedded("do I get my money back"), [hit(passage)])
    assert best(reading) == "Fees are refunded within a month."


@pytest.mark.django_db
@pytest.mark.once
def test_a_word_that_names_the_document_does_not_choose_among_its_sentences(
    settings: LazySettings,
) -> None:
    settings.EMBEDDING = "none"
    passage = passage_of((P, "Marlowe Ferry is our name. Dogs travel on the upper deck."))
    passage.document.title = "Marlowe Ferry"
    reading = read_passages(Embedded("marlowe ferry and dogs"), [hit(passage)])
    assert best(reading) == "Dogs travel on the upper deck."


@pytest.mark.django_db
@pytest.mark.once
@pytest.mark.parametrize("embedding", ["e5", "minilm", "none"])
def test_what_says_it_and_has_what_was_asked_for_is_likeliest(
    settings: LazySettings, embedding: str
) -> None:
    settings.EMBEDDING = embedding
    passage = passage_of(
        (BlockKind.PARAGRAPH, "The gates are old. The gates open two hours before noon. Dogs bark.")
    )
    reading = read_passages(Embedded(QUESTION), [hit(passage)])
    assert best(reading) == "The gates open two hours before noon."
    assert all(0 < each.score < 1 for each in reading.candidates)


@pytest.mark.django_db
@pytest.mark.once
@pytest.mark.parametrize("embedding", ["e5", "none"])
def test_what_begins_with_what_was_asked_about_is_likelier(
    settings: LazySettings, embedding: str
) -> None:
    settings.EMBEDDING = embedding
    passage = passage_of(
        (P, "The lock must be free before gates open."), (P, "Gates open before the lock is free.")
    )
    reading = read_passages(Embedded("gates"), [hit(passage)])
    assert best(reading) == "Gates open before the lock is free."


@pytest.mark.once
@pytest.mark.parametrize("question", ["when did gates 9 come out", "when was 9.0.0 released"])
def test_the_day_of_a_release_is_told_by_what_stands_under_it(
    settings: LazySettings, question: str
) -> None:
    settings.EMBEDDING = "none"
    of_it = passage_of((P, "Hinges are new."), heading="Log › 9.0.0 - 2026-06-14 › Bug fixes")
    other = passage_of((P, "It was slow in 2025."), heading="Log › 8.9.0 - 2026-05-01 › Bug fixes")
    assert best(read_passages(Embedded(question), [hit(other), hit(of_it)])) == "Hinges are new."


@pytest.mark.once
@pytest.mark.parametrize("form", [BlockKind.ITEM, BlockKind.ROW])
def test_an_item_or_a_row_is_likelier_than_a_sentence_that_says_the_same(
    settings: LazySettings, form: BlockKind
) -> None:
    settings.EMBEDDING = "none"
    passage = passage_of((P, "Gates open at six."), (form, "Gates open at six."))
    sentence, entry = read_passages(Embedded(QUESTION), [hit(passage)]).candidates
    assert entry.score > sentence.score


@pytest.mark.once
def test_a_heading_counts_for_what_stands_under_it(settings: LazySettings) -> None:
    settings.EMBEDDING = "none"
    text = (BlockKind.PARAGRAPH, "They open at six.")
    here, there = passage_of(text, heading="Port › Gates"), passage_of(text, heading="Port › Dogs")
    scores = {
        each.passage.pk: each.score
        for each in read_passages(Embedded(QUESTION), [hit(here), hit(there)]).candidates
    }
    assert scores[here.pk] > scores[there.pk]


@pytest.mark.once
@pytest.mark.parametrize(
    ("question", "answer", "beside"),
    [
        ("is leak-check on?", "--leak-check=<yes|no>", "--leak-check-more=<yes|no>"),
        ("What sets max_size?", "max_size: see max and size", "max: see size and max"),
        ("What does -Tps do?", "-Tps writes.", "The ps of -T writes."),
        ("what does -q do", "With -q it is set.", "Q: With it is set."),
        ("what does -Q do", "With -Q it is set.", "With -q it is set."),
        ("does bit 3 fail", "It is bit 3 that fails.", "The 3 fail: it is a bit."),
        ("what does $* hold?", "$* holds words.", "$@ holds words."),
    ],
)
def test_a_name_of_the_question_counts_letter_by_letter(
    question: str, answer: str, beside: str, settings: LazySettings
) -> None:
    settings.EMBEDDING = "none"
    passage = passage_of((BlockKind.ITEM, f"- {beside}"), (BlockKind.ITEM, f"- {answer}"))
    assert best(read_passages(Embedded(question), [hit(passage)])) == f"- {answer}"


@pytest.mark.once
def test_what_points_back_is_read_with_what_it_points_at(settings: LazySettings) -> None:
    settings.EMBEDDING = "none"
    text = "Gates have a master. Its hours are long. Hours are short."
    reading = read_passages(Embedded("hours of the gates"), [hit(passage_of((P, text)))])
    assert best(reading) == "Its hours are long."


@pytest.mark.django_db
@pytest.mark.once
def test_how_to_do_it_is_told_by_code_and_by_what_leads_to_it_together(
    settings: LazySettings,
) -> None:
    settings.EMBEDDING = "none"
    question, code = "how do I water orchids", (BlockKind.CODE, "pour --into saucer")
    warned = "Some people water orchids at noon, and it kills them."
    passage = passage_of((P, warned), (P, "Orchids are watered from below:"), code)
    reading = read_passages(Embedded(question), [hit(passage)])
    assert best(reading) == "Orchids are watered from below:"
    led = reading.candidates[-1].score
    alone = passage_of((P, warned), (P, "Orchids are watered from below."), code)
    assert led > read_passages(Embedded(question), [hit(alone)]).candidates[-1].score


@pytest.mark.once
def test_what_stands_first_under_a_question_answers_it(settings: LazySettings) -> None:
    settings.EMBEDDING = "none"
    text = (P, "Boats wait. The gates are old. They are moved at six.")
    asking = passage_of(text, heading="Port › When do the gates open?")
    reading = read_passages(Embedded(QUESTION), [hit(asking)])
    assert best(reading) == "Boats wait."


@pytest.mark.once
def test_what_stands_first_in_a_later_passage_of_the_section_answers_nothing_first(
    settings: LazySettings,
) -> None:
    settings.EMBEDDING = "none"
    heading, document = "Port › Why do the dogs bark?", Document(title="Guide")
    begins = passage_of((P, "Boats wait."), of=document, heading=heading, position=4)
    goes_on = passage_of((P, "Masts creak."), of=document, heading=heading, position=5)
    reading = read_passages(Embedded("Why do the dogs bark?"), [hit(goes_on), hit(begins)])
    assert best(reading) == "Boats wait."


@pytest.mark.once
def test_the_heading_of_another_section_is_no_answer(settings: LazySettings) -> None:
    settings.EMBEDDING = "none"
    heading = "Gates open when the tide is in!"
    contents = passage_of((BlockKind.ITEM, f"- {heading}"), (P, heading), heading="Port")
    section = passage_of((P, "Twice a day."), heading=f"Port › 2.1 {heading}")
    read = read_passages(Embedded(QUESTION), [hit(contents), hit(section)])
    assert [each.text for each in read.candidates] == ["Twice a day."]


@pytest.mark.once
def test_what_a_question_was_given_counts_less_than_its_own_words(settings: LazySettings) -> None:
    settings.EMBEDDING = "none"
    passage = passage_of((P, "The gates of the port are green. They bite at night."))
    asked = Embedded("Do the gates of the port bite?")
    assert best(read_passages(asked, [hit(passage)])) == "The gates of the port are green."
    read = read_passages(asked, [hit(passage)], typed=Embedded("Do they bite?"))
    assert best(read) == "They bite at night."
    replaced = read_passages(asked, [hit(passage)], typed=Embedded("The second that can bite"))
    assert best(replaced) == "The gates of the port are green."


@pytest.mark.once
def test_what_only_says_where_more_stands_is_the_worse_answer(settings: LazySettings) -> None:
    settings.EMBEDDING = "none"
    text = "For more details on gates that open, see page 3. Gates open early."
    reading = read_passages(Embedded(QUESTION), [hit(passage_of((P, text)))])
    assert best(reading) == "Gates open early."


@pytest.mark.once
def test_what_fits_better_as_a_passage_counts_for_its_sentences(settings: LazySettings) -> None:
    settings.EMBEDDING = "none"
    text = (BlockKind.PARAGRAPH, "The gates open at six.")
    good, bad = passage_of(text), passage_of(text)
    reading = read_passages(Embedded(QUESTION), [hit(good, 1, 0.9), hit(bad, 2, 0.1)])
    assert reading.candidates[0].score > reading.candidates[1].score


@pytest.mark.django_db
@pytest.mark.once
def test_the_best_passages_are_read() -> None:
    passages = [
        passage_of((BlockKind.PARAGRAPH, f"Gate {at} opens. " * 3)) for at in range(READ + 5)
    ]
    reading = read_passages(
        Embedded(QUESTION), [hit(each, at) for at, each in enumerate(passages, 1)]
    )
    assert {each.passage.pk for each in reading.candidates} == {each.pk for each in passages[:READ]}


@pytest.mark.once
def test_nothing_found_is_nothing_read() -> None:
    reading = read_passages(Embedded(QUESTION), [])
    assert reading.candidates == []
    assert answerability(reading, [], Scope()) == 0.0


@pytest.mark.django_db
@pytest.mark.once
@pytest.mark.parametrize("line", ["Dated: July 1, 2022", "Bad Ischl, July 1, 2022"])
def test_the_line_of_a_signature_answers_only_when_or_who(line: str) -> None:
    passage = passage_of((P, "Ulm and the port agreed to share the pier."), (P, line))
    said = "Ulm and the port agreed to share the pier."
    for question, expected in (
        ("What was the agenda of the filing dated July 1, 2022?", said),
        ("When was the filing dated?", line),
    ):
        assert best(read_passages(Embedded(question), [hit(passage)])) == expected


@pytest.mark.once
@pytest.mark.parametrize(
    "text", ["He was born in Ulm, May 3, 1922.", "Date the letter 2022 in full, and sign it."]
)
def test_a_sentence_with_a_date_is_no_signature(text: str) -> None:
    assert SIGNED.fullmatch(text) is None


@pytest.mark.django_db
@pytest.mark.once
def test_what_leads_to_others_is_read_and_never_compared() -> None:
    passage = passage_of((BlockKind.HEADER, "Gates | Open"), (BlockKind.ROW, "North | six"))
    reading = read_passages(Embedded(QUESTION), [hit(passage)])
    above = [each for each in reading.candidates if each.unit.form is UnitForm.ABOVE]
    assert [each.near for each in above] == [UNSEEN]


@pytest.mark.once
@pytest.mark.parametrize(
    "text",
    [
        "a. B" * 10000,
        "Who? " * 10000,
        "4, " * 15000,
        "A b de " * 8000,
        "x" * 50000,
        "May 1 " * 9000,
        "is a " * 10000,
        "\n" * 50000,
        "of the " * 8000,
    ],
    ids=lambda text: repr(text[:6]),
)
def test_long_hostile_passages_are_scored_in_linear_time(settings: LazySettings, text: str) -> None:
    settings.EMBEDDING = "none"
    hostile = hit(passage_of((BlockKind.PARAGRAPH, f"Is {text}")))
    harmless = hit(passage_of((BlockKind.PARAGRAPH, "The gates open at six.")))

    def read() -> None:
        read_passages(Embedded("How many, who and when? What is it? Why? How to?"), [hostile])
        read_passages(Embedded(text), [harmless])

    computed_within(SECONDS, read)


# --- Answerability --------------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.usefixtures("library")
@pytest.mark.parametrize(
    ("question", "is_held"),
    [
        ("What is the Determination Date?", True),
        ("Which drugs target PIK3CA directly?", True),
        ("Who has worked with Kotlin?", True),
        ("How do I bake sourdough bread?", False),
        ("Who won the 1998 world cup?", False),
        ("What is the capital of Mongolia?", False),
        ("¿Cómo se hornea el pan?", False),
    ],
)
@pytest.mark.once
def test_what_is_held_is_likely_and_what_is_not_is_unlikely(question: str, is_held: bool) -> None:
    assert 0 <= likely(question) <= 1
    assert (likely(question) >= SURE) == is_held
    assert (likely(question) >= NOTHING) == is_held


@pytest.mark.django_db
@pytest.mark.usefixtures("library")
def test_what_the_library_holds_in_another_language_is_not_denied() -> None:
    assert likely("¿Qué fármacos actúan directamente sobre PIK3CA?") >= NOTHING


@pytest.mark.django_db
@pytest.mark.usefixtures("library")
@pytest.mark.once
def test_a_word_that_nobody_knows_raises_doubt_and_denies_nothing() -> None:
    assert NOTHING <= likely("What is the Determination Date of canary14843a44?") < SURE


@pytest.mark.asked_elsewhere
@pytest.mark.django_db
def test_a_conversation_limited_to_a_document_is_about_it() -> None:
    document = add(HANDBOOK)
    question = "Are children welcome on board?"
    assert likely(question, Scope(None, frozenset({document.pk}))) > likely(question)


@pytest.mark.django_db
@pytest.mark.once
def test_limited_to_many_documents_it_may_be_about_none_of_them() -> None:
    document = add(HANDBOOK)
    question = "Are children welcome on board?"
    many = frozenset([document.pk, *(uuid4() for _ in range(FEW_DOCUMENTS))])
    assert likely(question, Scope(None, many)) == likely(question)


@pytest.mark.django_db
@pytest.mark.once
@pytest.mark.parametrize("question", ["Do you use my information?", "who is the king of spain"])
def test_a_question_of_another_matter_is_in_doubt_where_it_is_limited(question: str) -> None:
    limited = Scope(None, frozenset([add(HANDBOOK).pk]))
    assert likely(question) < NOTHING
    assert NOTHING <= likely(question, limited) < SURE


@pytest.mark.django_db
@pytest.mark.once
def test_what_is_asked_of_one_document_is_likelier_to_be_in_it() -> None:
    limited = Scope(None, frozenset([add(HANDBOOK).pk]))
    question = "is the pier made of wood"
    assert likely(question, limited) > likely(question) >= NOTHING


@pytest.mark.django_db
@pytest.mark.once
def test_a_document_in_the_language_of_the_question_takes_little_from_one_in_another() -> None:
    add(HANDBOOK)
    question = "Wann wurde der Wellenbrecher fertig?"
    alone = likely(question)
    assert alone >= SURE
    add("# Wald\n\nDie Bäume im Wald sind alt und hoch. Der Förster pflegt sie.\n", name="wald.md")
    assert set(Document.objects.values_list("language", flat=True)) == {"en", "de"}
    assert likely(question) >= alone - 0.15


# --- Headings that ask ----------------------------------------------------------------------------

FAQ = (
    (BlockKind.HEADING, "Should I commit my settings?"),
    (P, "No."),
    (BlockKind.HEADING, "What is the difference between crane and pier groups?"),
    (P, "The crane group lifts boats. It rains in May."),
)


def units_read(question: str) -> dict[str, ScoredUnit]:
    passage = passage_of(*FAQ)
    passage.document.title = "Boats"
    reading = read_passages(Embedded(question), [hit(passage)])
    return {each.text: each for each in reading.candidates}


@pytest.mark.django_db
@pytest.mark.once
@pytest.mark.parametrize(
    ("question", "is_asked"),
    [
        ("difference crane and pier", True),
        ("boats: what's the difference of the pier group and the crane group", True),
        ("which group lifts boats with the crane in spring", False),
        ("crane", False),
    ],
)
def test_a_heading_asks_what_is_asked_if_each_holds_most_of_the_other(
    question: str, is_asked: bool, settings: LazySettings
) -> None:
    settings.EMBEDDING = "none"
    read = units_read(question)
    assert read["It rains in May."].is_asked == is_asked
    assert not read["No."].is_asked


@pytest.mark.django_db
@pytest.mark.once
def test_a_bare_verdict_answers_its_own_question_alone(settings: LazySettings) -> None:
    settings.EMBEDDING = "none"
    own, other = units_read("should i commit settings"), units_read("do cranes lift at night")
    assert max(own.values(), key=lambda each: each.score).text == "No."
    assert other["No."].score < 0.1 * other["The crane group lifts boats."].score
