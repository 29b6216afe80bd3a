"""Options as programs list them (`--help`): each with what it does, behind it or below it."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from citations.formats.blocks import BULLET
from citations.formats.pdf.words import join_lines
from citations.formats.plain.lines import LONGEST_HEADING, indent_of
from citations.formats.sections import BELOW, Sections

# What stands for a value: "FILE", "<file>", "[=WHEN]"; one may be a plain word: "-o file".
VALUE = r"(?:,? (?:[A-Z][A-Z\d_=:.-]{0,40}|<[^<>\n]{1,60}>|\[[^\[\]\n]{1,60}\]|\.\.\.)){0,4}"
OPTION = rf"-{{1,2}}[^\W_]\S{{0,100}}(?<![,;:]){VALUE}"
OTHERS = r"(?:(?:,|,? \||\s?/)\s{1,4}"
TERM = rf"(?:{OPTION}|-[?#]{{1,3}}){OTHERS}{OPTION}){{0,5}}"
NAMED = rf"{OPTION}(?: [a-z][\w-]{{0,19}})?"
# What it does stands two spaces behind it, or one where it reaches the column of the others.
OPTIONS = re.compile(rf"(?:{NAMED}|-[?#]{{1,3}}){OTHERS}{NAMED}){{0,5}}(?=\s{{2}}|,?$)")
LONG = re.compile(rf"{TERM}(?=\s)")
LETTER = re.compile(r"-{1,2}[^\W\d_]")
SPACES = re.compile(r"\s{2,}")
# Columns that an option may stand further in than the first: "    --long" below "-s, --short".
FURTHER = 8


@dataclass
class Listed:
    """An option as it is written, and the lines that say what it does."""

    indent: int
    term: str
    said: list[str] = field(default_factory=list)
    # Whether another wording of it stands in the next line.
    goes_on: bool = False


@dataclass
class OptionList:
    """Options that stand one below the other, and the lines above them."""

    above: list[str]
    options: list[Listed]

    @property
    def heading(self) -> str:
        """The line above, if it names what the options are for: "Output:"."""
        line = self.above[0].strip() if len(self.above) == 1 else ""
        return line.rstrip(":") if line.endswith(":") and len(line) <= LONGEST_HEADING else ""


def option_lists(lines: Sequence[str]) -> list[OptionList]:
    """Return the lists of options that lines are; nothing, if they are no such lists."""
    found = list(_listed(lines, _column_of(lines)))
    options = [option for each in found for option in each.options]
    told = sum(bool(option.said) for option in options)
    named = sum(LETTER.match(option.term) is not None for option in options)
    is_command = any(line.endswith("\\") for line in lines)
    return found if min(told, named) * 2 > len(options) > 0 and not is_command else []


def add_options(
    found: Sequence[OptionList], sections: Sections, add_text: Callable[[list[str]], None]
) -> None:
    """Add each option as an item, and what stands above them as their heading or as text."""
    for each in found:
        if each.options and each.heading:
            sections.heading(BELOW, each.heading)
        elif each.above:
            add_text(each.above)
        for option in each.options:
            said = SPACES.sub(" ", join_lines(option.said)) if option.said else ""
            sections.item(f"{option.term}: {said}" if said else option.term, BULLET)


def begins_option(line: str) -> bool:
    """Return whether a line begins with an option, and what it does stands apart from it."""
    return OPTIONS.match(line.strip()) is not None


def _listed(lines: Sequence[str], column: int) -> Iterator[OptionList]:
    """Yield options with what stands above them; last, what stands behind all of them."""
    now = OptionList([], [])
    for line in lines:
        first, last = now.options[:1], now.options[-1:]
        begun = _begun_by(line, column, first[0].indent if first else None)
        if begun and last and last[0].goes_on:
            now.options[-1] = replace(begun, term=f"{last[0].term}, {begun.term}")
        elif begun:
            now.options.append(begun)
        elif last and indent_of(line) > last[0].indent:
            last[0].said.append(line.strip())
        elif last:
            yield now
            now = OptionList([line], [])
        else:
            now.above.append(line)
    yield now


def _begun_by(line: str, column: int, first: int | None) -> Listed | None:
    """Return the option that a line begins with, unless it goes on with what is said of another."""
    indent, text = indent_of(line), line.strip()
    if first is not None and (indent > first + FURTHER or indent >= column):
        return None
    term = OPTIONS.match(text)
    if term is None:
        term = LONG.match(text)
        if term is None or indent + term.end() + 1 < column:
            return None
    said = text[term.end() :].strip().removeprefix(": ")
    goes_on = said == ","
    told = [said] if said and not goes_on else []
    return Listed(indent, SPACES.sub(" ", term.group()), told, goes_on)


def _column_of(lines: Sequence[str]) -> int:
    """Return where most meanings begin that stand behind an option, or the end of all lines."""
    columns: dict[int, int] = {}
    for line in lines:
        indent = indent_of(line)
        term = OPTIONS.match(line[indent:])
        said = line[indent + term.end() :].strip() if term else ""
        if said:
            column = line.rindex(said)
            columns[column] = columns.get(column, 0) + 1
    return max(columns, key=lambda at: columns[at]) if columns else max(map(len, lines))
