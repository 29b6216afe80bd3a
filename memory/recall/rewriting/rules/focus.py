"""What a question is about by its form: "what is X?", "tell me more about X", "define X".

Such a question stands alone if X is a name, and "it" in the next one means X.
"""

import re
from collections.abc import Sequence

from memory.recall.rewriting.exchanges import LIKELY, REFERENCE_RESOLVED, Exchange, Rewrite
from memory.recall.rewriting.language.names import lone_name
from memory.recall.rewriting.language.questions import IT, ITS, THEIR, THEY, ReadQuestion
from memory.recall.rewriting.selection.placing import put
from memory.recall.talk.small_talk import small_talk
from memory.text.reading import ReadText, Token, rarity
from memory.text.words import words

LONGEST = 4  # words
# "What is a typical day like?" names nothing.
EMPTY = frozenset(["like"])
PLAIN = 8.0  # of rarity(): "new" and "wrong" say nothing of what is meant
RARE = 9.5  # and "what is tasksel" says it all, though it has no capital
ARTICLES = frozenset("the a an el la un una der die das ein eine".split())
DEFINITE = frozenset("the el la der die das".split())
INDEFINITE = frozenset("a an un una ein eine".split())

_FOCUS = re.compile(
    r"^\W*(?:(?:and|but|so|ok|okay|then|y|pero)\W+)*(?:"
    r"(?:(?P<who>who|quién|wer)|what|qué|was)(?:['’]s|\s+(?:is|was|es|era|fue|ist|war|bedeutet))"
    r"|(?P<about>(?:what|how) about|qué tal)"
    r"|(?:(?:can|could|would|will) you )?(?:please )?(?:tell me|say)(?: (?:some )?more)? about"
    r"|(?:more )?about|define|describe|explain"
    r"|háblame (?:más )?(?:de|sobre)|cuéntame (?:más )?(?:de|sobre)"
    r")\s+(?P<thing>[^\W_][^?.!,;:]{0,80}?)\W*$",
    re.IGNORECASE,
)


# "What does lpstat do?", "how does rrsync work?"
_DOES = re.compile(
    r"^\W*(?:(?:and|but|so|ok|okay|then)\W+)*(?:what|how) do(?:es)?\s+"
    r"(?P<thing>[^\W_][^?.!,;:]{0,80}?)\s+(?:do|mean|work|stand for)\W*$",
    re.IGNORECASE,
)
_HEARD = re.compile(
    r"\b(?:heard|read|learned|learnt|know|talk|hear) (?:a lot |a bit |much |more )?(?:about|of) "
    r"(?P<thing>[^.!?;:,]+)",
    re.IGNORECASE,
)
# Where one sentence of a question ends and the next begins.
_SENTENCE = re.compile(r"(?<=[.!?;:])\s+|\n+")
_AND_NOW = re.compile(r"^(?:(?:now|next|ok|okay|so|and|y|ahora)\W+)+|[.!?;:]+$", re.IGNORECASE)
# What one does with a thing that one brings up: "how do i print *a cheque*".
_A = r"(?:an?|my|our|some|any)"
_HELPS = r"(?:do|does|can|could|should|would|may|must|shall)"
_DONE_WITH = re.compile(
    rf"^\W*(?:(?:please|hey|hi)\W+)*(?:how|where|when)\s+(?:{_HELPS}|to)\s+"
    r"(?:(?:i|we|you|u|one|people)\s+)?(?:(?:have|need|ought|want) to\s+)?"
    rf"(?:[^\W\d_]+\s+){{1,2}}{_A}\s+[^\W_][^?.!,;:]{{1,80}}?\W*$",
    re.IGNORECASE,
)
# What is wanted by itself: "tell me *a joke about cats*", of so many words that say something.
_GIVE = re.compile(
    rf"^\W*(?:please\W+)?(?:tell|give|show|write|make|sing|find)\s+(?:(?:me|us)\s+)?{_A}\s+"
    r"(?P<told>[^\W_][^?.!,;:]{1,80}?)\W*$",
    re.IGNORECASE,
)
FEWEST_TOLD = 2
# "What time is it in Tokyo": "it" is nothing that was spoken of.
_IMPERSONAL = re.compile(
    r"^\W*(?:what (?:time|day|date|year|month) is it\b|is it (?:raining|snowing|sunny|windy|dark"
    r"|christmas|weekend|friday)\b|how (?:late|cold|hot|warm) is it (?:outside|today|in|there)\b)",
    re.IGNORECASE,
)
# "A second one", "some more", "an example": of what was spoken of.
_OF_WHAT_WAS_SAID = re.compile(
    r"\b(?:other|another|else|more|less|same|different|instead|too|also|either|both|first|second"
    r"|third|last|next|examples?|summary|list|table|few|there|then|so|such)\b",
    re.IGNORECASE,
)


