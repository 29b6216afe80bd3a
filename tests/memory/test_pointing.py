"""References to earlier turns, and the turns that they mean."""

import pytest

from memory.conversations.asking import create_session
from memory.jobs import enqueue, run_due
from memory.models import Session, User
from memory.recall import Stored, recall
from memory.recall.budget import scale_limits
from memory.recall.rewriting.pointing import LONGEST, strip_reference
from tests.pages.conversations import turn_of

SAID = [
    (
        "What side effects does doxorubicin have on the heart?",
        "Doxorubicin weakens the heart muscle; these cardiac effects depend on the dose.",
    ),
    (
        "Which pumps are fit for seawater?",
        "- Model A200: for brine\n- Model B300: for seawater\n- Model C400: for both",
    ),
    *(
        (f"What does clause {at} of the lease say?", f"Clause {at} names day {at} for the rent.")
        for at in range(3, 20)
    ),
]


@pytest.mark.parametrize(
    ("question", "rest"),
    [
        (
            "How long do the cardiac effects mentioned earlier last?",
            "How long do the cardiac effects last?",
        ),
        ("what does the second option you gave me cost?", "what does the second option cost?"),
        ("As we discussed earlier today, who pays?", "who pays?"),
        ("As we discussed last week, who may extend it?", "who may extend it?"),
        ("earlier you said that the fee is fixed. who sets it?", "the fee is fixed. who sets it?"),
        ("how do i use the tool i told you about", "how do i use the tool"),
        ("is the previously mentioned fee refundable?", "is the fee refundable?"),
        ("cuánto cuesta la segunda opción que me diste?", "cuánto cuesta la segunda opción?"),
        ("como dijimos la semana pasada, ¿quién firma?", "¿quién firma?"),
        # Of a document, or of what was said and nothing else.
        ("who signs the form mentioned before the closing date?", ""),
        ("what does the rule mentioned in section 3 say?", ""),
        ("What did we say earlier?", ""),
        ("what was the thing you mentioned?", ""),
        ("I found the manual. where is the serial number?", ""),
        ("Who signed it last week?", ""),
        ("the tool you mentioned " * LONGEST, ""),
    ],
)
def test_what_points_back_is_told_from_what_is_asked(question: str, rest: str) -> None:
    assert strip_reference(question) == rest


@pytest.fixture
def long_session(owner: User) -> Session:
    session = create_session(owner)
    for query, response in SAID:
        turn_of(session, query=query, response=response, recalled_tokens=12)
    return session


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("question", "word", "position"),
    [
        ("Are the cardiac effects mentioned earlier reversible?", "doxorubicin", 1),
        ("how heavy is the second option you gave me", "Model B300", 2),
        ("¿son reversibles los cardiac effects que mencionaste antes?", "doxorubicin", 1),
    ],
)
@pytest.mark.usefixtures("embedded")
def test_a_turn_of_long_ago_that_is_pointed_at_is_searched_with(
    long_session: Session, question: str, word: str, position: int
) -> None:
    found = recall(
        Stored(long_session, len(SAID) + 1),
        question,
        limits=scale_limits(4096),
        allowance=1_000,
    )
    assert word.lower() in found.rewrite.query.lower()
    assert "earlier" not in found.rewrite.query
    assert found.rewrite.positions == (position,)
    assert not found.new_topic


@pytest.fixture
def embedded(long_session: Session) -> None:
    enqueue("embed_session", long_session.pk)
    while run_due():
        pass
