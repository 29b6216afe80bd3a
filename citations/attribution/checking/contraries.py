"""Contraries: words of opposite meaning, and negations."""

from memory.text.words import stem

# Relations that a wrong summary inverts; the vectors of opposites are similar.
_PAIRS = """
    more/less more/fewer increase/decrease increase/reduce raise/lower rise/fall grow/shrink
    higher/lower highest/lowest maximum/minimum most/least first/last next/previous next/preceding
    following/preceding after/before later/earlier above/below over/under begin/end start/end
    open/close buy/sell win/lose accept/reject approve/reject allow/forbid allow/prohibit
    permit/prohibit include/exclude positive/negative true/false left/right male/female
    always/never with/without public/private internal/external import/export admit/deny
    support/oppose legal/illegal profit/loss mandatory/optional required/optional
    temporary/permanent antes/despues siguiente/anterior mas/menos primero/ultimo maximo/minimo
    siempre/nunca
"""


def _parse_opposites() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for pair in _PAIRS.split():
        one, other = map(stem, pair.split("/"))
        found.setdefault(one, set()).add(other)
        found.setdefault(other, set()).add(one)
    return {word: frozenset(others) for word, others in found.items()}


# The opposite stems of each stem.
OPPOSITES = _parse_opposites()

NEGATORS = frozenset(
    """not no never neither nor none nobody nothing nowhere without cannot hardly barely scarcely
    fail failed fails unable lack lacks lacked nunca ninguno ningun ninguna jamas nicht kein keine
    nie ne pas jamais aucun""".split()
)
