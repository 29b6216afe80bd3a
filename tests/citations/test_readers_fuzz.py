"""Any bytes at all: only a reading or a refusal comes out of the readers."""

import random
from collections.abc import Callable

import pytest
from hypothesis import given, settings, strategies as st

from citations.formats.kinds import MARKDOWN, PLAIN
from citations.formats.reading import FileReading
from citations.readers import Inspection, Unreadable, file_failures, inspect_file, read_file
from tests.citations import files, office_files


def seeds() -> dict[str, bytes]:
    made = files.word(title="Title", author="Jane Doe")
    made.add_heading("Part", 1)
    made.add_paragraph("Text.", style="List Bullet")
    made.add_table(rows=1, cols=2)
    page = (
        b'<!doctype html><html><head><meta charset="utf-8"><title>T</title></head><body><h1>H</h1>'
    )
    page += (
        b"<ul><li>a</ul><table><tr><td>b</td></tr></table><pre>c</pre><p hidden>d</p></body></html>"
    )
    return {
        "a.pdf": files.pdf(["One page.", "Another."], title="Title", outline=["Part"]),
        "a.docx": files.packed(made),
        "a.html": page,
        "a.xlsx": office_files.workbook(
            "<cols/>" + office_files.rows(["Name", "Price"], ["Cup", (3.5, 1)]),
            forms=["", "0.00"],
        ),
        "a.pptx": office_files.deck(
            office_files.shape("T", place="title") + office_files.shape("a", "b", place="body")
        ),
        "a.odt": office_files.opendocument(
            "text", "<text:h>H</text:h><text:p>a<text:s/>b</text:p><text:list/>"
        ),
        "a.epub": office_files.book("<h1>H</h1><p>a</p>"),
        "a.csv": b'Name;Price\nCup;1\n\nBowl;"2\n',
        "a.md": b"---\ntitle: T\n---\n# H\n\nText *b* [l](u).\n\n- a\n\n| a |\n|---|\n| b |\n",
        "a.rst": b"T\n=\n\nText *b* :c:`d`.\n\n.. note:: e\n\n- a\n\n=== ===\na   b\n=== ===\n",
        "a.eml": b"From: a@b.c\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x\n\n"
        b"--x\n\nText.\n> b\n--x\nContent-Type: text/csv; name=a.csv\n\nk;v\n1;2\n--x--\n",
        "a.xml": b"<?xml version='1.0'?><a><title>T</title><name>b</name><p>c <i>d</i></p></a>",
        "a.json": b'{"a": [1, {"b": "c"}],\n "d": null}',
        "a.conf": b"# Says a.\n#\n# And b.\n#port 1\n[c]\nport = 2\n",
        "a.txt": "Text.\n\n- a\n1. b\n\u00e9\u200b".encode(),
    }


SEEDS = seeds()
CHILDREN = ["a.pdf", "a.docx", "a.xlsx", "a.pptx", "a.odt", "a.epub", "a.html"]
Mutation = Callable[[bytearray, random.Random], None]


def flip(data: bytearray, chance: random.Random) -> None:
    for _ in range(chance.randint(1, 20)):
        data[chance.randrange(len(data))] = chance.randrange(256)


def cut(data: bytearray, chance: random.Random) -> None:
    del data[chance.randint(1, len(data)) :]


def drop(data: bytearray, chance: random.Random) -> None:
    at = chance.randrange(len(data))
    del data[at : at + chance.randint(1, 200)]


def repeat(data: bytearray, chance: random.Random) -> None:
    at, size = chance.randrange(len(data)), chance.randint(1, 50)
    data[at:at] = bytes(data[at : at + size]) * chance.randint(2, 200)


def renumber(data: bytearray, chance: random.Random) -> None:
    """Change digits only: lengths, offsets, counts and references."""
    places = [at for at, byte in enumerate(data) if 48 <= byte <= 57] or [0]
    for _ in range(chance.randint(1, 10)):
        data[chance.choice(places)] = 48 + chance.randrange(10)


MUTATIONS: list[Mutation] = [flip, cut, drop, repeat, renumber]


def mutated(name: str, seed: int) -> bytes:
    chance, data = random.Random(seed), bytearray(SEEDS[name])
    for mutation in chance.sample(MUTATIONS, k=chance.randint(1, 2)):
        if data:
            mutation(data, chance)
    return bytes(data)


def only_a_reading_or_a_refusal(data: bytes, name: str, media_type: str | None = None) -> None:
    outcome = outcome_of(data, name, media_type)
    if isinstance(outcome, Unreadable):
        assert outcome.code in file_failures.MESSAGES
        return
    found, reading = outcome
    assert found.about.title or not name
    for section in reading.sections:
        assert section.text.strip()
        assert section.text.encode()  # no lone surrogates, and no NUL, which a database can't hold
        assert "\x00" not in section.text


def outcome_of(
    data: bytes, name: str, media_type: str | None
) -> tuple[Inspection, FileReading] | Unreadable:
    try:
        found = inspect_file(data, name, media_type=media_type)
        return found, read_file(data, found.media_type)
    except Unreadable as refusal:
        return refusal


@given(name=st.sampled_from(CHILDREN), seed=st.integers(0, 2**32))
@settings(max_examples=20)
def test_mutated_files_are_read_or_refused(name, seed):
    only_a_reading_or_a_refusal(mutated(name, seed), name)


@given(name=st.sampled_from(["a.md", "a.txt"]), seed=st.integers(0, 2**32))
@settings(max_examples=150)
def test_mutated_text_is_read_or_refused(name, seed):
    only_a_reading_or_a_refusal(mutated(name, seed), name)


@given(data=st.binary(max_size=400), name=st.sampled_from([*SEEDS, "a", "a.zip"]))
@settings(max_examples=50)
def test_any_bytes_are_read_or_refused(data, name):
    only_a_reading_or_a_refusal(data, name)


@given(text=st.text(max_size=400), kind=st.sampled_from([MARKDOWN, PLAIN]))
@settings(max_examples=200)
def test_any_text_is_read_or_refused(text, kind):
    only_a_reading_or_a_refusal(text.encode("utf-8", "surrogatepass"), "", kind)


@pytest.mark.deep
@given(data=st.binary(max_size=400), name=st.sampled_from([*SEEDS, "a", "a.zip"]))
@settings(max_examples=500)
def test_any_bytes_are_read_or_refused_however_long_it_is_tried(data, name):
    only_a_reading_or_a_refusal(data, name)


@pytest.mark.deep
@given(name=st.sampled_from(list(SEEDS)), seed=st.integers(0, 2**32))
@settings(max_examples=1500)
def test_many_mutated_files_are_read_or_refused(name, seed):
    only_a_reading_or_a_refusal(mutated(name, seed), name)
