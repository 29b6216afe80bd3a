"""Fields: check boxes, lists and controls of a form, as a reader sees them."""

from typing import Any

from citations.formats.office.docx.vocabulary import W14, W, is_on, number

TICKED, EMPTY = "☒", "☐"
BOX = f"{W14}checkbox"
# Boxes drawn by symbol fonts, by the last digits of their codes.
SIGNS = {
    "wingdings": {"6F": EMPTY, "A8": EMPTY, "78": TICKED, "FD": TICKED, "FE": TICKED},
    "wingdings 2": {"A3": EMPTY, "52": TICKED, "53": TICKED, "54": TICKED},
}
KINDS = (BOX, *(f"{W}{name}" for name in ("text", "dropDownList", "comboBox", "date")))


def is_field(control: Any) -> bool:
    """Return whether a content control is a form field."""
    return any(control.find(f"{W}sdtPr/{kind}") is not None for kind in KINDS)


def read_control(control: Any) -> str | None:
    """Return the text of a control that is a check box or not filled in, else None."""
    box = control.find(f"{W}sdtPr/{BOX}/{W14}checked")
    if box is not None:
        return EMPTY if box.get(f"{W14}val") in ("0", "false") else TICKED
    if is_on(control, "sdtPr/showingPlcHdr"):
        return f"[{read_bare_text(control)}]"
    return None


def read_symbol(symbol: Any) -> str:
    """Return the check box that a symbol font draws, or nothing."""
    signs = SIGNS.get(symbol.get(f"{W}font", "").lower(), {})
    return signs.get(symbol.get(f"{W}char", "")[-2:].upper(), "")


def read_field(field: Any) -> str:
    """Return the text of a legacy form field, unless the document contains it as text."""
    if field.find(f"{W}checkBox") is not None:
        is_touched = field.find(f"{W}checkBox/{W}checked") is not None
        is_ticked = is_on(field, "checkBox/checked" if is_touched else "checkBox/default")
        return TICKED if is_ticked else EMPTY
    choices = field.findall(f"{W}ddList/{W}listEntry")
    at = number(field, "ddList/result", number(field, "ddList/default", 0))
    return str(choices[at].get(f"{W}val", "")) if at < len(choices) else ""


def read_bare_text(element: Any) -> str:
    return "".join(each.text or "" for each in element.iter(f"{W}t"))
