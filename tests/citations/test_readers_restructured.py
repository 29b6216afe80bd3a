"""reStructuredText: what its marks mean, of Sphinx's too, and nothing from elsewhere."""

import pytest

from citations.formats.html import restructured
from citations.formats.reading import FileReading, ReadingLimits, ignore_progress

LIMITS = ReadingLimits(pages=10)
README = """
|Logo|

=====
scale
=====

Weighs *anything*, with :func:`~scale.weigh` or :ref:`the hook <hook>`; see `its page <https://a.example>`__.

Installation
------------

.. code:: sh

    pip install scale

Use
---

Thus::

    weigh("salt")

.. note:: Sit still.

weight : float, optional
    In grams.

.. comment that nobody reads

.. |Logo| image:: logo.png
"""


def read(text: str) -> FileReading:
    return restructured.read(text.encode(), LIMITS, ignore_progress)


def blocks(text: str) -> list[tuple[str, str]]:
    return [(block.kind, block.text) for part in read(text).sections for block in part.blocks]


def test_a_readme_is_read_as_it_is_shown():
    found = read(README)
    assert (
        found.title
        == restructured.inspect(README.encode(), LIMITS, ignore_progress).title
        == "scale"
    )
    assert [section.headings for section in found.sections] == [
        [],
        [],
        ["Installation"],
        ["Use"],
    ]
    assert blocks(README) == [
        ("paragraph", "[Image: Logo]"),
        ("paragraph", "Weighs anything, with scale.weigh or the hook; see its page."),
        ("code", "pip install scale"),
        ("paragraph", "Thus:"),
        ("code", 'weigh("salt")'),
        ("paragraph", "Note"),
        ("paragraph", "Sit still."),
        ("item", "- weight: float, optional: In grams."),
    ]


def test_what_sphinx_alone_knows_leaves_what_it_says():
    text = """
.. toctree::
   :maxdepth: 2

   other

.. setting:: weight

.. option:: --weight GRAMS

   How heavy it is, as :program:`scale` has it.

.. versionadded:: 2.0
   With :option:`--weight`.

.. prompt:: bash $

   scale --weight 2
"""
    assert blocks(text) == [
        ("item", "- --weight GRAMS: How heavy it is, as scale has it."),
        ("paragraph", "Added in version 2.0 With --weight."),
        ("code", "scale --weight 2"),
    ]


def test_no_file_and_no_program_that_it_names_is_opened(tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("A secret.")
    text = f"""Words.

.. include:: {secret}

.. csv-table::
   :file: {secret}

.. literalinclude:: {secret}

.. raw:: html
   :file: {secret}

.. raw:: html

   <p>Raw.</p>
"""
    assert blocks(text) == [("paragraph", "Words.")]


@pytest.mark.parametrize(
    "text",
    ["`a <b", "|a|_ [1]_ [#]_ [*]_", "===\n\n==\na\n===", ":a:`b", "* * *\n- "],
)
def test_broken_marks_lose_no_words(text):
    words = [word for word in ("a", "b") if word in text]
    said = " ".join(part for _, part in blocks(f"Before.\n\n{text}\n\nAfter."))
    assert all(word in said for word in ("Before.", *words, "After."))


def test_what_is_too_long_or_too_deep_for_it_is_read_as_plain_text(monkeypatch):
    assert blocks("- " * 2000 + "*a*")[-1][1].endswith("*a*")
    monkeypatch.setattr(restructured, "MOST", 10)
    assert blocks("Weighs *anything*.") == [("paragraph", "Weighs *anything*.")]
