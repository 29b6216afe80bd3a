"""Tables that are typed with borders: of bars and hyphens, or of characters that draw them."""

import re
from collections.abc import Sequence
from itertools import zip_longest

RULE = re.compile(r"[|+:=\-\s]+")
DRAWN = str.maketrans(
    dict.fromkeys("│┃║", "|")
    | dict.fromkeys("─━═", "-")
    | dict.fromkeys("┌┬┐├┼┤└┴┘┏┳┓┣╋┫┗┻┛╔╦╗╠╬╣╚╩╝╒╤╕╞╪╡╘╧╛╭╮╰╯", "+")
)
MOST_RULES = 3  # of a table whose rows no rule parts


def bordered_rows(lines: Sequence[str]) -> list[tuple[list[str], bool]]:
    """Return the cells of each row, and whether it is a header; nothing if there are no borders."""
    lines = [line.strip().translate(DRAWN) for line in lines]
    if len(lines) < 2 or not all(line[:1] in "|+" and line[-1:] in "|+" for line in lines):
        return []
    rules = {at for at, line in enumerate(lines) if RULE.fullmatch(line)}
    # The rule below the first row, not the one above it.
    header_end = min(rules - {0}, default=0)
    found: list[tuple[list[str], bool]] = []
    row: list[str] = []
    for at, line in enumerate(lines):
        if at in rules:
            continue
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        # Where rules part the rows, the lines between two of them are one row.
        row = [" ".join(pair).strip() for pair in zip_longest(row, cells, fillvalue="")]
        if len(rules) <= MOST_RULES or at + 1 in rules or at + 1 == len(lines):
            found.append((row, at < header_end))
            row = []
    return found
