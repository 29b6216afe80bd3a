"""What wishes are worded with in English, Spanish, German and French: verbs, and what makes an
order one that stands.
"""

import re
from functools import cache

from memory.recall.facts.extraction.statements import careless

POLITE = (
    r"^\W*(?:(?:please|pls|plz|hi|hello|hey|ok|okay|also|and|but|so|actually|instead|well"
    r"|(?:can|could|would|will) you|por favor|kindly|remember to|try to|make sure (?:to|you)"
    r"|be sure to|y|hola|hallo|bitte|und|aber|kannst du|könntest du|können sie|könnten sie"
    r"|puedes|podrías|puede|podría|s'il te plaît|s'il vous plaît|stp|svp|merci de|peux-tu"
    r"|pourrais-tu|pouvez-vous|pourriez-vous|bonjour|salut|et|mais|alors)\b[\s,]*){0,4}"
)
ALWAYS = (
    "(?:always|alwasy|allways|alway|awlays|siempre|immer|stets|grundsätzlich|toujours"
    "|systématiquement)"
)
ANSWERS = "(?:answers|replies|responses|respuestas|antworten|réponses)"
_EACH = (
    "(?:answers?|repl(?:y|ies)|responses?|questions?|messages?|antwort(?:en)?|fragen?|respuestas?"
    "|preguntas?|réponses?)"
)
IN_ALL = (
    "(?:(?:in|for|with|at the end of|bei|für|en|dans|pour|con|para|à|a|zu)"
    " (?:all|every|each(?: one)?|any|alle[nr]?|jede[rnm]?|todas|cada|toutes|chaque)"
    "(?: (?:of|the|your|my|our|deine[nr]?|ihre[nr]?|meine[nr]?|las|tus|mis|sus|les|tes|mes|vos))*"
    f" {_EACH})"
)
FROM_NOW = (
    "(?:from now on|from today on|from this point on|going forward|in (?:the )?future|every time"
    f"|each time|for all (?:your |my )?(?:answers|questions)|{IN_ALL}|henceforth|from"
    " here on|until i say otherwise|a partir de ahora|de ahora en adelante|desde ahora"
    "|en adelante|en el futuro|cada vez"
    "|ab jetzt|ab sofort|in zukunft|von jetzt an|von nun an|künftig|zukünftig|jedes mal"
    "|désormais|dorénavant|à partir de maintenant|à l'avenir|dès maintenant|à chaque fois)"
)
# What manner is ordered with.
DO = (
    "(?:answer|reply|respond|write|use|keep|be|give|explain|put|format"
    "|speak|talk|make|present|show|responde|respóndeme|contesta|contéstame|responda|conteste"
    "|escribe|escriba|usa|explica|explícame|habla|háblame|sé|antworte|antworten sie|schreib"
    "|schreibe"
    "|schreiben sie|erklär|erkläre|erklären sie|halte|fass|fasse|sprich|benutze|verwende|verwenden"
    " sie|nutze|réponds|répondez|répondre|réponds-moi|écris|écrivez|écrire|utilise|utilisez"
    "|utiliser|explique|expliquez|expliquer|explique-moi|parle|parlez|fais|faites|sois|soyez"
    "|garde|gardez|donne|donnez|donne-moi)"
)
# What answers are to have or not, verb by verb: as an order, and as what is stopped.
_ENGLISH = (
    "use include add give cite show mention write start end put state name convert quote link call"
    " begin finish translate repeat highlight list spell insert append provide assume treat"
    " consider explain round apologise apologize answer reply respond"
).split()
_SPANISH = (
    "us[ae]s?|usar|utili[zc][ae]s?|utilizar|incluy[ae]s?|incluir|pon(?:gas?)?|poner|cit[ae]s?"
    "|citar|mencion[ae]s?|mencionar|añad[ae]s?|añadir|agreg(?:a|ues?)|agregar|indi(?:ca|ques?)"
    "|indicar|da|des|dar|muestr[ae]s?|mostrar|escrib[ae]s?|escribir|termin[ae]s?|terminar"
    "|empie[zc][ae]s?|empezar|repit[ae]s?|repetir|nombr[ae]s?|nombrar"
)
GERMAN = (
    "nenn(?:e|en)?|gib|geben|angeben|zitier(?:e|en)?|erwähn(?:e|en)?|verwend(?:e|en)"
    "|benutz(?:e|en)|nutz(?:e|en)|zeig(?:e|en)?|füg(?:e|en)?|hinzufügen|anfügen|einfügen"
    "|schreib(?:e|en)?|setz(?:e|en)?|beginn(?:e|en)|beend(?:e|en)|ergänz(?:e|en)"
    "|wiederhol(?:e|en)|anführen|aufführen|mach(?:e|en)?|erklär(?:e|en)?|übersetz(?:e|en)"
    "|antwort(?:e|en)"
)
_FRENCH = (
    "mentionne[rz]?|cite[rz]?|indique[rz]?|ajoute[rz]?|donne[rz]?|utilise[rz]?|emploie"
    "|employe[rz]|mets|mettez|mettre|montre[rz]?|commence[rz]?|termine[rz]?|finis|finissez|finir"
    "|inclus|incluez|inclure|nomme[rz]?|précise[rz]?|rappelle[rz]?|écris|écrivez|écrire|répète[rz]?"
    "|fais|faites|faire|répond(?:s|ez|re)"
)


