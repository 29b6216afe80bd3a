"""Questions about what the answers said of something: "remind me what you told me about the rent".

They are known by their whole wording, in English, Spanish, German and French.
"""

import re
from functools import cache

_AGAIN = r"(?: (?:again|earlier|before|previously|just now|last time|yesterday|back then))*"
_TOLD = (
    rf"(?:(?:just|already|ever) )?(?:sa(?:y|id)|t(?:ell|old)(?: me| us)?|mention(?:ed)?"
    rf"|explain(?:ed)?(?: to me)?|answer(?:ed)?|wr(?:i|o)te){_AGAIN}"
)
_ON = r"(?:about|on|regarding|concerning|of)"
_WAS = r"(?P<was>(?!(?:it|that|this|them)$).{1,80}?)"
_REMIND = (
    r"(?:(?:(?:can|could|would|will) you |please )*(?:remind me|tell me|repeat|show me|recap)"
    r"(?: again)?(?: of)?|i (?:forgot|forget|don t remember|can t remember)|do you remember)"
)
_THING = r"(?:thing|bit|part|point|stuff|one)"
_DIJISTE = r"(?:(?:me |nos )?(?:dijiste|contaste|explicaste|comentaste|has dicho|has contado))"
_SOBRE = r"(?:sobre|acerca de|de la|del|de|con respecto a)"
_ANTES = r"(?: antes| ayer| la última vez)?"
_UEBER = r"(?:über|zu[mr]?|von|vom|wegen|bezüglich)"
_GESAGT = r"(?:gesagt|erzählt|geantwortet|erklärt|geschrieben)"
_DIT = r"(?:(?:tu|vous) (?:m |nous )?(?:as|avez|avais|aviez) (?:dit|expliqué|répondu)(?: avant)?)"
_SUR = r"(?:sur|à propos (?:de|du|des)|concernant|au sujet (?:de|du|des)|de|du|des)"
_WORDINGS = (
    rf"what (?:did|have|had) you {_TOLD} {_ON} {_WAS}",
    rf"{_REMIND} what (?:(?:you|we)(?: have| had| ve)?|(?:did|have) you) {_TOLD} {_ON} {_WAS}",
    rf"what was (?:it|that|the)(?: {_THING})?(?: again)? (?:that )?you(?: had)? {_TOLD} {_ON} "
    rf"{_WAS}",
    rf"you {_TOLD} something {_ON} {_WAS}(?: (?:what was (?:it|that)|remember))?",
    rf"did you (?:ever )?(?:say|tell me|mention) (?:anything|something)(?: {_ON})? {_WAS}",
    rf"(?:qué|que)(?: fue lo que| era (?:eso|lo) que)? {_DIJISTE}{_ANTES} {_SOBRE} {_WAS}",
    rf"(?:recu[eé]rdame|rep[ií]teme|repite|dime otra vez) (?:lo )?(?:qué|que) {_DIJISTE}{_ANTES} "
    rf"{_SOBRE} {_WAS}",
    rf"was (?:hast du|haben sie)(?: (?:mir|uns|vorhin|vorher|eben|gestern|noch ?mal))* {_UEBER} "
    rf"{_WAS} {_GESAGT}",
    rf"(?:erinnere? mich(?: daran| nochmal)*|wiederhole?(?: mir)?|sag mir(?: nochmal)?) was du"
    rf"(?: (?:mir|uns|vorhin|vorher|eben|gestern))* {_UEBER} {_WAS} {_GESAGT} (?:hast|hattest)",
    rf"(?:qu est ce que {_DIT}|qu (?:as tu|avez vous) dit(?: avant)?) {_SUR} {_WAS}",
    rf"(?:rappelle(?:z)? moi|répète(?: moi)?|redis moi) ce que {_DIT} {_SUR} {_WAS}",
)


def said_subject(asked: str) -> str:
    """Return what it is asked for that answers said something of it, or nothing.

    `asked` is in lower case, without marks.
    """
    found = (wording.fullmatch(asked) for wording in _wordings())
    return next((match["was"] for match in found if match), "")


@cache
def _wordings() -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(wording + _AGAIN) for wording in _WORDINGS)
