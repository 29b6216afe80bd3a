"""Who asks what a section says gets this section, whole and alone, and nothing if there is none."""

import pytest

from chat.quoting.references import number_alike, part_named
from memory.models import Turn, User
from memory.text.words import stem
from tests.chat.quoting.material import add, asked

pytestmark = [pytest.mark.django_db, pytest.mark.once]

STATUTES = """\
Statutes of the Brightsea Rowing Club

1. Name
The club is called Brightsea Rowing Club. It has its seat in Brightsea.

2. Members
2.1 Anyone who can swim may become a member.

2.2 A member may leave at the end of each quarter. The notice is given in writing.

(a) Juniors give notice through a parent.

(b) Honorary members give none.

2.3 The board may expel a member who endangers others.

3. Fees
The fees of a year are due in March, as section 2.2 has it.
"""
SATZUNG = """\
Satzung des Rudervereins

§ 1 Name

Der Verein heißt Ruderverein Hellsee.

§ 2 Beiträge

(1) Der Beitrag ist im März fällig.

(2) Wer im Verein arbeitet, zahlt die Hälfte.

§ 3 Auflösung

Der Verein wird mit drei Vierteln der Stimmen aufgelöst.
"""


@pytest.fixture(autouse=True)
def statutes(db: None) -> None:
    add(STATUTES, name="statutes.txt")
    add(SATZUNG, name="satzung.txt")


@pytest.mark.parametrize(
    ("question", "said", "left_out"),
    [
        ("what does section 2.2 of the statutes say", "leave at the end of each quarter", "swim"),
        ("statutes section 2.2", "Juniors give notice", "endangers"),
        ("what is in 2.3 of the rowing club statutes", "endangers others", "leave at the end"),
        ("section 2.2 (b) of the statutes", "Honorary members", "Juniors"),
        ("what does article 3 of the statutes say", "due in March", "Honorary"),
        ("was steht in § 2 der satzung", "im März fällig", "drei Vierteln"),
        ("was sagt § 2 Absatz 2 der satzung", "zahlt die Hälfte", "März"),
        ("satzung § 3", "drei Vierteln der Stimmen", "Hälfte"),
        ("what is the third section of the statutes about", "due in March", "Honorary"),
        ("was steht im zweiten paragraphen der satzung", "im März fällig", "drei Vierteln"),
    ],
)
def test_it_is_quoted_alone(owner: User, question: str, said: str, left_out: str) -> None:
    turn = asked(owner, question)
    assert said in turn.response.replace("**", "")
    assert left_out not in turn.response
    assert (turn.outcome, turn.answerability) == (Turn.Outcome.ANSWERED, 1.0)


@pytest.mark.parametrize(
    "question",
    [
        "what does section 7.4 of the statutes say",
        "does section 2.2 apply to coxswains abroad",
    ],
)
def test_what_is_not_there_or_asks_more_is_no_quotation_of_a_section(
    owner: User, question: str
) -> None:
    assert asked(owner, question).answerability != 1.0


def test_the_paragraphs_of_a_section_keep_what_they_are_called_by(owner: User) -> None:
    assert "(2) Wer im Verein" in asked(owner, "satzung § 2").response.replace("**", "")


@pytest.mark.parametrize(
    ("question", "number", "parts", "beside"),
    [
        ("what does Section 4.2 say", "4.2", (), set()),
        ("art. 5 (1)(b) of the gdpr", "5", ("1", "b"), {"gdpr"}),
        ("Absatz 3 von § 12a", "12a", ("3",), set()),
        ("que dit l'article IV", "iv", (), set()),
        ("what is in 1.13 of the mpl", "1.13", (), {"mpl"}),
        ("what does the fifth amendment say", "5", (), set()),
        ("whats the 14th amendment", "14", (), set()),
        ("the Twenty-Second Amendment of the charter", "22", (), {stem("charter")}),
        ("was steht im dritten Abschnitt", "3", (), set()),
        ("que dit le premier chapitre", "1", (), set()),
        ("qué dice el segundo capítulo", "2", (), set()),
    ],
)
def test_a_part_is_named_by_word_and_number(
    question: str, number: str, parts: tuple[str, ...], beside: set[str]
) -> None:
    named = part_named(question)
    assert named is not None
    assert (named.number, named.parts, named.beside) == (number, parts, beside)


@pytest.mark.parametrize(
    "question",
    [
        "how many sections are there",
        "it costs 4.50 euros",
        "in which section i find fees",
        "3 boats",
        "the second party to the contract",
    ],
)
def test_other_questions_name_none(question: str) -> None:
    named = part_named(question)
    assert named is None or named.beside


def test_roman_numbers_are_the_same() -> None:
    assert number_alike("iv", "4")
    assert number_alike("XIV", "14")
    assert not number_alike("i", "l")
