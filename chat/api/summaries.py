"""Endpoints for summaries: read down to the turns, edit, revert, and rewrite."""

from rest_framework.request import Request
from rest_framework.response import Response

from chat import llm
from chat.api.schema.bodies import Nothing, Strict
from chat.api.schema.documentation import describe_answer, documented
from chat.api.schema.examples import EXAMPLE_SUMMARY
from chat.api.schema.fields import ChoiceField, TextField
from chat.api.schema.queries import Page
from chat.protocol.paging import position_page
from chat.protocol.requests import (
    Endpoint,
    check_body,
    check_query,
    find_row,
    get_own_session,
    person,
)
from chat.shapes.resources.summaries import (
    OneSummaryAnswer,
    SummariesAnswer,
    SummaryAnswer,
    TopicsAnswer,
    one_summary_shape,
    part_shape,
    summary_shape,
    topic_shape,
)
from memory.models import Summary
from memory.recall.summaries import contents, editing


class SummaryChanges(Strict):
    """A person's own words in place of a summary."""

    text = TextField(
        max_length=editing.LONGEST_TEXT,
        allow_null=True,
        help_text="Null takes back what you wrote: what was made stands again.",
    )


class SummariesPage(Page):
    """A page of the summaries of one kind."""

    kind = ChoiceField(
        choices=Summary.Kind.choices,
        default=Summary.Kind.SEGMENT,
        help_text="`section` and `segment` are those between the whole and the turns.",
    )


WHOLE = describe_answer(SummaryAnswer, "The conversation in few words.", EXAMPLE_SUMMARY)
ONE = describe_answer(OneSummaryAnswer, "The summary, and what it is made of.")


class WholeSummary(Endpoint):
    @documented(
        "read_summary", "Read a session's summary, its key topics and what it covers", answer=WHOLE
    )
    def get(self, request: Request, session_id: str) -> Response:
        return Response(summary_shape(get_own_session(request, session_id)))


class Summaries(Endpoint):
    @documented(
        "list_summaries",
        "List a session's summaries of one kind, in order",
        answer=SummariesAnswer,
        parameters=[SummariesPage],
    )
    def get(self, request: Request, session_id: str) -> Response:
        session = get_own_session(request, session_id)
        page = check_query(request, SummariesPage)
        rows = session.summaries.filter(kind=page["kind"])
        shown, following = position_page(rows, "first_position", page)
        parts = [part_shape(row) for row in shown]
        answer = SummariesAnswer(session_id=str(session.pk), summaries=parts, next=following)
        return Response(answer)


class OneSummary(Endpoint):
    @documented("read_one_summary", "Read a summary with what it is made of", answer=ONE)
    def get(self, request: Request, session_id: str, summary_id: str) -> Response:
        return Response(one_summary_shape(_get_own_summary(request, session_id, summary_id)))

    @documented(
        "change_summary",
        "Put your words in the place of a summary, or take them back",
        request=SummaryChanges,
        answer=ONE,
        errors=(409,),
    )
    def patch(self, request: Request, session_id: str, summary_id: str) -> Response:
        summary = _get_own_summary(request, session_id, summary_id)
        text = check_body(request, SummaryChanges)["text"]
        if text is None:
            editing.go_back(summary)
        else:
            editing.edit(summary, text)
        return Response(one_summary_shape(summary))


class SummaryAnew(Endpoint):
    @documented(
        "make_summary_anew",
        "Have a summary made anew, with those that are made of it",
        request=Nothing,
        answer=SummaryAnswer,
        status=202,
        errors=(409,),
    )
    def post(self, request: Request, session_id: str, summary_id: str) -> Response:
        summary = _get_own_summary(request, session_id, summary_id)
        check_body(request, Nothing)
        editing.make_anew(summary, by_model=llm.is_configured())
        return Response(summary_shape(summary.session), status=202)


class Topics(Endpoint):
    @documented(
        "list_topics",
        "List what a session was about, topic by topic, with the turns they begin at",
        answer=TopicsAnswer,
        parameters=[Page],
    )
    def get(self, request: Request, session_id: str) -> Response:
        session = get_own_session(request, session_id)
        page = check_query(request, Page)
        rows = contents.list_topic_turns(session)
        turns = rows.only("owner_id", "session_id", "position", "query")
        shown, following = position_page(turns, "position", page)
        topics = [topic_shape(topic) for topic in contents.count_topic_turns(session, shown)]
        return Response(TopicsAnswer(session_id=str(session.pk), topics=topics, next=following))


def _get_own_summary(request: Request, session_id: str, summary_id: str) -> Summary:
    session = get_own_session(request, session_id)
    rows = Summary.objects.visible(person(request)).filter(session=session)
    return find_row(rows.select_related("session"), summary_id)
