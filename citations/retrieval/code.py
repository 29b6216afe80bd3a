"""Code: the parts of a long block, each of which says one thing and is quoted by itself."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, pairwise, takewhile

# Lines of code that are one unit; what is longer says several things, parted by empty lines, or by
# the remark that begins the next one.
MOST_CODE_LINES = 16
REMARK = re.compile(r"\s*(?:#|//|/\*|\*|--\s|;|%|<!--|rem\s|\"\"\")", re.IGNORECASE)
LETTER = re.compile(r"[^\W\d_]")


def parts_of_code(code: str) -> Iterator[tuple[int, int]]:
    """Yield where the parts of code begin and end: all of it if it is short, else what stands
    between empty lines, or under a remark, where that is too long.
    """
    lines = code.splitlines(keepends=True)
    if len(lines) <= MOST_CODE_LINES:
        yield 0, len(code)
        return
    starts = [0, *accumulate(map(len, lines))]
    firsts = [at for group in _between_empty_lines(lines) for at in _parts_of(lines, group)]
    for first, after in pairwise([*firsts, len(lines)]):
        part = code[starts[first] : starts[after]]
        yield starts[first], starts[first] + len(part.rstrip())


def _between_empty_lines(lines: Sequence[str]) -> list[range]:
    """Return the groups of lines between empty ones; remarks alone are of what follows them, and
    marks alone of what stands before.
    """
    firsts, is_remark = [0], True
    for at, line in enumerate(lines):
        begins = bool(line.strip()) and at > 0 and not lines[at - 1].strip()
        if begins and not is_remark and _says_something(lines[at : at + MOST_CODE_LINES]):
            firsts.append(at)
            is_remark = True
        is_remark = is_remark and _tells_nothing_else(line)
    return [range(first, after) for first, after in pairwise([*firsts, len(lines)])]


def _tells_nothing_else(line: str) -> bool:
    """Return whether a line is a remark, or empty."""
    return not line.strip() or REMARK.match(line) is not None


def _says_something(lines: Sequence[str]) -> bool:
    """Return whether a word stands in the lines up to the next empty one."""
    return any(LETTER.search(line) for line in takewhile(str.strip, lines))


def _parts_of(lines: Sequence[str], group: range) -> list[int]:
    """Return where the parts of a group begin: one of many lines at each remark behind others."""
    if len(group) <= MOST_CODE_LINES:
        return [group.start]
    later = [
        at for at in group[1:] if REMARK.match(lines[at]) and not _tells_nothing_else(lines[at - 1])
    ]
    return [group.start, *later]


def joined_parts(parts: Iterable[tuple[int, int]], text: str) -> str:
    """Return parts of code as they stand, with a sign where something between them is left out."""
    found = list(parts)
    shown = [text[slice(*found[0])]]
    for (_, last), (start, end) in pairwise(found):
        is_cut = bool(text[last:start].strip())
        shown += ["\n…\n" if is_cut else text[last:start], text[start:end]]
    return "".join(shown)
