"""Candidate words of earlier turns for a follow-up, and their features.

A candidate is the stem of a content word. The trained model knows the columns by their order.
"""

import numpy as np
from numpy.typing import NDArray

from memory.recall.rewriting.selection.mentions import Mention, OfferedWord, ReadConversation
from memory.text.reading import KINDS, compute_rarity

Matrix = NDArray[np.float32]

LONG_AGO, FAR = 15.0, 99.0
WINDOW = 25  # tokens to either side that count as near
NEAR = 5


def describe(conversation: ReadConversation) -> tuple[Matrix, list[float]]:
    """Return a row for each candidate, and the shared columns."""
    shared = _compute_shared_features(conversation)
    candidates = conversation.candidates
    if not candidates:
        return np.zeros((0, 0), dtype=np.float32), shared
    topic = conversation.last_topic
    named = conversation.last_introduced
    own = [
        [
            *_compute_recency_features(candidate, conversation),
            *_compute_topic_features(candidate, conversation, topic, named),
            *_compute_question_features(candidate, conversation),
            *_compute_answer_features(candidate, conversation),
            *_compute_form_features(candidate, conversation),
        ]
        for candidate in candidates
    ]
    rows = np.array(own, dtype=np.float32)
    common = np.tile(np.array(shared, dtype=np.float32), (len(rows), 1))
    return np.hstack([rows, _compute_rank_features(rows), common]), shared


def _compute_shared_features(conversation: ReadConversation) -> list[float]:
    said, own = conversation.said, conversation.own
    newest = said[-1] if said else None
    ever = frozenset[str]().union(*(each.asked for each in said))
    recent = frozenset[str]().union(*(each.answered for each in said))
    return [
        *conversation.question.shape.values(),
        len(said),
        len(own & newest.asked) if newest else 0,
        len(own & newest.answered) if newest else 0,
        len(own & ever),
        len(own - ever - recent),
        float(any(each.answer for each in said)),
        float(bool(newest and newest.answer)),
        len(newest.asked) if newest else 0,
        float(bool(newest and newest.question.has_pronoun)),
        len(conversation.new[-1]) if newest else 0,
        len(conversation.candidates),
        conversation.last_topic,
        conversation.last_introduced,
    ]


def _compute_recency_features(
    candidate: OfferedWord, conversation: ReadConversation
) -> list[float]:
    """Compute how often, how recently and in which messages it occurs."""
    said, stem = conversation.said, candidate.stem
    backs = [each.back for each in said if stem in each.asked]
    answers = [each.back for each in said if stem in each.answered]
    return [
        len(backs),
        min(backs, default=LONG_AGO),
        max(backs, default=0),
        float(1 in backs),
        float(2 in backs),
        float(len(said) in backs),
        len(backs) / len(said),
        len([back for back in backs if back <= 3]),
        float(backs == [1]),
        len(answers),
        min(answers, default=LONG_AGO),
        float(1 in answers),
        float(2 in answers),
        len([mention for mention in candidate.answered if mention.said.back == 1]),
        len(candidate.mentions),
    ]


def _compute_topic_features(
    candidate: OfferedWord, conversation: ReadConversation, topic: int, named: int
) -> list[float]:
    """Compute whether it belongs to the conversation's latest topic."""
    said, new, stem = conversation.said, conversation.new, candidate.stem
    last = candidate.asked[-1].said.back if candidate.asked else 0
    since = len(said) - last + 1 if last else len(said)
    return [
        float(topic > 0 and stem in said[-topic].asked),
        float(named > 0 and stem in said[-named].asked),
        float(topic > 0 and stem in new[-topic]),
        float(named > 0 and stem in new[-named]),
        float(last > 0 and stem in new[-last]),
        float(last > 0 and said[-last].question.has_pronoun),
        sum(each.question.has_pronoun for each in said[since:]) if last else -1,
        sum(len(each) for each in new[since:]) if last else -1,
        float(last > 0 and said[-last].question.introduces),
    ]


