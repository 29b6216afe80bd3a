"""Questions about the conversation itself, which no document answers.

They are known by their whole wording, in English, Spanish, German and French: "What did I ask
first?" is one, "What did I ask the court for?" is not.
"""

import re
from enum import StrEnum
from functools import cache

from memory.recall.talk import of_answers, repeating
from memory.recall.talk.recaps import asked_how_often, asks_for_recap
from memory.recall.talk.said import said_subject

# What is longer is about something else.
LONGEST = 160


class AboutConversation(StrEnum):
    """What is asked about the conversation."""

    FIRST = "first"  # question
    LAST = "last"  # question
    QUESTIONS = "questions"
    HOW_MANY = "how_many"  # questions
    LAST_ANSWER = "last_answer"  # once more
    SOURCES = "sources"
    # What was asked about something, which `subject_of` returns.
    ABOUT = "about"
    COUNT = "count"  # how often
    SUMMARY = "summary"
    # Which documents there are.
    LIBRARY = "library"
    # What the last answer stands on.
    GROUNDS = "grounds"
    # The last answer once more: in few words, or as only a language model can say it.
    SHORTER = "shorter"
    OTHERWISE = "otherwise"
    # What the answers said about something, which `subject_of` returns.
    SAID = "said"
    # What takes understanding: what was said.
    OTHER = "other"


