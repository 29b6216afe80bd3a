"""How a person wants to be answered from now on, in four languages, and what they take back.

A wish stands for the answers to come: it says "always", "from now on", "your answers", or is all
that a message says. "Give me three bullet points on the pump" is an order for one answer.
"""

from collections.abc import Iterator

from memory.models.facts import FactKind
from memory.recall.facts.extraction.aspects import NAMED, WORDED, aspects_in
from memory.recall.facts.extraction.ended_wishes import ALL_ENDS, WishRule, ended_wishes
from memory.recall.facts.extraction.statements import Learned, key, value_of
from memory.recall.facts.extraction.wish_words import (
    ALWAYS,
    ANSWERS,
    DO,
    FROM_NOW,
    GERMAN,
    POLITE,
    PUT,
    TAIL,
    THING,
    untailed,
    wording,
)

_STANDS = (
    rf"\b(?:{ALWAYS}|{FROM_NOW}|(?:your|tus|deine|ihre|tes|vos|keep|keep all) {ANSWERS}"
    rf"|{ANSWERS}(?:\W+(?:please|pls|bitte|now|again|instead|jetzt|ahora|maintenant"
    rf"|only|por favor|s'il te plaît|s'il vous plaît|stp|svp))*(?:$|,.*)"
    rf"|{ANSWERS} (?:as|in|with|en|más|plus|cortas|breves|courtes))(?:\b|$)"
)
_WANTS = (
    r"(?:i(?:'d| would)?(?: always| generally| usually| really)? (?:want|prefer|need|like|love"
    r"|rather have)|(?:siempre )?(?:quiero|prefiero|necesito)"
    r"|me gustarían?|ich (?:möchte|will|hätte gern|brauche|bevorzuge)"
    r"|je (?:veux|voudrais|préfère|préférerais|souhaite)|j'aimerais)"
)
_ORDERS = (
    rf"{POLITE}(?:{FROM_NOW}[\s,]*)?(?:{ALWAYS}\s+)?(?:please\s+)?{DO}\b"
    rf"|^\W*{_WANTS}\b.*\b(?:{ANSWERS}\b|{FROM_NOW}|{ALWAYS})"
    r"|^\W*(?:i always (?:want|need|prefer|like)|siempre (?:quiero|prefiero|necesito))\b"
    rf"|{POLITE}(?:you (?:can|may) )(?:be|write|answer|use|keep)\b"
    rf"|{POLITE}(?:you (?:can|may) )?(?:go|come|switch|change) (?:back )?to\b"
    rf"|{POLITE}(?:no|only|without|ohne|sin|sans|pas de|avoid|vermeide|evita|évite)\b"
    rf"|^\W*{FROM_NOW}\b"
)
_BARE = (
    rf"{POLITE}(?:(?:{ALWAYS}|{FROM_NOW}|only|just|nur|solo|sólo|seulement|in|auf|en|as|als"
    rf"|como|sous forme de)\s+)*(?:{ANSWERS}|{NAMED})\b"
    r"(?!.*\b(?:is|are|was|were|has|have|do|does|es|son|tiene|ist|sind|hat|est|sont)\b)"
)
MOST_BARE = 8  # words
# "Answer in German" stands for all that follow; "answer this one in German" does not.
_WHOLE = (
    r"(?!.*\b(?:this|that|these|one|next|first|second|third|question|page|section|chapter"
    r"|figure|\d+|est[aeo]|es[aeo]|dies\w*|frage|pregunta|cette|ceci|prochaine)\b)"
    f"{POLITE}(?:(?:you (?:can|may) )?(?:answer|reply|respond|write|use|keep|be|speak|talk)"
    "|(?:you (?:can|may) )?(?:go|come|switch|change)(?: back)?"
    "|explain|no|usa|responde|contesta|habla|responda|conteste|antworte|antworten sie|schreib"
    "|schreibe|schreiben sie|sprich|fass dich|fasse dich"
    "|réponds|répondez|écris|écrivez|utilise|utilisez|parle|parlez|sois|soyez)"
    "(?:-moi)?(?: to)?(?: me| it| them| your answers| everything| sie| dich| mir)*(?: in| as"
    r"| with| al?l?| en| con| auf| mit| only| nur| bitte| sous forme de| avec)*\W+"
    r"(?:plain |simple )?[\w' -]{2,30}$"
)
# "I'd rather have bullet points": of nothing else, and now.
_RATHER = (
    r"^\W*(?:i(?:'d| would) (?:rather have|prefer)|ich hätte lieber|preferiría|je préférerais)"
    rf" (?:des |de )?(?P<v>{NAMED})(?:{ANSWERS}|\s)*{TAIL}"
)
_NEVER_MIND = (
    rf"{POLITE}(?:never ?mind(?: that| it)?|forget (?:it|that)|déjalo|olvídalo|vergiss es"
    r"|laisse tomber|oublie ça)\W*$"
)
_RULE = (
    rf"{POLITE}(?:{FROM_NOW}[\s,]*)?(?:(?P<never>never|(?:don'?t|do"
    rf" not|dont) ever|nunca|jamás|niemals|no(?= \w+ nunca\b))|{ALWAYS}|(?:{FROM_NOW})[\s,]*)"
    rf"\s*{PUT}(?: nunca)?{THING}"
)
# "Cita siempre la fuente", "nenne nie Namen": when comes behind the verb.
_RULE_BEHIND = (
    rf"{POLITE}(?:ne |n')?{PUT}(?: (?:bitte|por favor|mir|please))?"
    rf" (?:{ALWAYS}|{FROM_NOW}|(?P<never>never|nunca|jamás|nie|niemals|jamais)){THING}"
)
# "Bitte immer die Quelle nennen."
_RULE_LAST = (
    rf"{POLITE}(?:{ALWAYS}|{FROM_NOW}|(?P<never>nie|niemals))"
    rf"(?: (?:die|das|den|der|ein|eine|einen|mir))* (?P<v>.+?) (?:{GERMAN}){TAIL}"
)
# "Mention the page in every answer": when comes last.
_RULE_ENDS = rf"{POLITE}{PUT}{THING}(?:,? (?:{ALWAYS}|{FROM_NOW}))(?: please| bitte| stp| svp)?\W*$"
_AVOIDS = (
    rf"{POLITE}(?:{ALWAYS} |{FROM_NOW}[\s,]*)(?P<never>avoid|skip|omit|leave out|vermeide|evita"
    r"|omite|évite[rz]?)(?: (?:using|the|any|die|las|los|les|de))*\s+(?P<v>.+)"
)
_UNWANTED = (
    r"^\W*(?P<never>i (?:don'?t|do not) (?:want|need|like)|no quiero|ich (?:möchte|will|mag) keine?"
    r"|je ne veux pas)(?: (?:an?|the|any|la|el|los|las|de|d'))* (?P<v>.+?)"
    rf" (?:in|en|dans) (?:your|the|any|den|deinen|ihren|tus|las|tes|vos) {ANSWERS}\b"
)
_WHEN = (
    r"\b(?:when(?:ever)?|if|wenn|falls|cuando|quand|lorsque)(?: (?:i|we) (?:ask|talk)(?:"
    r" about)?)?\b(?P<when>.+)"
)
_RULES = (_UNWANTED, _RULE, _RULE_BEHIND, _RULE_LAST, _AVOIDS, _RULE_ENDS)
# How they want to be called, and with which "you".
_ADDRESS = (
    rf"{POLITE}(?:{FROM_NOW}[\s,]*)?(?:(?:{ALWAYS} )?(?:address|refer to|greet) me (?:as|by|with)"
    rf"|{ALWAYS} call me|nenn(?:e|en sie)? mich (?:{ALWAYS}|{FROM_NOW})"
    rf"|(?:sprich|sprechen sie) mich (?:bitte )?(?:(?:{ALWAYS}|{FROM_NOW}) )?(?:mit|als)"
    rf"|llámame (?:{ALWAYS}|{FROM_NOW})|(?:{ALWAYS} )?dirígete a mí como"
    rf"|appelle[rz]?-moi (?:{ALWAYS}|{FROM_NOW})|adresse-toi à moi (?:comme|en tant que))"
    rf" (?P<v>[^\W\d_][\w.' -]{{1,40}}?)(?: an)?{TAIL}"
    rf"|{POLITE}call me (?P<w>[^\W\d_][\w.' -]{{1,40}}?),? (?:{ALWAYS}|{FROM_NOW}){TAIL}"
)
_ADDRESS_ENDS = (
    rf"{POLITE}(?:(?:stop|quit) (?:calling|addressing) me|(?:don'?t|do not) (?:call|address) me"
    r"|(?:ya )?no me llames(?: más)?|nenn(?:e|en sie)? mich nicht mehr"
    r"|ne m'appelle[zr]? plus)(?: as| by)? (?P<v>.+)"
)
_YOU = (
    rf"{POLITE}(?:{FROM_NOW}[\s,]*)?(?:(?P<familiar>duz(?:e|en sie)? mich|du kannst mich duzen"
    r"|sie (?:können|dürfen) mich (?:gerne? )?duzen|sag(?:en sie)? du(?: zu mir)?|tutéame|tutéeme"
    r"|(?:trátame|háblame) de tú|tutoie[zr]?-moi|(?:tu peux|vous pouvez) me tutoyer)"
    r"|(?P<polite>siez(?:e|en sie)? mich|sag sie zu mir|(?:trátame|háblame) de usted"
    rf"|vouvoie[zr]?-moi)){TAIL}"
)


