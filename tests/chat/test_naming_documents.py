"""A question that names a company or an edition is answered from that one's document."""

import pytest

from chat.turns.grounding.named import names_of, periods_of
from memory.models import User
from tests.chat.quoting.material import add, asked

EARNED = """# {title}

## Results of operations

Net revenues of the company rose to {earned} million, mainly since more ferries ran to the islands.

## Outlook

The company expects net revenues to rise further, since {rival} has given up its ferries.
"""
REPORTS = {
    "quillborn_2021_10K.md": ("Annual report", 310, "Marrowgate"),
    "quillborn_2023Q2_10Q.md": ("Form 10-Q", 152, "Marrowgate"),
    "marrowgate_2023Q2_10Q.md": ("Form 10-Q", 977, "Quillborn"),
    "marrowgate_2021_10K.md": ("Annual report", 845, "Quillborn"),
}


@pytest.mark.django_db
@pytest.mark.once
@pytest.mark.parametrize(
    ("question", "earned"),
    [
        ("how much were quillborn's net revenues in FY2021", "310"),
        ("As of Q2'2023, how high were the net revenues of Quillborn?", "152"),
        ("how high were marrowgate net revenues in 2Q 2023", "977"),
        ("net revenues marrowgate fy21", "845"),
    ],
)
def test_what_is_told_of_the_company_and_time_that_are_named_comes_first(
    owner: User, question: str, earned: str
) -> None:
    for name, (title, figure, rival) in REPORTS.items():
        add(EARNED.format(title=title, earned=figure, rival=rival), name=name)
    turn = asked(owner, question)
    first = next(line for line in turn.response.splitlines() if "million" in line)
    assert earned in first


@pytest.mark.once
@pytest.mark.parametrize(
    ("text", "periods"),
    [
        ("Pfizer_2023Q2_10Q.pdf", {"2023", "q2"}),
        ("in Q22023 or 4Q 2022", {"2023", "q2", "2022", "q4"}),
        ("between FY20 and fy '21", {"2020", "2021"}),
        ("room 12023, part 42021-7, faq1", set()),
    ],
)
def test_years_and_quarters_are_known_in_whatever_form(text: str, periods: set[str]) -> None:
    assert periods_of(text) == periods


@pytest.mark.once
def test_a_name_is_a_rare_word_or_one_in_capitals_where_none_is_due() -> None:
    assert names_of("Where does General Mills store wheat, asks pfizer in 2023Q2?") == {
        "general",
        "mill",
        "pfizer",
        "wheat",
    }
