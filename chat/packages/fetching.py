"""The download of a package, in pieces, by a link that works once."""

from uuid import UUID

from django.http import HttpRequest, StreamingHttpResponse

from memory.models import User
from memory.people.streaming import stream_pieces
from memory.personal_data.packages import read_pieces, redeem

MEDIA_TYPE = "application/zip"


def fetch_package(
    request: HttpRequest, user: User, package_id: UUID, token: str
) -> StreamingHttpResponse:
    """Return the package behind the person's link; raises NotFound."""
    package = redeem(user, package_id, token)
    name = f"throughline-{package.created_at:%Y-%m-%d}.zip"
    response = stream_pieces(request, read_pieces(package), media_type=MEDIA_TYPE, name=name)
    # Lets the client detect an incomplete download.
    response["Content-Length"] = str(package.size)
    return response
