"""Questions: how those of a kind begin, in four languages."""

import re

from chat.quoting.kinds.wordings import FLAGS

# What may stand before a question: "and", "so", "y", "und", "et".
LEAD = r"^\W*(?:(?:and|but|so|then|ok|okay|y|pero|und|aber|et|mais)\b\W*)*"


def kind_pattern(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, FLAGS)


# What several are asked of by its name alone: "drawbacks of …".
LISTED = (
    "drawbacks|(?:dis)?advantages|benefits|limitations|requirements|prerequisites|pros|cons"
    "|features|reasons|types|kinds|steps|options|vorteile|nachteile|gründe|arten"
    "|ventajas|desventajas|requisitos|razones|tipos|avantages|inconvénients"
)
# What is typed for "how do I …?": only what is to be done.
DOINGS = (
    "make|set|get|turn|enable|disable|convert|change|keep|copy|move|split|install|uninstall|use|add"
    "|remove|delete|create|run|start|restart|stop|send|save|log|ask|show|hide|list|find|limit|skip"
    "|only|ignore|exclude|force|switch|open|close|print|write|read|build|test|update|upgrade|check"
)
# German "was" asks what something is or does.
ENGLISH_WAS = (
    r"was(?! (?:ist|sind|war|macht|machen|tut|tun|heißt|bedeutet|bewirkt|passiert|kann|muss|soll"
    r"|darf|wird|kostet|für|man|ich|wir)\b)"
)
# "Who wrote …?"; "every 5 minutes".
WHO_MADE = kind_pattern(
    rf"{LEAD}who(?: (?:first|originally))? (?:made|created|wrote|invented|developed|designed|built"
    r"|founded|started)\b"
)
RECURS = kind_pattern(
    r"\b(?:every (?:\d+|two|three|five|ten|other|few)|alle (?:\d+|zwei|fünf|zehn|paar)"
    r"|cada (?:\d+|dos|cinco|diez)|toutes les (?:\d+|deux|cinq|dix)) \w+"
)
WHO_IS = kind_pattern(
    rf"{LEAD}(?:who(?:['’]?s| is| was| are| were)|qui[eé]n(?:es)? (?:es|era|fue|son)"
    r"|wer (?:ist|war|sind)|qui (?:est|était|sont))\b"
)
WHEN = kind_pattern(
    rf"{LEAD}(?:when (?:do|does|did|will|would|can|may|must|should|am|is|are)"
    r"|wann (?:darf|dürfen|kann|können|muss|müssen|wird|werden|ist|sind|endet)"
    r"|cu[aá]ndo (?:se )?(?:puede|puedo|debe|debo|termina|es)|quand (?:peut|puis|dois|doit|est))\b"
)
WHY_CALLED = kind_pattern(
    r"\b(?:why|how come)\b[^?]{0,40}\b(?:called|named)\b"
    r"|\bname\b[^?]{0,30}\b(?:come from|origin\w*|mean)\b|\borigin of (?:the|its) name\b"
    r"|\b(?:warum|wieso|weshalb)\b[^?]{0,40}\bhei(?:ß|ss)(?:t|en)\b"
    r"|\bpor qu[eé]\b[^?]{0,30}\bllama|\bpourquoi\b[^?]{0,40}\bs['’]?appelle"
)
YES_OR_NO = kind_pattern(
    rf"{LEAD}(?:is|are|{ENGLISH_WAS}|were|do|does|did|can|could|may|must|should|shall|will|would|has"
    r"|have|am|(?:se )?puede[ns]?|puedo|deb[eo]|tengo|tiene|necesito|hay|es|está|kann|können|darf"
    r"|dürfen|muss|müssen|soll(?:te)?|ist|sind|hat|gibt es|wird|peut|puis|dois|doit|faut|est)\b"
    rf"|{LEAD}y a-t-il\b"
)
WHAT_IS = kind_pattern(
    rf"{LEAD}(?:what(?:['’]?s| is| are| does)|define|definition of|meaning of"
    r"|(?:para |a )?qu[eé] (?:es|son|significa|sirven?|hacen?|quiere decir)"
    r"|was (?:ist|sind|bedeutet|macht|machen|tut|bewirkt|heißt)"
    r"|wo(?:zu|für) (?:dien|steh|ist|sind|brauch)\w*|qu['’]est[- ]ce que?|c['’]est quoi"
    r"|à quoi ser(?:t|vent)|que (?:signifie|veut dire|fait|font))\b"
    r"|\b(?:mean(?:s|ing)?|stands? for|short for|abbreviat\w+|bedeutung|significado)\W*$"
)
HOW = (
    rf"{LEAD}how (?:do|does|can|could|should|would|to)\b|{LEAD}c[oó]mo\b(?! se llama)"
    rf"|{LEAD}comment\b(?! s['’]appelle)"
    rf"|{LEAD}wie(?! (?:viele?|hoch|lange?|oft|alt|groß|weit|teuer|schnell|schwer|hei[sß]|laute))\b"
)
HOW_TO = kind_pattern(
    rf"{HOW}|\bhow (?:do|can) (?:i|we|you)\b|\bwie (?:geht|kann|mach)\w*"
    r"|\bc[oó]mo (?:se (?!llama)|(?:puedo|hago)\b)"
    rf"|{LEAD}(?:please )?(?:{DOINGS})\b|\bhowto\b"
    r"|\bsteps?\b|\bhello world\b|\bcommand\b|\bexample\b|\binstall\b|\bfix\b|\bshortcut\b"
    r"|\bcomando\b|\bbefehl\b|\bcommande\b"
)
# "What's the most …?", "how long may it be?"
MOST = kind_pattern(
    r"\bmax(?:imum|imal\w*)?\b|\bat (?:the )?most\b|\bup to (?:how|what)\b|\bno more than\b"
    r"|\b(?:an?|the|any) limit\b|\bhöchstens\b|\bmáxim[oa]s?\b|\bau (?:maximum|plus)\b"
    r"|\b(?:what['’]?s|what is|which is) the (?:largest|biggest|highest|longest|greatest|hottest)\b"
    r"|\bthe most\b(?! (?:common|important|likely|recent|popular|of))"
    r"|\bhow \w+ (?:can|may|could|am i allowed)\b"
    r"|\bwie ?(?:viele?|lange?|gro(?:ß|ss)|oft|hoch) (?:darf|dürfen|kann|können)\b"
    r"|\bcuánt\w+ (?:\w+ )?(?:como máximo|puede|puedo)\b"
)
OBLIGES = kind_pattern(
    r"\b(?:have|has) to\b|\b(?:do|does|did|will|would)\b[^?]{0,30}\bneed to\b"
    r"|\bmust (?:i|we|you|it|they|every\w*)\b"
    r"|\b(?:am|is|are)\b[^?]{0,50}\b(?:required|obliged|mandatory|necessary|optional|compulsory)\b"
    r"|\bm(?:uss|üssen) (?:ich|man|wir|das|der|die|es)\b"
    r"|\b(?:ist|sind)\b[^?]{0,40}\b(?:pflicht|nötig|notwendig|erforderlich)\b"
    r"|\b(?:tengo|tenemos|hay) que\b|\bes (?:obligatorio|necesario)\b"
    r"|\bdois[- ]je\b|\bfaut[- ]il\b|\best[- ]il (?:obligatoire|nécessaire)\b"
)
WHAT_IF = kind_pattern(
    r"\bwhat (?:happens|will happen|if)\b|\bwas (?:passiert|geschieht|ist),? wenn\b"
    r"|\bqué (?:pasa|ocurre|sucede) (?:si|cuando)\b|\bse passe\b"
)
COSTS = kind_pattern(
    r"\b(?:costs?|price[sd]?|free|pay|paid|fees?|charge[sd]?|expensive|kosten|kostet|gratis"
    r"|kostenlos|cuesta|precio|gratuit\w*|co[uû]te)\b"
)
