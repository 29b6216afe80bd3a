"""Which wishes a person takes back: "stop using bullets", "you needn't cite the clause any more".

Who lets go of a wish ("no need to be brief") is as before it. Who stops something ("stop mentioning
the page number") is so too, or, if they never asked for it, wants it never.
"""

from collections.abc import Iterator
from enum import StrEnum

from memory.models.facts import FactKind
from memory.recall.facts.extraction.aspects import NAMED, aspects_in, without_aspects
from memory.recall.facts.extraction.statements import Learned, key, value_of
from memory.recall.facts.extraction.wish_words import (
    ANSWERS,
    DO,
    FEATURES,
    FROM_NOW,
    GERMAN,
    POLITE,
    PUT,
    TAIL,
    THING,
    untailed,
    wording,
)
from memory.text.words import words


class WishRule(StrEnum):
    """What begins the subject of a wish for no aspect: what is always to be there, or never."""

    ALWAYS = "always"
    NEVER = "never"
    # Of what is taken back, whichever of them it was.
    EITHER = "either"


ALL_ENDS = (
    rf"{POLITE}(?:(?:you can )?(?:go|get|switch|return|change) )?back to (?:the |your |my"
    rf" )?(?:normal"
    rf"|default|usual|standard)\b|{POLITE}(?:answer|reply|respond|write|be)(?: to)?(?: me)?"
    rf" (?:normally|as usual|as before|normal again)|{POLITE}normal (?:answers|style|format)"
    rf"|{POLITE}(?:as|like) (?:before|usual)$"
    rf"|{POLITE}reset (?:the |your |my |all )*(?:style|format(?:ting)?|wishes|manner|tone)\W*$"
    rf"|{POLITE}antworte(?:n sie)?(?: mir)?(?: wieder)?(?: ganz)? normal(?: wie früher)?{TAIL}"
    rf"|{POLITE}(?:wieder|zurück)(?: wie| zum?| zur)? (?:normal\w*|früher|vorher|sonst){TAIL}"
    rf"|{POLITE}(?:vuelve a|responde)(?: lo| de forma| de manera)? normal(?:mente)?"
    rf"|{POLITE}como (?:antes|siempre)$"
    rf"|{POLITE}(?:réponds|répondez)(?:-moi)?(?: de nouveau| à nouveau)? normalement"
    rf"|{POLITE}(?:reviens|revenez|retour) à la normale|{POLITE}comme (?:avant|d'habitude)$"
)
# Who lets go of a wish; and who wants something stopped, wished for or not.
_LETS_GO = (
    rf"{POLITE}(?:you (?:no longer (?:have|need) to|needn'?t|(?:don'?t|do not|dont)"
    r" (?:have|need) to|are no longer required to)"
    r"|(?:there'?s |there is )?no (?:longer any |more )?need (?:for|to)"
    r"|(?:you can |you may )?(?:never ?mind|forget(?: about| what i said about| my wish for)?|drop"
    r"|cancel|undo|revoke|remove|scrap|ditch|lose|disable|turn off|switch off)"
    r"|i(?:'ve| have)? (?:changed my mind (?:about|on)|no longer need|(?:don'?t|do not|dont) need)"
    r"|(?:you )?don'?t bother (?:with|to)"
    r"|du (?:musst|brauchst|sollst) (?=.*\b(?:nicht|keine?n?)\b)"
    r"|sie (?:müssen|brauchen|sollen) (?=.*\b(?:nicht|keine?n?)\b)"
    r"|vergiss|vergessen sie|streich(?:e|en sie)?|lass(?:en sie)?(?= .*\b(?:weg|sein|bleiben)\b)"
    r"|ich brauche (?=keine?n?\b)"
    r"|(?:ya )?no (?:hace falta(?: que)?|es necesario(?: que)?|necesit(?:as|o)|tienes que|tiene"
    r" que)|olvida(?:te de)?|olvide|quita|elimina|cancela"
    r"|(?:tu |vous )?(?:n'(?:as|avez|es|êtes) )?(?:plus|pas) (?:besoin|obligée?) (?:de|d')"
    r"|ce n'est (?:plus|pas) la peine (?:de|d')|inutile (?:de|d')|oublie[zr]?|laisse(?:z)? tomber"
    r"|supprime[rz]?|enlève[rz]?|retire[rz]?|annule[rz]?)\b"
)
_STOPS = (
    rf"{POLITE}(?:(?:you (?:can|may|could|should) )?(?:stop|quit|cease)(?: with)?"
    r"|no more|not so|not too|not as|enough(?: of| with)?|i(?:'m| am) (?:done with|tired of)"
    r"|i(?:'ve| have) had enough of"
    r"|i (?:no longer|(?:don'?t|do not|dont)) (?:want|like|wish)(?: to (?:see|have|get))?"
    r"|hör(?:en sie)?(?: bitte)? auf(?: mit| damit)?,?|schluss mit|genug (?:von|mit)|nicht mehr so"
    r"|nicht so|ich (?:möchte|will|mag|wünsche) (?=(?:.* )?keine?n?\b)"
    r"|deja(?:r)? de|deje de|puedes dejar de|basta (?:de|con)|no más|(?:ya )?no quiero(?: más)?"
    r"|no me gustan?(?: las?| los)?"
    r"|arrête[zr]?(?: de| d'| avec)?|cesse[rz]?(?: de| d')?"
    r"|(?:tu peux |vous pouvez )arrêter(?: de| d'| avec)?"
    r"|je ne (?:veux|souhaite|voudrais) (?:plus|pas)|j'en ai assez (?:de|d')|assez (?:de|d')"
    r"|plus (?:de|d'|aucune?)(?! détail))(?:\b|(?<='))"
)
# A verb that is denied: "don't cite it any more", "ne cite plus", "nenne sie nicht mehr".
_DENIES = (
    rf"{POLITE}(?:{FROM_NOW}[\s,]*)?"
    rf"(?:(?:you )?(?:don'?t|do not|dont|no longer)|(?:ya )?no|(?:ne |n')(?={PUT} (?:plus|pas)\b)"
    rf"|(?=(?:{GERMAN}|antworten)\b(?: sie)?(?: mir)?[^?]*\b(?:nicht mehr|keine?n?)\b))"
    rf"\s*(?={PUT}\b|be\b)"
)
_NO = (
    rf"{POLITE}(?:{FROM_NOW}[\s,]*)?(?:no|without|avoid(?: using)?|skip|omit|leave out|spare me"
    r"|drop|sin|evita|omite|nada de|ohne|keine?|vermeide(?:n sie)?|verzichte(?:n sie)? auf"
    r"|(?:bitte )?lass(?:en sie)?|sans|pas de|pas d'|évite[rz]?)(?:\b|(?<='))"
)
_LASTS = r"\b(?:any ?more|any longer|again|from now on|mehr|más|ya|plus|länger)\b"
# "You can use abbreviations again" lets go of what is never to be.
_MAY_AGAIN = (
    rf"{POLITE}(?:(?:you|du|sie|tu|vous|usted) )?(?:can|may|could|kannst|darfst|können|dürfen"
    r"|puedes|puede|peux|pouvez) (?=.*\b(?:again|wieder|de nuevo|otra vez|volver a|de nouveau|à"
    rf" nouveau)\b)"
)
_AGAIN = r"\b(?:again|wieder|de nuevo|otra vez|volver a|de nouveau|à nouveau|ruhig|gern)\b"
_DENIALS = r"\b(?:nicht|keine?n?|mehr|länger|plus|pas|más|ya|zu|sein|weg|bleiben)\b"
# "Jargon" is named to be left out.
_JARGON = r"\b(?:jargon)\b"
_BESIDE = frozenset(
    words(
        "a an the my your me us it that this with in as at of on for to so too be being any all"
        " every about using use having have getting seeing giving give writing write answering"
        " answer answers"
        " answered making keep keeping reply replies replying responses responding response doing"
        " everything style format formatting units spelling please pls again now anymore more"
        " longer always only just very them those these i said want wanted asked bitte die der"
        " das den dem ein eine einen mit so immer antworten antwort schreiben halten fassen sein"
        " auf im sich du sie mir que las los el la un una usar uses use con en respuestas"
        " responder respondas responda siempre ser les le des de une à avec sous forme réponses"
        " répondre utiliser faire être tes vos toujours"
        " d l speaking talking explaining dich dir seas sea tanto tan si aussi toujours hace falta"
    )
)
# What stands under a condition is no wish but an instruction.
_IF = r"\b(?:if|when|while|until|unless|before|after|wenn|falls|bis|si|cuando|quand|lorsque)\b"


