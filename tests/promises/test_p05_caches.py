"""P05: what is kept between requests never mixes people."""

import re
from urllib.parse import quote

import pytest
from django.core.cache import cache

from citations.ingestion.adding import add_document
from memory.jobs.queue import run_due
from tests.api.conftest import Api
from tests.people import person

QUESTION = "What does the ferry to the island cost?"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("people", "rounds"), [(5, 3), pytest.param(50, 100, marks=pytest.mark.deep)]
)
def test_p05_the_same_words_find_everyone_their_own(people: int, rounds: int) -> None:
    programs = []
    for number in range(people):
        owner = person(f"person{number}")
        text = f"The ferry to the island costs {7000 + number} guilders."
        add_document(text.encode(), file_name=f"ferry{number}.txt", owner=owner)
        programs.append(Api(owner))
    while run_due():
        pass
    for _round in range(rounds):
        for number, program in enumerate(programs):
            found = program.get(f"/passages?q={quote(QUESTION)}").content.decode()
            assert set(re.findall(r"costs (\d+) guilders", found)) == {str(7000 + number)}
    kept = getattr(cache, "_cache", {})
    assert all(re.fullmatch("[0-9a-f]{64}", key) for key in kept)