def wishes(clause: str, *, is_whole: bool) -> Iterator[Learned]:
    """Yield the wishes of a clause and those that it takes back; `is_whole` as of a clause."""
    said = clause.strip()
    if is_whole and wording(_NEVER_MIND).match(said):
        yield Learned(FactKind.WISH, "last", said, ends=True)
    elif wording(ALL_ENDS).match(said):
        yield Learned(FactKind.WISH, "all", said, ends=True)
    elif address := _addressed(said):
        yield address
    elif ended := list(ended_wishes(said, is_whole=is_whole)):
        yield from ended
    elif _orders(said, is_whole=is_whole):
        yield from _made(said)
    else:
        yield from _ruled(said)


def _addressed(said: str) -> Learned | None:
    """Return how they want to be called, or no longer, or with which "you" they are spoken to."""
    if called := wording(_ADDRESS).match(said):
        return Learned(FactKind.WISH, "address", said, called["v"] or called["w"])
    if ended := wording(_ADDRESS_ENDS).match(said):
        return Learned(FactKind.WISH, "address", said, value_of(untailed(ended["v"])), ends=True)
    if you := wording(_YOU).match(said):
        return Learned(FactKind.WISH, "you", said, "familiar" if you["familiar"] else "polite")
    return None


def _orders(said: str, *, is_whole: bool) -> bool:
    """Return whether it says how all answers are to be: "bullet points from now on pls"."""
    if wording(_ORDERS).match(said):
        stands = wording(_STANDS).search(said) or (is_whole and wording(_WHOLE).match(said))
        return bool(stands)
    if is_whole and wording(_RATHER).match(said):
        return True
    is_short = is_whole and len(said.split()) <= MOST_BARE
    return is_short and bool(wording(_BARE).match(said) and wording(_STANDS).search(said))


