"""What a question writes letter by letter is found letter by letter."""

import pytest

from chat.quoting.names import literal_names, names_in

pytestmark = pytest.mark.once


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("what was fixed in requests 2.32.4", ["2.32.4"]),
        ("rsync exit code 23 meaning", ["23"]),
        ("fetchmail exit code 1", ["code 1"]),
        ("how do I use --leak-check with max_size", ["--leak-check", "max_size"]),
        ("what does DER stand for", ["DER"]),
        ("WHAT DOES IT MEAN", []),
        ("difference between [ and [[, and what is $#", ["[", "[[", "$#"]),
        ("bread & butter ? or @daily", ["@daily"]),
    ],
)
def test_names_are_read(question: str, names: list[str]) -> None:
    assert literal_names(question) == names


@pytest.mark.parametrize(
    ("question", "text", "is_held"),
    [
        ("what changed in 0.28", "0.28.0 (28th November)", True),
        ("what changed in 0.28", "0.28.1 (6th December)", False),
        ("what changed in 2.3", "12.3 and 2.31", False),
        ("exit code 23", "- 23 - Partial transfer", True),
        ("exit code 1", "1 There was no mail.", True),
        ("exit code 1", "It ends with exit code 1.", True),
        ("exit code 1", "1. Open the page.", False),
        ("what does -e do", "- -e, --edit: In place.", True),
        ("what does -e do", "- -E: Expand.", False),
        ("what is [", "The builtin `[` tests.", True),
        ("what is [", "The keyword [[ tests.", False),
        ("what does $# mean", "$#: how many there are.", True),
        ("what does $# mean", "$## and a$#", False),
        ("@daily", "Run it daily.", False),
    ],
)
def test_a_name_is_found_where_it_is_no_part_of_another(
    question: str, text: str, is_held: bool
) -> None:
    assert any(name.search(text) for name in names_in(question)) == is_held
