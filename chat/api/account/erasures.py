"""Endpoints for erasing everything or the account: request, follow and withdraw.

A program can request an erasure, and withdraw one that is not confirmed. Confirming, and
withdrawing after that, take a person who has signed in again on a page. So a stolen token can
neither erase everything nor block the person's own erasure.
"""

from typing import Annotated, TypedDict

from django.urls import reverse
from rest_framework.request import Request
from rest_framework.response import Response

from chat.api.schema import serializers
from chat.api.schema.documentation import documented
from chat.protocol.requests import Endpoint, check_body, find_row, person
from chat.shapes.resources.vocabulary import Id, Time, shape
from memory.forgetting.erasure import requests
from memory.models import ErasureRequest


class ErasureAnswer(TypedDict):
    erasure_id: Id
    scope: Annotated[str, ErasureRequest.Scope]
    status: Annotated[str, ErasureRequest.Status]
    requested_at: Time
    due_at: Annotated[Time | None, "When it begins; null until it is confirmed."]
    verified_at: Time | None
    confirm_path: Annotated[
        str | None,
        "The page on which you confirm it, having proved again who you are; null once you have.",
    ]
    certificate_id: Annotated[Id | None, "GET /certificates/{certificate_id}.json"]


class ErasuresAnswer(TypedDict):
    erasures: list[ErasureAnswer]


class Erasures(Endpoint):
    @documented(
        "list_erasures", "List your requests for erasure, newest first", answer=ErasuresAnswer
    )
    def get(self, request: Request) -> Response:
        rows = requests.list_requests(person(request))
        return Response(ErasuresAnswer(erasures=[_shape(row) for row in rows]))

    @documented(
        "ask_for_erasure",
        "Ask for the erasure of everything, or of your account; you confirm it on a page",
        request=serializers.NewErasure,
        answer=ErasureAnswer,
        status=201,
        errors=(409,),
    )
    def post(self, request: Request) -> Response:
        values = check_body(request, serializers.NewErasure)
        who = person(request)
        return Response(_shape(requests.ask(who, values["scope"], actor=who.pk)), status=201)


class OneErasure(Endpoint):
    @documented("read_erasure", "See how far a request for erasure is", answer=ErasureAnswer)
    def get(self, request: Request, erasure_id: str) -> Response:
        return Response(_shape(_get_own_request(request, erasure_id)))

    @documented(
        "cancel_erasure",
        "Take a request for erasure back: by a token, before it is confirmed",
        answer=ErasureAnswer,
    )
    def delete(self, request: Request, erasure_id: str) -> Response:
        row, who = _get_own_request(request, erasure_id), person(request)
        # A stolen token must not be able to block its person's erasure.
        cancel = requests.cancel_unconfirmed if request.auth else requests.cancel
        cancel(row, actor=who.pk)
        return Response(_shape(row))


def _get_own_request(request: Request, erasure_id: str) -> ErasureRequest:
    mine = ErasureRequest.objects.owned(person(request)).select_related("certificate")
    return find_row(mine, erasure_id)


def _shape(row: ErasureRequest) -> ErasureAnswer:
    is_new = row.status == ErasureRequest.Status.UNCONFIRMED
    certificate = getattr(row, "certificate", None)
    return shape(
        ErasureAnswer,
        row,
        erasure_id=str(row.pk),
        confirm_path=reverse("chat:confirm_erasure", args=[row.scope]) if is_new else None,
        certificate_id=str(certificate.pk) if certificate else None,
    )
