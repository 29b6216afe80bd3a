"""Leads: what says that something follows, and where that ends: a list, code, steps, a line."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from chat.quoting.kinds.wordings import PURPOSE, STEP, WAY
from chat.quoting.spans.lists import (
    MOST_OF_LIST,
    MOST_OF_ONE,
    below_title,
    branch,
    code_end,
    siblings,
    word_count,
)
from citations.retrieval.units import UnitForm

if TYPE_CHECKING:
    from chat.quoting.spans import ScoredUnit

# Sentences within which a step is told, behind the one that says what can be done.
SOON = 3
# Words of a line that a sentence without an end leads to.
SHORT_LINE = 40
LEADS = re.compile(r"[:：]\s*$")
# "The following are required.", where a list or code follows.
FOLLOWING = re.compile(
    r"\b(?:following|as follows|(?:see|shown|listed|given) below|(?:in|under) (?:these|such) cases"
    r"|these (?:steps|commands|conditions|rules|reasons|options)|folgende[mnrs]?|siguientes?"
    r"|suivante?s?)\b[^.]{0,80}\.?\s*$",
    re.IGNORECASE,
)
# "…, execute the command", and what then stands alone as code or on a line of its own.
INTRODUCES = re.compile(r"[^\W_]\s*$")
# What goes through steps, one after the other.
COUNTS = re.compile(
    r"\b(?:first(?:ly)?|second(?:ly)?|third(?:ly)?|fourth|fifth|next|then|finally|final|last(?:ly)?"
    r"|another|the other|one|primer[oa]?|segund[oa]|tercer[oa]?|luego|erste[nrs]?|zweite[nrs]?"
    r"|dritte[nrs]?|dann|schließlich|premi[eè]re?|deuxième|troisième|puis|enfin)\b",
    re.IGNORECASE,
)
# What takes back a part of what the sentence before says: without it that one is wrong.
EXCEPTS = re.compile(
    r"^\W*(?:however|unless|except|but|nevertheless|nonetheless|notwithstanding|provided,? that"
    r"|this (?:does not|doesn['’]t|is not|shall not|rule does not|limit does not)"
    r"|(?:the (?:only )?)?exceptions?|jedoch|allerdings|es sei denn|außer|ausgenommen|ausnahmen?"
    r"|dies gilt nicht|sin embargo|salvo|excepto|a menos que|no obstante|toutefois|cependant|sauf"
    r"|à moins que)\b",
    re.IGNORECASE,
)
# What begins the next of several steps that are told in sentences.
NEXT_STEP = re.compile(
    r"^\W*(?:next|then|now|after (?:that|this|the)|afterwards?|finally|lastly|once|second(?:ly)?"
    r"|third(?:ly)?|luego|después|ahora|finalmente|dann|danach|anschließend|jetzt|nun|zuletzt"
    r"|schließlich|ensuite|puis|après|maintenant|enfin)\b",
    re.IGNORECASE,
)
# What speaks of the list or the code right before it: "This will remove the password."
OF_BEFORE = re.compile(
    r"^\W*(?:this|these|dies(?:e[rs]?)?|das|damit|est[oa]s?|eso|con esto|cela|ceci)\b",
    re.IGNORECASE,
)


def announces_what_follows(text: str) -> bool:
    """Return whether a text says that a list or code follows it."""
    return bool(LEADS.search(text) or FOLLOWING.search(text))


def led_to(row: "Sequence[ScoredUnit]", first: int, last: int) -> int:
    """Return where what the last unit leads to ends, if it leads to something that is not too long:
    a list, code, a line, or what is under an item.
    """
    end, ahead = last, below_title(row, last + 1)
    form = row[ahead].unit.form if ahead < len(row) else UnitForm.ABOVE
    leads = announces_what_follows(row[last].text)
    if row[last].unit.form is UnitForm.ITEM and form is UnitForm.ITEM and ahead == last + 1:
        end = branch(row, last)
    elif leads and form is UnitForm.ITEM:
        end = siblings(row, ahead, whole=True)[1]
    elif leads and form is UnitForm.CODE:
        end = code_end(row, ahead)
    elif ahead == last + 1 and is_left_open(row, last):
        end = ahead
    return end if word_count(row, first, end) <= most_led_to(form) else last


def most_led_to(form: UnitForm) -> int:
    return MOST_OF_LIST if form is UnitForm.ITEM else MOST_OF_ONE


def is_left_open(row: "Sequence[ScoredUnit]", at: int) -> bool:
    """Return whether a sentence ends without an end, above a line that it leads to."""
    here, *below = row[at : at + 2]
    if not below or not here.unit.form is below[0].unit.form is UnitForm.SENTENCE:
        return False
    is_open = LEADS.search(here.text) or INTRODUCES.search(here.text)
    is_other = below[0].unit.block != here.unit.block
    return bool(is_open) and is_other and word_count(row, at + 1, at + 1) <= SHORT_LINE


def how_it_is_done(row: "Sequence[ScoredUnit]", first: int, last: int) -> int:
    """Return where the code or the steps end that a sentence leads to, or else where what soon
    behind it tells how it is done does.
    """
    words = word_count(row, first, last)
    soon = last + SOON
    for at in range(last + 1, len(row)):
        form = row[at].unit.form
        words += len(row[at].text.split())
        if form is UnitForm.ABOVE or at > soon + 1 or words > MOST_OF_ONE:
            break
        if form is UnitForm.CODE:
            return next_steps(row, first, at)
        if form is UnitForm.ITEM:
            return siblings(row, at, whole=True)[1]
        if at <= soon and tells_how(row[at].text):
            last = at
    return last


def next_steps(row: "Sequence[ScoredUnit]", first: int, last: int) -> int:
    """Return where the steps end that go on behind code, each a sentence or two with its code:
    "Next, initialize your project by typing:".
    """
    reached = last
    for at in range(last + 1, len(row)):
        unit = row[at].unit
        begins = at == reached + 1
        is_step = unit.form is UnitForm.CODE or (
            unit.form is UnitForm.SENTENCE
            and (not begins or NEXT_STEP.match(row[at].text))
            and at <= reached + SOON
        )
        if not is_step or word_count(row, first, at) > MOST_OF_LIST:
            break
        if unit.form is UnitForm.CODE:
            reached = at
    return reached


def told_before(row: "Sequence[ScoredUnit]", at: int) -> int:
    """Return where the list or the code begins, with its lead, that a sentence right behind it
    speaks of, if it is not too long; or where the sentence stands.
    """
    if not OF_BEFORE.match(row[at].text):
        return at
    first = at
    while first and (
        row[first - 1].unit.form in (UnitForm.ITEM, UnitForm.CODE)
        or (row[first - 1].unit.form is UnitForm.SENTENCE and LEADS.search(row[first - 1].text))
    ):
        first -= 1
    is_led = LEADS.search(row[first].text) is not None
    return first if is_led and word_count(row, first, at) <= MOST_OF_LIST else at


def excepted(row: "Sequence[ScoredUnit]", first: int, last: int) -> int:
    """Return where the exceptions end that a sentence is followed by in its paragraph or at the
    beginning of the next, if they are not too long.
    """
    end = last
    while end + 1 < len(row) and EXCEPTS.match(row[end + 1].text):
        if row[end + 1].unit.form is not UnitForm.SENTENCE:
            break
        end += 1
    return end if word_count(row, first, end) <= MOST_OF_ONE else last


def tells_how(text: str) -> bool:
    """Return whether a sentence says what is to be done, or what for."""
    return any(pattern.search(text) for pattern in (STEP, PURPOSE, WAY))
