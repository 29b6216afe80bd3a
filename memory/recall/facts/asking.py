"""What a question asks of what is known of its person: "where do I live?", "what is my budget?".

Known by its whole wording, in English, Spanish, German and French. "What is my notice period?" is
such a question too, but is only taken for one if something is known on it: otherwise a document
answers, but for what no document tells of whoever asks.
"""

import re
from collections.abc import Sequence
from unicodedata import combining, normalize

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
    r"|lebe|wohn) ich(?: jetzt)?|in welcher stadt (?:wohne|lebe) ich|j habite où|où j habite"
    r"|dans quelle ville (?:est ce que )?(?:j habite|je vis|habité je)": ("home",),
    r"where (?:am i|do i come) from|where i(?: am|m| come) from|de dónde soy"
    r"|woher komme ich|d où (?:est ce que )?je viens|d où viens je": ("origin",),
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
    r"|bin ich von beruf|mache ich beruflich)|was ist mein (?:beruf|job)|als was arbeite ich"
    r"|qu est ce que je fais dans la vie": ("job", "field", "employer"),
    r"what(?: is|s) my name|what my name is|my name|who am i|who i am"
    r"|how do i call myself|cómo me llamo|quién soy|wie heiße ich"
    r"|comment (?:est ce que )?je m appelle|quel est mon (?:pré)?nom|qui suis je"
    r"|wer bin ich|(?:was|wie) ist mein name|cuál es mi nombre": ("name",),
    r"how old am i|how old i am|what(?: is|s) my age|cuántos años tengo|qué edad tengo"
    r"|quel âge (?:est ce que )?j ai|quel âge ai je|wie alt bin ich": ("age",),
    r"when(?: is|s|was) my birth ?day|what(?: is|s) my (?:birth ?day|date of birth)"
    r"|when was i born|cuándo (?:es mi cumpleaños|nací)|quand (?:est mon anniversaire|suis je née?)"
    r"|wann (?:habe ich geburtstag|ist mein geburtstag|bin ich geboren)": (
        "my:birthday",
        "my:date of birth",
        "birthday",
    ),
    r"how (?:tall am i|much do i weigh|heavy am i)|cuánto (?:mido|peso)"
    r"|wie (?:groß|schwer) bin ich|combien (?:est ce que )?je (?:mesure|pèse)": (
        "my:height",
        "my:weight",
    ),
    r"is my account (?:locked|blocked|suspended|closed|disabled|active)"
    r"|am i (?:locked out|banned|blocked)|ist mein konto gesperrt|está bloqueada mi cuenta"
    r"|mon compte est il bloqué": ("my:account",),
    "what(?: is|s|was) (?:my|our) budget(?: now| again)?|how much (?:can"
    "|do) (?:i|we) (?:have to )?spend"
    r"|cuál es (?:mi|nuestro) presupuesto|quel est (?:mon|notre) budget"
    r"|(?:was|wie hoch|wie) ist (?:mein|unser) budget": ("budget",),
    r"(?:what|when)(?: is|s) (?:my|our) deadline|wann ist (?:meine|unsere) (?:frist|deadline)"
    r"|cuál es (?:mi|nuestra) fecha límite|quelle est (?:ma|notre) date limite": ("deadline",),
    r"what(?: is|s) my diet|what (?:do|can)(?: not|t)? i eat|am i (?:a )?(?:vegetarian|vegan)"
    r"|was (?:esse|darf|kann) ich(?: nicht)?(?: essen)?|bin ich (?:vegetarier(?:in)?|veganer(?:in)?"
    r"|vegan|vegetarisch)|qué (?:como|puedo comer)|soy (?:vegetarian[oa]|vegan[oa])"
    r"|qu est ce que je (?:mange|peux manger)|suis je (?:végétarien(?:ne)?|végane?)": (
        "diet",
        "allergy:",
    ),
    r"what am i allergic to|(?:what are|do i have) (?:my|any) allergies|a qué soy alérgic[oa]"
    r"|(?:wogegen|gegen was|worauf) bin ich allergisch|welche allergien habe ich"
    r"|cuáles son mis alergias|qué alergias tengo"
    r"|à quoi (?:est ce que )?(?:je suis|suis je) allergique|quelles sont mes allergies": (
        "allergy:",
    ),
    r"(?:what|which) (?:\w+ )?(?:do|are) (?:i|we) (?:use|using)(?: now)?|qué (?:\w+ )?usamos": (
        "uses:",
    ),
    r"(?:what|which) (?:pets?|animals?) (?:do|have) (?:i|we) (?:have|got)|do i have (?:a )?pets?"
    r"|qué mascotas? tengo|welche haustiere habe ich|habe ich (?:ein )?haustiere?"
    r"|quels animaux (?:est ce que )?j ai|quel animal (?:est ce que )?j ai|ai je un animal": (
        "pet:",
    ),
    r"what do i (?:like|prefer|love|hate|not like)|what are my preferences|qué me gusta"
    r"|was mag ich(?: gern(?:e)?)?|was sind meine vorlieben|cuáles son mis preferencias"
    r"|qu est ce que j aime|quelles sont mes préférences": (
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
    """home origin name age job work:place work:for my:birthday my:height my:account
    budget allergy: likes:
    format""".split()
)
# Of these a document may tell.
_OF_SEVERAL = frozenset("we us our nuestro nuestra nosotros wir unser unsere".split())


