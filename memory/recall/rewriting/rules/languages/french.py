"""French follow-ups, which the model wasn't trained on: whom "lui" and "il" stand for."""

import re
from collections.abc import Sequence
from dataclasses import replace

from memory.recall.rewriting.exchanges import LIKELY, REFERENCE_RESOLVED, Exchange, Rewrite
from memory.recall.rewriting.language.languages import SMALL_WORDS, language_of
from memory.recall.rewriting.language.names import may_be_person, names_in, names_read
from memory.recall.rewriting.language.questions import ReadQuestion
from memory.recall.rewriting.rules.languages.carrying import LOOKED_AT, carried, first_words

LONGEST_THING = 60  # characters
_GOES_ON = re.compile(
    r"^\W*(?:et|mais|alors|sinon)\b|\b(?:ces?|cet|cette|celui|celle|ceux|celles|cela|ça)\b(?!['’])"
    r"|-(?:ci|là)\b",
    re.IGNORECASE,
)
# "Est-ce que", "qu'est-ce que c'est": "ce" is nothing that was said.
_ASKS_BY_CE = re.compile(
    r"\b(?:est|était|serait)-ce\b|\bce (?:que?|qu['’]|qui|dont)", re.IGNORECASE
)
_AND_THEM = re.compile(r"^\W*(?:et|mais)\s+(?:lui|elle)\W*$", re.IGNORECASE)
# "combien coûte-t-il", "est-elle ouverte"; and "est-ce qu'il ferme".
_INVERTED = re.compile(r"(?<=\w)(?:-t)?-(?:ils?|elles?)\b", re.IGNORECASE)
_SUBJECT = re.compile(
    r"\b(?P<joins>qu['’]|s['’]|si |quand |que )?(?:ils?|elles?|ça)\b", re.IGNORECASE
)
# "Quel temps fait-il", "faut-il": "il" is nobody and nothing.
_IMPERSONAL = re.compile(
    r"\b(?:temps fait|heure est|y a|faut|s['’]agit|suffit|pleut|neige|semble)(?:-t)?-il\b"
    r"|\b(?:est|serait)-il (?:possible|nécessaire|utile|normal|vrai|tard|interdit|permis)\b"
    r"|\bil (?:y a|faut|s['’]agit|suffit|pleut|neige|fait|est (?:possible|nécessaire|tard))\b",
    re.IGNORECASE,
)
_HIS = re.compile(r"\b(?P<article>son|sa|ses) (?P<noun>[^\W\d_]{2,40})", re.IGNORECASE)
_THE = {"son": "le", "sa": "la", "ses": "les"}
_VOWEL = tuple("aeiouyhàâéèêîôû")
_THING = re.compile(
    r"(?:\bqu['’]est-ce que (?:c['’]est que )?|\bc['’]est quoi |\bparle[rz]?(?:-moi)? d[eu] ?)"
    rf"(?P<asked>[^?.!,;]{{1,{LONGEST_THING}}})"
    rf"|\b(?P<named>(?:l['’]|(?:le|la|les|du|cette|ce|une?) )[^?.!,;]{{1,{LONGEST_THING}}})\s*\W*$",
    re.IGNORECASE,
)

# "Qui l'a inventé": "l'" is no article before what somebody has done.
_HAS_IT = re.compile(
    r"\b(?P<who>qui|on|quand|comment|où|ils?|elles?|je|tu) l['’]"
    r"(?P<did>(?:a|as|ai|ont|avait|aura)(?:-t-on)? [^\W\d_]{3,30}[éistu]e?)(?=\W*$|[ ,])",
    re.IGNORECASE,
)
# "Comment je *la* supprime".
_DOES_IT = re.compile(
    r"\b(?P<who>je|on|tu|nous|vous) (?:(?:le|la|les) |l['’])(?P<does>[^\W\d_]{3,30})(?=\W*$|[ ,])",
    re.IGNORECASE,
)
# What is done is none of what it is about: "je *peux louer* le quai".
_MAY = re.compile(
    r"\b(?:(?:je|on|tu|il|nous|vous) )?(?:peux|peut|peuvent|puis|dois|doit|veux|veut|faut)"
    r"(?:[ -](?:je|on|tu|il|nous|vous))?(?: [^\W\d_]{2,20}(?:er|ir|re)\b)?",
    re.IGNORECASE,
)


