"""Citation styles: the same words in each, and a stream's pieces make up the whole."""

import re
from uuid import UUID

from hypothesis import given, strategies as st

from chat.shapes.citation_styles import Places, restyle_text, write_entry, write_footnotes
from chat.streams.snapshots import NOTES, TEXT, Cursor, Snapshot, list_new_events
from citations.attribution.offers import Offer
from citations.attribution.streaming import Citing
from citations.models import Passage
from memory.text.citation_markers import find_stored_markers, strip_markers
from tests.effort import computed_within

STYLES = ("inline", "footnote", "reference")
# Pieces of a model's text: words, markers, other brackets, and code around them.
PIECES = [
    "word ", "Two.", " [1]", "[2]", "[1, 2]", "[^1]", "[9]", "[", "]", "1", "[12", "[1 [9]]",
    "[[9]1]", "`", "```", "\n", "\n\n", " ", "[1](x)", "é🙂", "[1]: x", "#",
]  # fmt: skip
answers = st.lists(st.sampled_from(PIECES), max_size=30)
# Without brackets that a marker's going would close: those read like a marker of their own.
BROKEN = {"[", "]", "[12", "[1 [9]]", "[[9]1]"}
tame_answers = st.lists(st.sampled_from([p for p in PIECES if p not in BROKEN]), max_size=30)


def cited(pieces: list[str]) -> tuple[Citing, list[str]]:
    """Return the citing of an answer whose passages 1 and 2 were offered, and what it gave."""
    offers = {n: Offer(n, Passage(text=""), UUID(int=n)) for n in (1, 2)}
    citing = Citing(offers=offers, numbers={}, next_number=1)
    return citing, [*[citing.feed(piece) for piece in pieces], citing.close()]


def source(number: int, **about: object) -> dict[str, object]:
    plain = {"title": f"Title {number}", "authors": [], "year": None, "url": None}
    return {"number": number, **plain, **about}


def citation(number: int, page: int | None = None) -> dict[str, object]:
    return {"number": number, "page": page}


@given(answers)
def test_the_markers_in_the_text_are_the_citations_and_nothing_else_is(pieces: list[str]) -> None:
    citing, _ = cited(pieces)
    found = [(marker.start(1) - 1, int(marker[1])) for marker in find_stored_markers(citing.text)]
    assert found == [(marker.start, marker.number) for marker in citing.markers]


@given(tame_answers)
def test_without_their_markers_all_styles_say_the_same_words(pieces: list[str]) -> None:
    text = cited(pieces)[0].text
    words = {style: strip_markers(restyle_text(text, style)).split() for style in STYLES}
    assert words["inline"] == words["footnote"] == words["reference"]
    assert restyle_text(text, "inline") == text


@given(answers)
def test_every_footnote_has_a_note_and_every_note_a_footnote(pieces: list[str]) -> None:
    text = cited(pieces)[0].text
    below = write_footnotes(text, "footnote", [source(1), source(2)], [citation(1), citation(2)])
    noted = re.findall(r"^\[\^(\d+)\]: ", below, re.MULTILINE)
    assert sorted(noted) == sorted({marker[1] for marker in find_stored_markers(text)})
    assert (
        write_footnotes(text, "inline", [source(1)], [])
        == write_footnotes(text, "reference", [source(1)], [])
        == ""
    )


@given(answers, st.sampled_from(STYLES))
def test_what_streams_in_pieces_is_the_whole(pieces: list[str], style: str) -> None:
    citing, given_out = cited(pieces)
    at, streamed = 0, ""
    for piece in given_out:
        so_far = citing.text[: at + len(piece)]
        streamed += restyle_text(so_far, style, after=at)
        at += len(piece)
    assert streamed == restyle_text(citing.text, style)


@given(answers, st.sampled_from(STYLES), st.data())
def test_a_stream_in_any_style_goes_on_behind_any_of_its_ids(
    pieces: list[str], style: str, data: st.DataObject
) -> None:
    text = cited(pieces)[0].text
    whole = restyle_text(text, style) + write_footnotes(text, style, [source(1), source(2)], [])
    turn = {"response": whole, "status": "complete"}
    turn |= {"citations": [], "claims": [], "support": {}}
    ended = Snapshot(1, {}, {}, text, style, ended=turn)
    cut = data.draw(st.integers(0, len(text)))
    first = list(list_new_events(Snapshot(1, {}, {}, text[:cut], style), Cursor()))
    last = Cursor.parse(first[-1].id)
    # Ids are only given where a marker is whole, as live text is.
    inside = any(marker.start() < cut < marker.end() for marker in find_stored_markers(text))
    rest = list(list_new_events(ended, last))
    read = [event.data["text"] for event in [*first, *rest] if event.name == "delta"]
    if not inside:
        assert "".join(read) == whole
    assert "".join(read).endswith(whole[len(restyle_text(text[:cut], style)) :])
    assert next(iter(list_new_events(ended, Cursor(1, NOTES)))).name == "citations"


@given(tame_answers, st.sampled_from(STYLES))
def test_a_claim_is_found_in_each_style(pieces: list[str], style: str) -> None:
    citing, _ = cited(pieces)
    for marker in citing.markers:
        for begin in (0, marker.start // 2):
            start, end = Places(citing.text, style).span(begin, marker.start)
            styled = restyle_text(citing.text, style)[start:end]
            claim = citing.text[begin : marker.start]
            is_inside = any(one.start < begin < one.start + 3 for one in citing.markers)
            # Behind a tick, a part alone can be code that isn't in the whole.
            if not is_inside and "`" not in citing.text[:begin]:
                assert strip_markers(styled).split() == strip_markers(claim).split()
                assert styled == styled.strip()


def test_much_white_space_takes_no_longer_than_other_text() -> None:
    text = "x" + " " * 50_000 + "[1]" + "\n" * 50_000 + "[2"

    def read() -> None:
        for style in STYLES:
            restyle_text(text, style)
        assert len(cited([text])[0].markers) == 1
        assert strip_markers(text).startswith("x\n")

    computed_within(1, read)


def test_markers_in_code_are_left_alone() -> None:
    text = "A `[1]` and [1].\n```\n[2]\n```\n[2]"
    assert restyle_text(text, "footnote") == "A `[1]` and [^1].\n```\n[2]\n```\n[^2]"
    assert restyle_text(text, "reference") == "A `[1]` and.\n```\n[2]\n```"


def test_a_note_names_authors_title_year_pages_and_address() -> None:
    full = source(
        1, title="A *B*\nC", authors=["Ames, A.", "Bell, B."], year=2023, url="https://e.org/x y"
    )
    expected = "Ames, A.; Bell, B. A \\*B\\* C (2023), pp.\u00a03, 7. https://e.org/x%20y"
    assert write_entry(full, [3, 7]) == expected
    assert write_entry(source(1), [4]) == "Title 1, p.\u00a04"
    assert write_entry(source(1, url="javascript:alert(1)")) == "Title 1"
    assert write_entry({}) == "A document that was removed"


def test_notes_stand_outside_of_code_that_was_cut_off() -> None:
    text = "See [1].\n```\nx = 1"
    assert write_footnotes(text, "footnote", [source(1)], []) == "\n```\n\n[^1]: Title 1"


def test_an_offset_of_the_text_is_the_same_in_every_style() -> None:
    text = "One [1]. Two."
    for style in STYLES:
        events = list(list_new_events(Snapshot(1, {}, {}, text, style), Cursor()))
        assert events[-1].id == f"1:{TEXT + len(text)}"
