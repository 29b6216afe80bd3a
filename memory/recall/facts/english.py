"""What a person says of themselves, in English: where they live, what they use, what they like."""

import re
from collections.abc import Iterator

from memory.models.facts import FactKind
from memory.recall.facts.statements import (
    NUMBER,
    Learned,
    Row,
    compiled,
    first,
    key,
    rivals,
    tool,
    valued,
)
from memory.text.words import stem, words

# --- Building blocks ------------------------------------------------------------------------------

IM = r"(?:i'?m|i am|im)(?: now| currently| actually| also| still)?"
WERE = r"(?:we'?re|we are|i'?m|i am|im)(?: now| currently| still)?"
IVE = r"(?:i'?ve|i have|ive|i|we'?ve|we have|we)(?: just| recently| now)?"
WE = r"(?:we|i|our (?:team|company|department|office|group))(?: now| currently| all| mostly| only)?"
ISNT = r"(?:i'?m|i am|im) (?:no longer|not)"
DONT = r"(?:don'?t|do not|dont)"
# --- What is looked for ---------------------------------------------------------------------------

_FIELDS = (
    "(?:finance|marketing|sales|it|tech|law|hr|healthcare|health care"
    "|medicine|education|construction"
    r"|consulting|retail|insurance|banking|research|academia|engineering|government|procurement"
    r"|logistics|compliance|design|operations|accounting|(?:the )?[\w ]{2,30}"
    r"(?:department|team|industry|sector|field|business))"
)
_HEALTH = (
    "(?:diabetic|celiac|coeliac|lactose intolerant|gluten[- ]free|pregnant"
    "|dyslexic|colou?r[- ]?blind|deaf|blind|asthmatic)"
)
_DIET = r"(?:vegetarian|vegan|pescatarian|pescetarian|kosher|halal)"
_JOB = (
    r"(?:[\w-]+ ){0,2}(?:\w{2,}(?:er|or|ist|ian|ant|ect|eer|yst|ogue"
    "|man|woman)|nurse|chef|judge|clerk"
    "|lawyer|student|pilot|coach|nanny|dentist|vet|notary|paralegal"
    r"|intern|freelancer|trustee|midwife)\b"
)
_NO_JOB = (
    "(?:bit|little|fan|huge|lot|kind|sort|person|beginner|believer"
    "|member of|user|number|winner|loser|matter|member|customer of"
    "|danger|stranger|consumer under|creature)"
)
_OWNED = (
    "(?:manager|boss|wife|husband|partner|girlfriend|boyfriend|son"
    "|daughter|kid|dog|cat|car|company"
    "|team|employer|address|phone(?: number)?|e-?mail(?: address)?"
    "|birthday|city|country|time ?zone"
    "|currency|mother tongue|(?:native|first|mother|second) language"
    "|doctor|lawyer|accountant|landlord"
    r"|school|university|college|major|department|database|stack|framework|programming language"
    r"|operating system|laptop|phone|browser|editor|height|weight|blood type|project|client"
    r"|start date|launch date|due date|nationality|pronouns|surname|last name|first name|nickname"
    r"|team size|rent|income|mortgage|goal|target|working hours|office|job title|title|salary|role"
    r"|profession|occupation|job|hobby|religion|star sign|shoe size|insurance|bank|supplier)"
)
_UNSAID = (
    r"(?!(?:not|un\w+|wrong|broken|missing|late|angry|sick|ill|fine"
    "|ok|okay|good|bad|great|about|in|on"
    "|to|that|how|why|what|when|whether|very|too|so|really|quite|due"
    "|gone|mad|upset|still|also|always"
    r"|never|a (?:problem|mess|joke)|the (?:problem|issue|reason|one|same)|over|under|at|\w+ing)\b)"
)
_NAMED = r"[^\W\d_][\w'-]*(?: [^\W\d_][\w'-]*){0,2}"
_FACT, _LIKING = FactKind.FACT, FactKind.PREFERENCE


