"""What a question leaves out because the one before said it: "the frontend one", "and why?"."""

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

from memory.recall.rewriting.exchanges import ASKED_FURTHER, SURE, Exchange, Rewrite
from memory.recall.rewriting.language.languages import SMALL_WORDS, language_of
from memory.recall.rewriting.language.noun_phrases import DOES, the_verb
from memory.recall.rewriting.language.questions import ReadQuestion
from memory.recall.rewriting.rules.again import ANDS, asked_before, bare_question, once_more
from memory.text.reading import ReadText, Token

LONGEST_NAME = 3  # words of what "one" stands for
_ONE = re.compile(
    r"\b(?P<before>(?:the|every"
    r"|each)\s+(?P<which>[^\W\d_][\w'’-]{0,60}(?:\s[^\W\d_][\w'’-]{0,60})?)"
    r"\s+)(?P<one>ones?)\b(?!\s+of\b)",
    re.IGNORECASE,
)
_THAT_ONE = re.compile(r"\b(?:that|this)\s+one\b(?!\s+of\b)", re.IGNORECASE)
# "How do i make one", "brauche ich eine": what was asked about by "a" before.
_ANY = re.compile(
    r"(?<=\w\s)(?P<one>one|eine[ns]?|uno|une)"
    r"(?=\W*$|\s+(?:in|on|at|for|with|from|by|too|then|myself|without|if|and|dann|alors|entonces)\b)",
    re.IGNORECASE,
)
# "Version one", "which one", "the only one".
_NOT_ANY = frozenset(
    """version chapter day phase step part number level round page class section type option the
    that this which each every no any some another other only and or is are was mit für un du first
    second third fourth fifth last former latter next previous best better worst worse right wrong
    same""".split()
)
_SENTENCE = re.compile(r"[.!?;:]\s")  # "I like iPhones. Should I get one?"
_ARTICLES = re.compile(r"an?|eine?[nmrs]?|une?|un[oa]?", re.IGNORECASE)
# "The second one" and "the best one" are of a list; "the only one" is of nothing.
_OF_A_LIST = frozenset(
    """first second third fourth fifth last former latter next previous other same best better worst
    worse only right wrong only two three""".split()
)
_BARE = re.compile(
    rf"^\W*(?:{ANDS}\W+)*(?P<asked>(?P<why>why(?: so(?: \w+)?|(?: is| was) (?:that|it|this)(?: so"
    rf"| better| worse| needed| necessary| bad| good)?)?|how (?:so|come))"
    r"|(?P<when>when (?:was|is|did|will) (?:that|this)(?: be| happen(?:ed)?)?)"
    r"|(?P<how>how(?: (?:do|can|could|would|should) (?:i|we|you|one) do (?:that|this|it|so))?)"
    r"|(?P<wie>wie(?: (?:geht|mach(?:e|t)?) (?:ich |man )?das)?)"
    r"|(?P<comment>comment(?: (?:faire|fait-on)(?: ça)?)?)|(?P<cómo>c[oó]mo(?: se hace(?: eso)?)?)"
    r"|why not|(?:since|until|by|from) when|when|where|(?:by|to|from|for|with) whom?"
    r"|who (?:by|to|from|with)"
    r"|(?:for )?how (?:much|many|often|long|far)|(?:von|durch|für|mit|bei|an) we[mn]"
    r"|wie (?:oft|lange|viele?|weit)|(?:par|pour|avec|à|de) qui|combien(?: de temps)?"
    r"|(?:depuis |jusqu['’]à )?quand|(?:d['’])?où"
    r"|(?:por|para|con|de|a) qui[eé]n(?:es)?|cu[aá]nt[oa]s?|cada cu[aá]nto"
    r"|(?P<por>por qu[eé])|(?:desde |hasta )?cu[aá]ndo|(?:a |de )?d[oó]nde"
    r"|(?P<warum>warum|wieso|weshalb)|wo|woher|wohin"
    r"|(?:seit |bis )?wann|(?P<pourquoi>pourquoi))(?:\s+(?:exactly|then|exactamente|denn"
    r"|genau))?\W*$",
    re.IGNORECASE,
)
_WHYS = {"why": "why", "por": "por qué", "warum": "warum", "pourquoi": "pourquoi"}
_HOWS = {"when": "when", "how": "how", "wie": "wie", "comment": "comment", "cómo": "cómo"}
_PLAIN = _WHYS | _HOWS
_AND = {
    "por": "y", "cuándo": "y", "dónde": "y", "wann": "und", "warum": "und", "pourquoi": "et",
    "wem": "und", "wen": "und", "oft": "und", "lange": "und", "viel": "und", "viele": "und",
    "weit": "und", "qui": "et", "combien": "et", "temps": "et", "quién": "y", "cuánto": "y",
    "cuántos": "y", "cuánta": "y", "cuántas": "y", "wie": "und", "comment": "et", "cómo": "y",
    "cuando": "y", "donde": "y", "quien": "y", "cuanto": "y", "cuantos": "y", "cuanta": "y",
    "cuantas": "y", "quand": "et", "où": "et", "d'où": "et", "wo": "und", "woher": "und",
    "wohin": "und",
}  # fmt: skip
# What asks for an instance of what was asked about, as it is said behind that.
_EXAMPLE = re.compile(
    rf"^\W*(?:{ANDS}\W+)*(?:(?:can|could) you )?(?:please )?(?:"
    r"(?P<en>(?:(?:give|show) (?:me |us )?)?(?:an? |some |for |one )?(?:more )?examples?"
    r"|such as(?: what)?|like what)"
    r"|(?P<de>zum beispiel|z\.? ?b\.?|(?:gib|nenn(?:e)?|zeig)(?: mir)?(?: mal)? (?:ein )?beispiele?"
    r"|(?:ein )?beispiele?)"
    r"|(?P<es>por ejemplo|(?:dame |pon(?:me)? )?(?:un )?ejemplos?)"
    r"|(?P<fr>par exemple|(?:donne[z]?[- ]moi )?(?:un )?exemples?)"
    r")(?:\W+(?:please|pls|plz|bitte|por favor|s['’]il (?:te|vous) plaît))?\W*$",
    re.IGNORECASE,
)
_FOR_EXAMPLE = {"en": "for example", "de": "zum Beispiel", "es": "por ejemplo", "fr": "par exemple"}
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
    return _with_any(question, exchanges[-1])


