"""Names in earlier turns: runs of words with capitals."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from memory.text.reading import ReadText, Token

# Words that begin a question and belong to no name: "Describe Tomasz Nowak".
OPENING = frozenset(
    """and compare define describe explain find give list name show summarise es está tiene sabe
    trabaja vive puede hace ha compara háblame""".split()
)
LOOKED_AT, LONGEST = 130, 4  # tokens of a text, words of a name
# Words before things and places, but not before people: "the Closing Date", "in Lisbon".
BEFORE_THINGS = frozenset("the a an in at near into el la los las un una en".split())


def find_names(text: str) -> list[str]:
    """Return the names in the text, in order, each once."""
    return find_names_in_tokens(ReadText(text, LOOKED_AT))


def find_names_in_tokens(said: ReadText) -> list[str]:
    """Return the names in a parsed text, in order, each once."""
    return list(
        dict.fromkeys(_get_run_text(said, run) for run in _find_name_runs(said.tokens[:LOOKED_AT]))
    )


def find_people(said: ReadText) -> list[str]:
    """Return the names that may be people's, since they follow no article or "in"."""
    tokens = said.tokens[:LOOKED_AT]
    before = {token.start: last.word for last, token in pairwise(tokens)}
    things = {
        _get_run_text(said, run)
        for run in _find_name_runs(tokens)
        if before.get(run[0].start) in BEFORE_THINGS
    }
    names = (name for name in find_names_in_tokens(said) if name not in things)
    return [
        name
        for name in names
        if all(part[0].isupper() and not part.isupper() and part.isalpha() for part in name.split())
    ]


def classify_name(name: str) -> str:
    """Return "code" ("BRCA1"), "full" (several words) or "word"."""
    if name.isupper() or any(letter.isdigit() for letter in name):
        return "code"
    return "full" if " " in name else "word"


def _get_run_text(said: ReadText, run: Sequence[Token]) -> str:
    return said.text[run[0].start : run[-1].end].removesuffix("’s").removesuffix("'s")


def _find_name_runs(tokens: Sequence[Token]) -> Iterator[list[Token]]:
    run: list[Token] = []
    for token in tokens:
        joined = not run or token.start - run[-1].end <= 1
        capital = token.capitals >= 2 or (token.capitals == 1 and token.word not in OPENING)
        if token.stem and capital and joined and len(run) < LONGEST:
            run.append(token)
            continue
        if _is_name(run):
            yield run
        run = [token] if token.stem and capital else []
    if _is_name(run):
        yield run


def _is_name(run: Sequence[Token]) -> bool:
    # One capital at the beginning of a sentence is no evidence.
    return bool(run) and (len(run) > 1 or run[0].capitals >= 2)
