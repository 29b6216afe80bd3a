"""An answer as plain text: for the clipboard, and for what a search shows."""

import pytest

from memory.text.plain import render_plain_text


@pytest.mark.parametrize(
    ("markdown", "plain"),
    [
        ("> The **role** requires:\n> - httpx==0.21.\\*", "The role requires:\n• httpx==0.21.*"),
        ("> It is.\n\n*Model › 2.1 \\_x\\_ · p. 4* [1]", "It is.\n\nModel › 2.1 _x_ · p. 4 [1]"),
        ("| a | b |\n|---|:-:|\n| 1 | 2\\|3 |", "a\tb\n1\t2|3"),
        ("```python\nx = a**b  # *c*\n```", "x = a**b  # *c*\n"),
        ("## Head\n\n* one `y`\n* 2*3*4 and *so*", "Head\n\n• one y\n• 2*3*4 and so"),
        ("Nothing to do.", "Nothing to do."),
    ],
)
def test_what_markdown_says_stays_and_its_signs_go(markdown: str, plain: str) -> None:
    assert render_plain_text(markdown) == plain
