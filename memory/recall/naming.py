"""Named entities of a question and its answer, found by their spelling, without a model.

A defined term is in quotation marks or before "means", and a section is numbered. A name has
capitals where a sentence doesn't require them, or digits among its letters. So names are found in
every language that has capitals, and quoted ones in all others.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from memory.models.blocks import Entity
from memory.text.citation_markers import strip_markdown, strip_markers, strip_places
from memory.text.words import (
    SMALL_WORDS,
    STOP_WORDS,
    detect_language,
    find_sentences,
    split_words,
    stem,
)

# Most entities of one turn; a text with more is a list.
MOST = 12
LONGEST_TEXT, LONGEST_NAME, LONGEST_SNIPPET = 20_000, 80, 300
MOST_WORDS = 6

SECTION = re.compile(
    r"(?:\b(?:Section|Article|Clause|Schedule|Exhibit|Appendix|Annex|Chapter|Paragraph|Part"
    r"|Abschnitt|Artikel|Kapitel|Anhang|Sección|Artículo|Cláusula|Capítulo|Chapitre|Annexe)\s+|§\s?)"
    r"(?:\d+(?:\.\d+)*(?:\([a-z0-9]{1,4}\))*|[IVXLC]+\b|[A-Z]\b)"
)
# A quotation: a few words without a full stop.
QUOTED = re.compile(r"[“„«\"「『]([^\W_][^“”„«»\"「」『』\n.!?:;]{1,79})[”“»\"」』]")
WHOLLY_QUOTED = re.compile(r"^[“\"]([^“”\"]*)[”\"]$")
WORD = re.compile(r"[^\W_]+(?:[.'’&/-][^\W_]+)*")
# Particles between the capitals of one name.
PARTICLES = frozenset("of de la del der den van von di da du dos al el bin".split())
# Words that begin a sentence, and therefore have a capital.
OPENERS = STOP_WORDS | frozenset(
    """also although because compare define describe each explain find first give hello however
    list many name one please second several show since summarise summarize tell thanks therefore
    third thus two unlike upon us whereas within without yes""".split()
).union(*SMALL_WORDS.values())
CALENDAR = frozenset(
    """monday tuesday wednesday thursday friday saturday sunday january february march april may
    june july august september october november december""".split()
)
# Headings of manuals, which are inside sentences when a page was cut.
HEADINGS = frozenset(
    """arguments author authors bugs caveats commands configuration contents copyright defaults
    description diagnostics environment errors examples example files history introduction name
    notes options overview parameters reference returns security standards status summary synopsis
    syntax usage warning""".split()
)
# Words of tables, configurations and forms, which name nothing.
CODE_WORDS = frozenset(
    """and any delete false get id max min na nan none not null ok or patch post put tba tbd todo
    true void yes no""".split()
)
# Words before names in German, rare before other nouns.
_NAMING = re.compile(
    r"\b(?:liegt|heißt|heiße|kennst du|wer ist|wer war|wo ist|wohnt in|frau|herr|stadt|firma)\s+$",
    re.IGNORECASE,
)
# "z.B", "i.e", "d.h": letters with dots between.
ABBREVIATED = re.compile(r"[^\W\d_](?:\.[^\W\d_]{1,2})+")
# MAX_SIZE, getUserName(), api/v1, /etc/fstab: code.
CODE = re.compile(
    r"\w{0,60}_\w{1,60}|\w{1,60}\(\)|(?<![\w/])/?[a-z0-9.]{1,60}(?:/[\w.]{1,60}){1,9}"
)
# Code, headings, rows of tables, and lines of capitals alone.
NOT_SAID = re.compile(
    r"^[> \t]*\|.*$|^[^|\n]*\|[^|\n]*\|.*$|```[\s\S]*?(?:```|\Z)|`[^`\n]{1,200}`|^[> \t]*#{1,6} .*$"
    r"|^[> \t]*(?:\*\*|__)?[A-ZÀ-Ý][A-ZÀ-Ý /&-]{4,60}(?:\*\*|__)?:?[ \t]*$",
    re.MULTILINE,
)
MEANS = (
    r"[”“»\"'’」』*]{0,3}\s*(?:\([^()]{0,60}\)\s*)?"
    r"(?:means|shall mean|is defined|are defined|refers to|has the meaning|bedeutet|significa"
    r"|désigne)\b"
)


@dataclass(frozen=True)
class Named:
    """An entity named by a turn, its kind, and the sentence of the answer about it."""

    name: str
    kind: str
    snippet: str = ""


@dataclass(frozen=True)
class Place:
    """The target of an answer's citation: the document's title, and the heading in it."""

    title: str
    heading: str = ""


def find_named_entities(question: str, answer: str, places: Sequence[Place] = ()) -> list[Named]:
    """Return the entities that the turn names, each once: the question's first, then cited ones."""
    asked = question[:LONGEST_TEXT]
    # Without headings, code and places of quotations.
    told = strip_places(strip_markers(answer))[:LONGEST_TEXT]
    told = strip_markdown(NOT_SAID.sub("\n", told))
    said = [WHOLLY_QUOTED.sub(r"\1", told[start:end]) for start, end in find_sentences(told)]
    found: dict[str, Named] = {}
    for name, kind in _list_candidates(asked, told, places):
        key = normalise_name(name)
        if len(found) < MOST and key and key not in found and len(name) <= LONGEST_NAME:
            found[key] = _build_named(name, kind, said)
    return list(found.values())


def normalise_name(name: str) -> str:
    """Return the name in a comparable form: the stems of its words, or the number of a section."""
    section = SECTION.match(name)
    plain = split_words(section[0] if section else name)
    stems = [stem(word) for word in (plain[1:] if plain[:1] == ["the"] else plain)]
    return " ".join(stems) or name.casefold().strip()


