"""A whole journey with the Python client that was generated from the schema.

python journey.py ADDRESS TOKEN, with the folder of the generated client in PYTHONPATH.
"""

import io
import json
import sys
import time
from collections.abc import Iterator

from throughline_client import AuthenticatedClient, models
from throughline_client.api.documents import (
    add_document,
    list_documents,
    list_passages,
    read_document,
    remove_document,
)
from throughline_client.api.search import search
from throughline_client.api.sessions import (
    begin_session,
    erase_session,
    export_session,
    list_sessions,
    read_history,
    read_session,
)
from throughline_client.api.turns import ask, erase_turn, rate_turn, read_context
from throughline_client.types import File

address, token = sys.argv[1:]
client = AuthenticatedClient(base_url=address, token=token, raise_on_unexpected_status=True)
EVENTS = {
    "turn": models.BegunEvent,
    "rewrite": models.RewrittenEvent,
    "passages": models.FoundEvent,
    "delta": models.DeltaEvent,
    "step": models.StepAnswerEvent,
    "structure": models.StructuredRowsEvent,
    "citations": models.AttributionEvent,
    "done": models.TurnAnswerEvent,
}
TEXT = b"# Zanzibar Protocol\n\nThe Zanzibar Deadline is the ninth day of April 2031.\n"


def events_of(turn: models.TurnAnswer) -> Iterator[tuple[str, str]]:
    """Yield name and data of each event of the answer; the client itself knows no streams."""
    path = f"/api/v1/sessions/{turn.session_id}/turns/{turn.turn_id}/events"
    with client.get_httpx_client().stream("GET", path) as response:
        for text in response.read().decode().split("\n\n")[:-1]:
            fields = dict(line.split(": ", 1) for line in text.splitlines() if line[0] != ":")
            event = EVENTS[fields["event"]].from_dict(fields)
            assert event.additional_properties == {}
            yield event.event, event.data


refused = search.sync(client=AuthenticatedClient(base_url=address, token="0" * 64))
assert isinstance(refused, models.Error)
assert refused.error.code == "authentication_failed"

file = File(payload=io.BytesIO(TEXT), file_name="zanzibar.md", mime_type="text/markdown")
document = add_document.sync(client=client, body=models.NewFileRequest(file=file))
assert isinstance(document, models.DocumentAnswer), document
patience = time.monotonic() + 120
while document.status == models.DocumentStatus.WAITING and time.monotonic() < patience:
    time.sleep(0.2)
    document = read_document.sync(document.document_id, client=client)
assert document.status == models.DocumentStatus.READY, document
passages = list_passages.sync(document.document_id, client=client)
assert "Zanzibar Deadline" in passages.passages[0].text
named = list_documents.sync(client=client, q="Zanzibar", status=models.ListDocumentsStatus.READY)
assert document.document_id in [each.document_id for each in named.documents]

about = models.NewSessionRequest(style=models.CitationStyle.FOOTNOTE)
session = begin_session.sync(client=client, body=about)
assert read_session.sync(session.session_id, client=client).style == models.CitationStyle.FOOTNOTE
asked = []
for query in ("When is the Zanzibar Deadline?", "What is the Zanzibar Protocol about?"):
    question = models.NewTurnRequest(query=query, documents=[document.document_id])
    turn = ask.sync(session.session_id, client=client, body=question, idempotency_key=query)
    assert isinstance(turn, models.TurnAnswer), turn
    asked.append(turn)
turn = asked[0]
assert "2031" in turn.response
assert turn.citations[0].sources == [document.document_id]

events = list(events_of(turn))
assert {name for name, _ in events} == set(EVENTS) - {"structure"}  # of tables alone
text = "".join(
    models.Delta.from_dict(json.loads(data)).text for name, data in events if name == "delta"
)
assert text == turn.response
assert models.TurnAnswer.from_dict(json.loads(events[-1][1])) == turn

cursor, turns = None, []
while True:
    further = {"cursor": cursor} if cursor else {}
    page = read_history.sync(session.session_id, client=client, limit=1, **further)
    turns += page.turns
    cursor = page.next_
    if cursor is None:
        break
assert turns == asked

context = read_context.sync(session.session_id, turn.turn_id, client=client)
assert context.turn_id == turn.turn_id
rating = models.PatchedRatingRequest(rating=models.RatingEnum.VALUE_1, feedback="Well put.")
rated = rate_turn.sync(session.session_id, turn.turn_id, client=client, body=rating)
assert (rated.rating, rated.feedback) == (1, "Well put.")
found = search.sync(client=client, q="Zanzibar", session=session.session_id)
assert {hit.turn_id for hit in found.results} == {each.turn_id for each in asked}
exported = export_session.sync(session.session_id, client=client)
assert [each.turn_id for each in exported.turns] == [each.turn_id for each in asked]

assert erase_turn.sync_detailed(session.session_id, turn.turn_id, client=client).status_code == 204
assert erase_session.sync_detailed(session.session_id, client=client).status_code == 204
assert isinstance(read_session.sync(session.session_id, client=client), models.Error)
sessions = list_sessions.sync(client=client)
assert session.session_id not in [each.session_id for each in sessions.sessions]
assert remove_document.sync_detailed(document.document_id, client=client).status_code == 204
print("The journey is over.")
