"""What the question before was asked of, for one that leaves that out or calls it "he".

"Min age for president of india" is of the president, whatever names are quoted; "how many eggs"
after "how long do i bake banana bread" is of the bread.
"""

import re
from collections.abc import Sequence
from itertools import groupby, takewhile

from memory.recall.rewriting.about import behind
from memory.recall.rewriting.exchanges import (
    LIKELY,
    REFERENCE_RESOLVED,
    TOPIC_CARRIED,
    Exchange,
    Rewrite,
)
from memory.recall.rewriting.language.names import may_be_person, people_read
from memory.recall.rewriting.language.noun_phrases import HOW_MANY, names_nothing, the_verb
from memory.recall.rewriting.language.questions import HE, IT, ITS, SHE, ReadQuestion
from memory.recall.rewriting.rules.again import ANDS, asked_anew, asked_before
from memory.recall.rewriting.selection.phrases import is_plural
from memory.recall.rewriting.selection.placing import JOINING, put
from memory.text.reading import Token
from memory.text.words import stem

LOOKED_AT, MOST_THINGS = 4, 2  # exchanges, and things that one was asked of
# Who somebody is by what they do.
ROLES = frozenset(
    """president senator governor minister judge justice king queen emperor chancellor mayor speaker
    chair chairman chairwoman chairperson director manager secretary treasurer auditor trustee
    tenant landlord lodger lessee lessor buyer seller employee employer worker apprentice trainee
    intern contractor customer client patient doctor nurse surgeon pharmacist teacher student pupil
    author editor owner driver pilot captain officer inspector guardian parent member candidate
    applicant voter citizen lawyer attorney witness defendant""".split()
)
_ARTICLES = ("a", "an", "the")
_OWNS = re.compile(r"[^\W\d_]+(?:[’']s?)?$")
_WHO = re.compile(
    rf"^\W*(?:{ANDS}\W+)*(?:who|whose|whom"
    rf"|(?:which|what) (?:\w+ )?(?:{'|'.join(sorted(ROLES))}))\b",
    re.IGNORECASE,
)
_PLACED = r"(?:at|in|on|with|for|by|from|to|under|until|after|before)"
_THING = r"[^\W\d_]{2,30}(?: [^\W\d_]{2,30})?"
_WHAT = r"(?:what|which|how many|how much)"
_HOW_MANY = re.compile(
    rf"^\W*(?:{ANDS}\W+)*(?P<asks>how many|how much) (?P<thing>{_THING})\W*$", re.IGNORECASE
)
_AT_WHAT = re.compile(rf"^\W*(?:{ANDS}\W+)*(?P<asks>{_PLACED} {_WHAT} {_THING})\W*$", re.IGNORECASE)
# How, when or where it is, which another circumstance takes the place of.
_CIRCUMSTANCE = re.compile(
    rf"^(?:how(?: (?:long|often|far|soon|fast|hot))?|when|where|why|{_PLACED} {_WHAT} \w+)"
    r"(?= (?:do|does|did|is|are|was|were|can|could|should|must|may|will|would|has|have)\b)",
    re.IGNORECASE,
)
_NO_THING = re.compile(r"first|second|third|last|other|one|most|\w+est|\w+ly")
_NTH = re.compile(
    r"\bthe (?:first|second|third|(?:four|fif|six|seven|eigh|nin|ten)th|\w{3,12}teenth|\w{3,9}tieth"
    r"|\d{1,3}(?:st|nd|rd|th)) (?P<noun>[^\W\d_]{3,30})\b",
    re.IGNORECASE,
)
_COUNTED = re.compile(
    r"^how many (?P<noun>[^\W\d_]{3,30}) (?:is|are|was|were) (?!there\b)(?P<which>[^\W\d_]{3,30})$",
    re.IGNORECASE,
)


def whoever_it_is(question: ReadQuestion, exchanges: Sequence[Exchange]) -> Rewrite | None:
    """Put who was asked about by what they do in the place of "he": "the president of india"."""
    pronoun = question.pronoun
    if pronoun is None or pronoun.word not in HE | SHE:
        return None
    for exchange in reversed(exchanges[-LOOKED_AT:]):
        said = exchange.asked_alone
        if _WHO.match(exchange.asked) or any(map(may_be_person, people_read(said))):
            return None  # the answer says who, or the question did
        if role := _role(exchange):
            told = put(question, role)
            return Rewrite(told, REFERENCE_RESOLVED, exchange.positions, LIKELY)
    return None


def whatever_it_is(question: ReadQuestion, exchanges: Sequence[Exchange]) -> Rewrite | None:
    """Put in the place of "it" the one thing that the question before was of: "how long does the
    goulash have to stew".
    """
    pronoun, previous = question.pronoun, exchanges[-1]
    if pronoun is None or pronoun.word not in IT | ITS or previous.question.has_pronoun:
        return None
    if previous.searched != previous.query:  # what was left out there is nearer to the subject
        return None
    if not (thing := _subject(previous.asked_alone.tokens, previous.asked)):
        return None
    return Rewrite(put(question, thing), REFERENCE_RESOLVED, previous.positions, LIKELY)


