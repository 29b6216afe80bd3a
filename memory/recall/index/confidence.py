"""How sure it is that what a question asks for was said: a number from 0 to 1.

Two things have to hold. Its subject was talked about: the nearest message is near in meaning, and
has the question's rare words. And what it asks of the subject is what people tell: of themselves,
rather than the reasons, details and contents of what they only mention. Measured on BEAM, the first
tells questions of one person's conversations from those of another's (.94), and says nothing of
questions that nothing said answers, whose subject was mentioned; there the second decides (.97).
"""

import math
import re

import numpy as np

from memory.recall.index.matching import Scores
from memory.recall.index.relevance import Comparison

OWN = re.compile(
    r"\b(?:i|i'm|i've|i'd|my|me|mine|we|our|us|yo|mi|mis|me|nosotr[oa]s|nuestr[oa]s?)\b",
    re.IGNORECASE,
)
CONTENTS = re.compile(
    r"\b(?:why|rationale|reasons?|reasoning|details?|detailed|exact|more about|describe|explain"
    r"|discuss\w*|specific\w*|background|reactions?|feedback|agenda|contents?|criteria"
    r"|(?:main|key) (?:points?|topics?|takeaways?)|atmosphere|dynamics"
    r"|por qué|razón|razones|motivos?|detalles?|describe|explica|antecedentes)\b",
    re.IGNORECASE,
)
# Of the nearest message: what a cosine and a share of the rare words have in the middle, and how
# fast they count.
NEAR, NEARNESS = 0.5, 8.0
SHARED, SHARE = 0.3, 4.0
TOLD, OF_ONESELF, OF_CONTENTS = 0.5, 1.2, -1.5


def confidence(compared: Comparison, scores: Scores) -> float:
    """Return how likely it is that the messages tell what is asked for."""
    if not len(scores):
        return 0.0
    share = compared.share_of_words(int(np.argmax(scores)))
    subject = SHARE * (share - SHARED)
    if compared.known is not None:
        subject += NEARNESS * (float(compared.known.max()) - NEAR)
    query = compared.asked.query
    told = TOLD + OF_ONESELF * bool(OWN.search(query)) + OF_CONTENTS * bool(CONTENTS.search(query))
    return _likely(subject) * _likely(told)


def _likely(total: float) -> float:
    return 1 / (1 + math.exp(-total))
