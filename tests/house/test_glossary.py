"""docs/glossary.md is what the code says: each word in its place, and none for another's act."""

import re
from collections import Counter
from collections.abc import Collection
from pkgutil import resolve_name

import pytest

from tests.house.exceptions import CLASSES, NAMES, excepted
from tests.house.papers import ROOT, code, rows
from tests.house.plan import Plan, several

pytestmark = pytest.mark.once

WORDS = list(rows((ROOT / "docs" / "glossary.md").read_text()))
# The word that is meant, by each that is not to be used for it: anywhere, and for a module.
ANYWHERE = {word: row[0] for row in WORDS for word in re.findall(r"(?<!`)\b\w+\b(?!`)", row[3])}
FOR_MODULES = ANYWHERE | {word: row[0] for row in WORDS for word in code(row[3])}
# A token or limit of a kind that its name says.
TOLD_APART = re.compile(r"(api|llm|rate)_(token|limit)s?")


@pytest.fixture(scope="module")
def plan() -> Plan:
    return Plan(ROOT)


def spoken(name: str, avoided: Collection[str]) -> set[str]:
    """The avoided words in a name, in whatever form."""
    parts = TOLD_APART.sub("", name).split("_")
    return {word for word in avoided for part in parts if re.fullmatch(f"{word}\\w{{0,4}}", part)}


def test_each_word_stands_once_and_in_one_line() -> None:
    counted = Counter(row[0] for row in WORDS)
    assert max(counted.values()) == 1
    assert all(row[1] for row in WORDS)


@pytest.mark.parametrize("row", WORDS, ids=lambda row: row[0])
def test_each_word_is_in_the_code_where_it_is_said_to_be(row: list[str]) -> None:
    places = code(row[2])
    assert places
    for place in places:
        resolve_name(place)


def test_no_public_name_has_a_word_that_another_act_is_called_by(plan: Plan) -> None:
    functions = {
        f"{home}.{name}"
        for name, homes in plan.public_functions().items()
        for home in homes
        if spoken(name, ANYWHERE)
    }
    modules = {name for name in plan.modules if spoken(name.rpartition(".")[2], FOR_MODULES)}
    found, allowed = functions | modules, excepted(NAMES)
    assert found - allowed == set(), f"better words are in docs/glossary.md: {FOR_MODULES}"
    assert allowed - found == set(), "these are gone: take them out of tests/house/exceptions.py"


def test_a_name_is_that_of_one_public_class(plan: Plan) -> None:
    found, allowed = set(several(plan.classes())), excepted(CLASSES)
    homes = {name: plan.classes()[name] for name in sorted(found - allowed)}
    assert homes == {}, "a second class of the same name"
    assert allowed - found == set(), "these are gone: take them out of tests/house/exceptions.py"


def test_forms_of_an_avoided_word_are_found_and_its_kinds_are_not() -> None:
    assert spoken("forget_expired", ANYWHERE) == {"forget"}
    assert spoken("dropped", ANYWHERE) == {"drop"}
    assert spoken("tokens", FOR_MODULES) == {"token"}
    for name in ("api_tokens", "rate_limit", "erase_turn"):
        assert spoken(name, FOR_MODULES) == set()
    assert spoken("count_tokens", ANYWHERE) == set()