def _made(said: str) -> Iterator[Learned]:
    found = aspects_in(said)
    yield from (Learned(FactKind.WISH, aspect, said, value) for aspect, value in found)
    if not found:
        yield from _ruled(said)


def _ruled(said: str) -> Iterator[Learned]:
    """Yield a wish of any other kind: what always is to be there, or never."""
    match = next(filter(None, (wording(rule).match(said) for rule in _RULES)), None)
    if match and (value := value_of(untailed(match["v"]))):
        named = WishRule.NEVER if match.groupdict().get("never") else WishRule.ALWAYS
        # "Always give dates when I ask about deadlines" is another wish than one about prices.
        when = wording(_WHEN).search(match["v"])
        thing = " ".join([key(value), *([key(when["when"])] if when else [])])
        yield Learned(FactKind.WISH, f"{named}:{thing}", said, value)


def worded(text: str) -> str:
    """Return a wish in the words that a language model knows best, or else in its person's own.

    What says what it does not want is left in their words.
    """
    said = list(wishes(text, is_whole=True))
    named = [(each.subject, each.value) for each in said] if said else aspects_in(text)
    made = [WORDED.get(each, "") for each in named]
    is_known = all(made) and bool(made) and not any(each.ends for each in said)
    return " ".join(made) if is_known else text
