"""Endpoints for packages of a person's data: request, follow, and download once.

A token with write scope is enough. Pages ask for the password again, since a browser may have been
left open; such a token can read all conversations and documents anyway. The package holds no
credentials. The audit records the request.
"""

from typing import Annotated, TypedDict

from django.http import StreamingHttpResponse
from django.urls import reverse
from rest_framework.request import Request
from rest_framework.response import Response

from chat.api.schema.bodies import Nothing
from chat.api.schema.documentation import PACKAGE_FILE, documented
from chat.packages.fetching import fetch_package
from chat.protocol.parsing import parse_id
from chat.protocol.requests import Endpoint, check_body, person
from chat.shapes.resources.vocabulary import Id, Time, shape
from memory.models import ExportPackage
from memory.personal_data import packages


class PackageAnswer(TypedDict):
    package_id: Id
    status: Annotated[str, ExportPackage.Status]
    progress: Annotated[int, "In percent."]
    size: Annotated[int, "In bytes, once it is ready."]
    digest: Annotated[str | None, "Of what is in it; explained in its README.txt."]
    created_at: Time
    expires_at: Annotated[Time, "From this moment on it is gone, fetched or not."]


class LinkAnswer(TypedDict):
    path: Annotated[str, "GET it with your own credential; it works once."]
    expires_at: Time


class Packages(Endpoint):
    @documented(
        "ask_for_package",
        "Ask for all that is yours in one file, with a token that may write; it is made in the "
        "background, and has addresses and names of devices and tokens too",
        request=Nothing,
        answer=PackageAnswer,
        status=201,
    )
    def post(self, request: Request) -> Response:
        check_body(request, Nothing)
        package = packages.ask_for_package(person(request))
        return Response(_shape(package), status=201)


class OnePackage(Endpoint):
    @documented("read_package", "See how far a package is", answer=PackageAnswer)
    def get(self, request: Request, package_id: str) -> Response:
        return Response(_shape(_get_own_package(request, package_id)))

    @documented("discard_package", "Delete a package that nobody is to fetch")
    def delete(self, request: Request, package_id: str) -> Response:
        packages.delete_package(_get_own_package(request, package_id), actor=person(request))
        return Response(status=204)


class PackageLink(Endpoint):
    @documented(
        "link_package",
        "Make the link that fetches a package, once, with your own credential",
        request=Nothing,
        answer=LinkAnswer,
        status=201,
        errors=(409,),
    )
    def post(self, request: Request, package_id: str) -> Response:
        package = _get_own_package(request, package_id)
        check_body(request, Nothing)
        link = packages.make_link(package)
        path = reverse("api:package_file", args=[package.pk, link.token])
        return Response(LinkAnswer(path=path, expires_at=link.until.isoformat()), status=201)


class PackageFile(Endpoint):
    @documented("fetch_package", "Fetch a package by its link", more=PACKAGE_FILE)
    def get(self, request: Request, package_id: str, token: str) -> StreamingHttpResponse:
        return fetch_package(request._request, person(request), parse_id(package_id), token)


def _get_own_package(request: Request, package_id: str) -> ExportPackage:
    return packages.get_own_package(person(request), parse_id(package_id))


def _shape(package: ExportPackage) -> PackageAnswer:
    return shape(
        PackageAnswer, package, package_id=str(package.pk), progress=packages.get_progress(package)
    )
