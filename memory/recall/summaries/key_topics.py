"""Key topics: the main topics of a conversation, in its own words. Pure."""

import re
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from memory.recall.facts.extraction import extract_question
from memory.recall.summaries.extracting import Spoken, is_content_word, split_units, weigh_stem
from memory.recall.wordings import read_wordings
from memory.text.words import SMALL_WORDS, stem

# A topic as the stems of its words.
Name = tuple[str, ...]
MOST = 5
# Most words of a topic, and its fewest sentences.
TOPIC_WORDS, TOPIC_SENTENCES = 3, 2
# The weight of a question, relative to another sentence, and the bonus for the latest.
ASKED, LATEST = 2.0, 0.5
_WORDS = {
    name: frozenset(words.split())
    for name, words in read_wordings(Path(__file__).parent / "topics.toml").items()
    if name != "words"
}
NO_TOPICS = _WORDS["talk"].union(
    _WORDS["verbs"],
    *SMALL_WORDS.values(),
    *({verb + "s", verb.removesuffix("e") + "ed"} for verb in _WORDS["verbs"]),
)
# A word, a command of LaTeX, or a sign.
_RUN = re.compile(r"\\\w+|[^\W_]+(?:[-.'’][^\W_]+)*|[^\w\s]")
# "What does the lease require": the last word is its verb.
_ASKS_WHAT = re.compile(
    r"^\W*(?:and |but |so )?what (?:do|does|did) "
    r"(?:(?!(?:about|of|in|for|on|to|with|at|from|by)\b)[\w’'-]+ ){1,4}(?=[\w’'-]+\W*$)",
    re.IGNORECASE,
)
_POSSESSIVE = re.compile(r"['’]s$")
# Words before a verb: "we pay", "I've moved", "they can hardly wait".
_SUBJECT = re.compile(r"(?:i|we|you|he|she|it|they|who)(?:['’](?:ve|d|ll))?")


def find_key_topics(said: Iterable[Spoken]) -> list[str]:
    """Return the topics of the texts: short runs of content words, as they are written.

    Topics of questions come first, the most frequent and latest first; then other frequent ones.
    Facts about the person and wishes for answers are no topics.
    """
    found: dict[Name, str] = {}
    held: Counter[Name] = Counter()
    asked: dict[Name, float] = defaultdict(float)
    told = list(_keep_questions(said))
    units = split_units(told)
    for at, unit in enumerate(units, 1):
        seen = set(_find_topic_names(unit.text, found))
        held.update(seen)
        if unit.is_own:
            for name in seen:
                asked[name] += 1 + LATEST * at / len(units)
    several = [name for name, count in held.items() if count >= min(TOPIC_SENTENCES, len(held))]
    worth = {
        name: (held[name] + ASKED * asked[name]) ** 0.7 * sum(map(weigh_stem, name))
        for name in several
    }
    ranked = sorted(several, key=lambda name: (not asked[name], -worth[name], found[name]))
    return [found[name] for name in select_disjoint_names(ranked)[:MOST]]


def select_part_topics(parts: Iterable[Sequence[str]]) -> list[str]:
    """Return the topics of most parts first, of equal ones the latest."""
    found: dict[Name, str] = {}
    worth: dict[Name, float] = defaultdict(float)
    parts = list(parts)
    for at, topics in enumerate(parts, 1):
        for rank, topic in enumerate(topics, 1):
            name = tuple(stem(word.lower()) for word in topic.split())
            found[name] = topic
            worth[name] += (1 + LATEST * at / len(parts)) / (rank + 1)
    ranked = sorted(found, key=lambda name: -worth[name])
    return [found[name] for name in select_disjoint_names(ranked)[:MOST]]


def find_topics(question: str) -> dict[Name, str]:
    """Return the runs of content words in a question, as they are written."""
    found: dict[Name, str] = {}
    for unit in split_units(_keep_questions([Spoken(question, is_own=True)])):
        deque(_find_topic_names(unit.text, found), maxlen=0)
    return found


def _keep_questions(said: Iterable[Spoken]) -> Iterator[Spoken]:
    """Yield the texts, the person's own reduced to their questions."""
    for text in said:
        own = extract_question(text.text) if text.is_own else text.text
        if own:
            yield replace(text, text=own)


def _find_topic_names(text: str, found: dict[Name, str]) -> Iterator[Name]:
    """Yield the runs of content words of a sentence, and note the first spelling of each."""
    for run in _find_content_runs(text):
        for size in range(1, TOPIC_WORDS + 1):
            for at in range(len(run) - size + 1):
                shown = run[at : at + size]
                name = tuple(stem(word.lower()) for word in shown)
                found.setdefault(name, " ".join(shown))
                yield name


def select_disjoint_names(ranked: Iterable[Name]) -> list[Name]:
    """Return the runs that share no word with an earlier one."""
    taken: set[str] = set()
    chosen = []
    for name in ranked:
        if not taken.intersection(name):
            chosen.append(name)
            taken.update(name)
    return chosen


def _find_content_runs(text: str) -> Iterator[list[str]]:
    """Yield the uninterrupted runs of content words without verbs."""
    run: list[str] = []
    verb_next = False
    asks_what = _ASKS_WHAT.match(text)
    for token in _RUN.findall(asks_what[0] if asks_what else text):
        word = _POSSESSIVE.sub("", token)
        lower = word.lower()
        if _can_be_topic_word(lower) and not verb_next:
            run.append(word)
            continue
        is_subject = _SUBJECT.fullmatch(lower) is not None
        helps = lower in _WORDS["helpers"] or lower.endswith(("n't", "n’t"))
        verb_next = is_subject or (verb_next and helps)
        if run:
            yield run
        run = []
    if run:
        yield run


def _can_be_topic_word(word: str) -> bool:
    """Return whether a word may be part of a topic; "I'm" and "don't" are not."""
    return (
        word[0].isalpha()
        and not {"'", "’"} & set(word)
        and word not in NO_TOPICS
        and is_content_word(word)
    )
