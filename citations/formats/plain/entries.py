"""Entries of a directory: a name on a line of its own, and further in what its fields say of it."""

import re
from collections.abc import Sequence

from citations.formats.plain.lines import ENDS, LONGEST_HEADING, indent_of

# "Moderated   : no", "Language: Esperanto".
FIELD = re.compile(r"(?P<name>[^\W\d_][\w-]{1,30}) {0,12}: {1,8}(?P<value>\S.*)")
# So many fields make an entry, and so many entries a directory; a long one has so many paragraphs.
FEWEST_FIELDS, FEWEST_ENTRIES, MOST_PARAGRAPHS = 2, 3, 24


class Entry(list[str]):
    """The lines of an entry: its name, and its fields."""

    @property
    def text(self) -> str:
        """The name, and behind it each field with what goes on below it."""
        fields: list[list[str]] = []
        for line in self[1:]:
            if field := FIELD.fullmatch(line.strip()):
                fields.append([f"{field['name']}: {field['value']}"])
            else:
                fields[-1].append(line.strip())
        said = [" ".join(" ".join(field).split()) for field in fields]
        ended = [each if ENDS.search(each) else f"{each};" for each in said]
        return f"{self[0].strip()}: {' '.join(ended).rstrip(';')}"


def with_entries(found: Sequence[list[str]]) -> list[list[str]]:
    """Return the lines, each entry of a directory as one, if there are several of them."""
    joined: list[list[str]] = []
    at = 0
    while at < len(found):
        below = entry_below(found[at], found[at + 1 : at + 1 + MOST_PARAGRAPHS])
        entry = Entry([*found[at], *(line for lines in below for line in lines)])
        joined.append(entry if below else found[at])
        at += 1 + len(below)
    is_directory = sum(isinstance(lines, Entry) for lines in joined) >= FEWEST_ENTRIES
    return joined if is_directory else list(found)


def entry_below(name: Sequence[str], behind: Sequence[list[str]]) -> list[list[str]]:
    """Return the paragraphs that are the fields of a name: those further in, if they are any."""
    text = name[0].strip()
    if len(name) != 1 or len(text) > LONGEST_HEADING or ENDS.search(text) or FIELD.match(text):
        return []
    indent = indent_of(name[0])
    below: list[list[str]] = []
    for lines in behind:
        if min(map(indent_of, lines)) <= indent:
            break
        below.append(lines)
    fields = [FIELD.fullmatch(line.strip()) is not None for lines in below for line in lines]
    return below if fields[:1] == [True] and sum(fields) >= FEWEST_FIELDS else []
