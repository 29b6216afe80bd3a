"""A question's features for relevance, by its wording alone."""

import re
from dataclasses import dataclass
from functools import cached_property

from memory.recall.index.messages import MONTHS
from memory.text.words import extract_terms, split_words

WHEN = re.compile(
    r"^\W*(?:when|how long|what (?:date|day|month|year|time))\b"
    r"|\b(?:which|what) (?:year|month|day|date)\b",
    re.IGNORECASE,
)
YEAR = re.compile(r"(?:19|20)\d\d")
# A request for advice, where meaning decides: preferences are worded unlike the question.
ADVICE = re.compile(
    r"\b(?:recommend\w*|suggest\w*|advice|advise|tips?|ideas?|options?|some good|help me|any good"
    r"|what are some|best (?:way|place)s?|(?:should|could) i|how (?:can|do|should|would) i"
    r"|can you (?:help|give|share|provide)|where can i|what (?:kinds?|types?|sorts?) of"
    r"|i'm (?:looking|planning|thinking|trying|preparing|considering|interested|working)"
    r"|recom(?:ienda|endar|iéndame)\w*|sugier\w*|suger\w*|consejos?|aconsej\w*|debería|ayúda\w*"
    r"|qué opciones|cómo puedo|estoy (?:buscando|pensando|planeando))\b",
    re.IGNORECASE,
)
# A question about the older of two values.
FORMER = re.compile(
    r"\b(?:ever|first|initially|originally|earlier|before|previous(?:ly)?|used to|between|last time"
    r"|antes|primero)\b",
    re.IGNORECASE,
)
# A question about the past, unless it asks for the latest value.
PAST = re.compile(
    r"\b(?:did|was|were|had|mention(?:ed)?|said|say|told|dij[eo]|dijiste|mencion\w*|era|eran|fue"
    r"|fueron|hab[ií]a\w*)\b",
    re.IGNORECASE,
)
NEWEST = re.compile(
    r"\b(?:(?:most )?recent(?:ly)?|latest|newest|current(?:ly)?|right now|at the moment|these days"
    r"|by now|so far|up to now|last|recientes?|recientemente|últim[oa]s?|actual(?:es|mente)?"
    r"|ahora)\b",
    re.IGNORECASE,
)
# A question about earlier statements or about a personal value.
OF_WHAT_WAS = re.compile(
    r"\b(?:did (?:i|you|we)|(?:i|we|you) (?:mention|said|say|told|tell|ask)\w*|have i|had i"
    r"|i(?:'ve| have) been|(?:was|were) (?:i|we)|our|last time|before|earlier|previously"
    r"|when (?:was|is|did)|how (?:many|much|long|often)|te dije|mencioné|dijimos|hablamos|antes"
    r"|cuánt[oa]s?|cuándo)\b",
    re.IGNORECASE,
)
OF_ANSWERS = re.compile(
    r"\b(?:(?:did|have|had) you|you(?:'ve| have)? (?:said|told|gave|given|recommended|suggested"
    r"|mentioned|explained|answered|listed)|your (?:answers?|advice|suggestions?|recommendations?"
    r"|explanations?|summary)|(?:me )?(?:dijiste|recomendaste|sugeriste|explicaste)"
    r"|tu (?:respuesta|consejo|recomendación|explicación))\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class RelevanceQuestion:
    """A question's features for relevance."""

    query: str

    @cached_property
    def terms(self) -> list[str]:
        return list(dict.fromkeys(extract_terms(self.query)))

    @cached_property
    def words(self) -> list[str]:
        return split_words(self.query)

    @property
    def wants_time(self) -> bool:
        return WHEN.search(self.query) is not None

    @cached_property
    def wants_advice(self) -> bool:
        return ADVICE.search(self.query) is not None

    @property
    def wants_what_was(self) -> bool:
        """Whether it is about something said or done, rather than about something new."""
        return OF_WHAT_WAS.search(self.query) is not None

    @property
    def wants_answers(self) -> bool:
        """Whether it is about earlier answers, rather than about the person's words."""
        return OF_ANSWERS.search(self.query) is not None

    @property
    def wants_what_is(self) -> bool:
        """Whether it asks for a present state: of two values, the newer one is meant."""
        if self.wants_advice or FORMER.search(self.query):
            return False
        return NEWEST.search(self.query) is not None or PAST.search(self.query) is None

    @property
    def months(self) -> list[int]:
        return [MONTHS.index(word) + 1 for word in self.words if word in MONTHS]

    @property
    def years(self) -> list[int]:
        return [int(word) for word in self.words if YEAR.fullmatch(word)]

    @property
    def days(self) -> list[int]:
        """Days of the month, if a month is named."""
        numbers = [int(word) for word in self.words if re.fullmatch(r"[0-3]?\d", word)]
        return [number for number in numbers if 1 <= number <= 31] if self.months else []