def ended_wishes(said: str, *, is_whole: bool) -> Iterator[Learned]:
    """Yield what the clause takes back, or wants stopped; nothing if it does neither."""
    if wording(_JARGON).search(said):
        return
    if match := wording(_MAY_AGAIN).match(said):
        yield from _allowed(said, wording(_AGAIN).sub(" ", said[match.end() :]))
    elif match := wording(_LETS_GO).match(said):
        rest = _undenied(said[match.end() :])
        yield from _taken_back(said, rest, WishRule.EITHER, is_whole)
    elif match := wording(_STOPS).match(said):
        rest = _undenied(said[match.end() :])
        yield from _taken_back(said, rest, WishRule.ALWAYS, is_whole)
    elif match := wording(_DENIES).match(said):
        rest, lasts = _undenied(said[match.end() :]), bool(wording(_LASTS).search(said))
        if lasts or (is_whole and _is_feature(rest)):
            yield from _taken_back(said, rest, WishRule.ALWAYS, True)
    elif is_whole and (match := wording(_NO).match(said)):
        rest = _undenied(said[match.end() :])
        yield from _named(said, rest, WishRule.ALWAYS) or _feature(said, rest, WishRule.ALWAYS)


def _taken_back(said: str, rest: str, which: WishRule, is_whole: bool) -> list[Learned]:
    return _named(said, rest, which) or _thing(said, rest, which, is_whole)


