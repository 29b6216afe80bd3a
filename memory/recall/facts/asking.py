"""What a question asks of what is known of its person: "where do I live?", "what is my budget?".

Known by its whole wording, in English, Spanish, German and French. "What is my notice period?" is
such a question too, but is only taken for one if something is known on it: otherwise a document
answers, but for what no document tells of whoever asks.
"""

import re
from collections.abc import Sequence

from memory.models import Fact, FactKind
from memory.recall.facts.extraction.statements import key
from memory.recall.facts.known import KnownFacts

LONGEST = 160
# What is asked, and the subjects that it is about: whole, or to the colon.
_WORDINGS = {
    r"where (?:do|did) (?:i|we) live(?: now)?|where i live(?: now)?"
    r"|where am i (?:living|based)(?: now)?"
    r"|(?:in )?(?:which|what) (?:city|town|country|place) do i live(?: in)?(?: now)?"
    r"|what(?: is|s) my (?:home ?(?:town)?|address)|my (?:home ?town|address)|dónde vivo(?: ahora)?"
    r"|en qué ciudad vivo|où (?:est ce que )?(?:j habite|je vis)|où habité je|où vis je|wo (?:wohne"
    r"|lebe) ich(?: jetzt)?": ("home",),
    r"where (?:am i|do i come) from|where i(?: am|m| come) from|de dónde soy"
    r"|woher komme ich": ("origin",),
    r"where do (?:i|we) work(?: now)?|where i work(?: now)?|dónde trabajo(?: ahora)?"
    r"|où (?:est ce que )?je travaille"
    r"|wo arbeite ich(?: jetzt)?": (
        "work:place",
        "employer",
        "field",
        "job",
    ),
    r"who (?:do )?(?:i|we) work for(?: now)?|para quién trabajo(?: ahora)?"
    r"|pour qui (?:est ce que )?je travaille"
    r"|für wen arbeite ich(?: jetzt)?": (
        "work:for",
        "employer",
    ),
    # A contract may say it.
    r"who(?: is|s) my employer": ("employer",),
    r"what do i do(?: for a living| for work)?|what(?: is|s) my (?:job|profession|occupation)"
    r"|quel est mon (?:métier|travail)"
    r"|a qué me dedico|cuál es mi (?:trabajo|profesión)|was (?:arbeite ich"
    r"|bin ich von beruf)": ("job", "field", "employer"),
    r"what(?: is|s) my name|what my name is|my name|who am i|who i am"
    r"|how do i call myself|cómo me llamo|quién soy|wie heiße ich"
    r"|comment (?:est ce que )?je m appelle|quel est mon (?:pré)?nom|qui suis je"
    r"|wer bin ich": ("name",),
    r"how old am i|how old i am|what(?: is|s) my age|cuántos años tengo|qué edad tengo"
    r"|quel âge (?:est ce que )?j ai|quel âge ai je|wie alt bin ich": ("age",),
    "what(?: is|s|was) (?:my|our) budget(?: now| again)?|how much (?:can"
    "|do) (?:i|we) (?:have to )?spend"
    r"|cuál es (?:mi|nuestro) presupuesto|quel est (?:mon|notre) budget"
    r"|was ist (?:mein|unser) budget": ("budget",),
    r"(?:what|when)(?: is|s) (?:my|our) deadline": ("deadline",),
    r"what(?: is|s) my diet|what (?:do|can)(?: not|t)? i eat|am i (?:a )?(?:vegetarian|vegan)": (
        "diet",
        "allergy:",
    ),
    r"what am i allergic to|(?:what are|do i have) (?:my|any) allergies|a qué soy alérgic[oa]"
    r"|wogegen bin ich allergisch": ("allergy:",),
    r"(?:what|which) (?:\w+ )?(?:do|are) (?:i|we) (?:use|using)(?: now)?|qué (?:\w+ )?usamos": (
        "uses:",
    ),
    r"(?:what|which) (?:pets?|animals?) (?:do|have) (?:i|we) (?:have|got)|do i have (?:a )?pets?"
    r"|qué mascotas? tengo|welche haustiere habe ich": ("pet:",),
    r"what do i (?:like|prefer|love|hate|not like)|what are my preferences|qué me gusta": (
        "likes:",
        "favourite:",
    ),
    r"how do i want (?:my|your) answers|what are my wishes|was sind meine wünsche"
    r"|cuáles son mis deseos|quels sont mes souhaits": (
        "format",
        "length",
        "language",
        "tone",
        "units",
        "spelling",
        "address",
        "you",
        "always:",
        "never:",
    ),
}
# What no document tells of whoever asks: if it isn't known, that is the answer.
OF_THE_PERSON = frozenset(
    """home origin name age job work:place work:for budget allergy: likes: format""".split()
)
# Of these a document may tell.
_OF_SEVERAL = frozenset("we us our nuestro nuestra nosotros wir unser unsere".split())
_ASKED = [(re.compile(wording), subjects) for wording, subjects in _WORDINGS.items()]
_OWN_THING = re.compile(
    r"(?:what|who|when|where)(?: is| s|s| are| was)? (?:my|our) (?P<v>[\w ]{2,40}?)(?: again| now)?"
    r"|what did i (?:tell|say to) you (?:about|was) my (?P<w>[\w ]{2,40})"
    r"|(?:cuál|quién|qué) es (?:mi|nuestr[oa]) (?P<x>[\w ]{2,40})"
)
_ALL = re.compile(
    r"what (?:do you|else do you|did you) (?:know|remember|learn|learned)(?: about| of)? (?:me|us)"
    r"|what (?:have|did) i (?:told|tell|said|say)(?: to)? you about (?:me|myself)"
    r"|what (?:do you )?remember(?: about me)?|tell me what you know about me"
    r"|que sais tu (?:de|sur) moi|qu est ce que tu sais (?:de|sur) moi"
    r"|qué sabes (?:de|sobre) mí|qué recuerdas (?:de|sobre) mí"
    r"|was (?:weißt|weisst) du (?:über|von) mir"
)
_ERASE_ALL = re.compile(
    r"(?:forget|delete|erase|remove) (?:me|(?:all )?(?:of )?my data|what you know about me"
    r"|(?:everything|all)(?: (?:that )?(?:you know|i told you|i said))?"
    r"(?: (?:about|of) (?:me|myself))?)"
    r"|(?:olvida|borra) (?:todo(?: lo que sabes)?(?: (?:de|sobre) mí)?|mis datos)"
    r"|(?:vergiss|lösche?) (?:mich|alles(?: was du weißt)?(?: (?:über|von) mi[rc]h?)?|meine daten)"
)
# "What's my name and where do I live?"
_JOINED = re.compile(r" (?:and|y|und|et) (?=\w)")
MOST_ASKED = 3
# Of what was: it is told beside what is now.
_OF_BEFORE = re.compile(
    r" (?:before(?: (?:that|then|now))?|earlier|previously|originally|formerly|antes|früher|vorher"
    r"|davor)$|(?<=\bmy) (?:old|previous|former|original|initial|earlier)(?= )"
    r"|(?<=\bi) used? to(?= )"
)
_OF_NOW = {
    "did": "do",
    "was": "is",
    "were": "are",
    "vivía": "vivo",
    "trabajaba": "trabajo",
    "era": "es",
    "wohnte": "wohne",
    "lebte": "lebe",
    "arbeitete": "arbeite",
    "war": "ist",
}
# "What's my dog's name?" asks of the dog.
_NAME_OF = re.compile(r"s? name$")
_POLITE = re.compile(r"^(?:so|and|ok|hey|please|y|can you tell me|do you (?:know|remember)) ")


