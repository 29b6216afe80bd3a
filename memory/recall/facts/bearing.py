"""Whether something that a person said bears on a question of theirs: pure, precise first.

It does if the question has its value in it ("is there a branch in Konstanz?"), or asks for whoever
asks and of what such a thing decides: "can I afford it?" of a budget.
"""

import re
from functools import lru_cache

from memory.recall.facts.extraction import learned
from memory.text.reading import rarity
from memory.text.words import STOP_WORDS, stem, words

# Who asks so means themselves.
_OWN = frozenset(
    """i im me my mine myself we us our ours recommend suggest yo mi mis nos nuestro nuestra
    recomienda ich mir mein meine mich wir uns unser unsere empfiehl""".split()
)
# What is more common says nothing by itself: "work", "euros".
RARE_ENOUGH = 8.0
# By the beginning of a subject, the words of questions which it decides.
_DECIDES = {
    "budget": "afford budget cheap cheaper cheapest expensive spend buy price enough"
    " presupuesto barato caro leisten günstig teuer kaufen comprar",
    "home origin": "near nearest nearby close closest local live area region city town country"
    " move commute vivo cerca ciudad wohne nähe stadt",
    "work job field employer": "job role profession occupation career position qualified candidate"
    " suit suits hire trabajo puesto beruf stelle",
    "diet allergy": "eat food meal menu recipe cook dish lunch dinner breakfast restaurant canteen"
    " snack ingredient comer comida menú essen kochen gericht",
    "deadline": "deadline plazo frist rechtzeitig",
    "age": "age old young retire pension edad alter rente",
    "kids": "child children kid family school parental son daughter hijo kinder familie",
    "pet": "pet dog cat animal mascota perro gato haustier hund katze",
    "likes favourite": "recommend suggest like enjoy prefer favourite choose recomienda gusta"
    " empfiehl mag",
}
_BY_SUBJECT = {
    name: frozenset(map(stem, words(said)))
    for names, said in _DECIDES.items()
    for name in names.split()
}
_AMOUNT = re.compile(r"\d.*|euros?|dollars?|pounds?|francs?|usd|eur|pesos?|months?|years?|days?")


def bears(text: str, subject: str, question: str) -> bool:
    """Return whether what was said, with what it is about, bears on the question."""
    asked = words(question)
    stems = {stem(word) for word in asked if word not in STOP_WORDS}
    if stems & _distinctive(text):
        return True
    name, _, thing = subject.partition(":")
    if not _OWN.intersection(asked):
        return False
    # "My dentist", in all its words.
    is_named = name == "my" and bool(thing) and set(thing.split()) <= stems
    return is_named or bool(_BY_SUBJECT.get(name, frozenset()) & stems)


@lru_cache(maxsize=2_000)
def _distinctive(text: str) -> frozenset[str]:
    """Return the stems of the value that hardly come by chance."""
    values = [each.value for each in learned(text)] or [text]
    said = {word for value in values for word in words(value) if word not in STOP_WORDS}
    rare = {stem(word) for word in said if not _AMOUNT.fullmatch(word)}
    return frozenset(word for word in rare if rarity(word) >= RARE_ENOUGH)
