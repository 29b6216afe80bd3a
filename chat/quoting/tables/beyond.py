"""Beyond a row: what a question wants of a table that no row of it tells by itself."""

import re
from collections.abc import Sequence

from chat.quoting.tables.asked import Asked
from chat.quoting.tables.extremes import superlative_of
from chat.quoting.tables.naming import naming
from chat.quoting.tables.ranks import top_of
from chat.quoting.tables.reading import TableColumn
from chat.quoting.tables.wordings import COMMONEST, COMPARING, COUNT, MEAN, SUM

# "What is the population of …", "who is the boss of …", "price of …".
ATTRIBUTE = re.compile(
    r"(?:\b(?:(?:what|which|who)s? (?:(?:is|are|was|were) )?(?:the )"
    r"|(?:was|wer) (?:ist|war) (?:der|die|das) "
    r"|(?:cual|quien) es (?:el|la) |qu(?:i|el(?:le)?) est l[ae] ?)(?P<said>\w+(?: \w+){0,2}?)"
    r" (?:of|in|for|at|from|von|im|fur|de|del|du|d)"
    r"|^(?:the )?(?P<bare>(?:\w+ )?\w+(?<!s)) (?:of|von))\b"
)
# "How old is …" asks for what a column of one of these names tells.
MEASURES = {
    re.compile(r"\b(?:how old|wie alt|que edad|quel age)\b"): re.compile(
        r"\bage\b|alter|edad|born|birth|founded|built|gebor|nacim|naiss"
    ),
    re.compile(r"\b(?:how tall|wie gro(?:ss|ß))\b"): re.compile(
        r"height|size|cm|met(?:er|re)|feet|grosse|hohe|area|flache|pop"
    ),
    re.compile(r"\b(?:how heavy|wie schwer)\b"): re.compile(
        r"weight|wt|mass|kg|lbs|gewicht|peso|poids|ton"
    ),
}
# Words behind "how many" that may say of what.
COUNTED = 2


def wants_more_than_a_row(question: str, names: Sequence[str]) -> bool:
    """Tell whether the question asks for what several rows come to, for one that stands out from
    the others, or for something that none of the columns of these names tells.
    """
    asked = Asked.of(question)
    columns = [TableColumn(at, name, ()) for at, name in enumerate(names)]

    def names_one(said: Sequence[str]) -> bool:
        return any(naming(word, column) for word in said for column in columns)

    if counted := COUNT.search(asked.text):
        behind = asked.text[counted.end() :].split()
        return not names_one(behind[:COUNTED])
    several = any(each.search(asked.text) for each in (SUM, MEAN, COMMONEST))
    stands_out = superlative_of(question) is not None or top_of(asked) is not None
    if several or stands_out or not COMPARING.isdisjoint(asked.words):
        return True
    called = " ".join(word for column in columns for word in column.words)
    if any(asks.search(asked.text) and not of.search(called) for asks, of in MEASURES.items()):
        return True
    attribute = ATTRIBUTE.search(asked.text)
    return attribute is not None and not names_one((attribute["said"] or attribute["bare"]).split())
