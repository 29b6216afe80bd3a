"""Tokenisation: one cut of text into terms, so that all word matching agrees."""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

import Stemmer

STOP_WORDS = frozenset(
    """a about above after again against all also am an and any are as at be because been before
    being below between both but by can could did do does doing down during each few for from
    further had has have having he her here hers herself him himself his how i if in into is it its
    itself just me more most must my myself no nor not now of off on once only or other our ours
    ourselves out over own please same shall she should so some such tell than that the their
    theirs them themselves then there these they this those through to too under until up very was
    we were what when where which while who whom whose why will with would you your yours yourself
    yourselves d ll m re s t ve don doesn didn isn aren wasn weren won can't whats thats hows wheres
    whos dont doesnt didnt isnt arent cant""".split()
)
_WORD = re.compile(r"[^\W_]+(?:\.\d+)*")
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]+")
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff]")
_UNSPACED_RUN = re.compile("[\u3040-\u30ff\u3400-\u9fff]+|[^\u3040-\u30ff\u3400-\u9fff]+")
_stemmer = Stemmer.Stemmer("english")


def split_words(text: str) -> list[str]:
    """Return the words in order, in lower case, without accents and possessive endings.

    Chinese and Japanese have no spaces between words: each two adjacent characters are one.
    """
    plain = text.lower().replace("’", "'").replace("'s", "")
    if plain.isascii():
        return _WORD.findall(plain)
    plain = _BEYOND_ASCII.sub(lambda run: _strip_accents(run.group()), plain)
    found = _WORD.findall(plain)
    if not _UNSPACED.search(plain):
        return found
    return [part for word in found for part in _split_unspaced(word)]


@lru_cache(maxsize=10_000)
def _strip_accents(run: str) -> str:
    letters = unicodedata.normalize("NFKD", run)
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def _split_unspaced(word: str) -> list[str]:
    runs = _UNSPACED_RUN.findall(word)
    return [part for run in runs for part in (_split_pairs(run) if _UNSPACED.match(run) else [run])]


def _split_pairs(run: str) -> list[str]:
    return [run[at : at + 2] for at in range(max(1, len(run) - 1))]


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """Return the word's stem (Snowball, English)."""
    return str(_stemmer.stemWord(word))


def extract_terms(text: str) -> list[str]:
    """Return the stems of the content words, in order, with repeats."""
    return stem_words(split_words(text))


def stem_words(plain: Iterable[str]) -> list[str]:
    """Return the stems of those of the words that are content words, in order, with repeats."""
    return [stem(word) for word in plain if word not in STOP_WORDS]


# An option of one letter, or signs with at most two letters on either side. Also a name behind "@",
# and figures beside a sign: "@daily", "*/5", "^1.2.3", "1.2.*".
_SYMBOL = re.compile(
    r"-{1,2}[^\W_]|(?![^\W_]+[?!]+$)[^\W_]{0,2}[$@#%^&*+=<>|~!?\\]{1,4}[^\W_]{0,2}"
    r"|@[^\W\d_][\w-]{2,14}|\*/\d{1,2}|(?:[*^~]{1,2}|[<>=]=)\d[\w.*-]{0,10}|\d[\d.]{0,6}\.\*"
)
# Symbols of brackets and slashes, which are otherwise surroundings: "[[", ".[]", "//".
_BRACKETS = re.compile(r"\.?\[{1,2}\]{0,2}|\.?\{\}|//")
_BEFORE_FIGURES = re.compile(r"(?:[*^~]{1,2}|[<>=]=|\*/)(?=\d)")
# A quick test for any of them: most texts have none.
_OF_SYMBOLS = re.compile(r"[$@#%^&*+=<>|~!?\\\[{]|//|(?<![^\W_])-")
_QUOTES, _BEHIND = "\"'`‘’“”", ".,;:"
_AROUND, _MARKS = f"{_QUOTES}()[]{{}}", f"{_BEHIND}?!"
LONGEST_SYMBOL = 16


def find_symbols(text: str) -> list[str]:
    """Return the tokens written in signs, in order: `-q`, `$?`, `2>&1`.

    A mark at the end is punctuation, unless it is the whole token.
    """
    if not _OF_SYMBOLS.search(text):
        return []
    bare = (
        _strip_surroundings(token)
        for token in text.split()
        if len(token) <= LONGEST_SYMBOL and not token.isalnum()
    )
    found = (token if len(token.rstrip("?!")) < 2 else token.rstrip("?!") for token in bare)
    whole = (
        token if token.startswith("-") else token.lower()
        for token in found
        if _SYMBOL.fullmatch(token) or _BRACKETS.fullmatch(token)
    )
    return [part for token in whole for part in _add_sign(token)]


def _add_sign(token: str) -> list[str]:
    """Return the token, with the sign before figures also alone: "*/5" is a "*/" as well."""
    sign = _BEFORE_FIGURES.match(token)
    return [token, sign.group()] if sign else [token]


def _strip_surroundings(token: str) -> str:
    """Return the token without surrounding marks and brackets, unless it consists of brackets."""
    quoted = token.rstrip(_MARKS).strip(_QUOTES).rstrip(_MARKS)
    if _BRACKETS.fullmatch(quoted):
        return quoted
    return token.rstrip(_BEHIND).strip(_AROUND).rstrip(_BEHIND)