def french_pronoun(question: ReadQuestion, exchanges: Sequence[Exchange]) -> Rewrite | None:
    """Put who or what was spoken of in the place of "il", "elle" or "son"."""
    text = question.text
    if language_of(text) != "fr" or any(map(may_be_person, names_in(text))):
        return None
    if _IMPERSONAL.search(text):
        return None
    if _AND_THEM.match(text):
        return _of_another(exchanges[-1])
    for exchange in reversed(exchanges[-LOOKED_AT:]):
        told = _told(text, _person(exchange), _thing(exchange))
        if told:
            return Rewrite(told, REFERENCE_RESOLVED, exchange.positions, LIKELY)
    return None


def carried_in_french(question: ReadQuestion, previous: Exchange) -> Rewrite:
    """Carry the previous question's words to one that goes on with it: "et comment …"."""
    if not _GOES_ON.search(_ASKS_BY_CE.sub("", question.text)):
        return Rewrite(question.text, "stands_alone")
    own = set(question.terms) | SMALL_WORDS["fr"]
    told = replace(previous, query=_MAY.sub("", previous.asked), standalone="")
    words = first_words(told, lambda each: own.isdisjoint((each.stem, each.word)))
    return carried(question, words, previous)


def _told(text: str, person: str, thing: str) -> str:
    """Return the question with the thing or person for its pronoun, or nothing."""
    if (his := _HIS.search(text)) and person:
        noun, article = his["noun"], _THE[his["article"].lower()]
        the = "l’" if article != "les" and noun.lower().startswith(_VOWEL) else f"{article} "
        of = "d’" if person.lower().startswith(_VOWEL) else "de "
        return f"{text[: his.start()]}{the}{noun} {of}{person}{text[his.end() :]}"
    meant = thing or person
    if meant and (has := _HAS_IT.search(text)):
        return f"{text[: has.start()]}{has['who']} {has['did']} {meant}{text[has.end() :]}"
    if meant and (does := _DOES_IT.search(text)):
        return f"{text[: does.start()]}{does['who']} {does['does']} {meant}{text[does.end() :]}"
    if meant and _INVERTED.search(text):
        return _INVERTED.sub(lambda _: f" {meant}", text, count=1)
    if meant and _SUBJECT.search(text):
        return _SUBJECT.sub(lambda found: f"{_before(found['joins'])}{meant}", text, count=1)
    return ""


def _before(joins: str | None) -> str:
    return {"qu": "que ", "s": "si "}.get((joins or "")[:-1].lower(), joins or "")


def _of_another(exchange: Exchange) -> Rewrite | None:
    """Ask the previous question of whom its answer names: "et lui ?"."""
    asked = exchange.searched.strip()
    before = next(filter(may_be_person, names_in(asked)), "")
    named = (name for name in names_read(exchange.answer) if may_be_person(name))
    other = next((name for name in named if name != before), "")
    if not before or not other:
        return None
    told = asked.replace(before, other, 1)
    return Rewrite(told, REFERENCE_RESOLVED, exchange.positions, LIKELY)


def _person(exchange: Exchange) -> str:
    """Return whom the exchange is about: who its answer names first, or its question."""
    asked = [name for name in names_in(exchange.searched) if may_be_person(name)]
    answered = [name for name in names_read(exchange.answer) if may_be_person(name)]
    return next((name for name in (*answered, *asked) if name not in asked), (asked or [""])[0])


def _thing(exchange: Exchange) -> str:
    found = _THING.search(exchange.asked)
    return (found["asked"] or found["named"]).strip() if found else ""
