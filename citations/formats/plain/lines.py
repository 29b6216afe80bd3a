"""Lines that people type: parted by empty lines, and what their look tells."""

import re
from collections.abc import Iterator, Sequence

from citations.formats.pdf.lines import SHARE
from citations.formats.pdf.running import LEADERS

LONGEST_HEADING, LONGEST_NAME = 100, 40
TAB = 8
# "rsync(1)      User Commands      rsync(1)"
MANUAL_PAGE = re.compile(r"(\S+\(\w{1,4}\))\s{2,}.{0,80}\s{2,}\1")
MOST_TERMS = 3  # that one text says the meaning of
QUESTION = re.compile(r"Q(?:uestion)?\s?\d{0,3}\s?[.:)]\s")
ANSWER = re.compile(r"A(?:nswer)?\s?\d{0,3}\s?[.:)]\s")
UNDERLINE = re.compile(r"([=\-~^\"*#+])\1{2,}")
FENCE = re.compile(r"(?:`{3,}|~{3,})\w*|-{4,10}|\.{4,10}|={4,10}")
RULE = re.compile(r"[-=_*~.#]{11,}")
PAGE_ENTRY = re.compile(r".*\s(?:\d{1,4}|[ivxlc]{1,6})\s*")
LONGEST_COMMAND = 8  # words
OF_A_SENTENCE = re.compile(
    r"(?<!\S)(?:the|an?|of|and|or|is|are|to|it|with|der|die|das|und|ist|mit|el|la|los|y|es|con|le|les"
    r"|et|est|avec)(?!\S)"
)
NO_COMMAND = re.compile(r"^\W*\w+\W*$|[.!?;,:]$|" + OF_A_SENTENCE.pattern)
# "Upstream-Name: rotate", which nothing is to be joined to.
FIELD = re.compile(r"[A-Z][\w-]{1,30}:(?: {1,20}\S|$)")
GAPS = re.compile(r"(?<=\S) +(?=\S)")
FEWEST_GAPS = 3  # of a line whose words are spread
# "It is late," as somebody says it: no heading, and nothing to type.
SPOKEN = re.compile(r"[\"“„«][^\W\d_].*[.!?,…—-][\"”“»]")
ENDS = re.compile(r"[.!?:;][\"'”’)\]]*$")


def chunks(lines: Sequence[str]) -> Iterator[list[str]]:
    """Yield the lines between empty lines; what is between two fences is one."""
    chunk: list[str] = []
    fence = ""
    for line in lines:
        bare = line.strip()
        begins = not fence and FENCE.fullmatch(bare) is not None
        is_rule = not fence and RULE.fullmatch(bare) is not None
        if (begins or is_rule) and chunk and not is_underlined([chunk[-1], line]):
            yield chunk
            chunk = []
        if is_rule and not chunk:
            continue
        if chunk and not fence and ANSWER.match(bare) and QUESTION.match(chunk[0].strip()):
            yield chunk
            chunk = []
        if fence or (begins and not chunk):
            is_end = bool(fence) and bare == fence[: len(bare)] and len(bare) >= 3
            chunk.append(line)
            fence = "" if is_end else fence or bare.rstrip("abcdefghijklmnopqrstuvwxyz")
            if not is_end:
                continue
        elif bare:
            if not LEADERS.search(bare) or not PAGE_ENTRY.fullmatch(bare):
                chunk.append(line.rstrip())
            continue
        if chunk:
            yield chunk
            chunk = []
    if fence and len(chunk) > 1:  # a rule, not the beginning of a fence
        yield from chunks(chunk[1:])
    elif chunk and not FENCE.fullmatch(chunk[0].strip()):
        yield chunk


def is_command(before: Sequence[str], lines: Sequence[str]) -> bool:
    """Return whether lines are what the text before says to type: it leads to them, and no word of
    a sentence is in them.
    """
    lead = before[-1].strip() if before else ""
    is_led = lead.endswith(":") or (lead[-1:].islower() and OF_A_SENTENCE.search(lead) is not None)
    return is_led and all(
        len(line.split()) <= LONGEST_COMMAND
        and not line.strip()[0].isupper()
        and not NO_COMMAND.search(line.strip())
        and not SPOKEN.fullmatch(line.strip())
        for line in lines
    )


def is_underlined(lines: Sequence[str]) -> bool:
    if len(lines) < 2:
        return False
    line, rule = lines[0].strip(), lines[1].strip()
    near = 0.6 * len(line) <= len(rule) <= len(line) + 6
    return len(line) <= LONGEST_HEADING and UNDERLINE.fullmatch(rule) is not None and near