def _compute_question_features(
    candidate: OfferedWord, conversation: ReadConversation
) -> list[float]:
    """Compute its position in the last question with it."""
    if not candidate.asked:
        return [-1.0] * 12
    mention = candidate.asked[-1]
    content = [token for token in mention.tokens if token.stem]
    place = content.index(mention.token)
    before = mention.tokens[max(0, mention.index - 2) : mention.index]
    return [
        *_compute_context_features(mention),
        place,
        len(content) - 1 - place,
        mention.token.sentence - mention.tokens[-1].sentence,
        float(any(token.stem in conversation.own for token in mention.neighbours)),
        float(any(token.stem in conversation.own for token in content)),
        _has_preposition(mention),
        float(any(token.kind == "auxiliary" for token in before)),
    ]


def _compute_answer_features(candidate: OfferedWord, conversation: ReadConversation) -> list[float]:
    """Compute its position in the newest answer, and its distance from the question's words."""
    mentions = [mention for mention in candidate.answered if mention.said.back == 1]
    if not mentions:
        return [-1.0] * 12
    first, tokens = mentions[0], mentions[0].tokens
    own = conversation.own_in_newest_answer
    nearest = min((abs(at - mention.index) for at in own for mention in mentions), default=FAR)
    return [
        *_compute_context_features(first),
        first.index,
        first.index / len(tokens),
        first.token.sentence,
        mentions[-1].index / len(tokens),
        nearest if nearest <= NEAR else FAR,
        float(nearest <= WINDOW),
        _has_preposition(first),
    ]


def _compute_context_features(mention: Mention) -> list[float]:
    """Compute the kinds of words around its run of content words."""
    tokens, start, end = mention.tokens, mention.index, mention.index
    while start > 0 and tokens[start - 1].kind == "content":
        start -= 1
    while end + 1 < len(tokens) and tokens[end + 1].kind == "content":
        end += 1
    before = KINDS.index(tokens[start - 1].kind) if start else -1
    after = KINDS.index(tokens[end + 1].kind) if end + 1 < len(tokens) else -1
    return [before, after, end - start + 1, mention.index - start, end - mention.index]


def _has_preposition(mention: Mention) -> float:
    return float(mention.index > 0 and mention.tokens[mention.index - 1].word in ("of", "about"))


def _compute_form_features(candidate: OfferedWord, conversation: ReadConversation) -> list[float]:
    """Compute features of the word's form."""
    word = candidate.word
    capitals = [mention.token.capitals for mention in candidate.mentions]
    beside = [
        any(token.stem in conversation.own for token in mention.neighbours)
        for mention in candidate.mentions
    ]
    return [
        sum(beside),
        compute_rarity(word),
        max(capitals),
        min(capitals),
        float(any(letter.isdigit() for letter in word)),
        len(word),
        float(word.endswith("s") and not word.endswith("ss")),
        float(word.endswith("ing")),
        float(word.endswith("ed")),
        float(word.endswith(("tion", "ment", "ness", "ity", "ism", "ence", "ance"))),
        float(word.endswith(("al", "ic", "ous", "ive", "able", "ful"))),
    ]


# Columns of a row that `_compute_rank_features` compares between candidates.
COUNT, BACK, IN_LAST, ANSWERED, IN_LAST_ANSWER, RARITY = 0, 1, 3, 9, 11, 49


def _compute_rank_features(rows: Matrix) -> Matrix:
    """Compute how each candidate compares with the others."""
    rarities = rows[:, RARITY]
    asked, last = rows[:, COUNT] > 0, rows[:, IN_LAST] > 0
    return np.stack(
        [
            _rank(-rarities) / len(rows),
            _rank(np.where(asked, -rarities, FAR)),
            _rank(-(rows[:, COUNT] + rows[:, ANSWERED])),
            _rank(rows[:, BACK] * 10 - rarities),
            _rank(np.where(last, -rarities, FAR)),
            np.full(len(rows), last.sum()),
            np.full(len(rows), (rows[:, IN_LAST_ANSWER] > 0).sum()),
        ],
        axis=1,
    ).astype(np.float32)


def _rank(values: Matrix) -> Matrix:
    return np.argsort(np.argsort(values, kind="stable"), kind="stable").astype(np.float32)