def _subject(tokens: Sequence[Token], asked: str) -> str:
    """Return the subject of a question of how, when or where, if it has an article and a verb."""
    verb = the_verb(tokens)
    at = next((at for at, token in enumerate(tokens) if token.kind == "auxiliary"), 0)
    article = tokens[at + 1 : at + 2]
    if verb is None or not at or tokens[0].word not in ("how", "when", "where", "why"):
        return ""
    if not article or article[0].word not in _ARTICLES:
        return ""
    said = list(takewhile(lambda each: each is not verb and _joins(each), tokens[at + 2 :]))
    while said and not said[-1].stem:
        said.pop()
    if not said or _NO_THING.fullmatch(said[-1].word) or is_plural(said[-1]):
        return ""
    return f"the {asked[said[0].start : said[-1].end]}"


def _joins(token: Token) -> bool:
    return bool(token.stem) or token.word in JOINING


def _role(exchange: Exchange) -> str:
    """Return whom by their role the question was of; of one that a name answers, nothing."""
    tokens = exchange.asked_alone.tokens
    named = (token.word in ROLES and token.text.islower() for token in tokens)  # not "the Doctor"
    at = next((at for at, is_role in enumerate(named) if is_role), None)
    if at is None:
        return ""
    before = [token.word for token in tokens[max(0, at - 2) : at]]
    start = at - (len(before) == 2 and before[0] in _ARTICLES)  # "a *us* senator"
    end = at
    if [token.word for token in tokens[at + 1 : at + 2]] == ["of"]:
        end = _end_of_whom(tokens, at)
    is_known = "the" in before[-1:] and end == at
    if is_known and any(map(may_be_person, people_read(exchange.answer))):
        return ""
    told = exchange.asked[tokens[start].start : tokens[end].end]
    return f"the {told.removesuffix('’s').removesuffix('’')}"


def _end_of_whom(tokens: Sequence[Token], at: int) -> int:
    """Return where it ends of what somebody is something: "president of *the united states*"."""
    end, further = at, at + 2
    if further < len(tokens) and tokens[further].word in _ARTICLES:
        further += 1
    while further < len(tokens) and tokens[further].stem and _OWNS.match(tokens[further].text):
        end = further
        if not tokens[further].text.isalpha():
            break
        further += 1
    return end


def of_the_same(question: ReadQuestion, exchanges: Sequence[Exchange]) -> Rewrite | None:
    """Say of what "how many eggs" and "at what temperature" are asked, which have no verb."""
    previous = exchanges[-1]
    if previous.is_refused or any(token.capitals >= 2 for token in question.tokens):
        return None
    asked = asked_before(previous)
    if placed := _AT_WHAT.match(question.text):
        rest, count = _CIRCUMSTANCE.subn("", asked, count=1)
        return asked_anew(f"{placed['asks']}{rest}", previous) if count else None
    counted = _HOW_MANY.match(question.text)
    if not counted or not _is_thing(question, counted["asks"]):
        return None
    things = ", ".join(_things(asked)[-MOST_THINGS:]) or previous.about
    if not things:
        return None
    told = behind(question.text, things)
    return Rewrite(told, TOPIC_CARRIED, previous.positions, LIKELY)


def _is_thing(question: ReadQuestion, asks: str) -> bool:
    """Return whether nothing but a thing is behind what asks for it: "how many eggs"."""
    behind_it = question.text[question.text.find(asks) + len(asks) :]
    said = [token for token in ReadQuestion(behind_it).tokens if token.kind != "punctuation"]
    return bool(said) and all(token.stem and not names_nothing(token) for token in said)


def _things(asked: str) -> list[str]:
    """Return what a question is asked of: its nouns, without what it asks for."""
    text = _CIRCUMSTANCE.sub("how", asked)
    tokens = ReadQuestion(text).tokens
    verb = the_verb(tokens)

    def names(token: Token) -> bool:
        small = token.word in HOW_MANY or names_nothing(token)
        return bool(token.stem) and token is not verb and not small

    runs = [list(run) for is_name, run in groupby(tokens, names) if is_name]
    asks = {
        at for at, token in enumerate(tokens) if token.word in ("many", "much", "what", "which")
    }
    found = [run for run in runs if tokens.index(run[0]) - 1 not in asks]
    return [text[run[0].start : run[-1].end] for run in found]


def another_by_number(question: ReadQuestion, exchanges: Sequence[Exchange]) -> Rewrite | None:
    """Leave alone what names one by its number where another was looked for: "the fifth amendment"
    after "which amendment gave women the vote".
    """
    match = _NTH.search(question.text)
    if match is None or question.has_pronoun or question.continues:
        return None
    sought = re.search(r"\b(?:which|what) ([^\W\d_]{3,30})", exchanges[-1].searched, re.IGNORECASE)
    if sought is None or stem(sought[1].lower()) != stem(match["noun"].lower()):
        return None
    return Rewrite(question.text, "stands_alone", (), LIKELY)


def those_counted(question: ReadQuestion, exchanges: Sequence[Exchange]) -> Rewrite | None:
    """Put what was counted in the place of "that": the unpaid invoices."""
    pronoun, previous = question.pronoun, exchanges[-1]
    counted = _COUNTED.match(asked_before(previous))
    if counted is None or pronoun is None or pronoun.word not in ("that", "it", "they"):
        return None
    told = put(question, f"the {counted['which']} {counted['noun']}")
    return Rewrite(told, REFERENCE_RESOLVED, previous.positions, LIKELY)
