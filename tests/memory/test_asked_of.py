"""Whom and what the question before was asked of, whatever its quotations name beside it."""

import pytest

from memory.recall.rewriting import Exchange, ReadQuestion
from memory.recall.rewriting.rules.kinds import how_many_do, which_of_the_kind
from tests.memory.follow_ups import searched

Turns = tuple[tuple[str, str] | str, ...]

CHAIR = (
    "min age for president of the harbour club",
    "> No person is eligible for election as President unless he is thirty-five. [1]\n\n"
    "> Every Judge of the Court holds office until he is sixty-five. The Governor may resign. [2]",
)
ELECTED = ("how old do you have to be to be a club treasurer", "> No Person shall be a Treasurer.")
DOCTOR = ("what does the doctor do", "> The doctor treats patients. [1]")
BAKE = ("how long do i bake banana bread", "> Bake it for an hour. [1]\n\n> Beef Jerky dries. [2]")
STEW = ("how long does the goulash have to stew", "> Stew it for an hour; serve Carbonara. [1]")
SODIUM = ("sodium in corn flakes", "> *Cereals*: **Corn Flakes** has 290. [1]")
HEALED = ("cuantos puntos pierde una unidad envenenada por turno", "> Pierde ocho. [1]")
BONUS = ("bonus de daño de unidades legales por la mañana", "> Tienen 25 %. [1]")
GIF = ("combien de couleurs peut avoir un gif", "> Le format a 256 couleurs. [1]")
VOTE = ("which amendment gave women the vote", "> The right to vote shall not be denied. [1]")
SUGAR = ("which cereal has the most sugar", "> Raisin Bran has 20.9. [1]")
UNPAID = ("how many invoices are unpaid", "> Four invoices. [1]")


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        ((CHAIR, "how long is his term"), "how long is the president of the harbour club’s term"),
        (
            (CHAIR, "how long is his term", "can he be removed"),
            "can the president of the harbour club be removed",
        ),
        ((ELECTED, "what happens if she dies"), "what happens if the club treasurer dies"),
        ((DOCTOR, "what must he wear"), "what must the doctor wear"),
        ((STEW, "how many people does it feed"), "how many people does the goulash feed"),
        ((UNPAID, "how much is that in total"), "how much is the unpaid invoices in total"),
        ((HEALED, "como se cura"), "como se cura una unidad envenenada?"),
        ((GIF, "qui l'a inventé et quand"), "qui a inventé un gif et quand"),
    ],
)
def test_a_pronoun_is_what_the_question_before_was_of(turns: Turns, expected: str) -> None:
    assert searched(*turns).startswith(expected)


def test_who_was_asked_for_is_in_the_answer() -> None:
    who = ("who is the president of the club", "> The president is Ana Ribeiro. [1]")
    assert "Ana Ribeiro" in searched(who, "how old is she")


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        (
            (ELECTED, "and president"),
            "how old do you have to be to be president?",
        ),
        ((SODIUM, "and cheerios"), "sodium in cheerios?"),
        ((BONUS, "y de noche"), "bonus de daño de unidades legales de noche?"),
        ((SUGAR, "and the least calories"), "which cereal has the least calories?"),
        ((BAKE, "at what temperature"), "at what temperature do i bake banana bread?"),
    ],
)
def test_what_is_of_its_kind_takes_its_place(turns: Turns, expected: str) -> None:
    assert searched(*turns) == expected


def test_what_has_no_verb_is_of_what_was_asked_about() -> None:
    assert searched(BAKE, "how many eggs") == "how many eggs (about banana bread)"
    eggs = "at what temperature"
    assert searched(BAKE, eggs, "how many eggs") == "how many eggs (about banana bread)"


def test_another_of_what_was_looked_for_is_named_by_its_number() -> None:
    question = "what is the fifth amendment about"
    assert searched(VOTE, question) == question
    rules = ("what are the rules for a refund", "> There are five rules. [1]")
    assert "refund" in searched(rules, "what is the fifth rule about")


@pytest.mark.parametrize(
    ("asked", "query", "expected"),
    [
        ("which printer has a fax", "and which is the cheapest", "which printer is the cheapest?"),
        ("que muelle trae de fabrica", "y cual ocupa menos", "que muelle ocupa menos?"),
        ("welche fähre soll ich nehmen", "und welche ist schneller", "welche fähre ist schneller?"),
        ("quel port a un phare", "et lequel est le plus grand", "quel port est le plus grand?"),
        (
            "welches boot hat einen mast",
            "und welches braucht weniger platz",
            "welches boot braucht weniger platz?",
        ),
    ],
)
def test_what_is_chosen_from_is_said(asked: str, query: str, expected: str) -> None:
    assert searched(asked, query) == expected


@pytest.mark.parametrize(
    ("asked", "query"),
    [
        # Nothing is chosen from.
        ("que pasa si pago tarde", "y cual es mas barato"),
        ("what happens in the port", "and which is cheaper"),
        # It says itself of which kind.
        ("which printer has a fax", "and which scanner is best"),
    ],
)
def test_of_no_kind_or_of_its_own_nothing_is_chosen_from(asked: str, query: str) -> None:
    assert which_of_the_kind(ReadQuestion(query), [Exchange(asked, "> So it is. [1]", 1)]) is None


@pytest.mark.parametrize(
    ("asked", "query", "expected"),
    [
        (
            "how many ships were built in 1999",
            "and how many broke up",
            "how many ships broke up in 1999?",
        ),
        (
            "how many ferries sailed in 1999",
            "and how many were cancelled in 2001",
            "how many ferries were cancelled in 2001?",
        ),
        (
            "wie viele boote kamen im jahr 1970",
            "und wie viele sind gesunken",
            "wie viele boote sind gesunken im jahr 1970?",
        ),
        (
            "combien de bateaux sont arrivés en 1970",
            "et combien ont coulé",
            "combien de bateaux ont coulé en 1970?",
        ),
        (
            "cuantos barcos llegaron en 1970",
            "y cuantos naufragaron",
            "cuantos barcos naufragaron en 1970?",
        ),
    ],
)
def test_what_is_counted_is_said(asked: str, query: str, expected: str) -> None:
    assert searched(asked, query) == expected


def test_what_is_counted_itself_is_nothing_that_was_done() -> None:
    before = Exchange("how many ships were built in 1999", "> Nine. [1]", 1)
    assert how_many_do(ReadQuestion("and how many broke up"), [before])
    assert how_many_do(ReadQuestion("and how many ferries"), [before]) is None
