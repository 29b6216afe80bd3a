"""Key topics: what a conversation speaks of most, in its own words. Pure."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from memory.recall.summaries.extracting import Spoken, says, units_of, weight_of
from memory.text.words import stem

# How many words a topic has at most, and in how many sentences it comes at least.
TOPIC_WORDS, TOPIC_SENTENCES = 3, 2
# Words of talking, asking and doing, which are no topics in English or Spanish.
TALK = frozenset(
    """able add also anything apply ask aspect avoid based become begin believe better bit come
    consider create currently determine determining different discuss easily ensure especially
    even ever every everything example excited explain feel feeling figure figuring find fine
    follow following gonna good got great guess help helpful hey hope however idea implement
    implementing important improve include instead interested involve keep kind kinda know learn
    let like likely little look looking lot lots make making many maybe mean mention much need
    new nice note often one outline overall people perhaps plan point possible probably provide
    question really recommend regarding remember right said say see seem set shall share show
    since something sound sounds specific start started steps still stuff suggest sure take talk
    tell thank thanks thing things think thinking thought time today together tried tries
    trouble try trying two understand understanding use used useful using various versus via
    wanna want wanted way ways well whether without wonder wondering work working worried yes
    yet como con cual cuando del donde esta este hay las los más mas muy para pero por porque
    puede que quiero según ser sin sobre son sus también tiene una uno""".split()
)
# A word, a command such as LaTeX has them, or a sign.
_RUN = re.compile(r"\\\w+|[^\W_]+(?:[-.'’][^\W_]+)*|[^\w\s]")
_POSSESSIVE = re.compile(r"['’]s$")


def key_topics(said: Iterable[Spoken], *, most: int = 5) -> list[str]:
    """Return what the texts speak of most: short runs of content words, as they are written."""
    found: dict[tuple[str, ...], str] = {}
    held: Counter[tuple[str, ...]] = Counter()
    own: Counter[tuple[str, ...]] = Counter()
    for unit in units_of(said):
        seen = set()
        for run in _runs(unit.text):
            for size in range(1, TOPIC_WORDS + 1):
                for at in range(len(run) - size + 1):
                    shown = run[at : at + size]
                    name = tuple(stem(word.lower()) for word in shown)
                    found.setdefault(name, " ".join(shown))
                    seen.add(name)
        held.update(seen)
        if unit.text.startswith("“"):
            own.update(seen)
    several = [name for name, count in held.items() if count >= min(TOPIC_SENTENCES, len(held))]
    # What the person said counts twice.
    worth = {name: (held[name] + own[name]) ** 0.7 * sum(map(weight_of, name)) for name in several}
    ranked = sorted(several, key=lambda name: (-worth[name], found[name]))
    return [found[name] for name in _apart(ranked)[:most]]


def _apart(ranked: Iterable[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Return the runs that have no word in common with one before them."""
    taken: set[str] = set()
    chosen = []
    for name in ranked:
        if not taken.intersection(name):
            chosen.append(name)
            taken.update(name)
    return chosen


def _runs(text: str) -> Iterator[list[str]]:
    """Yield the runs of content words that nothing stands between."""
    run: list[str] = []
    for token in _RUN.findall(text):
        word = _POSSESSIVE.sub("", token)
        if _names(word.lower()):
            run.append(word)
            continue
        if run:
            yield run
        run = []
    if run:
        yield run


def _names(word: str) -> bool:
    """Tell whether a word may be part of a topic; "I'm" and "don't" are not."""
    return word[0].isalpha() and not {"'", "’"} & set(word) and word not in TALK and says(word)
