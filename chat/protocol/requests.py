"""Base of all endpoints: strict bodies, JSON responses, lookups by owner."""

from collections.abc import Iterable
from typing import Any, TypeVar, cast

from django.db import DatabaseError, transaction
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _
from rest_framework.exceptions import ValidationError
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.permissions import SAFE_METHODS
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.serializers import Serializer
from rest_framework.views import APIView

from chat.protocol.parsing import JSONObjectParser, parse_id
from chat.shapes.statuses import write_limit_headers
from memory.errors import NotFound
from memory.models import ApiToken, Session, Turn, User
from memory.models.rows import get_row_or_none
from memory.outages import is_passing
from memory.people.api_tokens import note_use
from memory.people.rate_limits import Allowance, take_request
from memory.sqlite.patience import REQUEST_SECONDS, patience

Row = TypeVar("Row", bound=Model)


class OneForm(DefaultContentNegotiation):
    """Always responds with the only renderer; `Accept` decides only whether a turn is streamed."""

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        first = next(iter(renderers))
        return first, str(first.media_type)


# Seconds that a read waits for SQLite's write lock to be counted.
READ_SECONDS = 0.2


# A docstring here would become the description of every endpoint in the schema.
class Endpoint(APIView):
    content_negotiation_class = OneForm
    parser_classes = (JSONObjectParser,)
    renderer_classes = (JSONRenderer,)
    # OPTIONS has no response, so `Allow` must not list it.
    http_method_names = [name for name in APIView.http_method_names if name != "options"]  # noqa: RUF012

    def initialize_request(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Request:
        # REST framework takes a chunked body, which has no length, for none.
        if "content-length" not in request.headers and "chunked" in request.headers.get(
            "Transfer-Encoding", ""
        ):
            request.META["CONTENT_LENGTH"] = str(len(request.body))
        return super().initialize_request(request, *args, **kwargs)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        is_read = request.method in SAFE_METHODS
        try:
            with patience(READ_SECONDS if is_read else REQUEST_SECONDS):
                self.headers.update(write_limit_headers(_count(request)))
        except DatabaseError as error:
            # A read goes on uncounted while the database is locked for writing.
            if not (is_read and is_passing(error)):
                raise


@transaction.atomic  # one write for both
def _count(request: Request) -> Allowance:
    if isinstance(request.auth, ApiToken):
        note_use(request.auth)
    return take_request(person(request))


def person(request: Request) -> User:
    """Return the signed-in person; anonymous requests are rejected before."""
    return cast(User, request.user)


def check_body(request: Request, form: type[Serializer[Any]], *, partial: bool = False) -> Any:
    """Return the validated values of the body, or raise ValidationError."""
    return validate(form(data=request.data, partial=partial, context={"request": request}))


def check_query(request: Request, form: type[Serializer[Any]]) -> Any:
    """Return the validated values of the query string, or raise ValidationError."""
    names = [name for name, given in request.query_params.lists() if len(given) > 1]
    if names:
        raise ValidationError({name: [_("Given more than once.")] for name in names})
    return validate(form(data=request.query_params.dict()))


def validate(serializer: Serializer[Any]) -> Any:
    serializer.is_valid(raise_exception=True)
    return serializer.validated_data


def get_own_session(request: Request, session_id: str) -> Session:
    """Return the person's own session; raises NotFound if it is missing or another person's."""
    return find_row(Session.objects.visible(person(request)).select_related("owner"), session_id)


def get_own_turn(request: Request, session_id: str, turn_id: str) -> Turn:
    """Return a turn of the person's own session, or raise NotFound."""
    mine = Turn.objects.visible(person(request)).select_related("session__owner")
    return find_row(mine.filter(session_id=parse_id(session_id)), turn_id)


def find_row(rows: QuerySet[Row], row_id: str) -> Row:
    """Return the row with the id, or raise NotFound."""
    row = get_row_or_none(rows.filter(pk=parse_id(row_id)))
    if row is None:
        raise NotFound
    return row
