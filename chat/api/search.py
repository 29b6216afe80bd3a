"""Search in what was said: one's own turns, by words, time and session."""

from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from chat.api.schema import serializers
from chat.api.schema.documentation import SEARCH, documented
from chat.protocol.paging import checked_cursor
from chat.protocol.requests import Endpoint, checked_query, own_session, person
from memory.conversations.searching import Hit, Wanted, said
from memory.text.highlighting import Snippet


class Search(Endpoint):
    @documented(
        "search",
        "Search your questions and answers, newest first",
        answer=SEARCH,
        parameters=[serializers.SearchPage],
        errors=(400, 401, 404),
        tag="search",
    )
    def get(self, request: Request) -> Response:
        wish = checked_query(request, serializers.SearchPage)
        wanted = Wanted(
            words=wish["q"],
            session=own_session(request, wish["session"]).pk if wish["session"] else None,
            since=wish["since"],
            until=wish["until"],
        )
        after = checked_cursor(wish["cursor"])
        found = said(person(request), wanted, after=after, limit=wish["limit"])
        results = [hit_shape(hit) for hit in found.hits]
        return Response({"results": results, "next": found.next or None})


def hit_shape(hit: Hit) -> dict[str, Any]:
    """Return a turn that was found, with the pieces that show why."""
    turn = hit.turn
    return {
        "turn_id": turn.pk,
        "session_id": turn.session_id,
        "title": turn.session.title,
        "position": turn.position,
        "timestamp": turn.asked_at.isoformat(),
        "query": _snippet_shape(hit.query),
        "response": _snippet_shape(hit.response),
    }


def _snippet_shape(snippet: Snippet) -> dict[str, Any]:
    matches = [{"start": start, "end": end} for start, end in snippet.matches]
    return {"text": snippet.text, "matches": matches}
