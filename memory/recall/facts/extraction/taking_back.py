"""What is to be forgotten: "forget that I live in Porto", "forget where I live", "my budget"."""

import re
from dataclasses import replace

from memory.models.facts import FactKind
from memory.recall.facts.extraction.languages import statements
from memory.recall.facts.extraction.statements import Learned, key

_FORGET = re.compile(
    r"^\W*(?:please |pls |por favor |bitte |s'il (?:te|vous) plaît,? )?"
    r"(?:(?P<only_named>delete|remove|erase|scrap|drop|clear|borra|elimina|lösche?|streiche?|efface"
    r"|supprime)|forget|olvida|vergiss|oublie)(?P<about> about)?"
    r"(?: (?:what|everything|all|anything)(?: that)? (?:you (?:know|remember|noted|have)|i (?:said"
    r"|told you))(?: of| about| on)?| lo que (?:sabes|te dije|dije) (?:de|sobre)"
    r"| was (?:du|ich)(?: dir)? (?:über|von|zu)| ce que (?:tu sais|je t'ai dit|j'ai dit) (?:de"
    r"|sur))?(?: (?:that|que|dass)|,)? (?P<what>.+?)(?: (?:weißt|gesagt habe|please|bitte|stp|por"
    r" favor))*$",
    re.IGNORECASE,
)
_STATED = re.compile(
    r"(?:i|i'm|im|my|we|vivo|soy|mi|tengo|trabajo|ich|je|j'\w+|mon|ma)\b", re.IGNORECASE
)
# What is named without its value, and the subjects that it is about: whole, or to the colon.
_NAMED = {
    r"where (?:i|we) live|my (?:home ?(?:town)?|address|city)|dónde vivo|wo ich wohne|où j'habite"
    r"|mon adresse": ("home",),
    r"where i(?: come|['’]?m| am) from|my origin|de dónde soy|woher ich komme": ("origin",),
    r"where (?:i|we) work|who i work for|my (?:employer|company|workplace)|dónde trabajo"
    r"|wo ich arbeite|où je travaille": ("employer", "work:place"),
    r"my (?:job|profession|occupation)|what i do(?: for a living)?|mi (?:trabajo|profesión)"
    r"|mein(?:en)? (?:job|beruf)|mon (?:travail|métier)": ("job", "field"),
    r"my name|what my name is|who i am|mi nombre|cómo me llamo|meinen namen|wie ich hei(?:ß|ss)e"
    r"|mon (?:pré)?nom": ("name",),
    r"my age|how old i am|mi edad|mein alter|wie alt ich bin|mon âge": ("age",),
    r"(?:my|our) budget|(?:mi|nuestro) presupuesto|(?:mein|unser)(?:em)? budget"
    r"|(?:mon|notre) budget": ("budget",),
    r"(?:my|our) deadline|(?:mi|nuestro) plazo|(?:meine|unsere) frist|(?:mon|notre) délai": (
        "deadline",
    ),
    r"my diet|what i (?:don'?t )?eat": ("diet",),
}
_THING = re.compile(
    r"(?:my|our|mi|mein(?:e[nm]?)?|mon|ma|mes) (?P<thing>[\w' ]{2,40})", re.IGNORECASE
)
# Of the conversation or of a document, not of the person.
_NO_THING = re.compile(
    r"\b(?:questions?|messages?|answers?|documents?|files?|uploads?|(?:last|previous|first)"
    r"|requests?|wish(?:es)?|instructions?|preguntas?|fragen?)\b",
    re.IGNORECASE,
)


def taken_back(clause: str) -> list[Learned]:
    """Return what the clause takes back; without a value, whatever is known of its subject."""
    order = _FORGET.match(clause)
    if order is None:
        return []
    what = order["what"].strip(" .!,")
    if (
        _STATED.match(what)
        and not order["about"]
        and not order["only_named"]
        and (told := statements(what))
    ):
        return [replace(each, text=clause, ends=True) for each in told]
    subjects = next(
        (named for wording, named in _NAMED.items() if re.fullmatch(wording, what, re.IGNORECASE)),
        (),
    )
    thing = _THING.fullmatch(what)
    if not subjects and thing and not order["only_named"] and not _NO_THING.search(what):
        subjects = (f"my:{key(thing['thing'])}",)
    return [Learned(FactKind.FACT, subject, clause, ends=True) for subject in subjects]
