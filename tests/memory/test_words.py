"""Words: what of a text is told in signs."""

import pytest

from memory.text.words import find_symbols


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("what does -q do, and -Q?", ["-q", "-Q"]),
        ("difference between $* and $@", ["$*", "$@"]),
        ("what is $?", ["$?"]),
        ("what is 2>&1?", ["2>&1"]),
        ("‘C-b !’ and (C++), `||` [-v]", ["!", "c++", "||", "-v"]),
        ("Is it so? Do it! 5.5 e.g. well-known $PATH -- #heading x.y", []),
        ('[-v] "-q" x-y (-) -', ["-v", "-q"]),
        ("well-known words only", []),
        ("the difference between [ and [[, and `.[]`?", ["[", "[[", ".[]"]),
        ("what is // or [1], (see [ITP]), {x}?", ["//"]),
        (
            "@daily, */5 and '1.2.*', ^0.0.3 or ~1.2?",
            ["@daily", "*/5", "*/", "1.2.*", "^0.0.3", "^", "~1.2", "~"],
        ),
        ("write to me@corvo.example or @ the gate", ["@"]),
        ("-" * 20 + " " + "$" * 20, []),
    ],
)
def test_what_is_written_in_signs_is_told_from_marks_of_a_sentence(
    text: str, found: list[str]
) -> None:
    assert find_symbols(text) == found
