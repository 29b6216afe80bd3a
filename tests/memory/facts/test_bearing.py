"""What a person said bears on few of their questions."""

from pathlib import Path

import pytest

from memory.recall.facts.bearing import bears
from memory.recall.facts.extraction import learned

pytestmark = pytest.mark.once

SAID = """I live in Konstanz. My budget is 2000 euros. I'm vegetarian. We use PostgreSQL 15.
Our deadline is 3 March. My name is Tom. I work as an electrician. I'm allergic to peanuts.
I love dark roast coffee. I'm 34. I have two kids. My dog is called Rufus."""
FACTS = [
    (each.text, each.subject)
    for sentence in SAID.replace("\n", " ").split(". ")
    for each in learned(sentence)
]
ROWS = (Path(__file__).parent / "bearing.txt").read_text().partition("# Written before")


def counted(rows: str) -> tuple[int, int, int]:
    """Return how many facts are rightly shown, shown though they bear on nothing, and missed."""
    right = wrong = missed = 0
    for line in rows.splitlines():
        said, _, question = line.partition(" | ")
        if not question:
            continue
        wanted = set(said.split()) - {"-"}
        got = {
            subject.partition(":")[0] for text, subject in FACTS if bears(text, subject, question)
        }
        right, wrong = right + len(got & wanted), wrong + len(got - wanted)
        missed += len(wanted - got)
    return right, wrong, missed


@pytest.mark.parametrize(("part", "most"), [(0, 0), (2, 1)])
def test_a_fact_is_told_where_it_bears_on_the_question_and_nowhere_else(
    part: int, most: int
) -> None:
    assert len(FACTS) == 12
    right, wrong, missed = counted(ROWS[part])
    assert right > 9
    assert wrong <= most
    assert missed <= most


def test_whoever_asks_in_spanish_or_german_means_themselves_too() -> None:
    assert bears("vivo en Porto", "home", "qué oficina está cerca de mi casa?")
    assert bears("mein Budget ist 500 Euro", "budget", "kann ich mir das leisten?")
    assert not bears("mein Budget ist 500 Euro", "budget", "wie beantrage ich das?")
