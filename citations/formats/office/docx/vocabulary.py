"""The vocabulary of Word's XML, and access to its properties."""

from typing import Any

from citations.formats.office import parse_number

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
W14 = "{http://schemas.microsoft.com/office/word/2010/wordml}"


def read_value(parent: Any, path: str) -> str:
    """Return the value of the property, or nothing."""
    found = parent.find(f"{W}{path.replace('/', f'/{W}')}")
    return "" if found is None else found.get(f"{W}val", "")


def is_on(parent: Any, path: str) -> bool:
    """Return whether a property exists and isn't switched off."""
    found = parent.find(f"{W}{path.replace('/', f'/{W}')}")
    return found is not None and found.get(f"{W}val") not in ("0", "false", "off")


def number(parent: Any, path: str, otherwise: int) -> int:
    """Return a property's number, or the default."""
    return parse_number(read_value(parent, path), otherwise)