def _undenied(rest: str) -> str:
    return " ".join(wording(_DENIALS).sub(" ", rest).split())


def _named(said: str, rest: str, which: WishRule) -> list[Learned]:
    """Return the aspects that are taken back, where hardly anything else is named."""
    found = _aspects_alone(rest)
    never = f"{WishRule.NEVER}:{key(_phrase(rest))}" if which == WishRule.ALWAYS else ""
    return [
        Learned(FactKind.WISH, aspect, said, value, ends=True, otherwise=never)
        for aspect, value in found
    ]


def _aspects_alone(rest: str) -> list[tuple[str, str]]:
    """Return the aspects that are named, where nothing else is."""
    beside = wording(rf"\b(?:{PUT}|{DO})\b").sub(" ", without_aspects(untailed(rest)))
    return [] if set(words(beside)) - _BESIDE else aspects_in(rest)


def _phrase(rest: str) -> str:
    named = wording(rf"\b{NAMED}\b").search(rest)
    return named[0] if named else rest


def _allowed(said: str, rest: str) -> list[Learned]:
    """Return what may be there again."""
    found = aspects_in(rest)
    thing = _phrase(rest) if found else _put(rest)
    is_manner = any(aspect in ("length", "tone", "language") for aspect, _value in found)
    if is_manner or not thing:
        return []
    return [Learned(FactKind.WISH, f"{WishRule.NEVER}:{key(thing)}", said, thing, ends=True)]


def _thing(said: str, rest: str, which: WishRule, is_whole: bool) -> list[Learned]:
    """Return the thing that is no longer to be put into answers, if a verb or its name tells it."""
    thing = _put(rest)
    if wording(_IF).search(said):
        return []
    if not thing:
        return _feature(said, rest, which)
    never = f"{WishRule.NEVER}:{key(thing)}" if which == WishRule.ALWAYS and is_whole else ""
    return [Learned(FactKind.WISH, f"{which}:{key(thing)}", said, thing, True, never)]


def _put(rest: str) -> str:
    """Return what a verb puts into answers: "citing the clause", "die Quelle nennen"."""
    match = wording(rf"\W*(?:always |immer |toujours |siempre )?{PUT}{THING}").match(rest)
    last = wording(
        rf"\W*(?:(?:immer|die|das|den|der|ein|eine|einen) )*(?P<v>.+?) (?:{GERMAN}"
        r"|\w+zu\w+en|angeben|dazuschreiben)\W*$"
    ).match(rest)
    found = last or match
    return value_of(untailed(found["v"])) if found else ""


def _is_feature(rest: str) -> bool:
    return bool(_aspects_alone(rest)) or bool(_feature(rest, _put(rest) or rest, WishRule.ALWAYS))


def _feature(said: str, rest: str, which: WishRule) -> list[Learned]:
    """Return what answers may have that is named alone: "emojis"."""
    pattern = (
        rf"\W*(?:(?:the|any|your|more|die|die|las|los|les|de|d'|des|{ANSWERS})"
        rf" ?)*(?P<v>{FEATURES}){TAIL}"
    )
    match = wording(pattern).match(rest)
    if match is None:
        return []
    subject = f"{which}:{key(match['v'])}"
    never = f"{WishRule.NEVER}:{key(match['v'])}" if which == WishRule.ALWAYS else ""
    return [Learned(FactKind.WISH, subject, said, match["v"], True, never)]


def same_thing(one: str, other: str) -> bool:
    """Return whether two subjects, "always:…" and "never:…", are of the same thing."""
    (name, _, said), (other_name, _, others) = one.partition(":"), other.partition(":")
    fewer, more = sorted((said.split(), others.split()), key=len)
    is_rule = {name, other_name} <= set(WishRule)
    return (
        is_rule and bool(fewer) and all(any(_alike(word, each) for each in more) for word in fewer)
    )


def _alike(one: str, other: str) -> bool:
    """Return whether two stems are of one word: those of German keep their plural."""
    shorter, longer = sorted((one, other), key=len)
    return one == other or (len(shorter) > 3 and longer.startswith(shorter))


def opposed(said: Learned, subject: str, text: str) -> bool:
    """Return whether a wish that is made can't stand beside the one on this subject, of this
    text.
    """
    name, other = said.subject.partition(":")[0], subject.partition(":")[0]
    if {name, other} == {WishRule.ALWAYS, WishRule.NEVER}:
        return same_thing(said.subject, subject)
    if other == WishRule.NEVER:
        return (said.subject, said.value) in aspects_in(text)
    if name == WishRule.NEVER:
        both = set(aspects_in(said.text)) & set(aspects_in(text))
        return any(aspect == subject for aspect, _value in both)
    return False