_SO_FAR = (
    r"(?: (?:so far|until now|up to now|to date|today|in (?:this|our) (?:chat|conversation)))*"
)
_EARLIER = r"(?: (?:before|earlier|just now|previously|a moment ago|so far))*"
_SO_FAR_ALWAYS = r"(?: (?:so far|until now|up to now|to date))"
# What something was asked about; words of the conversation itself are no subject.
_SUBJECT = (
    r" (?:{}) (?!(?:first|at first|at the beginning|last|before|earlier|so far|it|that|this)$)"
    r"(?P<was>.{{2,80}})"
)
_SOBRE, _SUR = "sobre|acerca de|por", "sur|à propos de|à propos des|à propos du|au sujet de"
_DOCUMENTS = "documents|docs|files|sources|papers|books|pdfs"
_ADDED = "(?:have |ve )?(?:add(?:ed)?|upload(?:ed)?|put (?:in|here)|import(?:ed)?)"
_WORDINGS = {
    AboutConversation.HOW_MANY: repeating.HOW_MANY,
    AboutConversation.LAST_ANSWER: repeating.LAST_ANSWER,
    AboutConversation.FIRST: [
        r"what did i (?:first )?ask(?: you)?(?: about)? (?:first|at first|at the beginning"
        r"|at the start)",
        r"what did (?:we|i) first (?:ask|say|talk about|discuss)(?: you)?(?: about)?",
        r"what did (?:we|i) (?:first )?(?:talk about|say|discuss|begin with|start with)"
        r"(?: (?:first|at first|at the beginning|at the start))",
        r"what did we (?:begin|start) with|what was the (?:very )?first thing (?:that )?(?:we|i) "
        r"(?:talked about|discussed|said)",
        r"(?:what (?:was|is|s)|tell me|show me|repeat) my (?:very )?first (?:question|message)",
        r"(?:what|which) was the (?:very )?first (?:thing|question) (?:that )?i asked(?: you)?",
        r"qu[eé] (?:(?:te|fue lo (?:primero )?que) )*(?:pregunt[eé]|dije|dijimos|he preguntado) "
        r"(?:primero|al principio|de primero)|qu[eé] fue lo primero que (?:te )?"
        r"(?:pregunt[eé]|dije)|de qué hablamos (?:primero|al principio)"
        r"|cu[aá]l (?:fue|era) mi primera pregunta",
        r"was (?:habe?|hatte) ich (?:dich |sie )?(?:ganz )?(?:zuerst|als erstes|am anfang"
        r"|zu beginn) (?:gefragt|gesagt|wissen wollen)"
        r"|(?:was haben wir|worüber haben wir) (?:zuerst|als erstes|am anfang) (?:gesagt|gesprochen"
        r"|besprochen|geredet)"
        r"|was war meine erste frage",
        r"(?:qu est ce que j ai|j ai|qu ai je) demandé (?:quoi )?(?:en premier|d abord|au début)"
        r"|quelle (?:était|a été|fut) ma première question",
    ],
    AboutConversation.LAST: [
        *repeating.LAST_QUESTION,
        r"what did i (?:just |last )ask(?: you)?(?: about)?",
        r"what did i ask(?: you)?(?: about)? (?:last|just now|before this|before that)",
        r"(?:what was|what is|what s|tell me|show me|repeat) my (?:last|previous|latest) "
        r"(?:question|message)",
        r"(?:what|which) was the last (?:thing|question) (?:that )?i asked(?: you)?",
        r"qué (?:te )?acabo de preguntar(?:te)?|qué (?:te )?pregunté (?:antes|por último)"
        r"|cuál fue mi (?:última pregunta|pregunta anterior)",
        r"was (?:habe?|hatte) ich (?:dich |sie )?(?:zuletzt|gerade|eben|vorher) gefragt"
        r"|was war meine (?:letzte|vorige) frage",
        r"qu est ce que je viens de (?:te |vous )?demander"
        r"|quelle (?:était|a été) ma (?:dernière question|question précédente)",
    ],
    AboutConversation.QUESTIONS: [
        r"(?:please )?(?:list|show|show me|give me|repeat) (?:all )?(?:of )?(?:my|the) questions"
        r"(?: (?:that )?i (?:have )?asked(?: you)?)?" + _SO_FAR,
        r"(?:what|which questions|what questions|which) (?:have i|did i) ask(?:ed)?(?: you)?"
        + _EARLIER
        + _SO_FAR,
        r"what (?:are|were) my questions" + _SO_FAR,
        r"(?:lista|enumera|muestra|muéstrame) (?:todas )?mis preguntas(?: hasta ahora)?"
        r"|qué (?:te )?he preguntado(?: hasta ahora)?"
        r"|qué preguntas (?:te )?he hecho(?: hasta ahora)?",
        r"(?:liste|zeige?|nenne?)(?: mir)? (?:alle )?meine (?:bisherigen )?fragen(?: auf)?"
        r"|was habe? ich (?:dich |sie )?(?:bisher|bis jetzt|alles|schon|so)* ?(?:alles )?gefragt"
        r"|welche fragen habe ich (?:bisher )?gestellt",
        r"(?:liste|énumère|montre(?: moi)?) (?:toutes )?mes questions"
        r"|qu est ce que j ai demandé(?: jusqu ici| jusqu à présent)?"
        r"|quelles questions ai je posées(?: jusqu ici| jusqu à présent)?",
    ],
    AboutConversation.SOURCES: [
        r"(?:what|which) (?:sources|documents) (?:have you|did you|have we|did we) "
        r"(?:used?|cited?|quoted?|seen?)" + _SO_FAR,
        r"(?:please )?(?:list|show|show me|give me|name) (?:all )?(?:of )?(?:the|your) sources"
        r"(?: (?:that )?you(?: have|ve)? (?:used|cited|quoted))?" + _SO_FAR,
        r"(?:what|which) sources(?: (?:were|have been) (?:used|cited))?(?: (?:so far|until now))",
        r"(?:please )?(?:(?:list|show|show me|give me|name) )?all (?:of )?(?:the |your )?sources"
        r"(?: (?:that )?(?:you(?: have|ve)? )?(?:used|cited|quoted))?" + _SO_FAR,
        r"what (?:are|were) (?:all )?(?:the|your) sources" + _SO_FAR,
        r"qué fuentes has (?:usado|utilizado|citado)(?: hasta ahora)?"
        r"|(?:lista|enumera|muestra) (?:todas )?(?:las|tus) fuentes(?: hasta ahora)?",
        r"welche quellen hast du (?:bisher )?(?:benutzt|verwendet|zitiert)"
        r"|(?:liste|zeige?|nenne?)(?: mir)? (?:alle )?(?:die |deine )?(?:bisherigen )?"
        r"quellen(?: auf)?",
        r"quelles sources as tu (?:utilisées|citées)(?: jusqu ici)?"
        r"|(?:liste|montre(?: moi)?) (?:toutes )?(?:les|tes) sources",
    ],
    AboutConversation.ABOUT: [
        r"(?:what|which questions|what questions) (?:did i|have i) ask(?:ed)?(?: you)?"
        r"(?: (?:before|earlier|so far))?" + _SUBJECT.format("about|on|regarding|concerning"),
        r"(?:did i|have i)(?: ever| already)? ask(?:ed)?(?: you)?(?: anything| something)?"
        + _SUBJECT.format("about|on|regarding"),
        r"(?:show|list|find)(?: me)?(?: all)? (?:my|the) questions"
        + _SUBJECT.format("about|on|regarding"),
        r"qu[eé] (?:te )?(?:pregunt[eé]|he preguntado)(?: antes)?" + _SUBJECT.format(_SOBRE),
        r"(?:te )?(?:pregunt[eé]|he preguntado)(?: (?:algo|ya|antes|alguna vez))*"
        + _SUBJECT.format(_SOBRE),
        r"(?:qu[eé]|cu[aá]les) preguntas (?:te )?(?:hice|he hecho)" + _SUBJECT.format(_SOBRE),
        r"was habe? ich(?: (?:dich|sie|dir|bisher|vorher|schon|alles))*"
        r" (?:über|zu[mr]?|nach|wegen) (?P<was>.{2,80}) gefragt",
        r"habe? ich(?: (?:dich|sie|schon|mal|je|bereits|etwas|was))*"
        r" (?:über|zu[mr]?|nach|wegen) (?P<was>.{2,80}) gefragt",
        r"welche fragen habe? ich(?: (?:dir|bisher|schon))* (?:über|zu[mr]?) (?P<was>.{2,80})"
        r" gestellt",
        r"(?:qu est ce que (?:j ai|je t ai|je vous ai)|qu ai je|j ai) demandé(?: quoi| avant)?"
        + _SUBJECT.format(_SUR),
        r"(?:est ce que )?(?:ai je|j ai)(?: déjà)? (?:demandé (?:quelque chose|quoi que ce soit)"
        r"|posé (?:une|des) questions?)" + _SUBJECT.format(_SUR),
        r"quelles questions (?:ai je posées|j ai posées)" + _SUBJECT.format(_SUR),
    ],
    AboutConversation.SUMMARY: [
        r"(?:please |can you |could you )*(?:summari[sz]e|sum up|recap) (?:our|this|the) "
        r"(?:whole |entire )?(?:chat|conversation|discussion|dialogue)" + _SO_FAR,
        r"(?:please |can you |could you )*(?:summari[sz]e|sum up|recap)"
        r"(?: (?:everything|all|what))?"
        r"(?: (?:that )?we (?:have |ve )?(?:discussed|talked about|said|covered))?"
        + _SO_FAR_ALWAYS,
        r"(?:please |can you |could you )*(?:summari[sz]e|sum up|recap) (?:everything|all|what) "
        r"(?:that )?we (?:have |ve )?(?:discussed|talked about|said|covered)",
        r"(?:give me |can you give me )?a (?:summary|recap) of (?:our|this|the) "
        r"(?:chat|conversation|discussion)" + _SO_FAR,
        r"what (?:have we|did we) (?:talk(?:ed)?|discuss(?:ed)?|cover(?:ed)?|sa(?:y|id))(?: about)?"
        + _EARLIER
        + _SO_FAR,
        r"(?:por favor )?(?:resume|resúmeme|puedes resumir) (?:todo )?lo que (?:hemos|habíamos) "
        r"(?:hablado|discutido|dicho|visto)(?: hasta ahora)?",
        r"(?:resume|resúmeme|puedes resumir) (?:nuestra|esta|la) (?:conversación|charla)"
        r"|de qué hemos hablado(?: hasta ahora)?",
        r"fasse? (?:mir )?(?:bitte )?(?:unser|dieses|das|die) (?:ganze )?(?:gespräch"
        r"|unterhaltung|bisherige) zusammen|fasse? (?:mir )?alles zusammen"
        r"|(?:worüber|was) haben wir (?:bisher |bis jetzt )?(?:gesprochen"
        r"|geredet|besprochen)",
        r"résume[rz]? (?:notre|cette|la) (?:conversation|discussion)"
        r"|de quoi avons nous parlé(?: jusqu ici)?",
    ],
    AboutConversation.LIBRARY: [
        rf"(?:how many|what|which|what kind of) (?:{_DOCUMENTS}) "
        r"(?:(?:do|did|can) (?:you|we|i)|are) ?(?:have|got|know|hold|see|use|read|there"
        r"|in (?:the|your|my) library|available)?"
        r"(?: (?:here|loaded|access to|about|in (?:here|there|(?:the|your|my|this) library)))*",
        rf"(?:list|show|show me|name|give me|see) (?:me )?(?:(?:a|the) list )?(?:all )?(?:of )?"
        rf"(?:the|your|my|our)? ?(?:{_DOCUMENTS})(?: (?:that )?(?:you|we|i)(?: {_ADDED})?"
        r"(?: have)?| there are| available| (?:in )?here| in (?:the|your|my) library)?"
        r"(?: (?:pls|plz))?",
        rf"(?:what|which) (?:{_DOCUMENTS})? ?(?:did|have) (?:i|we) (?:already )?{_ADDED}"
        r"(?: (?:here|so far|already))*",
        rf"(?:what|which|how many) (?:{_DOCUMENTS}) (?:here )?are (?:mine|ours|my own)",
        r"what ?(?:is|s|do you have|have you got) in (?:here|there|(?:the|your|my|this) library)",
        rf"what (?:{_DOCUMENTS}) (?:you (?:have|got)|have you(?: got)?|u got)(?: here)?",
        r"(?:cuántos|qué|cuáles|que|cuales|cuantos) (?:documentos|archivos|docs) "
        r"(?:tienes|tenéis|hay|conoces|están)(?: (?:aquí|aqui|disponibles|en la biblioteca))?"
        r"|(?:lista|enumera|muestra|muéstrame) (?:todos )?(?:los|tus|mis)? ?(?:documentos|archivos)"
        r"|qu[eé] hay (?:aquí|aqui|en la biblioteca)",
        r"(?:wie ?viele|welche|was für) (?:dokumente|dateien|unterlagen|docs) (?:hast du|haben wir"
        r"|gibt es|gibts|kennst du|sind)(?: (?:da|hier|drin|denn))*"
        r"|(?:liste?|zeige?|nenne?)(?: mir)? (?:alle )?(?:die |deine |meine )?(?:dokumente|dateien)"
        r"(?: auf)?|was (?:ist|gibt es|hast du) hier(?: alles)?(?: drin)?",
        r"(?:combien de|quels|quelles) (?:documents|fichiers|docs) (?:as tu|avez vous|y a t il"
        r"|tu as|il y a|sont là|sont disponibles)(?: ici)?"
        r"|(?:liste|montre(?: moi)?) (?:tous )?(?:les|tes|mes) (?:documents|fichiers)"
        r"|qu (?:est ce qu )?il y a (?:ici|dedans)",
    ],
    AboutConversation.GROUNDS: of_answers.GROUNDS,
    AboutConversation.SHORTER: of_answers.SHORTER,
    AboutConversation.OTHERWISE: of_answers.OTHERWISE,
    AboutConversation.OTHER: [
        r"what (?:did you|have you) (?:just |already )?(?:sa(?:y|id)|t(?:ell|old)(?: me)?"
        r"|answer(?:ed)?)"
        r"(?: me)?(?: (?:first|last))?" + _EARLIER + r"(?: about .{1,80})?",
        r"(?:what was|repeat) your (?:first|last|previous) (?:answer|response|reply)",
        r"what was the last thing (?:that )?you (?:said|told me|answered)",
        r"qué (?:me )?(?:dijiste|has dicho)(?: antes)?(?: sobre .{1,80})?",
        r"was hast du (?:vorhin |vorher |eben |mir )*(?:über .{1,80} )?gesagt",
        r"qu as tu dit(?: avant)?(?: sur .{1,80})?",
    ],
}
_MARKS = re.compile(r"[^\w]+")
# What is typed in a hurry, in full.
_TYPED = {
    "u": "you", "ur": "your", "pls": "please", "plz": "please", "wht": "what",
    "wat": "what", "whats": "what s", "wheres": "where s", "thats": "that s", "dont": "don t",
    "isnt": "isn t", "cant": "can t", "abt": "about", "youre": "you re", "hab": "habe",
    "xq": "por qué", "q": "qué",
}  # fmt: skip
_ARE = re.compile(r"\br(?= (?:u|you|they|we|there)\b)")
# Before and behind what is asked.
_POLITE = re.compile(
    r"^(?:(?:so|and|but|now|no|ok|okay|hey|hi|hello|thanks|thank you|great|good|nice|please"
    r"|bitte|y|und|et"
    r"|gracias|danke|merci)\s)+|(?:\s(?:again|please|then|exactly|bitte|por favor))+$"
)


