"""Strict parsing of bodies and ids: JSON objects in UTF-8, ids in their canonical form."""

import json
import math
import re
from collections.abc import Mapping
from typing import IO, Any
from uuid import UUID

from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.utils.translation import gettext as _
from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser

from memory.errors import NotFound

NUMBER = re.compile(r"[1-9][0-9]{0,8}")


class JSONObjectParser(JSONParser):
    """Strict parser of JSON objects: values that can't be stored or returned are rejected."""

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        body = stream.read(settings.MAX_BODY_BYTES + 1)
        if len(body) > settings.MAX_BODY_BYTES:
            raise RequestDataTooBig
        value = _parse_json(body)
        if not isinstance(value, dict):
            raise ParseError(_("The body must be a JSON object."))
        return value


def _parse_json(body: bytes) -> Any:
    try:
        value = json.loads(
            body.decode(),
            parse_constant=_refuse,
            parse_float=_parse_float,
            object_pairs_hook=_build_object,
        )
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeDecodeError as error:
        raise ParseError(_("The body isn't UTF-8.")) from error
    except UnicodeEncodeError as error:
        # JSON allows a lone surrogate such as "\ud800", which can't be stored or encoded.
        raise ParseError(
            _("The body has an unpaired surrogate, which is not valid text.")
        ) from error
    except RecursionError as error:
        raise ParseError(_("The body is nested too deeply.")) from error
    except ValueError as error:
        raise ParseError(_("The body isn't JSON: %s") % error) from error
    return value


def _refuse(constant: str) -> float:
    raise ValueError(f"{constant} is no JSON number")


def _parse_float(text: str) -> float:
    number = float(text)
    return number if math.isfinite(number) else _refuse(text)


def _build_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the object; reject duplicate names, which other parsers resolve otherwise."""
    members = dict(pairs)
    if len(members) < len(pairs):
        raise ValueError("a name stands twice in an object")
    return members


def parse_id(text: str) -> UUID:
    """Return the id in canonical form (Python accepts others too), or raise NotFound."""
    try:
        identity = UUID(text)
    except ValueError as error:
        raise NotFound from error
    if str(identity) != text.lower():
        raise NotFound
    return identity


def parse_number(text: str) -> int:
    """Return a positive number in canonical form, or raise NotFound."""
    if not NUMBER.fullmatch(text):
        raise NotFound
    return int(text)
