"""Which has the most, "and the fewest?": one end of a scale takes the other's place.

English, German, Spanish and French.
"""

import re
from collections.abc import Sequence

from memory.recall.rewriting.exchanges import LIKELY, TOPIC_CARRIED, Exchange, Rewrite
from memory.recall.rewriting.language.questions import ReadQuestion
from memory.recall.rewriting.rules.again import BEFORE, LONGEST_ASKED, OPENS, one_question

_WORDS = (
    r"most|fewest|least|highest|lowest|largest|biggest|greatest|smallest|best|worst|oldest"
    r"|youngest|newest|latest|earliest|longest|shortest|tallest|cheapest|dearest|richest|poorest"
    r"|fastest|slowest|heaviest|lightest|hottest|coldest|warmest|strongest|weakest|safest"
    r"|(?:most|least) expensive|meisten|wenigsten|mindesten|höchsten?|niedrigsten?|tiefsten?"
    r"|größten?|grössten?|kleinsten?|besten?|schlechtesten?|ältesten?|jüngsten?|neu(?:e)?sten?"
    r"|längsten?|kürzesten?|teuersten?|billigsten?|günstigsten?|reichsten?|ärmsten?|schnellsten?"
    r"|langsamsten?|mayor|menor|mejor|peor"
    # Without an article it is more of something: "más experiencia".
    r"|(?:(?<=\bel )|(?<=\bla )|(?<=\ble )|(?<=\blos )|(?<=\blas )|(?<=\bles ))"
    r"(?:más|menos|plus|moins) \w+"
)
_ARTICLE = r"(?:the|die|der|das|den|el|la|los|las|le|les)"
_THE_OTHER = re.compile(
    rf"{BEFORE}(?:(?:which|who|wer|qui|qui[eé]n)(?: one)? (?:has|had|is|was|hat|ist|tiene|a|est)"
    rf"\s+)?(?:{_ARTICLE}\s+)?(?P<end>{_WORDS})(?P<of>\s+[^\W\d_]+)?\W*$",
    re.IGNORECASE,
)
_MEASURE = re.compile(r"\s+[^\W\d_]+")
_END = re.compile(rf"\b(?:{_WORDS})\b", re.IGNORECASE)


def the_other_end(question: ReadQuestion, exchanges: Sequence[Exchange]) -> Rewrite | None:
    """Ask the previous question of the other end of its scale, if it has one: "the fewest?"."""
    match, previous = _THE_OTHER.match(question.text), exchanges[-1]
    asked = one_question(previous)
    places = list(_END.finditer(asked)) if match and 0 < len(asked) <= LONGEST_ASKED else []
    if match is None or len(places) != 1:
        return None
    start, end = places[0].span()
    if match["of"]:  # "which has the most sugar", "and the least calories"
        told = f"{asked[:start]}{match['end']}{match['of']}?"
        is_alike = bool(OPENS.match(question.text) and _MEASURE.fullmatch(asked[end:]))
        return Rewrite(told, TOPIC_CARRIED, previous.positions, LIKELY) if is_alike else None
    if asked[start:end].lower() == match["end"].lower():
        return None
    told = f"{asked[:start]}{match['end']}{asked[end:]}?"
    return Rewrite(told, TOPIC_CARRIED, previous.positions, LIKELY)