def _bare(text: str) -> str:
    """Return the text without accents, which many leave out: "como me llamo", "wie heisse ich"."""
    letters = normalize("NFKD", text.replace("ß", "ss"))
    return "".join(letter for letter in letters if not combining(letter))


def _compiled(wording: str) -> re.Pattern[str]:
    return re.compile(_bare(wording))


_ASKED = [(_compiled(wording), subjects) for wording, subjects in _WORDINGS.items()]
_OWN_THING = _compiled(
    r"(?:what|who|when|where)(?: is| s|s| are| was)? (?:my|our) (?P<v>[\w ]{2,40}?)(?: again| now)?"
    r"|what did i (?:tell|say to) you (?:about|was) my (?P<w>[\w ]{2,40})"
    r"|(?:cuál|cómo|quién|qué|dónde|cuándo) (?:es|está|se llama)"
    r" (?:mi|nuestr[oa]) (?P<x>[\w ]{2,40})"
    r"|(?:wer|was|wie|wann|wo) (?:ist|sind|heißt|heißen) (?:mein|unser)e? (?P<y>[\w ]{2,40})"
    r"|(?:qui|quel|quelle|comment|où|quand) (?:est|s appelle)"
    r" (?:mon|ma|notre) (?P<z>[\w ]{2,40})"
)
_ALL = _compiled(
    r"what (?:do you|else do you|did you) (?:know|remember|learn|learned)(?: about| of)? (?:me|us)"
    r"|what (?:have|did) i (?:(?:just |already )?(?:told|tell|said|say)(?: to)?(?: you)?) about"
    r" (?:me|myself)"
    r"|what (?:do you )?remember(?: about me)?|tell me what you know about me"
    r"|(?:que|qu est ce que|dis moi ce que) (?:sais tu|tu sais|savez vous|vous savez"
    r"|te rappelles tu|tu te rappelles|as tu retenu|tu as retenu)(?: (?:de|sur|à propos de) moi)"
    r"|qu as tu retenu(?: (?:de|sur) moi)?"
    r"|(?:que|qu est ce que) (?:je t ai|j ai|t ai je|ai je) dit (?:de|sur) moi"
    r"|(?:dime )?(?:qu[eé]|lo que|todo lo que) (?:m[aá]s )?(?:sabes|recuerdas|sabe usted"
    r"|(?:te )?he (?:dicho|contado)|(?:te )?dije|has aprendido) (?:de|sobre|acerca de) m[ií]"
    r"|(?:und )?(?:sag mir )?(?:mal )?was (?:weißt|weisst|wissen|merkst|hast|kennst)"
    r" (?:du|sie)(?: (?:dir|sich|denn|alles|schon|noch|sonst|so|eigentlich|bisher))*"
    r" (?:über|ueber|von) m(?:ich|ir)(?: (?:alles|schon|denn|gemerkt|gelernt|behalten|erfahren))?"
    r"|(?:sag mir )?(?:alles )?was du (?:alles )?(?:über|ueber|von) m(?:ich|ir) (?:weißt|weisst)"
    r"|was habe? ich (?:dir )?(?:alles )?(?:über|von) m(?:ich|ir)(?: selbst)? (?:erzählt|gesagt)"
)
_ERASE_ALL = _compiled(
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
_OF_BEFORE = _compiled(
    r" (?:before(?: (?:that|then|now))?|earlier|previously|originally|formerly|antes|früher|vorher"
    r"|davor)$|(?<=\bmy) (?:old|previous|former|original|initial|earlier)(?= )"
    r"|(?<=\bi) used? to(?= )"
)
_OF_NOW = {
    "did": "do",
    "was": "is",
    "were": "are",
    "vivia": "vivo",
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
    """Return whether the question asks for all that is known of its person."""
    return _ALL.fullmatch(_as_compared(question[:LONGEST])) is not None


def asks_for_erasure(question: str) -> bool:
    """Return whether all that is known of the person is to be forgotten."""
    return _ERASE_ALL.fullmatch(_as_compared(question[:LONGEST])) is not None


def _as_compared(question: str) -> str:
    """Return the question as wordings are: in bare words, and of what is now if it was before."""
    said = _POLITE.sub("", _bare(" ".join(words_of(question))))
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
