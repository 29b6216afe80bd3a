"""What a question leaves out because the one before said it: "the frontend one", "and why?"."""

import re
from collections.abc import Iterator, Sequence

from memory.recall.rewriting.exchanges import ASKED_FURTHER, SURE, Exchange, Rewrite
from memory.recall.rewriting.language.noun_phrases import DOES
from memory.recall.rewriting.language.questions import ReadQuestion
from memory.recall.rewriting.rules.again import ANDS, bare_question
from memory.recall.rewriting.selection.placing import without_behind
from memory.text.reading import ReadText, Token

_ONE = re.compile(
    r"\b(?P<before>(?:the|every"
    r"|each)\s+(?P<which>[^\W\d_][\w'’-]{0,60}(?:\s[^\W\d_][\w'’-]{0,60})?)"
    r"\s+)(?P<one>ones?)\b(?!\s+of\b)",
    re.IGNORECASE,
)
_THAT_ONE = re.compile(r"\b(?:that|this)\s+one\b(?!\s+of\b)", re.IGNORECASE)
# "The second one" and "the best one" are of a list; "the only one" is of nothing.
_OF_A_LIST = frozenset(
    """first second third fourth fifth last former latter next previous other same best better worst
    worse only right wrong only two three""".split()
)
_BARE = re.compile(
    rf"^\W*(?:{ANDS}\W+)*(?P<asked>(?P<why>why(?: so|(?: is| was) (?:that|it|this))?|how (?:so"
    rf"|come))"
    r"|why not|(?:since|until|by|from) when|when|where|by whom|how (?:much|many|often|long)"
    r"|(?P<por>por qué)|(?:desde |hasta )?cuándo|dónde|(?P<warum>warum|wieso|weshalb)"
    r"|(?:seit |bis )?wann|(?P<pourquoi>pourquoi))(?:\s+(?:exactly|then|exactamente|denn"
    r"|genau))?\W*$",
    re.IGNORECASE,
)
_PLAIN = {"why": "why", "por": "por qué", "warum": "warum", "pourquoi": "pourquoi"}
_AND = {"por": "y", "cuándo": "y", "dónde": "y", "wann": "und", "warum": "und", "pourquoi": "et"}
_GIVES_REASONS = re.compile(r"\b(?:why|por qué|warum|wieso|weshalb|pourquoi)\b", re.IGNORECASE)


def with_its_noun(question: ReadQuestion, exchanges: Sequence[Exchange]) -> str:
    """Return the question with the noun that "one" stands for: "and the frontend role?".

    "That one" is read as "it"; without either, the text is empty.
    """
    query, match = question.text, _ONE.search(question.text)
    if match and _OF_A_LIST.isdisjoint(match["which"].lower().split()):
        noun = next((_noun(each, match["which"]) for each in reversed(exchanges[-2:])), "")
        if noun:
            return query[: match.start("one")] + noun + query[match.end("one") :]
    if len(query.split()) > 2 and _THAT_ONE.search(query):
        return _THAT_ONE.sub("it", query, count=1)
    return ""


def _noun(exchange: Exchange, which: str) -> str:
    """Return the noun that the question before told more of by a word that `which` can replace."""
    asked = without_behind(exchange.searched)
    told = [run for run in _noun_phrases(ReadText(asked).tokens) if len(run) > 1]
    answer = exchange.spoken.lower()
    named = (run for run in told if f"{which} {run[1].word}".lower() in answer)
    run = next(named, told[0] if told else None)
    return run[1].text if run else ""


def _noun_phrases(tokens: Sequence[Token]) -> Iterator[list[Token]]:
    """Yield the runs of content words, those behind an article first, without the verb at the end.

    "What does the backend role require?" has one: backend role.
    """
    runs: list[tuple[bool, list[Token]]] = []
    run, has_verb_apart, before = list[Token](), False, ""
    for token in (*tokens, None):
        if token and token.stem:
            run.append(token)
            continue
        if run:
            runs.append((before in ("the", "a", "an"), run))
        before, run = token.word if token else "", []
        has_verb_apart = has_verb_apart or before in DOES
    if has_verb_apart and runs and len(runs[-1][1]) > 1:
        runs[-1][1].pop()
    yield from (each for _, each in sorted(runs, key=lambda each: not each[0]))


def asked_further(question: ReadQuestion, exchanges: Sequence[Exchange]) -> Rewrite | None:
    """Ask once more what was asked, and why it is so, since when, or where."""
    match, previous = _BARE.match(question.text), exchanges[-1]
    asked = bare_question(previous)
    if match is None or not asked:
        return None
    named = next((name for name, said in match.groupdict().items() if said and name in _PLAIN), "")
    asks = _PLAIN.get(named, match["asked"].lower())
    if named and _GIVES_REASONS.search(asked):
        return Rewrite(previous.searched, ASKED_FURTHER, previous.positions, SURE)
    joining = _AND.get(named) or _AND.get(asks.split()[-1], "and")
    told = f"{asked[:1].upper()}{asked[1:]}, {joining} {asks}?"
    return Rewrite(told, ASKED_FURTHER, previous.positions, SURE)
