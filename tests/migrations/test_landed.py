"""Landed migrations never change, since other people's databases have run them."""

import pytest

from tests.migrations.landed import RULE, changed, listed, present
from tests.migrations.releases import releases



def test_no_landed_migration_was_edited_or_removed() -> None:
    assert changed(listed(), present()) == [], RULE


def test_an_edited_and_a_removed_migration_are_told_and_a_new_one_is_not() -> None:
    landed = listed()
    edited, removed = list(landed)[:2]
    now = {**landed, edited: "another digest", "memory/migrations/0099_new.py": "x"}
    del now[removed]
    assert changed(landed, now) == [edited, removed]


def test_there_are_filled_databases_of_a_release() -> None:
    assert "0.1.0" in releases()
