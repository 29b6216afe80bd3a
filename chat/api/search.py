"""Search of a person's own turns by words, time and session."""

from typing import Annotated, TypedDict

from rest_framework.request import Request
from rest_framework.response import Response

from chat.api.schema import queries
from chat.api.schema.documentation import describe_answer, documented
from chat.protocol.paging import check_cursor
from chat.protocol.requests import Endpoint, check_query, get_own_session, person
from chat.shapes.resources.vocabulary import Paged, TurnPlace, turn_place_shape
from memory.conversations.message_search import Hit, Wanted, search_messages
from memory.text.highlighting import Snippet


class MatchAnswer(TypedDict):
    start: int
    end: int


class SnippetAnswer(TypedDict):
    text: Annotated[str, "A piece of it, on one line."]
    matches: Annotated[list[MatchAnswer], "Where the words are in `text`, in Unicode characters."]


class HitAnswer(TurnPlace):
    title: Annotated[str, "Of the session."]
    query: SnippetAnswer
    response: SnippetAnswer


class SearchAnswer(Paged):
    results: list[HitAnswer]


MEANING = "Turns that have all of the words, in the question or the answer."


class Search(Endpoint):
    @documented(
        "search",
        "Search your questions and answers, newest first",
        answer=describe_answer(SearchAnswer, MEANING),
        tag="search",
        parameters=[queries.SearchPage],
        errors=(404,),
    )
    def get(self, request: Request) -> Response:
        wish = check_query(request, queries.SearchPage)
        wanted = Wanted(
            words=wish["q"],
            session=get_own_session(request, str(wish["session"])).pk
            if "session" in wish
            else None,
            since=wish["since"],
            until=wish["until"],
        )
        after = check_cursor(wish["cursor"])
        found = search_messages(person(request), wanted, after=after, limit=wish["limit"])
        results = [hit_shape(hit) for hit in found.hits]
        return Response(SearchAnswer(results=results, next=found.next or None))


def hit_shape(hit: Hit) -> HitAnswer:
    """Return a turn that was found, with the matching snippets."""
    query, response = _snippet_shape(hit.query), _snippet_shape(hit.response)
    title = hit.turn.session.title
    return turn_place_shape(HitAnswer, hit.turn, title=title, query=query, response=response)


def _snippet_shape(snippet: Snippet) -> SnippetAnswer:
    matches = [MatchAnswer(start=start, end=end) for start, end in snippet.matches]
    return {"text": snippet.text, "matches": matches}
