"""Questions that need nothing of what was said before, and those that look like them and do."""

import pytest

from tests.memory.follow_ups import searched

Turns = tuple[tuple[str, str] | str, ...]

ADDED = ("how do i add a new transaction", "> Press Add to enter a transaction. [1]")
DELETED = (
    "how do i delete an account in homebank",
    "> Delete: delete the active account, if it has no transactions. [1]",
)
OPTION = ("what does the -n option of calcurse do", "> Print the next appointment. [1]")
UPDATED = ("what happens before the update", "> A backup is made. [1]")
INSTALLED = ("was passiert nach dem neustart", "> Die Dienste werden gestartet. [1]")
GARANTIE = ("combien de temps dure la garantie avant la réparation", "> Deux ans. [1]")
GARANTIA = ("cuánto dura la garantía antes de la compra", "> Dos años. [1]")
FETCHED = ("what is fetchmail", "> Fetchmail retrieves mail. [1]")


@pytest.mark.parametrize(
    ("before", "question"),
    [
        (ADDED, "how do I print a cheque"),
        (ADDED, "where can i buy a new printer"),
        (ADDED, "how to set up an account"),
        (ADDED, "tell me a joke about cats"),
        (FETCHED, "what time is it in tokyo"),
        (FETCHED, "is it raining"),
        (("qui a créé debian", "> Ian Murdock. [1]"), "quel temps fait-il à lyon"),
        (("qui a créé debian", "> Ian Murdock. [1]"), "recette de crêpes"),
        (("quién fundó debian", "> Ian Murdock. [1]"), "que es xutils-dev"),
    ],
)
def test_what_is_a_matter_of_its_own_is_searched_as_typed(
    before: tuple[str, str], question: str
) -> None:
    assert searched(before, question) == question


@pytest.mark.parametrize("question", ["give me an example", "how do i print another one"])
def test_what_only_looks_like_one_still_leans(question: str) -> None:
    assert searched(ADDED, question) != question


def test_what_is_done_with_a_thing_and_where_is_no_it() -> None:
    told = searched(DELETED, "what is its overdraft setting")
    assert told.startswith("what is the account’s overdraft setting")
    assert searched(DELETED, "can i rename it").startswith("can i rename the account")


def test_who_does_something_there_is_not_what_stands_in_it() -> None:
    told = (
        "> Notice: meanwhile CSV should uses comma as separator, **HomeBank uses** semi-colon as "
        "**separator**.\n>\n> The format used for the different **files** is specific to "
        "**HomeBank**, so don't expect to import **files** your bank offers you directly. [1]"
    )
    used = ("what separator does homebank use in csv files", told)
    assert searched(used, "can i change it").startswith("can i change csv files")


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        ((UPDATED, "and after the update"), "what happens after the update?"),
        ((UPDATED, "and during the update"), "what happens during the update?"),
        ((UPDATED, "and before the release"), "what happens before the release?"),
        ((INSTALLED, "und vor dem neustart"), "was passiert vor dem neustart?"),
        ((INSTALLED, "und nach dem update"), "was passiert nach dem update?"),
        ((INSTALLED, "auch während dem update"), "was passiert während dem update?"),
        (
            (GARANTIE, "et après la réparation"),
            "combien de temps dure la garantie après la réparation?",
        ),
        ((GARANTIA, "y después de la compra"), "cuánto dura la garantía después de la compra?"),
    ],
)
def test_before_and_after_take_each_others_place(turns: Turns, expected: str) -> None:
    assert searched(*turns) == expected


@pytest.mark.parametrize(
    ("question", "option"), [("and -t", "-t"), ("and --gc?", "--gc"), ("what about -q", "-q")]
)
def test_the_same_is_asked_of_another_option(question: str, option: str) -> None:
    assert searched(OPTION, question) == f"what does the {option} option of calcurse do?"


@pytest.mark.parametrize(
    ("before", "question", "expected"),
    [
        ("qui a créé debian", "et quand", "Qui a créé debian, et quand?"),
        ("où se trouve la mairie", "depuis quand ?", "Où se trouve la mairie, et depuis quand?"),
        ("wer hat debian gegründet", "und wo", "Wer hat debian gegründet, und wo?"),
        ("quién dirige el museo", "y desde cuando", "Quién dirige el museo, y desde cuando?"),
    ],
)
def test_when_and_where_are_asked_further_in_their_language(
    before: str, question: str, expected: str
) -> None:
    assert searched((before, "> So ist es. [1]"), question) == expected
