"""Key topics: what a conversation speaks of most, in its own words. Pure."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from memory.recall.summaries.extracting import Spoken, says, units_of, weight_of
from memory.text.words import stem

# How many words a topic has at most, and in how many sentences it comes at least.
TOPIC_WORDS, TOPIC_SENTENCES = 3, 2
# What is done in talk, which is no topic, nor are its plain forms: "tells", "worked".
VERBS = frozenset(
    """apply ask avoid become begin believe come consider create determine discuss ensure
    explain feel find follow guess help hope implement improve include keep know learn let
    like look make mean mention need provide recommend remember say seem show start
    suggest take talk tell thank think try understand use want wonder work""".split()
)
# Other words of talking, asking and doing, in English or Spanish.
TALK = frozenset(
    """able add also anything aspect based better bit currently determining different easily
    especially even ever every everything example excited feeling figure figuring fine
    following gonna good got great helpful hey however idea implementing important instead
    interested involve kind kinda likely little looking lot lots making many maybe much new
    nice note often one outline overall people perhaps plan point possible probably question
    really regarding right said see seen sees set shall share since something sound sounds specific
    started steps still stuff sure thanks thing things thinking thought time today together
    tried tries trouble trying two understanding used useful using various versus via wanna
    wanted way ways well whether without wondering working worried yes yet como con cual
    cuando del donde esta este hay las los más mas muy para pero por porque puede que quiero
    según ser sin sobre son sus también tiene una uno""".split()
)
NO_TOPICS = TALK.union(VERBS, *({verb + "s", verb.removesuffix("e") + "ed"} for verb in VERBS))
# A word, a command such as LaTeX has them, or a sign.
_RUN = re.compile(r"\\\w+|[^\W_]+(?:[-.'’][^\W_]+)*|[^\w\s]")
_POSSESSIVE = re.compile(r"['’]s$")
# Behind these stands a verb: "we pay", "I've moved", "they can hardly wait".
_SUBJECT = re.compile(r"(?:i|we|you|he|she|it|they|who)(?:['’](?:ve|d|ll))?")
_HELPERS = frozenset(
    """can cannot could did do does had has have may might must never not often only should will
    would also always just now really still""".split()
)


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
    """Yield the runs of content words that nothing stands between, and no verb is part of."""
    run: list[str] = []
    verb_next = False
    for token in _RUN.findall(text):
        word = _POSSESSIVE.sub("", token)
        lower = word.lower()
        if _names(lower) and not verb_next:
            run.append(word)
            continue
        is_subject = _SUBJECT.fullmatch(lower) is not None
        verb_next = is_subject or (verb_next and _helps(lower))
        if run:
            yield run
        run = []
    if run:
        yield run


def _helps(word: str) -> bool:
    return word in _HELPERS or word.endswith(("n't", "n’t"))


def _names(word: str) -> bool:
    """Tell whether a word may be part of a topic; "I'm" and "don't" are not."""
    return word[0].isalpha() and not {"'", "’"} & set(word) and word not in NO_TOPICS and says(word)
