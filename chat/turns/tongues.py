"""In which language the product's own words in an answer are: that of the question, if they are
translated into it (chat/locale), whatever the pages are in.
"""

import re
from collections.abc import Iterable
from itertools import chain

from django.utils import translation

from memory.text.languages import SMALL_WORDS

# What is said of oneself and to whom one talks, beside the small words of questions.
_TALK = {
    "en": """me we us our am im any much many one please hi hello there all say said know
        talk ask asked earlier yesterday today last week""",
    "de": """ich du dich dir mich mir mein dein uns unser bin bist war hast haben hatte habe über
        wir mal bitte noch hallo wohne heiße heisse arbeite als in gestern heute letzte woche
        worüber gefragt gesprochen gesagt auf aus an bei nach weißt weisst kein keine oder aber
        wenn dann""",
    "es": """me mi mí tú te tu he has nos soy vivo trabajo llamo sabes dijiste hablamos pregunté
        ayer hoy pasada semana gracias hola o si cuando cual como donde cuantos cuantas cuanto
        cuanta quien son ni hasta antes""",
    "fr": """je j moi toi tu te me m suis ai as mon ton nous vous avons sais hier semaine dernière
        avez bonjour merci où ou si aujourd hui quoi y n d l qu c s t ne sont parlé demandé dit""",
}
_WORDS = {language: small.union(_TALK[language].split()) for language, small in SMALL_WORDS.items()}
# Letters that say it of a word alone: "Kündigungsfrist?"
_LETTERS = {
    "de": re.compile(r"[äöüß]"),
    "es": re.compile(r"[ñ¿¡áíóú]"),
    "fr": re.compile(r"[èêçàùœ]"),
}
_WORD = re.compile(r"[^\W\d_]+")
LOOKED_AT = 500  # characters


def select_language(question: str, before: Iterable[str] = ()) -> str:
    """Return the language in which a question is answered: its own, in doubt that of the newest
    question before it that tells, or that of the page.

    `before` are the newest first.
    """
    page = translation.get_language() or "en"
    if page.split("-")[0] not in _WORDS:
        return page
    told = (_told(each.lower()[:LOOKED_AT]) for each in chain([question], before))
    return next(filter(None, told), page)


def _told(said: str) -> str:
    words = _WORD.findall(said)
    counts = {name: sum(word in small for word in words) for name, small in _WORDS.items()}
    for name, letters in _LETTERS.items():
        counts[name] += bool(letters.search(said))
    best = max(counts.values())
    likely = [name for name, count in counts.items() if count == best]
    return likely[0] if best > 1 or len(likely) == 1 else ""
