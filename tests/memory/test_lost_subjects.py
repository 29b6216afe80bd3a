"""Careless follow-ups whose subject stands in the answer, or in all of the question before."""

import pytest

from memory.recall.rewriting.language.contractions import with_apostrophes
from tests.memory.follow_ups import searched

Turns = tuple[tuple[str, str] | str, ...]

FIRST = ("who was chair after ana ribeiro", "> Tomasz Nowak was chair from 1998 to 2001. [1]")
IN_1998 = ("who chaired the club in 1998", "> The chair was Tomasz Nowak. [1]")
LISTED = (
    "who was chair after ana ribeiro",
    "> Chairs: Per Dahl (1993), Ana Ribeiro (1996), Tomasz Nowak (1998), Mia Berg (2001) [1]",
)
VORSITZ = ("wer war Vorsitzende nach ana ribeiro", "> Tomasz Nowak hatte ab 1998 den Vorsitz. [1]")
PRESIDE = ("qui a présidé le club en 1998", "> Tomasz Nowak a présidé le club. [1]")
PRESIDIO = ("quién presidió el club en 1998", "> Tomasz Nowak presidió el club. [1]")


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        ((FIRST, "and after him?"), "who was chair after Tomasz Nowak?"),
        ((FIRST, "who came next"), "who was chair after Tomasz Nowak?"),
        ((FIRST, "and before that"), "who was chair before Tomasz Nowak?"),
        ((IN_1998, "who came after him"), "who chaired the club after Tomasz Nowak?"),
        # In a list, who stands next to whom was asked after is meant.
        ((LISTED, "and after him"), "who was chair after Tomasz Nowak?"),
        ((VORSITZ, "und nach dem"), "wer war Vorsitzende nach Tomasz Nowak?"),
        ((VORSITZ, "und wer kam danach"), "wer war Vorsitzende nach Tomasz Nowak?"),
        ((PRESIDE, "et après lui ?"), "qui a présidé le club après Tomasz Nowak?"),
        ((PRESIDIO, "¿y después de él?"), "quién presidió el club después de Tomasz Nowak?"),
    ],
)
def test_who_comes_next_comes_after_whom_the_answer_named(turns: Turns, expected: str) -> None:
    assert searched(*turns) == expected


def test_it_goes_on_from_one_to_the_next() -> None:
    then = ("and after him", "> Mia Berg followed in 2001. [1]")
    assert searched(FIRST, then, "and after her") == "who was chair after Mia Berg?"


def test_where_nobody_is_asked_for_something_comes_then() -> None:
    closes = ("how long is the trial", "> It lasts thirty days. [1]")
    assert searched(closes, "and after that") == "How long is the trial, and after that?"
    dauert = ("wie lange dauert der Test", "> Er dauert dreißig Tage. [1]")
    assert searched(dauert, "und danach") == "Wie lange dauert der Test, und danach?"


CANCEL = ("can i cancel my order", "> You may cancel it in writing. [1]")
INVOICE = ("how fast do i have to pay an invoice", "> Within thirty days. [1]")
FRIST = ("Muss ich den Mangel melden?", "> Der Mangel ist zu melden. [1]")


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        ((CANCEL, "what if i don't?"), "what if i don't cancel my order?"),
        ((INVOICE, "and what happens if i dont"), "what happens if i dont pay an invoice?"),
        ((INVOICE, "or else"), "How fast do i have to pay an invoice, or else?"),
        ((FRIST, "und wenn nicht?"), "Muss ich den Mangel melden, und wenn nicht?"),
    ],
)
def test_what_is_not_done_is_said(turns: Turns, expected: str) -> None:
    assert searched(*turns) == expected


BLANK = ("why does the printer print blank pages", "> The head may be dry. [1]")
PAGES = ("the printer says error 13, what does that mean", "> The tray is open. [1]")
COVER = ("What is the dust cover?", "> A cover of cloth. [1]")
LETTER = ("when does my booking for the sauna begin", "> At nine. [1]")
BLATT = ("Warum druckt der Drucker leere Seiten?", "> Der Kopf ist trocken. [1]")


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        ((BLANK, "how do i stop that"), "how do i stop the printer print blank pages?"),
        ((PAGES, "how do i get rid of it"), "how do i solve the printer says error 13?"),
        (
            (BLATT, "und wie verhindere ich das"),
            "Warum druckt der Drucker leere Seiten, und wie verhindere ich das?",
        ),
        # What is only asked about is a thing.
        ((COVER, "how do i get rid of it"), "how do i get rid of the dust cover"),
        ((LETTER, "can i change that"), "can i change booking for the sauna"),
    ],
)
def test_what_is_mended_is_all_that_is_so(turns: Turns, expected: str) -> None:
    assert searched(*turns) == expected


