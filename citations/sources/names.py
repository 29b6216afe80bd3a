"""Names of people and organisations in CSL-JSON."""

import re
from typing import TypedDict

# Signs and words of organisations' names in the four languages; such names have no family name.
ORGANISATION = re.compile(
    r"[&@\d]| [-–—] |\b(?:of|the|for|and|für|agency|agencia|agence|agentur|association"
    r"|authority|bank|banco|banque|behörde|biblioteca|bibliothek|bibliothèque|bundesamt"
    r"|cent(?:er|re)|centro|college|comisión|commission|committee|company|consortium"
    r"|corp(?:oration)?|council|consejo|conseil|department|departamento|département"
    r"|foundation|fundación|fondation|gmbh|group|grupo|groupe|inc|institut[eo]?|kommission"
    r"|laborator(?:y|ies)|library|llc|ltd|ministerio|minist(?:ry|ère)|ministerium|office"
    r"|organi[sz]a(?:tion|ción)|organisation|programme|project|proyecto|projet|services"
    r"|sociedad|société|society|software|solutions|stiftung|systems|team|technologies|union"
    r"|universi(?:ty|dad|té|tät)|verband|verein|working)\b",
    re.IGNORECASE,
)
PARTICLES = frozenset(
    "af al da das de del della den der di do dos du la le ten ter van von zu".split()
)


class Name(TypedDict, total=False):
    family: str
    given: str
    literal: str


def parse_name(text: str) -> Name:
    """Parse "Family, Given" or "Given Family"; leave an organisation's name unchanged."""
    words = text.replace("{", " ").replace("}", " ").split()
    line = " ".join(words)
    family, comma, given = (part.strip() for part in line.partition(","))
    if comma and family and given and not ORGANISATION.search(given):
        return {"family": family, "given": given}
    if len(words) < 2 or text.startswith("{") or ORGANISATION.search(line):
        return {"literal": line}
    start = len(words) - 1
    while start > 1 and words[start - 1] in PARTICLES:
        start -= 1
    return {"family": " ".join(words[start:]), "given": " ".join(words[:start])}


def invert_name(name: Name) -> str:
    """Return a name in the form for sorting: "Family, Given"."""
    if name.get("family") and name.get("given"):
        return f"{name['family']}, {name['given']}"
    return format_full_name(name)


def format_full_name(name: Name) -> str:
    """Return a name in the form of a document's authors: "Given Family"."""
    return name.get("literal") or f"{name.get('given', '')} {name.get('family', '')}".strip()
