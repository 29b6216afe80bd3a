"""Figures asked for, and whether what is quoted tells one."""

import pytest

from chat.quoting.kinds.figures import lacks_figure
from memory.models import Turn, User
from tests.chat.quoting.material import HANDBOOK, add, asked

FERRY = """# Ferry

The ferry crosses the bay to Oxley. The ferry carries cars and bicycles, and has a café on deck.
Dogs travel on the open deck of the ferry. Its skipper is Ines Calder.

The ferry sails at seven from the east quay, and needs 40 minutes.
"""


@pytest.mark.once
@pytest.mark.parametrize(
    ("question", "text", "lacks"),
    [
        ("what does the ferry cost", "The ferry crosses the bay to Oxley.", True),
        ("what does the ferry cost", "The ferry is free of charge.", False),
        ("what does the ferry cost", "The ferry takes 3 euros a car.", False),
        ("what does the ferry cost", "The ferry carries 90 passengers in 40 minutes.", True),
        ("how much does a car cost", "A crossing is $4.50 a car.", False),
        ("how much does a car cost", "Kind | Length | Price\nCar | to 5 m | 12", False),
        ("how much is one seat", "The ferry carries 90 passengers in 40 minutes.", True),
        ("how much is one seat", "A crossing is $4.50 each.", False),
        ("is there a fee for dogs", "There is no fee.", False),
        ("combien coute le bateau", "Le bateau traverse la baie en 40 minutes.", True),
        ("combien coûte le bateau", "Le bateau traverse la baie en 40 minutes.", True),
        ("how long does the ferry need", "It carries 90 passengers.", True),
        ("how long does the ferry need", "It crosses in 40 minutes.", False),
        ("how long may i stay on board", "Until the last crossing.", False),
        ("how long is the ferry", "It is 60 m by 12.", False),
        ("wie lange gilt die karte", "Die Karte hat 12 Felder.", True),
        ("phone number of the skipper", "Its skipper since 2019 is Ines Calder.", True),
        ("phone number of the skipper", "Call Ines Calder, +44 1632 960 001.", False),
        ("phone number of the ferry", "Registered in Wales, company number 05432100.", True),
        ("phone number of the ferry", "Invoice 42183017 of 2017-12-31, VAT 123 4567 89", True),
        ("phone number of the ferry", "Office | Tel.\nOxley | 01632 960 001", False),
        ("phone number of the ferry", "Ring 1800 208 9898 at any time.", False),
        ("telefonnummer der fähre", "Rufen Sie 5551234 an.", False),
        ("what does ferry 7 cost", "Ferry 7 crosses the bay to Oxley.", True),
        ("how many passengers are on board", "In 2019 the ferry was painted.", True),
        ("how many passengers are on board", "It carries 90 passengers.", False),
        (
            "how many decks are there",
            "The deck is open. Cars wait. It needs 40 minutes.",
            True,
        ),
        ("how many decks are there", "Go below. It has three decks.", False),
        ("how many decks are there", "Its decks:\n2 open ones", False),
        ("how many decks are there", "Ferry | Length | Decks\nSwan | 60 m | 3", False),
        ("wieviele decks hat sie", "Ferry | Length\nSwan | 60 m\nGo below by 2.", True),
        ("how many inhabitants", "Town | Pop\nOxley | 90", False),
        ("how many people were ill", "Ferry | Year | Cases\nSwan | 2019 | 3", False),
        ("how many people run it", "It has three decks, and sails at seven.", True),
        ("how many people run it", "A crew of seven sailors looks after it.", False),
        ("how many people fit in", "It carries 90 passengers.", False),
        ("how many summer crossings are there", "In summer it sails at 9.", True),
        ("how many summer crossings are there", "In July there are 12 crossings a day.", False),
        ("why is it called the swan", "The Swan is a new ferry, built with care.", True),
        ("why is it called the swan", "The Swan is a bad combination indeed.", True),
        ("why is it called the swan", "The Swan is named after a ship of 1820.", False),
        ("where does the name oxley come from", "Oxley stands for ox field.", False),
        ("warum heißt die fähre schwan", "Der Schwan fährt seit 2019.", True),
        ("who built and designed the ferry", "The ferry crosses the bay to Oxley.", True),
        ("who designed the ferry", "It was drawn by Ines Calder.", False),
        ("who maintains it", "It is looked after by volunteers.", False),
        ("in which year was it built", "It was built after the war.", True),
        ("when was it built", "It was built after the war.", False),
        ("wann fährt die fähre", "Die Fähre fährt mittags.", False),
        ("cuánto cuesta el barco", "El barco cruza la bahía.", True),
        ("why is there a ferry", "The bay has no bridge.", False),
    ],
)
def test_a_figure_or_a_time_that_is_asked_for_is_told_or_lacking(
    question: str, text: str, lacks: bool
) -> None:
    assert lacks_figure(question, text) is lacks


@pytest.mark.once
@pytest.mark.django_db
def test_of_what_is_there_without_the_figure_asked_for_nothing_is_told_as_an_answer(
    owner: User,
) -> None:
    add(FERRY)
    turn = asked(owner, "what does the ferry to oxley cost")
    assert turn.outcome != Turn.Outcome.ANSWERED, (turn.answerability, turn.response)
    assert asked(owner, "how long does the ferry need").outcome == Turn.Outcome.ANSWERED


@pytest.mark.once
@pytest.mark.django_db
def test_without_the_figure_asked_for_a_word_that_nothing_holds_is_no_doubt(owner: User) -> None:
    add(FERRY)
    add(HANDBOOK)
    assert asked(owner, "can i get married on the ferry").outcome == Turn.Outcome.UNSURE
    turn = asked(owner, "what does a wedding on the ferry cost")
    assert turn.outcome == Turn.Outcome.NOTHING_FOUND, (turn.answerability, turn.response)


def test_what_is_counted_may_be_told_in_another_word() -> None:
    question = "how many vacation days do i get"
    assert not lacks_figure(question, "Everyone is entitled to 28 working days of paid leave.")
    assert lacks_figure(question, "The regular working week is 38.5 hours.")
