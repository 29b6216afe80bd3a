"""Which of a few languages a question is in, by its small words, with or without their accents."""

from memory.text.words import words

_SMALL = {
    "en": """the of and is are what which who how in to for it they does do when where why was were
        can did tell me about a such that this could would should has i my you your if""",
    "es": """el la los las una del qué cuál cuáles quién cómo dónde cuándo cuánto cuántos por para
        con en se su sus al más pero hay fue ser está entonces eso esa ese esto esta este él ella
        ellos ellas compara mejor sobre y de que es cuánta cuántas puedo puede podemos pueden
        tengo tiene tenemos""",
    "de": """der die das den dem des ein eine einer und ist sind was wer wie wo wann warum welche
        welcher welches mit für von im zu zum zur nicht es sie gibt hat werden wird ich wir kann
        können darf muss habe haben mein meine seine ihre wieviel viele""",
    "fr": """le les des du une et est sont que quoi qui quel quelle quels quelles comment où quand
        pourquoi avec pour dans sur pas il elle ils elles au aux ce cette a combien je nous peut
        puis faut son ses leur lui la mon ma mes ton cet""",
}
# As they are written, and as they are typed in a hurry: "cual", "fur".
SMALL_WORDS = {
    language: frozenset((*small.split(), *words(small))) for language, small in _SMALL.items()
}
LOOKED_AT = 500  # characters


def detect_language(query: str) -> str:
    """Return "en", "es", "de" or "fr": the one with most small words, English in doubt."""
    said = words(query[:LOOKED_AT])
    counts = {name: sum(word in small for word in said) for name, small in SMALL_WORDS.items()}
    counts["es"] += 2 * ("¿" in query or "ñ" in query)
    counts["de"] += 2 * ("ß" in query)
    return max(counts, key=lambda language: counts[language])