def shorten_to_line(text: str, limit: int) -> str:
    """Return the text on one line, cut between words."""
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1].rsplit(" ", 1)[0] + "…"


def _list_candidates(asked: str, told: str, places: Sequence[Place]) -> Iterator[tuple[str, str]]:
    titles = list(dict.fromkeys(shorten_to_line(place.title, LONGEST_NAME) for place in places))
    headings = dict.fromkeys(place.heading.rpartition("› ")[2] for place in places)
    yield from _find_text_entities(asked, told)
    yield from ((title, Entity.Kind.DOCUMENT) for title in titles)
    sections = (shorten_to_line(each, LONGEST_NAME) for each in headings if SECTION.match(each))
    yield from ((section, Entity.Kind.SECTION) for section in sections)
    yield from _find_text_entities(told, asked)


def _find_text_entities(text: str, beside: str) -> Iterator[tuple[str, str]]:
    """Yield the sections, quoted terms and names of the text."""
    for match in SECTION.finditer(text):
        yield " ".join(match[0].split()), Entity.Kind.SECTION
    for match in QUOTED.finditer(text):
        if len(match[1].split()) <= MOST_WORDS:
            yield " ".join(match[1].split()), Entity.Kind.TERM
    yield from ((name, Entity.Kind.NAME) for name in _find_names(text, beside))


def _find_names(text: str, beside: str) -> Iterator[str]:
    """Yield words whose capitals aren't explained by their position in the sentence."""
    for pattern in (SECTION, CODE):
        text = pattern.sub(lambda match: "." * len(match[0]), text)
    is_german = detect_language(text) == "de"
    letters = [character for character in text if character.isalpha()]
    if len(letters) > 20 and sum(map(str.isupper, letters)) > 0.6 * len(letters):
        return  # nearly all of it has capitals, so they mean nothing
    lower = {word for word in WORD.findall(f"{text}\n{beside}") if word[:1].islower()}
    for start, end in find_sentences(text):
        opening = WORD.search(text, start, end)
        first = opening.start() - start if opening else 0
        for run in _find_capitalised_runs(text[start:end]):
            name = _find_name(run, lower, is_first=run[0].start() == first)
            if name and not (is_german and _is_noun(name, text[start : start + run[0].start()])):
                yield name


def _find_capitalised_runs(sentence: str) -> Iterator[list[re.Match[str]]]:
    """Yield capitalised words in a row, with the particles between them."""
    run: list[re.Match[str]] = []
    for match in WORD.finditer(sentence):
        joined = not run or sentence[run[-1].end() : match.start()].strip() == ""
        if run and not joined:
            yield from _trim_particles(run)
            run = []
        word = match[0]
        has_capital = word[0].isupper() or (word[0].isalpha() and _is_code(word))
        if has_capital or (run and word in PARTICLES):
            run.append(match)
        elif run:
            yield from _trim_particles(run)
            run = []
    yield from _trim_particles(run)


def _trim_particles(run: list[re.Match[str]]) -> Iterator[list[re.Match[str]]]:
    while run and run[-1][0] in PARTICLES:
        run.pop()
    if run:
        yield run


def _is_noun(name: str, before: str) -> bool:
    """Return whether it may be a common noun, as all have capitals; not in "wo liegt München"."""
    is_named = _NAMING.search(before[-LONGEST_NAME:]) is not None
    return " " not in name and not _is_code(name) and not is_named


def _is_code(word: str) -> bool:
    """Return whether digits, or capitals inside, show that it is no common word."""
    has_figure = any(map(str.isdigit, word)) and any(map(str.isalpha, word))
    return has_figure or any(map(str.isupper, word[1:]))


def _find_name(run: list[re.Match[str]], lower: set[str], *, is_first: bool) -> str:
    """Return the name in the run, or nothing if there is none."""
    parts = [match[0] for match in run]
    if is_first and not _is_code(parts[0]) and (parts[0].lower() in lower or len(parts) == 1):
        parts = parts[1:]
    while parts and (parts[0].lower() in OPENERS or parts[0] in PARTICLES or _is_empty(parts[0])):
        parts = parts[1:]
    while parts and _is_empty(parts[-1]):
        parts.pop()
    name = " ".join(parts).removesuffix("'s").removesuffix("’s")
    if len(name) < 2 or len(parts) > MOST_WORDS or name.lower() in CALENDAR:
        return ""
    return name


def _is_empty(word: str) -> bool:
    """Return whether the word is a heading, an abbreviation or code, and so no name."""
    is_cried = word.isupper() and word.lower() in HEADINGS | CODE_WORDS
    return is_cried or ABBREVIATED.fullmatch(word) is not None


def _build_named(name: str, kind: str, said: Iterable[str]) -> Named:
    """Return it with the sentence that defines it, or else the first that mentions it."""
    section = SECTION.match(name)
    written = re.escape(section[0] if section else name.removesuffix("s"))
    plural = "" if section else "(?:s|es)?"
    mention = re.compile(rf"(?<!\w){written}{plural}(?!\w|\.\d)", re.IGNORECASE)
    defines = re.compile(mention.pattern + MEANS, re.IGNORECASE)
    mentioned = [sentence for sentence in said if mention.search(sentence)]
    defining = [sentence for sentence in mentioned if defines.search(sentence)]
    if defining and kind == Entity.Kind.NAME:
        kind = Entity.Kind.TERM
    snippet = next(iter(defining or mentioned), "")
    return Named(
        shorten_to_line(name, LONGEST_NAME), str(kind), shorten_to_line(snippet, LONGEST_SNIPPET)
    )
