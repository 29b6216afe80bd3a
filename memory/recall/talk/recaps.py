"""Questions for a recap of the conversation, and how often something was asked in it.

They are known by their whole wording, in English, German, Spanish and French: "what were the main
points so far?" is one, "what are the main points of the agreement?" is not.
"""

import re
from functools import cache

_PLEASE = (
    r"(?:(?:please|can you|could you|would you|will you|kindly|quickly|just|i d like|i would like"
    r"|i want|i need|can i (?:get|have)|may i have|let s|let us|bitte|kannst du|könntest du"
    r"|können sie|könnten sie|ich hätte gerne?|ich möchte|por favor|puedes|podrías|me puedes"
    r"|me podrías|quiero|quisiera|peux tu|pourrais tu|pouvez vous|pourriez vous|s il te plaît"
    r"|s il vous plaît|je voudrais|j aimerais|tu peux|give|show|write|make|tell|me|us|gib|mach"
    r"|mir|uns|dame|hazme|dar|darme|donne|donner|fais|faire|moi|nous) )*"
)
# Where it is said, and what was: nothing of a document.
_WE = (
    r"(?:(?:our|this|the) (?:whole |entire |full )?(?:chat|conversation|discussion|dialogue"
    r"|session)"
    r"|(?:everything|all|what|the things|the points|the topics)(?: that)? (?:we|i)(?: have| ve)?"
    r"(?: been)? (?:discuss\w*|talk(?:ed|ing) about|said|cover\w*|spoken about|gone (?:over"
    r"|through)"
    r"|asked(?: you)?))"
)
_WIR = (
    r"(?:(?:unser|dies|d[ae])\w* (?:bisherigen? |ganze[ns]? )?(?:gesprächs?|chats?|unterhaltung"
    r"|konversation)|alle[sm]?,? (?:was|worüber) wir(?: (?:bisher|bis jetzt))?"
    r" (?:besprochen|gesagt|geredet|gesprochen) haben)"
)
_HEMOS = (
    r"(?:(?:esta|la|nuestra|toda la) (?:conversación|charla|discusión)|(?:todo )?lo que"
    r" (?:hemos|habíamos) (?:hablado|visto|discutido|tratado|dicho))"
)
_AVONS = (
    r"(?:(?:cette|notre|la|toute la) (?:conversation|discussion)|tout ce (?:que|dont|don t)"
    r" (?:nous avons|on a) (?:dit|parlé|discuté|vu|abordé))"
)
_SO_FAR = (
    r"(?: (?:so far|until now|up to now|to date|today|for me|for us|in short|bisher|bis jetzt"
    r"|hasta ahora|jusqu ici|jusqu à présent|in (?:one|a|two|three|a few) (?:short )?sentences?))*"
)
_UNTIL_NOW = (
    r"(?: (?:so far|until now|up to now|to date|bisher|bis jetzt|hasta ahora|jusqu ici"
    r"|jusqu à présent))+"
)
_POINTS = (
    r"(?:main|key|most important|major|central) (?:points?|topics?|things?|takeaways?|themes?)"
)
_RECAPS = (
    rf"{_PLEASE}(?:(?:an?|the) )?(?:(?:short|brief|quick|little) )?(?:recap|summary|overview"
    rf"|rundown"
    rf"|outline|synopsis|gist|highlights|takeaways|{_POINTS}) (?:of|for|on|from) {_WE}{_SO_FAR}",
    rf"{_PLEASE}(?:summari[sz]e|sum up|recap|review|go over|run through|outline)"
    rf"(?: for)?(?: me| us)? {_WE}{_SO_FAR}",
    rf"what (?:were|are|was|is|have been) (?:the|our) {_POINTS}(?: (?:of|in|from) {_WE}{_SO_FAR}"
    rf"|(?: (?:that )?we (?:have |ve )?(?:discussed|covered|talked about)){_SO_FAR}|{_UNTIL_NOW})",
    rf"(?:what|which) (?:topics|subjects|things) (?:have we|did we) (?:cover|discuss|talk"
    rf"|go)(?:ed)?"
    rf"(?: about| over| through)?{_SO_FAR}",
    rf"what (?:have we|did we) (?:go|gone) (?:over|through){_SO_FAR}",
    r"what (?:was|is|has) (?:this|our) (?:whole )?(?:chat|conversation|discussion)(?: been)? about"
    rf"{_SO_FAR}",
    rf"{_PLEASE}(?:bring me up to (?:speed|date) on|catch me up on) {_WE}{_SO_FAR}",
    rf"{_PLEASE}(?:eine[n]? )?(?:kurze[nr]? )?(?:zusammenfassung|überblick|übersicht|rückblick)"
    rf"(?: (?:von|über|zu))? {_WIR}{_SO_FAR}",
    rf"{_PLEASE}(?:fasse?|fassen sie)(?: (?:mal|bitte|kurz|mir|noch ?mal))* (?:{_WIR}|alles)"
    rf"(?: (?:bisherige|bisher|bis jetzt|kurz))* zusammen(?: {_WIR})?",
    rf"{_PLEASE}(?:kurz )?{_WIR}(?: kurz)? zusammenfassen",
    rf"(?:was|welche) (?:waren|sind)(?: (?:bisher|bis jetzt))? die (?:wichtigsten|zentralen)"
    rf" (?:punkte"
    rf"|themen)(?:{_UNTIL_NOW}| {_WIR})|was waren bisher die (?:wichtigsten|zentralen) punkte",
    rf"{_PLEASE}(?:un )?(?:breve |pequeño )?(?:resumen|repaso|recuento) (?:de|sobre)"
    rf" {_HEMOS}{_SO_FAR}",
    rf"{_PLEASE}(?:resumir|resume|resumirme|recapitular|recapitula|repasar|repasa)"
    rf" {_HEMOS}{_SO_FAR}",
    r"cuáles (?:fueron|son|han sido|eran) los (?:puntos|temas) (?:principales|más importantes"
    r"|clave)"
    rf"(?:{_UNTIL_NOW}| (?:de|en) {_HEMOS})",
    rf"{_PLEASE}(?:une? )?(?:petit |bref |court )?(?:résumé|récapitulatif|récap|aperçu) (?:de|sur)"
    rf" {_AVONS}{_SO_FAR}",
    rf"{_PLEASE}(?:récapitule[rz]?|résume[rz]?)(?: moi)? {_AVONS}{_SO_FAR}",
    r"quels (?:étaient|sont|ont été) les (?:points|sujets) (?:principaux|essentiels|clés"
    r"|importants)"
    rf"(?:{_UNTIL_NOW}| de {_AVONS})",
)
_WAS = r"(?P<was>(?!(?:it|that|this|them|das|eso|ça)$).{2,80}?)"
_ALREADY = (
    r"(?: (?:in (?:this|our) (?:chat|conversation)|so far|until now|already|bisher|hasta ahora))*"
)
_HOW_OFTEN = (
    rf"how (?:often|many times) (?:have i|did i|i)(?: already| ever)? (?:ask|mention|talk|quer[yi])"
    rf"(?:ed)?(?: you)?(?: (?:about|for|on))? {_WAS}{_ALREADY}",
    rf"how (?:often|many times) (?:have i|did i) (?:bring|brought) up {_WAS}{_ALREADY}",
    rf"how many (?:questions|times) (?:have i|did i) ask(?:ed)?(?: you)? (?:about|on)"
    rf" {_WAS}{_ALREADY}",
    rf"how many of my questions (?:were|are|have been) (?:about|on) {_WAS}{_ALREADY}",
    rf"wie oft habe ich(?: (?:dich|sie|schon|bisher|hier))* (?:nach|über|zu[mr]?|wegen) {_WAS}"
    rf" gefragt",
    rf"wie viele fragen habe ich(?: (?:dir|schon|bisher))* (?:über|zu[mr]?) {_WAS} gestellt",
    rf"cuántas veces (?:te )?(?:he preguntado|pregunté)(?: ya)? (?:por|sobre|acerca de)"
    rf" {_WAS}{_ALREADY}",
    r"combien de fois (?:est ce que )?(?:j ai|ai je)(?: déjà)? (?:demandé|parlé|posé (?:une|des)"
    rf" questions?|interrogé)(?: (?:sur|de|du|des|à propos d[eu]s?|au sujet d[eu]s?))? {_WAS}",
)


def asks_for_recap(asked: str) -> bool:
    """Return whether a recap of the conversation is asked for; lower case, without marks."""
    return any(wording.fullmatch(asked) for wording in _compiled(_RECAPS))


def asked_how_often(asked: str) -> str:
    """Return what it is asked for how often it was asked about, or nothing; as `asks_for_recap`."""
    found = (wording.fullmatch(asked) for wording in _compiled(_HOW_OFTEN))
    return next((match["was"] for match in found if match), "")


@cache
def _compiled(wordings: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(wording) for wording in wordings)
