"""The vocabulary of Word's XML, and how its properties are asked for."""

from typing import Any

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"


def value(parent: Any, name: str) -> str:
    """Return the value of the property, or nothing."""
    found = None if parent is None else parent.find(f"{W}{name}")
    return "" if found is None else found.get(f"{W}val", "")


def is_on(parent: Any, name: str) -> bool:
    """Return whether a property is there and not switched off."""
    found = None if parent is None else parent.find(f"{W}{name}")
    return found is not None and found.get(f"{W}val") not in ("0", "false", "off")
