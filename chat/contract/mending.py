"""Instructions appended to the question to repeat or continue an answer."""

from memory.models import Turn

Outcome = Turn.Outcome
AGAIN = {
    Outcome.EMPTY: (
        "Answer the question above in words: one to three sentences, each ending with the number "
        "of its passage in square brackets. If the passages don't answer it, say so."
    ),
    Outcome.LOOPED: (
        "Answer the question above briefly, in at most five sentences. Say nothing twice, and stop "
        "when it is answered."
    ),
}
IN_ITS_LANGUAGE = "Answer the question above in {language}, whatever language the passages are in."
GO_ON = (
    "Your answer was cut off. Go on exactly where it stopped, with the next word. Repeat nothing "
    "and don't say that you go on."
)


def write_mending(problem: str, language: str) -> str:
    """Return the instruction, added to the question, that mends the problem."""
    return AGAIN.get(
        Outcome(problem), IN_ITS_LANGUAGE.format(language=language or "its own language")
    )
