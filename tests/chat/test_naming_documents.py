"""A question that names a company or an edition is answered from that one's document."""

import pytest

from chat.turns.grounding.named import Called, periods_of
from citations.models import Document
from memory.models import User
from tests.chat.quoting.material import add, asked

EARNED = """# {title}

## Results of operations

Net revenues of the company rose to {earned} million, mainly since more ferries ran to the islands.

## Staff

At the end of that time {staff} people worked for the company.

## Outlook

The company expects net revenues to rise further, since {rival} has given up its ferries.
"""
REPORTS = {
    "quillborn_2021_10K.md": ("Annual report", 310, 812, "Marrowgate"),
    "quillborn_2023Q2_10Q.md": ("Form 10-Q", 152, 790, "Marrowgate"),
    "marrowgate_2023Q2_10Q.md": ("Form 10-Q", 977, 4100, "Quillborn"),
    "marrowgate_2021_10K.md": ("Annual report", 845, 3900, "Quillborn"),
}


@pytest.fixture
def reports(db: None) -> None:
    for name, (title, earned, staff, rival) in REPORTS.items():
        add(EARNED.format(title=title, earned=earned, staff=staff, rival=rival), name=name)


@pytest.mark.once
@pytest.mark.usefixtures("reports")
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
    turn = asked(owner, question)
    first = next(line for line in turn.response.splitlines() if "million" in line)
    assert earned in first


@pytest.mark.once
@pytest.mark.usefixtures("reports")
@pytest.mark.parametrize(
    ("questions", "people"),
    [
        (["what were the revenues of quillborn in 2021", "how many people worked there"], "812"),
        (["what were the revenues of quillborn in 2021", "how many people worked for it"], "812"),
        (["quillborn's net revenues in Q2 2023", "how many people worked there"], "790"),
        (["revenues of quillborn in 2021", "how many staff", "and at marrowgate"], "3900"),
    ],
)
def test_what_the_questions_before_name_holds_until_another_is_named(
    owner: User, questions: list[str], people: str
) -> None:
    turn = asked(owner, *questions)
    first = next(line for line in turn.response.splitlines() if "people" in line)
    assert people in first


@pytest.mark.django_db
@pytest.mark.once
def test_a_document_that_is_called_by_no_time_may_tell_of_any(owner: User) -> None:
    add("# Minutes\n\nThe board met and spent two hours on the roof of the hall.", name="2024.md")
    add("# Costs\n\nIn 2024 we spent 4,310 euros on the roof of the hall.", name="costs.md")
    turn = asked(owner, "how much did we spend on the roof in 2024")
    assert "4,310" in turn.response.splitlines()[0]


@pytest.mark.django_db
@pytest.mark.once
def test_what_kind_of_file_it_is_names_no_document() -> None:
    documents = [Document(title="Notes", file_name=f"notes.{kind}") for kind in ("pdf", "md")]
    assert Called.by("how do I make a pdf of it").among(documents) == Called()


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
    assert Called.by("Where does General Mills store wheat, asks pfizer in 2023Q2?").names == {
        "general",
        "mill",
        "pfizer",
        "wheat",
    }
