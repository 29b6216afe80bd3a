"""The guard of summaries: whether a model's summary may replace an extract. Pure.

The summary is a model's text about untrusted texts. So each sentence must be supported, by the
checker of citations; in doubt the extract stays, which costs little.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from unicodedata import category

from chat.contract.declining import is_declining, is_refusing
from chat.contract.languages import is_other_language
from chat.contract.looping import Repetition
from citations.attribution.checking import check_claims
from citations.languages import identify_language
from memory.recall.summaries.values import find_names, find_numbers
from memory.text.citation_markers import strip_markers
from memory.text.token_counting import count_tokens
from memory.text.words import STOP_WORDS, find_sentences, split_words

# Bounds of a summary, in characters and sentences.
LONGEST, MOST_SENTENCES = 8_000, 40
FEWEST_WORDS = 5
# Bounds the length of texts in languages without spaces.
TOKENS_A_WORD = 2.5
# Shares of the extract's figures and names that a summary keeps.
FIGURES, NAMES = 0.8, 0.5
# Length of a joined passage in characters, below the checker's own bound.
LONGEST_PASSAGE = 5_500
# A loop: up to 8 words three times in a row. A repeated sentence is one too.
LONGEST_LOOP, TIMES = 8, 3
# Least support of a sentence, more than a claim with a citation needs.
SUPPORT = 0.6
# A sentence drawn from several parts scores low on each, so its clauses are checked.
CLAUSE_END = re.compile(r",\s+|\s+(?:and|und|y|et)\s+")
FEWEST_CLAUSE_WORDS = 3
ENDS = ".!?…。！？।؟”\"')»"
HEADING = re.compile(
    r"\A\W*(?:here(?: is|['’]s)\b[^\n.:]{0,60}|summary|zusammenfassung|resumen|résumé)\W{0,9}:\s*",
    re.IGNORECASE,
)
LIST_SIGN = re.compile(r"(?m)^\s*(?:[-*•+]|\d{1,3}[.)])\s+")
PROTOCOL = re.compile(
    r"<[/|!]?[a-z_|]|```|\A\s*[\[{]|[\"'](?:name|arguments|tool|function|tool_calls?|parameters|"
    r"summary|text)[\"']\s*:|\[/?(?:tool|inst|sys)|\b(?:tool_calls?|function_call)\b|to=functions|"
    r"^\W*(?:user|assistant|system|human|question|answer|thought|action|observation)\W{0,3}:|"
    r"\]\(|\{\{|^#{1,6} ",
    re.IGNORECASE | re.MULTILINE,
)
THINKS = re.compile(
    r"\A\W*(?:okay|ok|sure|certainly|of course|alright|hmm|wait|let me|let['’]s|i (?:need|should|"
    r"will|must|can|have)|i['’](?:ll|m|ve)|we need|the user wants|first,? i|to (?:summari[sz]e|"
    r"sum up)|as an ai)\b|\b(?:let me know|hope this helps|as an ai|language model|system prompt|"
    r"(?:ignore|disregard|forget) (?:\w+ ){0,3}(?:instructions|rules|above))\b",
    re.IGNORECASE,
)
LINK = re.compile(r"\b(?:https?://|www\.|data:|javascript:)\S+", re.IGNORECASE)


@dataclass(frozen=True)
class Original:
    """The original of a summary: the texts that the model read, their extract, the word limit."""

    parts: Sequence[str]
    extract: str
    words: int

    @property
    def text(self) -> str:
        return "\n".join(self.parts)


def tidy_text(said: str) -> str:
    """Return a model's text as one paragraph, without a heading, list signs and markers."""
    text = LIST_SIGN.sub("", HEADING.sub("", strip_markers(said[: LONGEST + 1]).strip()))
    return " ".join(text.split()).strip("*_ ")


def find_objection(said: str, original: Original) -> str:
    """Return the code of the first objection to a model's summary, or an empty text."""
    text = tidy_text(said)
    looks: Sequence[tuple[str, Callable[[], bool]]] = (
        (
            "empty",
            lambda: len(split_words(text)) < FEWEST_WORDS and count_tokens(text) < FEWEST_WORDS,
        ),
        ("too_long", lambda: _is_too_long(text, original)),
        ("protocol", lambda: _is_protocol(said, original)),
        ("thinks", lambda: bool(THINKS.search(text))),
        ("refused", lambda: is_declining(text) or is_refusing(text)),
        ("cut", lambda: text[-1] not in ENDS),
        ("looped", lambda: _is_repetitive(text)),
        ("other_language", lambda: is_other_language(text, _list_languages(original))),
        ("invented", lambda: _has_invention(text, original)),
        ("lost_values", lambda: _has_loss(text, original)),
        ("unsupported", lambda: _is_unsupported(text, original)),
    )
    return next((code for code, is_so in looks if is_so()), "")


