"""A conversation to take away, with its sources."""

import json
from datetime import timedelta

import pytest
from django.utils import timezone
from markdown_it import MarkdownIt

from chat.exports import conversation
from chat.exports.conversation import Wish
from chat.exports.downloading import FORMS
from chat.shapes.citation_styles import escape_markdown
from chat.templatetags.conversations import styled
from citations.models import Citation
from memory.errors import NotFound
from memory.models import AuditEvent, Session, Turn
from tests.api.conftest import Api

pytestmark = pytest.mark.django_db


@pytest.mark.usefixtures("library")
def test_json_has_all_turns_and_sources_as_the_api_shows_them(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conversation, "PAGE", 2)
    path = api.begin(title="Dates & “quotes”", metadata={"ü": 1})
    turns = [api.ask(path, f"What is the Determination Date, number {n}?") for n in range(5)]
    response = api.get(f"{path}/export")
    assert response["Content-Type"] == "application/json"
    assert response["Content-Disposition"].startswith('attachment; filename="conversation-')
    assert response["Content-Disposition"].endswith('.json"')
    export = json.loads(b"".join(response))
    assert export["session"] == api.get(path).json()
    assert export["turns"] == turns
    listed = api.get(f"{path}/sources").json()["sources"]
    assert [row["document_id"] for row in export["sources"]] == [
        row["document_id"] for row in listed
    ]
    assert AuditEvent.objects.filter(action="session.exported").count() == 1


@pytest.mark.usefixtures("library")
def test_markdown_is_to_be_read(api: Api) -> None:
    path = api.begin(title="Dates *and* [links](x)")
    turn = api.ask(path, "What is the\n\nDetermination Date?")
    response = api.get(f"{path}/export?format=markdown")
    assert response["Content-Type"] == "text/markdown; charset=utf-8"
    text = b"".join(response).decode()
    assert text.startswith("# Dates \\*and\\* \\[links\\](x)\n")
    # One paragraph, with a line for each of the question's.
    assert "**Question:** What is the\\\n\\\nDetermination Date?\n" in text
    rendered = MarkdownIt().render(text)
    asked = "<strong>Question:</strong> What is the<br />\n<br />\nDetermination Date?</p>"
    assert asked in rendered
    assert turn["response"] in text
    # Words that the answer quotes don't stand there again.
    assert f"\n- [1] {turn['sources'][0]['title']}\n" in text
    assert "“" not in text
    assert "\n## Sources\n\n- [1] " in text


@pytest.mark.usefixtures("library")
def test_what_an_answer_says_in_other_words_stands_there_as_its_document_has_it(api: Api) -> None:
    path = api.begin()
    api.ask(path, "What is the Determination Date?")
    quote = Citation.objects.all()[0].quote
    turn, field = Turn.objects.get(), Turn._meta.get_field("response")
    Turn.objects.update(response=field.seal_value(turn, "It is told [1]."))
    text = b"".join(api.get(f"{path}/export?format=markdown")).decode()
    assert f": “{escape_markdown(quote)}”" in text


@pytest.mark.parametrize("form", ["file", "copy"])
@pytest.mark.usefixtures("library")
def test_a_doubt_goes_along_with_what_is_taken_away(api: Api, form: str) -> None:
    path = api.begin()
    api.ask(path, "What is the Determination Date?")
    Turn.objects.update(outcome=Turn.Outcome.UNSURE)
    if form == "file":
        text = b"".join(api.get(f"{path}/export?format=markdown")).decode()
        assert "\n\n**Not sure.** These come closest:\n\n" in text
    else:
        assert styled(Turn.objects.get()).startswith("Not sure. These come closest:\n\n")


def test_a_session_without_turns_can_be_exported(api: Api) -> None:
    path = api.begin()
    empty = json.loads(b"".join(api.get(f"{path}/export?format=json")))
    assert (empty["turns"], empty["sources"]) == ([], [])
    assert b"".join(api.get(f"{path}/export?format=markdown")).startswith(b"# Untitled")


def test_an_export_that_runs_looks_again_before_each_page(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conversation, "PAGE", 1)
    path = api.begin()
    for _ in range(3):
        api.ask(path, "What is the Closing Date?")
    session = Session.objects.select_related("owner").get()
    pieces = FORMS["json"].write(session, Wish())
    assert [next(pieces)[:11], next(pieces)[:11]] == ['{"session":', '{"turn_id":']
    Session.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    with pytest.raises(NotFound):
        next(pieces)
    assert Turn.objects.count() == 3