def indent_of(line: str) -> int:
    return len(line) - len(line.lstrip())


def dedented(lines: Sequence[str]) -> str:
    least = min((indent_of(line) for line in lines if line.strip()), default=0)
    return "\n".join(line[least:].rstrip() for line in lines)


def fields_of(lines: Sequence[str]) -> list[str]:
    """Return lines that each begin with a name and a colon, with what goes on further in; or
    nothing if they are no such lines.
    """
    fields: list[list[str]] = []
    for line in lines:
        if FIELD.match(line):
            fields.append([])
        elif not fields or not line[:1].isspace():
            return []
        fields[-1].append(" ".join(line.split()))
    return ["; ".join(field).replace(":; ", ": ", 1) for field in fields]


def level_over_indented(lines: Sequence[str], base: int) -> int:
    """Return the level of a first line that all below it are indented to, as in manuals: it is in
    capitals, or stands further out than the text does. 0 if it is no heading.
    """
    if len(lines) < 2:
        return 0
    text, out = lines[0].strip(), indent_of(lines[0])
    is_above = all(indent_of(line) > out + 2 for line in lines[1:])
    if not is_above or sum(map(str.isalpha, text)) < 3 or len(text) >= LONGEST_HEADING:
        return 0
    is_out = 0 < out < base and text[:1].isupper() and not ENDS.search(text)
    return 5 if text.isupper() else 6 if is_out else 0


def stands_out_of(base: int, lines: Sequence[str], after: Sequence[str]) -> int:
    """Return the level of a few words that stand alone and further out than the text does, above
    what doesn't; 0 if they are no heading.
    """
    text = lines[0].strip()
    is_out = (
        len(lines) == 1 and bool(after) and indent_of(lines[0]) < min(base, indent_of(after[0]))
    )
    is_named = text[:1].isupper() and text[-1].isalnum() and len(text) < LONGEST_NAME
    is_named = is_named and OF_A_SENTENCE.search(text) is None
    return 6 if is_out and is_named and sum(map(str.isalpha, text)) > 2 else 0


def terms_of(lines: Sequence[str], width: int) -> list[str]:
    """Return the short first lines that the sentences indented below them say the meaning of."""
    indent = indent_of(lines[0])
    terms = [line.strip().rstrip(":") for line in lines if indent_of(line) == indent]
    said = [line.strip() for line in lines[len(terms) :]]
    is_said = bool(said) and said[0][:1].isalpha() and ENDS.search(said[-1]) is not None
    are_short = len(terms) <= MOST_TERMS and all(len(term) < 0.6 * width for term in terms)
    is_below = all(indent_of(line) > indent + 1 for line in lines[len(terms) :])
    are_names = not any(term.endswith((".", ",", ";", "{")) for term in terms)
    return terms if is_said and are_short and is_below and are_names else []


def are_records(lines: Sequence[str]) -> bool:
    """Return whether each line ends in a share, as no wrapped sentence does: "North 12%"."""
    return len(lines) > 1 and all(SHARE.search(line) for line in lines)


def is_prose(lines: Sequence[str]) -> bool:
    """Return whether lines are sentences: words, with a full stop at the end."""
    words = " ".join(lines).split()
    plain = sum(word.strip(".,;:!?()\"'`").replace("-", "").isalpha() for word in words)
    ends = ENDS.search(lines[-1]) is not None
    return len(words) > 7 and plain >= 0.8 * len(words) and ends and lines[0][:1].isalpha()


def is_justified(lines: Sequence[str]) -> bool:
    """Return whether lines end at one place by spaces between their words, which are no columns."""
    widths = [len(line.rstrip()) for line in lines[:-1]]
    gaps = [[len(gap) for gap in GAPS.findall(line)] for line in lines]
    widest = [max(each, default=0) for each in gaps]
    if len(widths) > 1 and max(widths) - min(widths) <= 1 and max(widest) <= 3:
        return True
    # Spread evenly, spaces differ by one at most.
    spread = [
        len(each) >= FEWEST_GAPS and most - min(each) <= 1 and is_worded(line)
        for line, each, most in zip(lines, gaps, widest, strict=True)
        if most > 1
    ]
    return bool(spread) and sum(spread) * 3 >= len(spread) * 2


def is_worded(line: str) -> bool:
    """Return whether most of a line's words are of letters."""
    words = line.split()
    return sum(word.strip(".,;:!?()\"'»«").isalpha() for word in words) * 2 > len(words)