def _is_too_long(text: str, original: Original) -> bool:
    tokens = count_tokens(text[:LONGEST])
    return (
        len(text) > LONGEST
        or len(text.split()) > original.words
        or tokens > TOKENS_A_WORD * original.words
        or tokens >= count_tokens(original.text)
    )


def _is_protocol(said: str, original: Original) -> bool:
    """Return whether the text has tool calls, roles, markup or links missing in the original."""
    hidden = (sign for sign in said if sign == "\ufffd" or category(sign)[0] == "C")
    if PROTOCOL.search(said) or any(sign not in "\n\r\t\u200c\u200d" for sign in hidden):
        return True
    return any(link not in original.text for link in LINK.findall(said))


def _is_repetitive(text: str) -> bool:
    said = [text[start:end].casefold() for start, end in find_sentences(text)]
    if Repetition().feed(f"{text} ") or max(Counter(said).values(), default=0) > 1:
        return True
    spoken = split_words(text)
    return any(_run(spoken, size) >= size * (TIMES - 1) for size in range(1, LONGEST_LOOP + 1))


def _run(spoken: Sequence[str], size: int) -> int:
    """Return the longest run of words that equal the word `size` places before."""
    alike = (word == before for word, before in zip(spoken[size:], spoken, strict=False))
    return max(accumulate(alike, lambda run, same: run + 1 if same else 0, initial=0), default=0)


def _list_languages(original: Original) -> Collection[str]:
    found = (identify_language(part) for part in (original.text, *original.parts))
    return [code for code in dict.fromkeys(found) if code]


def _has_invention(text: str, original: Original) -> bool:
    """Return whether the text has a figure, or a word of a name, that the original lacks."""
    figures = {figure for part in original.parts for figure in find_numbers(part)}
    spoken = {word for part in original.parts for word in split_words(part)} | STOP_WORDS
    named = (word for name in find_names(text) for word in split_words(name))
    return not figures.issuperset(find_numbers(text)) or not spoken.issuperset(named)


def _has_loss(text: str, original: Original) -> bool:
    kept, spoken = set(find_numbers(text)), set(split_words(text))
    figures, names = find_numbers(original.extract), find_names(original.extract)
    still = [figure for figure in figures if figure in kept]
    named = [name for name in names if spoken.issuperset(split_words(name))]
    return len(still) < FIGURES * len(figures) or len(named) < NAMES * len(names)


def _is_unsupported(text: str, original: Original) -> bool:
    """Return whether a sentence lacks support, both as a whole and clause by clause."""
    claims = [text[start:end] for start, end in find_sentences(text)]
    if not claims or len(claims) > MOST_SENTENCES:
        return True
    passages = [*original.parts, *_join_parts(original.parts)]
    rows = check_claims(claims, passages)
    weak = [
        claim
        for claim, row in zip(claims, rows, strict=True)
        if max(found.score for found in row) < SUPPORT
    ]
    return not all(_has_supported_clauses(claim, original.parts) for claim in weak)


def _has_supported_clauses(claim: str, parts: Sequence[str]) -> bool:
    """Return whether the claim has several clauses, each supported by a single part."""
    clauses = CLAUSE_END.split(claim)
    if len(clauses) < 2 or any(
        len(split_words(clause)) < FEWEST_CLAUSE_WORDS for clause in clauses
    ):
        return False
    rows = check_claims(clauses, parts)
    return all(max(found.score for found in row) >= SUPPORT for row in rows)


def _join_parts(parts: Sequence[str]) -> Iterator[str]:
    """Yield the parts joined up to the length that the checker reads."""
    joined = ""
    for part in parts:
        if joined and len(joined) + len(part) > LONGEST_PASSAGE:
            yield joined
            joined = ""
        joined = f"{joined}\n{part}".strip()
    yield joined
