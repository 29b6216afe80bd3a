"""Small talk: greetings, thanks, goodbyes, nods, and questions about who answers.

A message is small talk if it consists of such phrases and nothing else, in English, Spanish,
German or French: "Thanks! And what does it do?" is a question.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from itertools import islice, takewhile
from unicodedata import category

from memory.recall.talk.pastimes import LONGEST, language_of_sum
from memory.text.reading import ReadText
from memory.text.words import words

# What has more words says something.
MOST_WORDS = 14


class SmallTalk(StrEnum):
    """What kind of small talk it is; of several in a message, the first here counts."""

    CLOCK = "clock"
    SUM = "sum"
    SPEAKS = "speaks"
    ABLE = "able"
    WHO = "who"
    GOODBYE = "goodbye"
    THANKS = "thanks"
    GREETING = "greeting"
    NOD = "nod"


def _each(openings: str, languages: str) -> str:
    """Return the openings with each of the languages, as phrases."""
    named = languages.split("|")
    return "|".join(f"{opening} {name}" for opening in openings.split("|") for name in named)


_PHRASES: dict[SmallTalk, dict[str, str]] = {
    SmallTalk.CLOCK: {
        "en": """what time is it|what time is it now|what's the time|what is the time
           |what is the time now|do you have the time|do you know what time it is""",
        "es": "qué hora es|que hora es|qué hora es ahora|tienes hora|sabes qué hora es",
        "de": "wie spät ist es|wie spät ist es jetzt|wie viel uhr ist es|wieviel uhr ist es",
        "fr": "quelle heure est il|il est quelle heure|tu as l heure",
    },
    SmallTalk.SPEAKS: {
        "en": _each(
            "can you speak|do you speak|do you understand|can you understand|can i write in"
            "|can i ask in|can you answer in|do you know",
            "english|german|spanish|french",
        )
        + "|what languages do you speak|which languages do you speak|what languages do you know",
        "es": _each("hablas|puedes hablar|entiendes|sabes", "español|inglés|alemán|francés")
        + "|qué idiomas hablas|en qué idiomas puedo preguntar",
        "de": _each(
            "sprichst du|kannst du|verstehst du|sprechen sie|verstehen sie",
            "deutsch|englisch|spanisch|französisch",
        )
        + "|welche sprachen sprichst du|welche sprachen kannst du",
        "fr": _each(
            "parles tu|tu parles|parlez vous|comprends tu|peux tu parler",
            "français|anglais|allemand|espagnol",
        )
        + "|quelles langues parles tu|quelles langues parlez vous",
    },
    SmallTalk.ABLE: {
        "en": """what can you do|what can i ask|what can i ask you
           |what can you help me with|what can you help with|how can you help
           |how can you help me|what do you do|what are you for
           |how do you work|can you help me|help|help me""",
        "es": """qué puedes hacer|qué sabes hacer|en qué puedes ayudarme
           |en qué me puedes ayudar|cómo puedes ayudarme|qué puedo preguntar
           |qué puedo preguntarte|ayuda|ayúdame|puedes ayudarme""",
        "de": """was kannst du|was können sie|was kannst du tun|was kannst du alles
           |was kann ich fragen|was kann ich dich fragen|wobei kannst du helfen
           |wie kannst du mir helfen|kannst du mir helfen|hilfe""",
        "fr": """que sais tu faire|que peux tu faire|que pouvez vous faire
           |qu est ce que tu peux faire|qu est ce que tu sais faire
           |que puis je demander|comment peux tu m aider|peux tu m aider|aide
           |aide moi""",
    },
    SmallTalk.WHO: {
        "en": """who are you|what are you|what's your name|what is your name
           |who am i talking to|are you a bot|are you a robot|are you human
           |are you an ai|are you an llm|are you a language model
           |are you a machine|are you real|are you a person|are you chatgpt
           |are you chat gpt|are you gpt|are you claude|are you gemini
           |are you copilot|who made you|introduce yourself""",
        "es": """quién eres|qué eres|cómo te llamas|cuál es tu nombre|eres un bot
           |eres una ia|eres chatgpt""",
        "de": """wer bist du|wer sind sie|was bist du|wie heißt du|wie heissen sie
           |bist du ein bot|bist du eine ki|bist du chatgpt|bist du ein mensch""",
        "fr": """qui es tu|qui êtes vous|comment tu t appelles|comment t appelles tu
           |quel est ton nom|tu es un robot|es tu chatgpt|es tu une ia""",
    },
    SmallTalk.GOODBYE: {
        "en": """bye|bye bye|goodbye|good bye|see you|see you later|see you soon
           |see ya|good night|have a nice day|have a good day
           |have a great day|farewell|take care|cheers bye""",
        "es": """adiós|hasta luego|hasta mañana|hasta pronto|nos vemos|chao|chau
           |buenas noches""",
        "de": """tschüss|tschüs|auf wiedersehen|bis bald|bis später|bis dann|ciao
           |gute nacht|schönen tag|schönen tag noch""",
        "fr": """au revoir|à bientôt|à plus|à demain|bonne nuit|bonne journée
           |bonne soirée|salut et merci""",
    },
    SmallTalk.THANKS: {
        "en": """thanks|thank you|thank you very much|thank you so much
           |thanks a lot|thx|ty|thanks so much|many thanks|much appreciated
           |thanks for your help|thank you for your help|thanks for the help
           |thanks for that|that's all|that is all|that was helpful
           |very helpful|that helps""",
        "es": """gracias|muchas gracias|mil gracias|gracias por tu ayuda
           |gracias por todo|eso es todo""",
        "de": """danke|danke schön|dankeschön|danke sehr|vielen dank|besten dank
           |danke dir|das war alles|danke für deine hilfe""",
        "fr": """merci|merci beaucoup|merci bien|mille mercis|c est tout
           |merci pour ton aide|merci pour votre aide""",
    },
    SmallTalk.GREETING: {
        "en": """hi|hello|hey|hiya|howdy|hi there|hello there|hey there
           |greetings|good morning|good afternoon|good evening|good day
           |how are you|how are you doing|what's up|how's it going
           |how is it going|nice to meet you|hope you re well
           |how are you today""",
        "es": """hola|buenos días|buenas tardes|buenas|qué tal|cómo estás
           |cómo está""",
        "de": """hallo|guten tag|guten morgen|guten abend|moin|servus|grüß gott
           |grüezi|wie geht s|wie geht es dir|wie geht es ihnen""",
        "fr": """bonjour|bonsoir|salut|coucou|ça va|comment ça va|comment vas tu
           |comment allez vous""",
    },
    SmallTalk.NOD: {
        "en": """ok|okay|k|ok then|all right|alright|got it|i see|i understand
           |understood|great|good|nice|cool|perfect|excellent|awesome
           |wonderful|amazing|fine|very good|sounds good|makes sense
           |interesting|that's interesting|very interesting|good to know
           |that's great|never mind|nevermind|nvm|forget it|scratch that
           |that's good|good job|well done|wow|mmm|oh|lol|haha|hm|hmm
           |yay""",
        "es": """da igual|olvídalo|no importa|vale|de acuerdo|entendido|entiendo
           |perfecto|genial|muy bien|bien|estupendo|interesante""",
        "de": """vergiss es|schon gut|egal|in ordnung|alles klar|verstanden
           |verstehe|ach so|super|gut|sehr gut|prima|toll|interessant""",
        "fr": """laisse tomber|peu importe|d accord|compris|je comprends|parfait
           |très bien|génial|intéressant|je vois|ça marche""",
    },
}
# What takes back what was asked, with which what is asked behind it has nothing to do.
_TAKEN_BACK = (
    "never mind that|forget that|forget about it|forget about that|leave that|olvida eso|déjalo"
    "|vergiss das|lass das|oublie|oublie ça|oubliez ça"
)
# Said beside any of them.
_FILLING = (
    "there|again|everyone|all|so|much|very|then|now|oh|ah|and|well|really|please|my friend|zusammen"
    "|a todos|à tous"
)
# Who types nothing but "?" wants to be told what to type.
_MARKS = re.compile(r"[\s?¿？!¡.…]*[?？][\s?¿？!¡.…]*")
_FACE = re.compile(r"[:;=8]-?[()\]\[|/]+|<3|\^_*\^")
_KINDS = {
    tuple(words(phrase)): kind
    for kind, by_language in reversed(_PHRASES.items())
    for phrases in by_language.values()
    for phrase in phrases.split("|")
}
_TAKES_BACK = frozenset(tuple(words(phrase)) for phrase in _TAKEN_BACK.split("|"))
_KINDS |= dict.fromkeys(_TAKES_BACK, SmallTalk.NOD)
_LANGUAGES = {
    tuple(words(phrase)): language
    for by_language in _PHRASES.values()
    for language, phrases in reversed(by_language.items())
    for phrase in phrases.split("|")
} | {("super",): "en"}
_FILLERS = frozenset(tuple(words(phrase)) for phrase in _FILLING.split("|"))
_LONGEST_PHRASE = max(map(len, _KINDS))


def small_talk(message: ReadText) -> SmallTalk | None:
    """Return what kind of small talk the message is, or None if it says something else, too."""
    said = message.words if len(message.text) <= LONGEST else ()
    if not said and _is_a_face(message.text):
        return SmallTalk.NOD
    if not said and _MARKS.fullmatch(message.text[:LONGEST]):
        return SmallTalk.ABLE
    if said and language_of_sum(message.text):
        return SmallTalk.SUM
    if not 0 < len(said) <= MOST_WORDS:
        return None
    phrases = list(_phrases(said))
    if sum(map(len, phrases)) < len(said):
        return None
    kinds = {_KINDS[phrase] for phrase in phrases if phrase in _KINDS}
    return next(kind for kind in SmallTalk if kind in kinds)


def language_of_talk(message: ReadText) -> str:
    """Return the language that small talk is in; English, if nothing in it tells another."""
    if of_sum := language_of_sum(message.text[:LONGEST]):
        return of_sum
    spoken = [_LANGUAGES.get(phrase, "en") for phrase in _phrases(message.words[:MOST_WORDS])]
    return next((language for language in spoken if language != "en"), "en")


def _is_a_face(message: str) -> bool:
    """Return whether the message is of emoji alone, or of a face in signs."""
    signs = "".join(message[:LONGEST].split())
    return _FACE.fullmatch(signs) is not None or any(category(sign) == "So" for sign in signs)


def _phrases(said: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield the phrases that the words begin with, each time the longest; fillers behind one."""
    at = 0
    while at < len(said):
        runs = (tuple(said[at : at + size]) for size in range(_LONGEST_PHRASE, 0, -1))
        found = next((run for run in runs if run in _KINDS or (run in _FILLERS and at)), None)
        if found is None:
            return
        yield found
        at += len(found)