def about_conversation(text: str) -> AboutConversation | None:
    """Return what the message asks about the conversation itself, or None if it doesn't."""
    said = _asked(text)
    if said_subject(said):
        return AboutConversation.SAID
    for kind in _WORDINGS:
        if said and any(wording.fullmatch(said) for wording in _wordings(kind)):
            return kind
    if asked_how_often(said):
        return AboutConversation.COUNT
    return AboutConversation.SUMMARY if asks_for_recap(said) else None


# Which conversation is meant, behind what was asked about.
_HERE = re.compile(
    r" (?:(?:here|so far|just now)|in (?:this|our|the) (?:chat|conversation|session)|hier"
    r"|in diesem (?:chat|gespräch)|aquí|en esta (?:conversación|charla)|ici"
    r"|dans cette (?:conversation|discussion))$"
)
# What is said of the last answer, and means nothing before there is one.
SAID_OF_ANSWERS = frozenset(
    (AboutConversation.GROUNDS, AboutConversation.SHORTER, AboutConversation.OTHERWISE)
)


def subject_of(text: str) -> str:
    """Return what the message asks whether anything was asked or said about, or nothing."""
    said = _asked(text)
    if subject := said_subject(said) or asked_how_often(said):
        return subject
    return _HERE.sub("", _about(said))


def asked_anywhere(text: str) -> str:
    """Return what the message asks whether anything was ever asked about, in whatever conversation;
    nothing if it asks that of this one alone, or how often.
    """
    subject = _about(_asked(text))
    return "" if _HERE.search(subject) else subject


def _about(said: str) -> str:
    found = (wording.fullmatch(said) for wording in _wordings(AboutConversation.ABOUT))
    return next((match["was"] for match in found if match), "")


def _asked(text: str) -> str:
    """Return the message without marks and what is polite about it; empty if it is too long."""
    if len(text) > LONGEST:
        return ""
    said = _ARE.sub("are", _MARKS.sub(" ", text.lower()).strip())
    return _POLITE.sub("", " ".join(_TYPED.get(word, word) for word in said.split()))


@cache
def _wordings(kind: AboutConversation) -> list[re.Pattern[str]]:
    """Return what asks for it, compiled once that is needed: many programs answer nothing."""
    return [re.compile(wording) for wording in _WORDINGS[kind]]
