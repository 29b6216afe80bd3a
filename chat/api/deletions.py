"""What a deletion would take along: asked before it, and nothing is changed."""

from functools import partial

from rest_framework.request import Request
from rest_framework.response import Response

from chat.api.schema.documentation import described, documented
from chat.protocol.requests import Endpoint, own_session, own_turn
from chat.shapes.resources.deletions import DeletionAnswer, deletion_of_session, deletion_of_turn

told = partial(documented, answer=described(DeletionAnswer, "How much else would go."))


class SessionDeletion(Endpoint):
    @told("preview_session_deletion", "Read what else would go if the session were erased")
    def get(self, request: Request, session_id: str) -> Response:
        return Response(deletion_of_session(own_session(request, session_id)))


class TurnDeletion(Endpoint):
    @told("preview_turn_deletion", "Read what else would go if the turn were erased")
    def get(self, request: Request, session_id: str, turn_id: str) -> Response:
        return Response(deletion_of_turn(own_turn(request, session_id, turn_id)))