DISC = ("what is a data disc", "> A disc that holds files. [1]")
PERMIT = ("how do i get a parking permit", "> At the town hall. [1]")
SCHEIBE = ("was ist eine Datenscheibe", "> Eine Scheibe mit Dateien. [1]")
PHONES = "I like iphones. Should I get one?"


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        ((DISC, "how do i make one"), "how do i make a data disc"),
        ((PERMIT, "and do i need one for a van"), "and do i need a parking permit for a van"),
        ((SCHEIBE, "wie mache ich eine"), "wie mache ich eine Datenscheibe"),
    ],
)
def test_one_is_what_was_asked_about_by_its_article(turns: Turns, expected: str) -> None:
    assert searched(*turns) == expected


def test_one_that_its_own_question_names_is_left() -> None:
    assert "a data disc" not in searched(DISC, PHONES)
    assert "a data disc" not in searched(DISC, "is there a version one")


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("and if its kept hotter", "and if it's kept hotter"),
        ("what if its raining", "what if it's raining"),
        ("its not working", "it's not working"),
        ("what if its late then", "what if it's late then"),
        ("and its speed?", "and its speed?"),
        ("what is its meaning", "what is its meaning"),
        ("what if its old battery dies", "what if its old battery dies"),
        ("if its building is sold", "if its building is sold"),
    ],
)
def test_what_owns_nothing_is_read_with_its_apostrophe(typed: str, read: str) -> None:
    assert with_apostrophes(typed) == read


PERL = ("when did perl 5 come out", "> In 1994. [1]")
LICENCE = ("under what licence is gnugo", "> Under the GPL. [1]")
SERT = ("à quoi sert fakeroot", "> À construire un paquet. [1]")
WER = ("wer hat die Namen ausgesucht", "> Sie wurden von Tomasz Nowak ausgesucht. [1]")
SPI = ("was ist spi", "> SPI ist eine Organisation. [1]")
TRIAL = ("how long can my firm try gridtable for free", "> 45 days [1]")


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        ((PERL, "and 4"), "when did perl 4 come out?"),
        ((SERT, "et quilt ?"), "à quoi sert quilt?"),
        ((WER, "wo hat er gearbeitet"), "wo hat Tomasz Nowak gearbeitet"),
        ((SPI, "wie kann ich die erreichen"), "wie kann ich spi erreichen"),
        ((WER, "und warum"), "Wer hat die Namen ausgesucht, und warum?"),
        ((PERL, "by whom"), "When did perl 5 come out, and by whom?"),
    ],
)
def test_what_short_questions_leave_out_is_put_in(turns: Turns, expected: str) -> None:
    assert searched(*turns) == expected


SEATS = (
    "how many people sit on the steering council",
    "> Five. They: > - review all that is proposed to the council, > - vote on it. [1]",
)
ISLAND = ("how many people live in iceland", "> 330,243 [1]")
PAKETE = ("wie viele pakete gibts bei debian", "> Mehr als 59100. [1]")
AGE = ("what age is tuxpaint for", "> For children of 3 to 12. [1]")
NAME = ("can gridtable put our name on their website", "> Yes, and the logo. [1]")


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        (
            (SEATS, "how many of them can i vote for"),
            "how many of the people can i vote for (about the steering council)",
        ),
        ((ISLAND, "and whats the income there"), "and whats the income in iceland"),
        (
            (PAKETE, "auf wie vielen prozessoren läuft es"),
            "auf wie vielen prozessoren läuft debian",
        ),
        # What was asked of a thing isn't carried with it.
        ((AGE, "does it cost anything"), "does tuxpaint cost anything"),
        (
            (NAME, "and can we make them stop"),
            "can we stop gridtable put our name on their website?",
        ),
    ],
)
def test_what_was_asked_about_is_found_and_nothing_beside_it(turns: Turns, expected: str) -> None:
    assert searched(*turns) == expected


def test_there_is_no_place_where_something_is_there() -> None:
    assert searched(ISLAND, "is there a lift").startswith("is there a lift")


def test_a_part_is_asked_of_and_never_exchanged_for_the_kind_that_is_asked_for() -> None:
    told = searched(LICENCE, "and the manual")
    assert told == "under what licence is the manual (about gnugo)?"


def test_what_is_so_of_all_that_was_asked_keeps_it() -> None:
    told = searched(TRIAL, "and is that in writing?")
    assert told == "How long can my firm try gridtable for free, is that in writing?"


def test_what_somebody_may_try_is_no_part_of_a_name() -> None:
    assert "gridtable’s helpdesk" in searched(TRIAL, "may we ring their helpdesk")


def test_what_names_a_thing_of_its_own_takes_nothing() -> None:
    asked = "where does tuxpaint save my drawings"
    assert searched(("what does iburst do", "> It sends a burst. [1]"), asked) == asked
