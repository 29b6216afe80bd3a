"""Citation styles through the doors: by setting, by session, by request, and of what is stored."""

import json
import re
from typing import Any

import pytest

from memory.models import Turn
from memory.text.citation_markers import strip_markers
from tests.api.conftest import Api, Json

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.usefixtures("library"),
]

QUESTION = "What is the Determination Date?"
SSE = {"Accept": "text/event-stream"}


def assert_styled(turn: Json, style: str) -> None:
    """Assert that the turn's text cites in the style, and that its citations point into it."""
    text = turn["response"]
    assert turn["style"] == style
    body, _, notes = text.partition("\n\n[^1]: ")
    assert bool(notes) == (style == "footnote")
    assert re.findall(r"\[\^?\d\]", body)[:1] == {
        "inline": ["[1]"],
        "footnote": ["[^1]"],
        "reference": [],
    }.get(style)
    assert turn["sources"]
    for citation in turn["citations"]:
        claim = text[citation["start"] : citation["end"]]
        assert strip_markers(claim).strip() == citation["text"]


def test_by_setting_by_session_and_by_request(api: Api, settings: Any) -> None:
    plain, footnoted = api.begin(), api.begin(style="footnote")
    assert api.get(plain).json()["style"] is None
    assert api.get(footnoted).json()["style"] == "footnote"
    assert_styled(api.ask(plain, QUESTION), "inline")
    assert_styled(api.ask(footnoted, QUESTION), "footnote")
    assert_styled(api.ask(footnoted, QUESTION, style="reference"), "reference")
    settings.CITATION_STYLE = "reference"
    assert_styled(api.ask(plain, QUESTION), "reference")
    assert_styled(api.ask(footnoted, QUESTION), "footnote")
    assert api.patch(footnoted, {"style": None}).json()["style"] is None
    assert_styled(api.ask(footnoted, QUESTION), "reference")
    for wrong in ("loud", "", 1):
        response = api.patch(footnoted, {"style": wrong})
        assert response.json()["error"]["fields"].keys() == {"style"}


def test_what_is_stored_is_canonical_and_read_in_any_style(api: Api) -> None:
    path = api.begin()
    turn = api.ask(path, QUESTION, style="footnote")
    stored = Turn.objects.get().response
    assert "[1]" in stored
    assert "[^1]" not in stored
    place = f"{path}/turns/{turn['turn_id']}"
    assert api.get(place).json() == turn
    for style in ("inline", "footnote", "reference"):
        one = api.get(f"{place}?style={style}").json()
        assert_styled(one, style)
        assert api.get(f"{path}/history?style={style}").json()["turns"] == [one]
        exported = json.loads(b"".join(api.get(f"{path}/export?style={style}")))
        assert exported["turns"] == [one]
    assert api.get(f"{place}?style=loud").status_code == 400


def test_a_footnote_has_one_note_in_a_markdown_file(api: Api) -> None:
    path = api.begin()
    for style in ("footnote", "footnote", "inline", "reference"):
        api.ask(path, QUESTION, style=style)
    text = b"".join(api.get(f"{path}/export?format=markdown")).decode()
    assert len(re.findall(r"^\[\^1\]: ", text, re.MULTILINE)) == 1
    assert "[^1]" in text.partition("## 3.")[0]
    assert "[^1]" not in text.partition("## 3.")[2].partition("## Sources")[0]
    plain = b"".join(api.get(f"{path}/export?format=markdown&style=inline")).decode()
    assert "[^" not in plain


def test_an_unknown_word_after_the_question_mark_is_refused_by_name(api: Api) -> None:
    path = api.begin()
    for door in ("/sessions", "/search", f"{path}/history", f"{path}/export"):
        response = api.get(f"{door}?styl=inline")
        assert response.status_code == 400
        assert response.json()["error"]["fields"].keys() == {"styl"}
