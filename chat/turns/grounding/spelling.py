"""Spelling: a word that the library doesn't know is taken for the one there that it is a slip of.

Vectors forgive a slip, words don't. So what was found in spite of it has the word that was meant.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from citations.languages import language_of
from citations.retrieval import Found
from memory.models.conversations import Rewriting
from memory.recall import Recalled
from memory.text import languages
from memory.text.embedding import Embedded
from memory.text.words import STOP_WORDS, stem, words

# Why a question is searched otherwise than it was typed, and the reasons that say that it isn't.
RESPELLED = "respelled"
AS_TYPED = ("first_question", "stands_alone", "new_topic", "nothing_to_carry")
# Shorter words are too like one another ("liegen", "legen"); from LONG letters on, two slips are
# forgiven.
SHORTEST, LONG = 7, 10
# Letters of an ending.
LONGEST_ENDING = 2
WORD = re.compile(r"[^\W\d_]+")
# How words end that are right in Spanish, German or French: none is a slip of a word that ends
# otherwise ("vacaciones", "vacations").
OWN_ENDING = re.compile(
    r"(?:[cs]iones|[cs]i[oó]n|mente|idad(?:es)?|mientos?|ungen|heiten|keiten|ités?|ement|eurs?"
    r"|ées?|aux)$"
)


def in_its_spelling(recalled: Recalled, found: Sequence[Found]) -> Recalled:
    """Return what was recalled with the question as what was found spells it; the same if nothing
    is spelled otherwise, or if someone said what to search for.
    """
    rewrite = recalled.rewrite
    query = respelled(rewrite.query, found)
    if query == rewrite.query or rewrite.reason in (Rewriting.AS_TYPED, Rewriting.GIVEN):
        return recalled
    reason = RESPELLED if rewrite.reason in AS_TYPED else rewrite.reason
    return replace(
        recalled,
        rewrite=replace(rewrite, query=query, reason=reason),
        asked=Embedded(respelled(recalled.asked.text, found)),
        typed=Embedded(respelled(recalled.typed.text, found)),
    )


def respelled(question: str, found: Sequence[Found]) -> str:
    """Return the question with the words that no passage has as those found spell them."""
    if all(each.word_score == each.known_word_score for each in found):  # it knows all words
        return question
    there = vocabulary(found)
    of_its_language = in_language_of(question, found)
    shared = there if len(of_its_language) == len(found) else vocabulary(of_its_language)
    stems = {stem(word) for word in there}

    def spelled(match: re.Match[str]) -> str:
        word = match.group()
        plain = "".join(words(word))
        if len(plain) < SHORTEST or plain in STOP_WORDS or stem(plain) in stems:
            return word
        other = meant(plain, shared)
        is_none = not other or is_inflected(plain, other, there) or is_foreign(plain, other)
        return word if is_none else other

    return WORD.sub(spelled, question)


def in_language_of(question: str, found: Iterable[Found]) -> list[Found]:
    """Return what was found in the question's language, and in one that nothing tells.

    A word of one language is no slip of another's.
    """
    spoken = languages.detect_language(question)  # English in doubt
    if spoken == "en":
        spoken = language_of(question)
    return [each for each in found if not spoken or each.passage.document.language in ("", spoken)]


def is_foreign(word: str, other: str) -> bool:
    """Return whether the word ends as it does in a language that isn't the other word's."""
    ending = OWN_ENDING.search(word)
    return ending is not None and not other.endswith(ending.group())


def vocabulary(found: Iterable[Found]) -> set[str]:
    """Return the words of what was found, as they stand there."""
    rows = [each.passage for each in found]
    text = "\n".join(f"{row.document.title}\n{row.heading}\n{row.text}" for row in rows)
    return {word for word in words(text) if len(word) >= SHORTEST - 1 and word.isalpha()}


def meant(word: str, there: Iterable[str]) -> str:
    """Return the word that this one is a slip of, the nearest; empty if it is of none.

    Another ending is another form of the word, not a slip.
    """
    most = 2 if len(word) >= LONG else 1
    near = (
        (slips(word, other, most), other)
        for other in there
        if (other[0], other[-1]) == (word[0], word[-1]) and abs(len(other) - len(word)) <= most
    )
    count, best = min(near, default=(most + 1, ""))
    return best if count <= most else ""


def is_inflected(word: str, other: str, there: Iterable[str]) -> bool:
    """Return whether the word is nearer to one that has only another ending than to this other one:
    "enciendo" is a form of "enciende", not a slip of "entiendo".
    """
    begun = word[:-LONGEST_ENDING]
    return not other.startswith(begun) and any(each.startswith(begun) for each in there)


def slips(one: str, other: str, most: int) -> int:
    """Return how many letters are added, left out, taken for others or exchanged with the next;
    more than `most` is `most` and one.
    """
    rows = [list(range(len(other) + 1))]
    for at, letter in enumerate(one, start=1):
        row = [at]
        for to, wanted in enumerate(other, start=1):
            least = min(rows[-1][to] + 1, row[to - 1] + 1, rows[-1][to - 1] + (letter != wanted))
            if at > 1 and to > 1 and letter == other[to - 2] and one[at - 2] == wanted:
                least = min(least, rows[-2][to - 2] + 1)
            row.append(least)
        if min(row) > most:
            return most + 1
        rows.append(row)
    return rows[-1][-1]