def list_content_words(text: str) -> list[str]:
    """Return the content words as written, each once, in order."""
    seen: dict[str, str] = {}
    for match in re.finditer(r"[^\W_]+(?:[-.][^\W_]+)*", text.replace("’", "'").replace("'s", "")):
        word = match.group()
        if word.lower() not in STOP_WORDS:
            seen.setdefault(word.lower(), word)
    return list(seen.values())


# A full stop ends a sentence unless a small letter follows; in Chinese and Japanese it always does.
_SENTENCE_END = re.compile(r"(?<=[.!?…؟।])[\"'”’»)\]]*\s+|(?<=[。！？｡])[”’」』）]*\s*|\n+")
_OPENING = re.compile(r"[\"'“‘«„(\[¿¡*_]*")
_ABBREVIATION = re.compile(
    r"\b(?:e\.g|i\.e|et al|etc|vs|cf|approx|ca|Dr|Mrs?|Ms|Prof|Nos?|Nr|Figs?|Sec|Art|Inc|Ltd|Co|St"
    r"|Sra?|núm|págs?|pp|bzw|usw|др|гг|вв|[^\W\d_])\.$"
)
LONGEST_ABBREVIATION = 12
# "Am 9. Juli", "im 19. Jahrhundert": nouns after an ordinal number.
_ORDINAL = re.compile(r"\b\d{1,2}\.$")
_OF_ORDINALS = re.compile(
    r"(?:Jan(?:uar)?|Jänner|Feb(?:ruar)?|März|Apr(?:il)?|Mai|Juni?|Juli?|Aug(?:ust)?|Sept?(?:ember)?"
    r"|Okt(?:ober)?|Nov(?:ember)?|Dez(?:ember)?|Jahrhunderts?|Auflage|Quartals?|Halbjahr\w*|Tag(?:es)?"
    r"|Woche|Monats?|Lebensjahr\w*|Stock|Klasse|Mal)\b"
)


def find_sentences(text: str) -> list[tuple[int, int]]:
    """Return start and end of each sentence in the text, without surrounding white space."""
    spans, start = [], 0
    for match in _SENTENCE_END.finditer(text):
        end = match.start() + len(match.group().rstrip())  # closing quotes belong to the sentence
        near = max(start, end - LONGEST_ABBREVIATION)  # bounds the time for a text of full stops
        if "\n" not in match.group() and _goes_on(text[near:end], text, match):
            continue
        spans.append((start, end))
        start = match.end()
    spans.append((start, len(text)))
    trimmed = []
    for first, last in spans:
        piece = text[first:last]
        lead = len(piece) - len(piece.lstrip())
        if piece.strip():
            trimmed.append((first + lead, first + lead + len(piece.strip())))
    return trimmed


def _goes_on(ending: str, text: str, match: re.Match[str]) -> bool:
    """Return whether the sentence with this ending continues after the full stop."""
    if text[match.start() - 1] in "。！？｡":
        return False
    follows = _OPENING.match(text, match.end())
    after = text[follows.end() : follows.end() + 1] if follows else ""
    if after.islower() or _ABBREVIATION.search(ending):
        return True
    is_ordinal = _ORDINAL.search(ending) and _OF_ORDINALS.match(text, match.end())
    return is_ordinal is not None


def fold(text: str) -> str:
    """Return the text without accents, of the same length, so that positions stay valid."""
    letters = text.replace("’", "'")
    if letters.isascii():
        return letters
    return "".join(unicodedata.normalize("NFKD", letter)[0] for letter in letters)


_SMALL = {
    "en": """the of and is are what which who how in to for it they does do when where why was were
        can did tell me about a such that this could would should has i my you your if""",
    "es": """el la los las una del qué cuál cuáles quién cómo dónde cuándo cuánto cuántos por para
        con en se su sus al más pero hay fue ser está entonces eso esa ese esto esta este él ella
        ellos ellas compara mejor sobre y de que es cuánta cuántas puedo puede podemos pueden
        tengo tiene tenemos""",
    "de": """der die das den dem des ein eine einer und ist sind was wer wie wo wann warum welche
        welcher welches mit für von im zu zum zur nicht es sie gibt hat werden wird ich wir kann
        können darf muss habe haben mein meine seine ihre wieviel viele""",
    "fr": """le les des du une et est sont que quoi qui quel quelle quels quelles comment où quand
        pourquoi avec pour dans sur pas il elle ils elles au aux ce cette a combien je nous peut
        puis faut son ses leur lui la mon ma mes ton cet""",
}
# Small words as written, and as typed without accents: "cual", "fur".
SMALL_WORDS = {
    language: frozenset((*small.split(), *split_words(small))) for language, small in _SMALL.items()
}
LOOKED_AT = 500  # characters


def detect_language(query: str) -> str:
    """Return "en", "es", "de" or "fr": the one with most small words, English in doubt."""
    said = split_words(query[:LOOKED_AT])
    counts = {name: sum(word in small for word in said) for name, small in SMALL_WORDS.items()}
    counts["es"] += 2 * ("¿" in query or "ñ" in query)
    counts["de"] += 2 * ("ß" in query)
    return max(counts, key=lambda language: counts[language])
