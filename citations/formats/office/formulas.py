"""Formulas of Office as one line of text: x^2, (a + b)/c, √(x)."""

from typing import Any

M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"


def write_formula(element: Any) -> str:
    """Return a formula as one line of text."""
    said = [(child.tag, write_formula(child)) for child in element.iterchildren("*")]
    parts = {tag: text.strip() for tag, text in said}
    base, below, above, num, den, degree = (
        parts.get(f"{M}{name}", "") for name in ("e", "sub", "sup", "num", "den", "deg")
    )
    scripts = "".join(
        f"{sign}{add_brackets(each)}" for sign, each in (("_", below), ("^", above)) if each
    )
    kind = element.tag.removeprefix(M)
    if kind == "t":
        return element.text or ""
    if kind in ("sSup", "sSub", "sSubSup"):
        return base + scripts
    if kind == "f":
        return f"{add_brackets(num)}/{add_brackets(den)}"
    if kind == "rad":
        return f"{degree}√{add_brackets(base)}"
    if kind == "d":
        return f"({', '.join(text.strip() for tag, text in said if tag == f'{M}e')})"
    if kind == "nary":
        sign = element.find(f"{M}naryPr/{M}chr")
        return f"{'∫' if sign is None else sign.get(f'{M}val', '')}{scripts} {base}"
    return "".join(text for _, text in said)


def add_brackets(text: str) -> str:
    """Return the text in brackets, unless it is one sign, number or word."""
    is_one = text.isalnum() or len(text) < 2 or (text[0] == "(" and text[-1] == ")")
    return text if is_one else f"({text})"