def answered_by(question: str, known: KnownFacts) -> Sequence[Fact] | None:
    """Return what is known on what is asked; None if the question asks for nothing of the kind."""
    if len(question) > LONGEST:
        return None
    if asks_for_all(question):
        return list(known.facts)
    said = _as_compared(question)
    if both := _answered_by_each(said, known):
        return both
    for wording, subjects in _ASKED:
        if wording.fullmatch(said):
            found = _on(known, subjects)
            is_own = subjects[0] in OF_THE_PERSON and not _OF_SEVERAL.intersection(said.split())
            return found if found or is_own else None
    if thing := _OWN_THING.fullmatch(said):
        said = next(filter(None, thing.groups()), "")
        named, whose = key(said), key(_NAME_OF.sub("", said))
        wanted = (
            f"my:{named}",
            f"my:{whose}",
            f"favourite:{named.removeprefix('favourit ')}",
            named,
        )
        return _on(known, wanted) or None
    return None


def _answered_by_each(said: str, known: KnownFacts) -> Sequence[Fact]:
    """Return what is known on each of two things that are asked, if both are asked and known."""
    parts = _JOINED.split(said)
    if not 1 < len(parts) <= MOST_ASKED:
        return []
    found = [answered_by(part, known) for part in parts]
    return [fact for facts in found for fact in facts or ()] if all(found) else []


def asks_for_all(question: str) -> bool:
    """Tell whether the question asks for all that is known of its person."""
    return _ALL.fullmatch(_as_compared(question[:LONGEST])) is not None


def asks_for_erasure(question: str) -> bool:
    """Tell whether all that is known of the person is to be forgotten."""
    return _ERASE_ALL.fullmatch(_as_compared(question[:LONGEST])) is not None


def _as_compared(question: str) -> str:
    """Return the question as wordings are: in bare words, and of what is now if it was before."""
    said = _POLITE.sub("", " ".join(words_of(question)))
    asked = _OF_BEFORE.sub("", said)
    return said if asked == said else " ".join(_OF_NOW.get(word, word) for word in asked.split())


def words_of(question: str) -> list[str]:
    """Return the words as they are compared, accents and all."""
    return re.findall(r"\w+", question.lower().replace("’", "'").replace("'s", "s"))


def _on(known: KnownFacts, subjects: Sequence[str]) -> list[Fact]:
    return [
        row
        for row in known.facts
        if row.subject in subjects
        or any(name.endswith(":") and row.subject.startswith(name) for name in subjects)
    ]


def as_told(facts: Sequence[Fact]) -> list[Fact]:
    """Return the facts as they are told: wishes last."""
    return sorted(facts, key=lambda row: row.kind == FactKind.WISH)