# What is said before one comes to what one asks; and where that ends: "hi, …", "hey how much …".
_OPENING = frozenset((SmallTalk.GREETING, SmallTalk.THANKS, SmallTalk.NOD))
_SPOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_GOES_ON = re.compile(
    r"\s*[,.!?:;…]+\s*|\s+[-–—]+\s+"
    r"|\s+(?=(?:how|what['’]?s?|when|where|why|who|which|can|could|do|does|is|are|may|must|should"
    r"|tell|show|i|i['’]?m|my|this|we|wie|was|wann|wo|warum|wer|kann|darf|gibt|ich|mein|cómo|qué"
    r"|cuándo|dónde|cuál|cuánt[oa]s?|puedo|hay|soy|me|comment|quand|où|combien|quel|je)\b)",
    re.IGNORECASE,
)


def past_greeting(message: str) -> str:
    """Return the message behind the greeting, the thanks or the nod that it begins with."""
    # A letter alone may be a name's: "K. Smith".
    return _behind(
        message,
        lambda phrase: (
            _KINDS.get(phrase, SmallTalk.NOD) in _OPENING
            and phrase not in _TAKES_BACK
            and phrase != ("k",)
        ),
    )


def past_taking_back(message: str) -> str:
    """Return what is asked behind "forget that", or nothing if it isn't taken back."""
    rest = _behind(message, _TAKES_BACK.__contains__)
    return rest if rest != message and len(words(rest)) >= FEWEST_LEFT else ""


def _behind(message: str, passes: Callable[[tuple[str, ...]], bool]) -> str:
    """Return the message behind the phrases at its beginning that pass."""
    said = [
        (word, each.end())
        for each in islice(_SPOKEN.finditer(message[:LONGEST]), MOST_WORDS)
        for word in words(each.group())
    ]
    read, end = 0, 0
    for phrase in takewhile(passes, _phrases([word for word, _ in said])):
        read += len(phrase)
        if goes_on := _GOES_ON.match(message, said[read - 1][1]):
            end = goes_on.end()
    return message[end:]


FEWEST_LEFT = 2  # words


def without_greeting(message: str) -> str:
    """Return what a message asks behind a greeting, or the message, if that asks too little."""
    rest = past_greeting(message)
    return rest if len(words(rest)) >= FEWEST_LEFT else message