KEPT: list[Row] = [
    (
        _FACT,
        "home",
        "(?:i|we)(?: now| currently| still| both)? live (?:in|near|at|close to) (?P<v>.+)",
    ),
    (_FACT, "home", rf"{WERE}(?: based| living| located| settled)+ (?:in|near|at) (?P<v>.+)"),
    (
        _FACT,
        "home",
        rf"{IVE} (?:moved|relocated)(?: from [\w ]{{2,30}}?)?(?: back| over)?"
        " to (?P<v>.+)",
    ),
    (_FACT, "home", r"my home ?town is (?P<v>.+)"),
    (_FACT, "origin", rf"{IM}(?: originally)? from (?P<v>[^\W\d].+)"),
    (_FACT, "field", rf"(?:i|we)(?: now| currently)? work in (?P<v>{_FIELDS})\b"),
    (_FACT, "work:place", r"(?:i|we)(?: now| currently)? work (?:in|near|from) (?P<v>.+)"),
    (_FACT, "employer", r"i(?: now| currently)? work (?:for|at) (?P<v>.+)"),
    (_FACT, "employer", rf"{IM} (?:working|employed) (?:for|at|by) (?P<v>.+)"),
    (_FACT, "job", r"i(?: now| currently)? work as (?P<v>.+)"),
    (_FACT, "diet", rf"{IM} (?:an? )?(?:strict )?(?P<v>{_DIET})\b"),
    (_FACT, "job", rf"{IM} (?:an?|the) (?!{_NO_JOB}\b)(?P<v>{_JOB})"),
    (_FACT, "name", rf"my names? ?(?:'s|is)? (?!in\b|on\b|not\b|is\b)(?P<v>{_NAMED})$"),
    (_FACT, "name", rf"{IM} called (?P<v>{_NAMED})"),
    (
        _FACT,
        "name",
        "(?:please |pls |just )?call me (?!back|when|if|tomorrow|later"
        f"|at|on|a|an|crazy|old|maybe|mad)(?P<v>{_NAMED})",
    ),
    (_FACT, "age", rf"{IM} (?P<v>\d{{1,3}})(?: ?(?:years? old|yo|y/o|yrs? old))?(?: now)?\W*$"),
    (_FACT, "age", rf"{IVE} turned (?P<v>\d{{1,3}})\b"),
    (
        _FACT,
        "budget",
        r"(?:(?:my|our|the)(?: \w+)? )?budget(?: (?:is|was|will be|=)|:)?(?:"
        " now| set| about| around| of| at| up)?(?: (?:raised|cut|increased"
        f"|reduced|changed) to)? (?P<v>[€$£]?{NUMBER}.*)",
    ),
    (_FACT, "budget", rf"{IVE}(?: got)? a budget of(?: about| around)? (?P<v>.+)"),
    (
        _FACT,
        "deadline",
        "(?:my|our|the) deadline (?:is|was moved to|moved to|has moved"
        " to|got moved to)(?: now)? (?!the (?:problem|issue)|not|un)(?P<v>.+)",
    ),
    (_FACT, valued("allergy"), rf"{IM} (?:very |severely |highly )?allergic to (?P<v>.+)"),
    (_FACT, valued("health"), rf"{IM} (?:an? )?(?P<v>{_HEALTH})\b"),
    (
        _FACT,
        "marital",
        f"{IM} (?P<v>married|single|divorced|engaged|widowed|separated)(?!"
        r" to (?:this|the|that))\b",
    ),
    (
        _FACT,
        "kids",
        rf"{IVE}(?: got)? (?P<v>(?:an?|no|{NUMBER}\w*) (?:small |young |little"
        r" )?(?:kids?|child(?:ren)?|sons?|daughters?|bab(?:y|ies)))\b",
    ),
    (
        _FACT,
        valued("pet", lambda said: stem(words(said)[-1])),
        rf"{IVE}(?: got)? (?P<v>(?:an?|{NUMBER}\w*) (?:\w+ )?(?:dogs?|cats?"
        r"|horses?|rabbits?|parrots?|hamsters?))\b",
    ),
    (
        _FACT,
        valued("uses", tool),
        f"{WE} (?:uses?|runs?|works? with)(?: only| mainly)? (?!(?:it|this"
        "|that|the|a|an|these|those|them|our|your|my|some|to|his|her|its"
        r"|every)\b)(?P<v>.+)",
    ),
    (
        _FACT,
        valued("uses", tool),
        f"{WERE} (?:using|running|on) (?!(?:it|this|that|the|a|an|these"
        "|those|them|our|your|my|some|to|page|track|holiday|time|board"
        r"|hold)\b)(?P<v>[^\W\d_]+(?: [\w.]+)?)",
    ),
    (
        _FACT,
        valued("uses", tool),
        f"{IVE} (?:switched|migrated|upgraded|changed|moved over)(?: from"
        rf" [\w. ]{{2,30}}?)? to (?!the\b|a\b|an\b|this\b)(?P<v>.+)",
    ),
    (
        _LIKING,
        lambda match: f"favourite:{key(match['s'])}",
        r"my (?:fav|favou?rite|preferred) (?P<s>\w+(?: \w+)?) (?:is|are)"
        r" (?!not\b|in\b)(?P<v>.+)",
    ),
    (
        _FACT,
        lambda match: f"my:{key(match['s'])}",
        f"(?:my|our) (?P<s>{_OWNED})(?:(?:'s)? name)? (?:is|are|has changed"
        f" to|changed to)(?: now)?(?: called| named)? {_UNSAID}(?P<v>.+)",
    ),
    (
        _FACT,
        valued("speaks"),
        r"i(?: also)? speak (?!to\b|with\b|for\b|about\b|from\b)(?P<v>[^\W\d_]+)",
    ),
    (
        _LIKING,
        rivals,
        r"i(?: really| much| strongly| generally| usually)? prefer (?P<v>[\w' -]+?)"
        " (?:over|to|rather than|instead of) (?P<w>.+)",
    ),
    (
        _LIKING,
        valued("likes"),
        r"i(?: really| much| generally| usually)? prefer (?!not\b)(?P<v>.+)",
    ),
    (
        _LIKING,
        valued("likes"),
        "i(?: really| just| absolutely| also)? (?:like|love|enjoy|adore"
        "|hate|dislike|detest|avoid) (?P<v>.+)",
    ),
    (
        _LIKING,
        valued("likes"),
        f"i(?: really| just)? (?:can'?t stand|cannot stand|{DONT}(?: really)?"
        " (?:like|enjoy|love)) (?P<v>.+)",
    ),
    (
        _LIKING,
        valued("likes"),
        f"{IM}(?: not)?(?: really| very)?(?: an?)?(?: big| huge)? (?:fan"
        " of|into|keen on|fond of) (?P<v>.+)",
    ),
]
ENDED: list[Row] = [
    (_FACT, "home", rf"i (?:{DONT} live|no longer live|stopped living) (?:in|near|at) (?P<v>.+)"),
    (_FACT, "work:place", rf"i (?:{DONT} work|no longer work) (?:in|from) (?P<v>.+)"),
    (_FACT, "employer", rf"i (?:{DONT} work|no longer work) (?:for|at) (?P<v>.+)"),
    (_FACT, "job", rf"(?:i'?m|i am|im) no longer (?:an? )?(?P<v>{_JOB})"),
    (_FACT, "diet", rf"{ISNT} (?:an? )?(?P<v>{_DIET})(?: any ?more| any longer)"),
    (_FACT, "diet", rf"(?:i'?m|i am|im) no longer (?:an? )?(?P<v>{_DIET})"),
    (_FACT, valued("allergy"), r"(?:i'?m|i am|im) no longer allergic to (?P<v>.+)"),
    (_FACT, valued("uses", tool), r"(?:we|i) (?:no longer use|stopped using) (?P<v>.+)"),
    (_FACT, valued("uses", tool), rf"(?:we|i) {DONT} use (?P<v>.+?) any ?(?:more|longer)"),
    (
        _FACT,
        valued("uses", tool),
        rf"{IVE} (?:switched|migrated|changed) from (?P<v>[\w. ]{{2,30}}?)"
        " to [a-z].+",
    ),
]
# What was said once, and is over at once: "anymore" belongs to what is taken back.
_OVER = re.compile(r"\b(?:any ?more|any longer|no longer|used to|not)\b|n't\b", re.IGNORECASE)


_KEPT, _ENDED = compiled(KEPT), compiled(ENDED)


def english_statements(clause: str) -> Iterator[Learned]:
    """Yield what a clause says of its person: what ends first, then what begins."""
    over = first(_ENDED, clause, ends=True)
    if over:
        yield over
    kept = first(_KEPT, clause)
    if kept and not (over and kept.subject == over.subject) and not _is_over(kept):
        yield kept


def _is_over(kept: Learned) -> bool:
    """Tell whether what looks like a statement denies it; a dislike is one that says "not"."""
    return kept.kind == FactKind.FACT and bool(_OVER.search(kept.text))