def focus(query: str, *, opens: bool = False) -> str:
    """Return the thing that the form of the question says it is about, or nothing.

    "The treatment" is of something else that was said before, unless the question `opens` the
    session; only a name says by itself which one it is.
    """
    match = _FOCUS.match(query) or _DOES.match(query)
    if match is None:
        return ""
    tokens = ReadText(match.group("thing")).tokens
    article = tokens[0].word if tokens and tokens[0].word in ARTICLES else ""
    told = tokens[1:] if article else tokens
    if not told or len(told) > LONGEST or any(not each.stem or each.word in EMPTY for each in told):
        return ""
    named = any(_is_name(token) for token in told)
    asks = match.groupdict()
    needs_name = asks.get("who") or asks.get("about") or (article in DEFINITE and not opens)
    plain = not article and len(told) == 1 and rarity(told[0].word) < PLAIN
    return "" if not named and (needs_name or plain) else match.group("thing").strip()


def its_own_subject(question: ReadQuestion, exchanges: Sequence[Exchange]) -> Rewrite | None:
    """Leave a question alone that asks about a name and nothing else: "tell me more about TP53"."""
    told = ReadText(focus(question.text)).tokens
    names = [token for token in told if token.word not in ARTICLES]
    match = _FOCUS.match(question.text)
    if not names or (match and match.group("about")):
        return None
    # "The Christmas Lottery" may be that of a country that was named before.
    if told[0].word in INDEFINITE and any(rarity(token.word) > RARE for token in names):
        return Rewrite(question.text, "stands_alone")  # what it is in general
    known = told[0].word in DEFINITE
    if known or not all(_is_name(token) or rarity(token.word) > RARE for token in names):
        return None
    return Rewrite(question.text, "stands_alone")


def its_own_matter(question: ReadQuestion, exchanges: Sequence[Exchange]) -> Rewrite | None:
    """Leave a question alone that asks what somebody does with a thing that it brings up itself:
    "how do i print a cheque" is of a cheque, whatever was spoken of.
    """
    text = question.text
    if _IMPERSONAL.match(text):
        return Rewrite(text, "stands_alone", (), LIKELY)
    if question.has_pronoun or question.continues or _OF_WHAT_WAS_SAID.search(text):
        return None
    told = _GIVE.match(text)
    wanted = ReadText(told["told"]).stems if told else frozenset()
    if _DONE_WITH.match(text) or len(wanted) >= FEWEST_TOLD:
        return Rewrite(text, "stands_alone", (), LIKELY)
    return None


def its_own_antecedent(question: ReadQuestion, exchanges: Sequence[Exchange]) -> Rewrite | None:
    """Leave a question alone that says itself what its pronoun means.

    "Now tell me about TP53. What does it do?"
    """
    *before, last = _SENTENCE.split(question.text.strip())
    told = [_AND_NOW.sub("", sentence) for sentence in before]
    asks = (IT | ITS | THEY | THEIR | frozenset(["that"])).intersection(words(last))
    if (
        not asks
        or not any(map(_names, told))
        or any(ReadQuestion(each).has_pronoun for each in told)
    ):
        return None
    return Rewrite(question.text, "stands_alone")


def _names(sentence: str) -> bool:
    """Return whether the sentence says what is spoken of: "I have heard a lot about TP53"."""
    if small_talk(ReadText(sentence)):
        return False
    heard = _HEARD.search(sentence)
    return bool(
        lone_name(sentence) or focus(f"about {heard.group('thing')}" if heard else sentence)
    )


def meant_by_it(question: ReadQuestion, exchanges: Sequence[Exchange]) -> Rewrite | None:
    """Put what the newest question was about in the place of "it"."""
    pronoun = question.pronoun
    if pronoun is None or pronoun.word not in IT | ITS:
        return None
    for exchange in reversed(exchanges):
        thing = focus(exchange.query, opens=exchange is exchanges[0])
        if thing and _is_plural(thing):
            return None
        if thing:
            return Rewrite(put(question, thing), REFERENCE_RESOLVED, exchange.positions, LIKELY)
        if (IT | ITS).isdisjoint(exchange.question.words):
            return None
    return None


def _is_plural(thing: str) -> bool:
    last = ReadText(thing).tokens[-1]
    return not _is_name(last) and last.word.endswith("s") and not last.word.endswith(("ss", "is"))


def _is_name(token: Token) -> bool:
    # "BRCA1" is one however it is typed.
    return (
        token.capitals >= 2
        or any(letter.isdigit() for letter in token.text)
        or (token.capitals == 1 and token.start == 0)
    )
