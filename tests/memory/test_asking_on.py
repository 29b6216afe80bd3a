"""Follow-ups of a word or two: how, when that was, an example; and what they point at."""

import pytest

from tests.memory.follow_ups import searched

Turns = tuple[tuple[str, str] | str, ...]

MADE = (
    "who made the harbour crane",
    "> It was built by Ana Ribeiro. She left in 2002, and Tomasz Nowak took over. [1]",
)
COVER = ("can the crane be painted", "> There are two ways: by brush or by spray. [1]")
SIZE = ("whats the max length of a berth", "> It has 40 metres at most. [1]")
KOPIE = ("wie kopiere ich text in vim", "> Tippe y. [1]")
RAUS = ("wie komm ich aus vim raus", "> Tippe ZZ. [1]")
NAMEN = ("woher kommen die namen wie möwe und lotse", "> Sie kommen vom Hafen. [1]")
MENTOR = ("que es un mentor en el puerto", "> Un mentor ayuda. [1]")


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        ((COVER, "how"), "Can the crane be painted, and how?"),
        ((COVER, "how do i do that?"), "Can the crane be painted, and how?"),
        ((KOPIE, "und wie geht das?"), "Wie kopiere ich text in vim, und wie?"),
        ((MADE, "when was that"), "Who made the harbour crane, and when?"),
        ((COVER, "give me an example"), "Can the crane be painted, for example?"),
        ((KOPIE, "ein beispiel bitte"), "Wie kopiere ich text in vim, zum Beispiel?"),
        ((MENTOR, "dame un ejemplo"), "Que es un mentor en el puerto, por ejemplo?"),
    ],
)
def test_the_question_is_asked_further(turns: Turns, expected: str) -> None:
    assert searched(*turns) == expected


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        ((SIZE, "and how many of them per quay"), "and how many berths per quay"),
        # Nobody who did something is "it".
        ((MADE, "and who looks after it now"), "and who looks after the harbour crane now"),
        ((KOPIE, "und wie füge ich ihn ein"), "und wie füge ich text in vim ein"),
        (
            (RAUS, "und wenn ich vorher speichern will"),
            "wie komm ich aus vim raus, wenn ich vorher speichern will?",
        ),
        (
            (NAMEN, "und wer hat sich das ausgedacht"),
            "und wer hat sich die namen wie möwe und lotse ausgedacht",
        ),
        # It names both that it asks of.
        (
            (MENTOR, "y que diferencia hay entre un DD y un DM"),
            "y que diferencia hay entre un DD y un DM",
        ),
    ],
)
def test_what_is_pointed_at_is_put_in_its_place(turns: Turns, expected: str) -> None:
    assert searched(*turns).startswith(expected)


def test_what_stands_in_a_row_is_no_choice() -> None:
    rows = (
        f"In *Ports* **1** row of 9 fits *name* = {name}:\n\n> | name | seat | … |\n"
        f"> | --- | --- | --- |\n> | {name} | {seat} | … |\n>\n> [1]\n\n*Ports*"
        for name, seat in (("Faro", "Olhão"), ("Sines", "Porto Covo"))
    )
    asked = ("whats the seat of faro", "whats the seat of sines")
    turns = tuple(zip(asked, rows, strict=True))
    assert searched(*turns, "which one is bigger") == "which one is bigger, faro or sines?"


@pytest.mark.parametrize("noise", ["get", "took over", "every", "minutes"])
def test_what_is_put_behind_a_question_names_something(noise: str) -> None:
    asked = ("can the crane get paint", "> It gets some every few minutes; Ana took over. [1]")
    told = searched(asked, "and how thick should a new coat be")
    assert noise not in told.rpartition("(about ")[2]
