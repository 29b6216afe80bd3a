"""Questions that a document answers, made of what it says: definitions, dates, figures, headings.

No model writes them, so they are few and plain: each is made from a sentence or a heading that
answers it, and names what it is about.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from citations.formats.blocks import CELLS, BlockKind
from citations.ingestion.chunking import Piece
from citations.ingestion.profiling.question_forms import (
    ABOUT,
    ASKED,
    DEFINED,
    DONE,
    FIGURE,
    HOW_TO,
    LABEL,
    NO_HEADING,
    NO_TOPIC,
    NOT_IN_NAMES,
    NUMBER,
    OFTEN,
    OFTEN_PLAIN,
    PERSON,
    POINTS_AROUND,
    YEAR,
    Suggestion,
)
from citations.ingestion.profiling.sheets import suggest_sheet_questions
from citations.models.passages import SEPARATOR
from memory.text.reading import rarity
from memory.text.words import sentences, words

# Questions, of which those that are answered are kept; passages.
MOST, LOOKED_AT = 6, 400
ANY_WORD = 9.5  # of rarity(): alone, a more frequent word is no matter
LONGEST_TITLE, LONGEST_SUBJECT, LONGEST = 70, 60, 160
FEWEST_CRIED, SHORT_WORD = 2, 3  # words of a heading in capitals; letters
FEWEST_WORDS = 25  # of the text that answers a heading


def suggest_questions(title: str, language: str, pieces: Sequence[Piece]) -> list[str]:
    """Return a few questions that the document may answer, each made another way if it can."""
    looked_at = pieces[:LOOKED_AT]
    weights = Counter(word for piece in looked_at for word in words(piece.text))
    found = [
        *headings_that_ask(looked_at),
        *suggest_procedures(looked_at, language),
        *defined(looked_at, language, weights),
        *done(looked_at, language),
        *figures(looked_at, title, language),
        *suggest_sheet_questions(looked_at, language),
        *headed(looked_at, title, language),
    ]
    chosen: list[Suggestion] = []
    for repeats in range(MOST):
        for each in sorted(found, key=lambda each: -each.score):
            used = sum(one.way == each.way for one in chosen)
            if len(chosen) < MOST and used <= repeats and not is_told(each, chosen):
                chosen.append(each)
    return [each.text for each in chosen]


def is_told(candidate: Suggestion, chosen: Sequence[Suggestion]) -> bool:
    subject = candidate.subject.lower()
    return any(
        subject in each.subject.lower() or each.subject.lower() in subject for each in chosen
    )


def headings_that_ask(pieces: Sequence[Piece]) -> Iterator[Suggestion]:
    """Yield headings that are questions already."""
    for at, heading in innermost_headings(pieces):
        if make_question(heading):
            yield Suggestion(heading, heading, 3.0 - at / LOOKED_AT, "asked")


def suggest_procedures(pieces: Sequence[Piece], language: str) -> Iterator[Suggestion]:
    if language not in HOW_TO:
        return
    pattern, question = HOW_TO[language]
    for at, heading in innermost_headings(pieces):
        if match := pattern.match(heading):
            text = question.format(rest=match["rest"])
            yield Suggestion(text, match["rest"], 2.9 - at / LOOKED_AT, "how")


def defined(pieces: Sequence[Piece], language: str, weights: Counter[str]) -> Iterator[Suggestion]:
    """Yield questions for what the text defines, the more it speaks of it the better."""
    for at, sentence in plain_sentences(pieces):
        for pattern, question in DEFINED.get(language, ()):
            match = pattern.search(sentence)
            if match is None or len(match["subject"]) > LONGEST_SUBJECT:
                continue
            parts = match.groupdict()
            subject, article = parts["subject"].strip(" ,"), (parts.get("article") or "").lower()
            parts_of = words(subject)
            central = sum(weights[word] for word in parts_of) / max(len(parts_of), 1)
            is_plain = subject.islower() if article == "the " else not article and len(parts_of) < 2
            often = OFTEN_PLAIN if is_plain else OFTEN
            if not is_name(subject, article, is_quoted=match[0][0] in '“"') or central < often:
                continue
            is_person = not article and PERSON.search(parts.get("predicate") or "")
            asked_for = question.replace("What", "Who") if is_person else question
            text = asked_for.format(subject=subject, article=article)
            score = 2.0 + min(central / 20, 1.0) - 0.5 * at / LOOKED_AT
            yield Suggestion(text, subject, score, "defined")
            break


def is_name(subject: str, article: str, *, is_quoted: bool) -> bool:
    """Return whether the subject of a sentence names something that one can ask for."""
    named = subject.split()
    if any(word.lower() in NOT_IN_NAMES for word in named):
        return False
    if is_quoted or (article and len(named) > 1):
        return True
    if article:
        return len(subject) > 4 and subject[:1].isupper()  # "The output is …" is of any text
    return all(word[:1].isupper() or word[:1].isdigit() for word in named)


def done(pieces: Sequence[Piece], language: str) -> Iterator[Suggestion]:
    """Yield questions for dates on which something was done."""
    if language not in DONE:
        return
    pattern, question = DONE[language]
    for at, sentence in plain_sentences(pieces):
        if match := pattern.match(sentence):
            parts = match.groupdict()
            subject = parts["subject"]
            first, _, rest = subject.partition(" ")
            named = f"{first.lower()} {rest}" if first in ("The", "El", "La") and rest else subject
            text = question.format(**parts | {"subject": named})
            yield Suggestion(text, subject, 2.6 - at / LOOKED_AT, "done")


def figures(pieces: Sequence[Piece], title: str, language: str) -> Iterator[Suggestion]:
    """Yield questions for figures of tables whose columns are years."""
    if language != "en":
        return
    short = short_title(title)
    for at, piece in enumerate(pieces):
        year = None
        for start, end, kind in piece.layout:
            cells = piece.text[start:end].split(CELLS)
            if kind == BlockKind.HEADER:
                found = [YEAR.search(cell) for cell in cells[1:]]
                year = next((match[0] for match in found if match), year)
            elif kind == BlockKind.ROW and year and len(cells) > 1 and FIGURE.fullmatch(cells[1]):
                label = cells[0].strip()
                if LABEL.match(label):
                    is_total = label.lower().startswith(("total", "net "))
                    text = f"What figure does “{short}” give for {lowered(label)} in {year}?"
                    yield Suggestion(text, label, 2.2 + 0.2 * is_total - at / LOOKED_AT, "figure")


def headed(pieces: Sequence[Piece], title: str, language: str) -> Iterator[Suggestion]:
    """Yield a question for each heading that has enough text below it."""
    sizes = Counter[str]()
    for piece in pieces:
        sizes[piece.heading] += len(piece.text.split())
    form = ABOUT.get(language, ABOUT["en"])
    for at, heading in innermost_headings(pieces):
        size = max((sizes[path] for path in sizes if path.endswith(heading)), default=0)
        if size < FEWEST_WORDS or NO_TOPIC.match(heading) or "?" in heading:
            continue
        if (
            not 3 < len(heading) <= LONGEST_SUBJECT
            or heading in title
            or NO_HEADING.search(heading)
            or POINTS_AROUND.search(heading)
            or (language == "en" and is_any_word(heading))
        ):
            continue
        quoted = language in ("en", "es")
        about = lowered(heading) if quoted else uncried(heading)
        text = form.format(heading=about)
        score = 1.0 + min(size / 1000, 0.5) - at / LOOKED_AT
        yield Suggestion(text, heading, score, "heading")


def is_any_word(heading: str) -> bool:
    """Return whether the heading is one word that says little by itself: "Behaviour"."""
    return len(heading.split()) == 1 and rarity(heading.lower()) < ANY_WORD


def innermost_headings(pieces: Sequence[Piece]) -> Iterator[tuple[int, str]]:
    """Yield each innermost heading once, without its number."""
    seen: set[str] = set()
    for at, piece in enumerate(pieces):
        last = NUMBER.sub("", piece.heading.rpartition(SEPARATOR)[2]).strip(' "“”')
        if last and last not in seen:
            seen.add(last)
            yield at, last


def plain_sentences(pieces: Sequence[Piece]) -> Iterator[tuple[int, str]]:
    """Yield the sentences of paragraphs and items."""
    for at, piece in enumerate(pieces):
        for start, end, kind in piece.layout:
            if kind in (BlockKind.PARAGRAPH, BlockKind.ITEM):
                text = piece.text[start:end].lstrip("- ")
                yield from ((at, text[begin:stop]) for begin, stop in sentences(text))


def lowered(text: str) -> str:
    """Return a label or heading as it reads within a sentence."""
    if text.isupper() and " " in text:
        return text.lower()
    first, _, rest = text.partition(" ")
    is_word = first[1:].islower() and rest[:1].islower()
    return text[:1].lower() + text[1:] if is_word else text


def uncried(heading: str) -> str:
    """Return a heading of capitals as it is written otherwise, but for where all nouns have one."""
    words_of = heading.split()
    if not heading.isupper() or len(words_of) < FEWEST_CRIED:
        return heading
    written = [word.capitalize() if len(word) > SHORT_WORD else word.lower() for word in words_of]
    return " ".join(written)


def make_question(heading: str) -> str:
    """Return the question that a heading asks, without its number; empty if it asks none."""
    last = NUMBER.sub("", heading.rpartition(SEPARATOR)[2]).strip(' "“”')
    is_whole = ASKED.match(last) and not POINTS_AROUND.search(last)
    return last if is_whole and len(last.split()) > 3 else ""


def short_title(title: str) -> str:
    """Return the title without the name of its site, and not too long."""
    begin = re.split(r" [-–—|·] ", title)[0]
    title = begin if len(begin) > 10 else title
    if len(title) <= LONGEST_TITLE:
        return title
    return title[:LONGEST_TITLE].rsplit(" ", 1)[0].rstrip(" ,;:-–—") + "…"
