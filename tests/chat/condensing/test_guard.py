"""The guard of summaries: what a model says instead of one, and what it may not say in one."""

import pytest

from chat.condensing.guard import Original, find_objection, tidy_text
from tests.chat.condensing.sayings import GOOD, HIDDEN, HONEST, JUNK, ORIGINAL

REASONS = {
    "empty", "too_long", "protocol", "thinks", "refused", "cut", "looped", "other_language",
    "invented", "lost_values", "unsupported",
}  # fmt: skip


@pytest.mark.parametrize("kind", sorted(set(HONEST) - {"together"}))
def test_an_honest_summary_is_taken(kind: str) -> None:
    assert find_objection(HONEST[kind], ORIGINAL) == ""


def test_the_extract_stays_where_the_check_cannot_pair_two_lists() -> None:
    assert find_objection(HONEST["together"], ORIGINAL) == "unsupported"


def test_junk_of_every_kind_is_turned_down() -> None:
    assert len(JUNK) >= 60
    found = {kind: find_objection(said, ORIGINAL) for kind, said in (JUNK | HIDDEN).items()}
    assert [kind for kind, reason in found.items() if not reason] == []
    assert set(found.values()) == REASONS, "each way of looking finds something"


def test_a_summary_in_the_conversations_own_language_is_no_other_language() -> None:
    turn = (
        "Was regelt Klausel 4?\nKlausel 4 der Vereinbarung setzt die Kaution auf 450 Euro fest. "
        "Sie ist am 4. März 2024 fällig und wird vom Mieter an die Hafenbank gezahlt, ohne Abzug."
    )
    original = Original([turn], "Klausel 4 setzt die Kaution auf 450 Euro fest.", 120)
    said = "Klausel 4 der Vereinbarung setzt die Kaution auf 450 Euro fest, fällig am 4. März 2024."
    assert find_objection(said, original) == ""
    said = "Clause 4 of the agreement sets the deposit at 450 Euro, and the tenant pays it in full."
    assert find_objection(said, original) == "other_language"


def test_a_link_that_was_said_may_be_kept_and_no_other() -> None:
    form = "The form of the deposit is at https://bank.example/form for all."
    original = Original([f"Where is the form?\n{form}", GOOD], "The form is there.", 120)
    assert find_objection(form, original) == ""
    said = "The form of the deposit is at https://bank.example.evil/form for all."
    assert find_objection(said, original) == "protocol"


def test_what_stands_is_one_paragraph_without_signs_of_a_list() -> None:
    assert tidy_text("Summary:\n\n- One thing [1].\n- **Another.**") == "One thing. **Another."
    assert find_objection("\n".join(["- x"] * 9_000), ORIGINAL)