def _with_any(question: ReadQuestion, previous: Exchange) -> str:
    """Return the question with what was asked about by "a" for "one", or nothing."""
    match, query = _ANY.search(question.text), question.text
    before = query[: match.start()].split()[-1:] if match else []
    is_of_its_own = match is not None and _SENTENCE.search(query[: match.start()])
    if match is None or is_of_its_own or not _NOT_ANY.isdisjoint(map(str.lower, before)):
        return ""
    tokens = previous.asked_alone.tokens
    verb, small = the_verb(tokens), SMALL_WORDS[language_of(previous.searched)]
    for at, token in enumerate(tokens):
        if _ARTICLES.fullmatch(token.text):
            named = takewhile(
                lambda each: each.stem and each is not verb and each.word not in small,
                tokens[at + 1 : at + 1 + LONGEST_NAME],
            )
            if noun := " ".join(each.text for each in named):
                is_english = match["one"].lower() == "one"
                article = token.text if is_english else match["one"].removesuffix("o")
                return f"{query[: match.start()]}{article} {noun}{query[match.end() :]}"
    return ""


def _noun(exchange: Exchange, which: str) -> str:
    """Return the noun that the question before told more of by a word that `which` can replace."""
    asked = exchange.asked
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


def exemplified(question: ReadQuestion, exchanges: Sequence[Exchange]) -> Rewrite | None:
    """Ask once more what was asked, and for an example."""
    match, previous = _EXAMPLE.match(question.text), exchanges[-1]
    asked = asked_before(previous)
    if match is None or not asked:
        return None
    language = next(name for name, said in match.groupdict().items() if said)
    told = once_more(asked, _FOR_EXAMPLE[language], previous)
    return Rewrite(told, ASKED_FURTHER, previous.positions, SURE)


def asked_further(question: ReadQuestion, exchanges: Sequence[Exchange]) -> Rewrite | None:
    """Ask once more what was asked, and why it is so, since when, or where."""
    match, previous = _BARE.match(question.text), exchanges[-1]
    asked = bare_question(previous)
    if match is None or not asked:
        return None
    named = next((name for name, said in match.groupdict().items() if said and name in _PLAIN), "")
    asks = _PLAIN.get(named, match["asked"].lower())
    if named in _WHYS and _GIVES_REASONS.search(asked):
        return Rewrite(previous.searched, ASKED_FURTHER, previous.positions, SURE)
    joining = _AND.get(named) or _AND.get(asks.split()[-1], "and")
    if not named and joining != "and" and language_of(asked) == "en":
        return None  # half a question of each language is none
    told = once_more(asked, f"{joining} {asks}", previous)
    return Rewrite(told, ASKED_FURTHER, previous.positions, SURE)
