"""What a person says of themselves, in English: where they live, what they use, what they like."""

import re
from collections.abc import Iterator
from dataclasses import replace

from memory.models.facts import FactKind
from memory.recall.facts.extraction.languages.english_words import (
    DEVICE,
    DIET,
    DO,
    DONT,
    FIELDS,
    HEALTH,
    ILLNESS,
    IM,
    ISNT,
    IVE,
    JOB,
    LATELY,
    MOVED,
    NATION,
    NO_JOB,
    OWNED,
    STANDING,
    UNSAID,
    WE,
    WERE,
)
from memory.recall.facts.extraction.statements import (
    NUMBER,
    Learned,
    Row,
    first,
    named,
    rivals,
    tool,
    valued,
)
from memory.text.words import stem, words

_NAMED = r"[^\W\d_][\w'-]*(?: [^\W\d_][\w'-]*){0,2}"


KEPT: list[Row] = [
    ("home", rf"{DO} live (?:in|near|at|close to) (?P<v>.+)"),
    (
        "home",
        rf"(?:{WERE}|currently|now|still)(?: based| living| located| settled)+"
        r" (?:in|near|at|out of) (?P<v>.+)",
    ),
    (
        "home",
        rf"{LATELY}(?:moved|relocated)(?: from [\w ]{{2,30}}?)?(?: back)?"
        r" to (?!the\b|page|section|chapter)(?P<v>.+)",
    ),
    ("home", r"my home ?town is (?P<v>.+)"),
    ("origin", rf"{IM}(?: originally)? from (?P<v>[^\W\d].+)"),
    ("origin", rf"{IM} (?:an? )?(?P<v>{NATION})(?=\W*$|,| and\b)"),
    ("field", rf"{DO} work in (?P<v>{FIELDS})\b"),
    ("work:place", rf"{DO} work (?:in|near|from) (?P<v>.+)"),
    ("employer", rf"{DO} work (?:for|at) (?P<v>.+)"),
    ("employer", rf"(?:{WERE}|currently|now) (?:working|employed) (?:for|at|by|with) (?P<v>.+)"),
    (
        "employer",
        rf"{LATELY}(?:started|began) (?:work(?:ing)?|an? (?:\w+ )?job) (?:at|for|with) (?P<v>.+)",
    ),
    ("employer", rf"{LATELY}(?:got|took) an? (?:\w+ )?job (?:at|for|with) (?P<v>.+)"),
    (
        "job",
        rf"(?:{DO} (?:work|freelance)|{IM} (?:working|employed|training))(?: there"
        rf"| here)? as (?P<v>.+)",
    ),
    (
        "job",
        rf"{LATELY}(?:started|got|took|began)(?: work(?:ing)?| an? (?:\w+ )?job"
        rf"| hired) as (?P<v>.+)",
    ),
    ("job", rf"(?:{IM}|currently|now) (?P<v>{STANDING})(?=\W*$|,| and\b| now\b| since\b)"),
    (
        "diet",
        rf"(?:{IM}|(?:i'?ve|i have) been|{LATELY}(?:became|become|gone|went|turned)|i eat)"
        rf" (?:an? )?(?:strict(?:ly)? )?(?P<v>{DIET})\b",
    ),
    ("job", rf"{IM} (?:an?|the) (?!{NO_JOB}\b)(?P<v>{JOB})"),
    ("job", rf"(?:as|being) an? (?!{NO_JOB}\b)(?P<v>{JOB})(?:,? (?=(?:i|my|we)\b)|$)"),
    (
        "name",
        rf"my names? ?(?:'s|is)? (?!in\b|on\b|not\b|is\b)(?P<v>{_NAMED}?)"
        "(?:,? (?:by the way|btw))?$",
    ),
    ("name", rf"{IM} called (?P<v>{_NAMED})"),
    (
        "name",
        "(?:please |pls |just )?call me (?!back|when|if|tomorrow|later"
        f"|at|on|a|an|crazy|old|maybe|mad)(?P<v>{_NAMED})",
    ),
    ("age", rf"{IM} (?P<v>\d{{1,3}})(?: ?(?:years? old|yo|y/o|yrs? old)\b|(?: now)?(?:\W*$|,))"),
    ("age", r"(?P<v>\d{2}) ?(?:years? old|yo|y/o|yrs? old)\b"),
    ("age", rf"{LATELY}turned (?P<v>\d{{2,3}})\b"),
    (
        "budget",
        r"(?:(?:my|our|the)(?: \w+)? )?budget(?: (?:is|was|will be|=)|:)?(?: now| set| about"
        r"| around| of| at| up)?(?:(?: has| was| got)? (?:raised|cut|increased|gone up|went up"
        r"|went down|gone down|dropped|grew|reduced|changed)(?: from [^?]{1,30}?)?"
        f" to)? (?P<v>[€$£]?{NUMBER}.*)",
    ),
    (
        "budget",
        f"(?:my|our|the) (?:\\w+ )?budget (?:has been|had been|was|got|is being) {MOVED}(?: up|"
        rf" down)?(?: from [^?]{{1,30}}?)? (?:to|at) (?P<v>[€$£]?{NUMBER}.*)",
    ),
    (
        "budget",
        f"(?:{IVE}|they(?:'ve| have)?|my boss(?: has)?) {MOVED} (?:my|our|the) (?:\\w+ )?budget"
        f"(?: up| down)?(?: from [^?]{{1,30}}?)? (?:to|at) (?P<v>[€$£]?{NUMBER}.*)",
    ),
    (
        "budget",
        f"(?:my|our|the) budget (?:is no longer|isn'?t) [^?]{{1,30}}?(?: any ?more)?,? but(?: now)?"
        f" (?P<v>[€$£]?{NUMBER}.*)",
    ),
    (
        "budget",
        f"(?:{IVE}(?: have| got)?|there'?s(?: now)?) an? (?:\\w+ )?budget of(?: about| around| up"
        r" to)? (?P<v>.+)",
    ),
    ("budget", f"{IVE}(?: have| got)? (?P<v>[€$£]?{NUMBER}[^?]{{0,30}}?) to spend\\b"),
    (
        "budget",
        "(?:i|we) can (?:now )?(?:only )?(?:spend|afford)(?: up to| at most| no more than| about)?"
        f" (?P<v>(?:[€$£] ?\\d|{NUMBER}[^?]{{0,20}}?(?:k|million|thousand|euros?|dollars?|pounds?"
        r"|francs?|eur|usd|chf)\b).*)",
    ),
    (
        "deadline",
        "(?:my|our|the) deadline (?:is|was moved to|moved to|has moved"
        " to|got moved to|changed to|slipped to)(?: now)? (?!the (?:problem|issue)|not"
        "|un)(?P<v>.+)",
    ),
    (
        "deadline",
        "(?:my|our|the) deadline (?:has been|was|got) (?:moved|extended|postponed|pushed(?: back)?"
        "|brought forward|changed|shifted)(?: from [^?]{1,30}?)? (?:to|until|till) (?P<v>.+)",
    ),
    (
        "deadline",
        f"{IVE} (?:moved|extended|postponed|pushed(?: back)?|brought forward|changed) (?:my|our"
        "|the) deadline(?: from [^?]{1,30}?)? (?:to|until|till) (?P<v>.+)",
    ),
    (
        named("my"),
        f"{IVE} (?:changed|moved|switched|renamed|updated) (?:my|our) (?P<s>{OWNED})"
        "(?: name)?(?: from [^?]{1,30}?)? to (?!the (?:next|other)\\b|a (?:new"
        "|different)\\b)(?P<v>.+)",
    ),
    (valued("allergy"), rf"(?:{IM} (?:\w+ )?allergic to|{IVE} an? (?:\w+ )?allergy to) (?P<v>.+)"),
    (valued("allergy"), rf"{IVE}(?: got)? an? (?:bad |severe )?(?P<v>\w+) allergy\b"),
    (valued("health"), rf"{IM} (?:an? )?(?P<v>{HEALTH})\b"),
    (valued("health"), rf"{IVE}(?: got| get| suffer from)? (?P<v>{ILLNESS})\b"),
    (valued("health"), r"i(?:'?ve been| have been| was| got) diagnosed with (?P<v>.+)"),
    (
        "marital",
        f"(?:{IM}|{LATELY}got) (?P<v>married|single|divorced|engaged|widowed|separated)(?!"
        r" to (?:this|the|that))\b",
    ),
    (
        "kids",
        rf"(?:{IVE}(?: got)?|got) (?P<v>(?:an?|no|{NUMBER}\w*) (?:small |young |little"
        r" )?(?:kids?|child(?:ren)?|sons?|daughters?|bab(?:y|ies)))\b",
    ),
    (
        valued("pet", lambda said: stem(words(said)[-1])),
        rf"(?:{IVE}(?: got)?|got) (?P<v>(?:an?|{NUMBER}\w*) (?:\w+ )?(?:dogs?|cats?"
        r"|horses?|rabbits?|parrots?|hamsters?))\b",
    ),
    (
        valued("uses", tool),
        f"{WE} (?:uses?|runs?|works? with)(?: only| mainly)? (?!(?:it|this"
        "|that|the|a|an|these|those|them|our|your|my|some|to|his|her|its"
        r"|every|into|out|away|in|on|over|through|for|from|off|up|down|by)\b)(?P<v>.+)",
    ),
    (
        valued("uses", tool),
        f"{WERE} (?:using|running|on) (?!(?:it|this|that|the|a|an|these"
        "|those|them|our|your|my|some|to|page|track|holiday|time|board"
        r"|hold)\b)(?P<v>[^\W\d_]+(?: [\w.]+)?)",
    ),
    (
        valued("uses", tool),
        f"{LATELY}(?:switched|migrated|upgraded|changed|moved over)(?: from"
        rf" [\w. ]{{2,30}}?)? to (?!the\b|a\b|an\b|this\b)(?P<v>.+)",
    ),
    (valued("uses", tool), rf"{WERE} on (?:an? )?(?P<v>{DEVICE})\b"),
    (valued("uses", tool), rf"{IVE}(?: got)? an? (?:\w+ )?(?P<v>{DEVICE})\b"),
    (
        named("favourite"),
        r"my (?:fav|favou?rite|preferred) (?P<s>\w+(?: \w+)?) (?:is|are) (?!not\b|in\b)(?P<v>.+)",
    ),
    (
        named("my"),
        f"(?:my|our) (?P<s>{OWNED})(?:(?:(?:'?s)? name)? (?:is|are|has changed"
        f" to|changed to)(?: now)?(?: called| named)?|'?s (?:called|named)) {UNSAID}(?P<v>.+)",
    ),
    (valued("speaks"), r"i(?: also)? speak (?!to\b|with\b|for\b|about\b|from\b)(?P<v>[^\W\d_]+)"),
    (
        rivals,
        r"i(?: really| much| strongly| generally| usually)? prefer (?P<v>[\w' -]+?)"
        " (?:over|to|rather than|instead of) (?P<w>.+)",
    ),
    (valued("likes"), r"i(?: really| much| generally| usually)? prefer (?!not\b)(?P<v>.+)"),
    (
        valued("likes"),
        "i(?: really| just| absolutely| also)? (?:like|love|enjoy|adore"
        "|hate|dislike|detest|avoid) (?P<v>.+)",
    ),
    (
        valued("likes"),
        f"i(?: really| just)? (?:can'?t stand|cannot stand|{DONT}(?: really)?"
        f" (?:like|enjoy|love|eat|drink)|(?:never|can'?t) (?:eat|drink)) (?P<v>.+)",
    ),
    (
        valued("likes"),
        f"{IM}(?: not)?(?: really| very)?(?: an?)?(?: big| huge)? (?:fan"
        " of|into|keen on|fond of) (?P<v>.+)",
    ),
]
ENDED: list[Row] = [
    ("home", rf"i (?:{DONT} live|no longer live|stopped living) (?:in|near|at) (?P<v>.+)"),
    ("work:place", rf"i (?:{DONT} work|no longer work) (?:in|from) (?P<v>.+)"),
    ("employer", rf"i (?:{DONT} work|no longer work) (?:for|at) (?P<v>.+)"),
    ("employer", rf"{LATELY}(?:quit|left|lost)(?: my)? job (?:at|with) (?P<v>.+)"),
    ("home", rf"{LATELY}moved (?:away|out) (?:from|of) (?P<v>[^\W\d_].*)"),
    ("home", rf"{LATELY}left (?P<v>(?-i:[A-ZÀ-Ý]).*)"),
    (
        "budget",
        r"(?:my|our|the) budget (?:is no longer|isn'?t|is not) (?!.*\bbut\b)(?P<v>[€$£]?\d.*?)(?:"
        r" any ?more| any longer)?$",
    ),
    ("job", rf"(?:i'?m|i am) no longer (?:an? )?(?P<v>{JOB})"),
    ("diet", rf"{ISNT} (?:an? )?(?P<v>{DIET})(?: any ?more| any longer)"),
    (
        "diet",
        rf"(?:(?:i'?m|i am) no longer|{IVE} (?:stopped|quit|given up|gave up) being)"
        rf" (?:an? )?(?P<v>{DIET})",
    ),
    (valued("allergy"), r"(?:i'?m|i am) no longer allergic to (?P<v>.+)"),
    (valued("uses", tool), r"(?:we|i) (?:no longer use|stopped using) (?P<v>.+)"),
    (valued("uses", tool), rf"(?:we|i) {DONT} use (?P<v>.+?) any ?(?:more|longer)"),
    (
        valued("uses", tool),
        rf"{LATELY}(?:switched|migrated|changed) from (?P<v>[\w. ]{{2,30}}?) to [a-z].+",
    ),
]
_LEFT = re.compile(r"\bleft \S+$", re.IGNORECASE)
# What was said once, and is over at once: "anymore" belongs to what is taken back.
_OVER = re.compile(r"\b(?:any ?more|any longer|no longer|used to|not)\b|n't\b", re.IGNORECASE)


def english_statements(clause: str) -> Iterator[Learned]:
    """Yield what a clause says of its person: what ends first, then what begins."""
    over = first(ENDED, clause, ends=True)
    if over:
        yield over
        if over.subject == "home" and _LEFT.search(over.text):  # a city, or a company
            yield replace(over, subject="employer")
    kept = first(KEPT, clause)
    if kept and not (over and kept.subject == over.subject) and not _is_over(kept):
        yield kept


def _is_over(kept: Learned) -> bool:
    """Return whether what looks like a statement denies it; a dislike is one that says "not"."""
    is_corrected = re.search(r"\bbut\b", kept.text, re.IGNORECASE)
    return kept.kind == FactKind.FACT and not is_corrected and bool(_OVER.search(kept.text))