def _stopped(verb: str) -> str:
    """Return what a verb of English becomes behind "stop"."""
    if verb in ("put", "begin"):
        return f"{verb}{verb[-1]}ing"
    return f"{verb.removesuffix('e')}ing"


_STOPPED = "|".join([*map(_stopped, _ENGLISH), "making", "saying", "telling", "asking for"])
PUT = f"(?:(?:{'|'.join(_ENGLISH)}|{_SPANISH}|{GERMAN}|{_FRENCH}|{_STOPPED})(?: sie\\b)?)"
_THE = (
    "(?:an?|the|me|us|el|la|los|las|un|una|any|all|your|mir|die|das|den|der|des|ein|eine|einen|le"
    "|les|une|des|du|de|bitte|please|por favor|up|out|with|so|like|in|mit|con|avec)"
)
# Behind a verb, what comes before the thing.
THING = rf"(?:\s+{_THE}(?=\s))*\s+(?:l'|d'|qu')?(?P<v>.+)"
# What answers have that somebody may not want: "no emojis please".
FEATURES = (
    r"(?:emojis?|emoticons?|smileys?|abbreviations?|acronyms?|(?:page|section|clause) numbers?"
    r"|footnotes?|headings?|headers?|markdown|bold(?: text)?|italics|code(?: blocks?| snippets?)?"
    r"|intros?|introductions?|preambles?|summar(?:y|ies)|conclusions?|disclaimers?|apolog(?:y|ies)"
    r"|small talk|chit-?chat|exclamation (?:marks?|points?)|hashtags?|links?|urls?|quotes?"
    r"|quotations?|examples?|repetitions?|filler(?: words)?|fluff|pleasantries"
    r"|follow-?up questions?|contractions?|slang|metaphors?|analogies|passive voice"
    r"|technical terms?|caveats?|warnings?|all caps|em[ -]?dashes|foreign words"
    r"|abkürzungen|fachbegriffe|fachwörter|fremdwörter|anglizismen|seitenzahlen|fußnoten"
    r"|überschriften|zusammenfassung(?:en)?|einleitung(?:en)?|beispiele|zitate|floskeln"
    r"|entschuldigungen|wiederholungen|ausrufezeichen|warnhinweise|rückfragen"
    r"|emoticonos|abreviaturas|siglas|tecnicismos|anglicismos|números de página|notas al pie"
    r"|encabezados|resúmenes|ejemplos|enlaces|citas|disculpas|repeticiones|rodeos"
    r"|émojis?|émoticônes|abréviations|sigles|acronymes|termes techniques|anglicismes"
    r"|numéros de page|notes de bas de page|résumés|exemples|liens|citations|excuses"
    r"|répétitions|formules de politesse|points d'exclamation)"
)
# What may stand behind it all, and says nothing of the thing.
ANY_MORE = (
    r"(?:any ?more|any longer|again|mehr|nicht mehr|länger|más|ya|plus|jamais|de nouveau|à nouveau"
    r"|wieder|otra vez|de nuevo)"
)
TAIL = (
    rf"(?:[\s,]+(?:{ANY_MORE}|{ALWAYS}|{FROM_NOW}|please|pls|plz|bitte|por favor|s'il te plaît"
    rf"|s'il vous plaît|stp|svp|thanks|thank you|gracias|danke|merci|now|instead|at all|ok|okay"
    "|at the end|at the beginning|am ende|am anfang|al final|al principio|à la fin|au début"
    rf"|in (?:your|the|deinen|ihren) {ANSWERS}|en (?:tus|las) {ANSWERS}|dans (?:tes|vos) {ANSWERS}"
    r"))*\W*$"
)


@cache
def wording(pattern: str) -> re.Pattern[str]:
    """Compile a pattern as it also fits what was typed without accents, when it is first tried."""
    return re.compile(careless(pattern), re.IGNORECASE)


def untailed(said: str) -> str:
    """Return what was said without what may stand behind it all."""
    return wording(TAIL).sub("", said).strip(" \t.,:;!'\"")
