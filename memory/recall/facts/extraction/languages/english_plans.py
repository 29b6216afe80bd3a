"""What a person says of their budget and their deadline, in English, and of how these changed."""

from memory.recall.facts.extraction.languages.english_words import IVE, MOVED
from memory.recall.facts.extraction.statements import NUMBER, Row

PLANS: list[Row] = [
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
]
PLANS_ENDED: list[Row] = [
    (
        "budget",
        r"(?:my|our|the) budget (?:is no longer|isn'?t|is not) (?!.*\bbut\b)(?P<v>[€$£]?\d.*?)(?:"
        r" any ?more| any longer)?$",
    )
]
