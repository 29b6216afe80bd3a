"""Grounding: the material of an answer, for turns and for questions that are not stored.

chat.turns.composing streams the text.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from uuid import UUID

from django.utils import translation

from chat import llm
from chat.prompting.wording import count_fixed_tokens
from chat.turns.grounding.ground import AnswerRequest, Ground, Timings
from chat.turns.grounding.steps import (
    arrange_structure,
    draft_answer,
    judge_passages,
    search_library,
    understand,
)
from chat.turns.replies.plain import PlainReply
from memory.models import Turn
from memory.models.conversations import Rewriting
from memory.personal_data.recipients import note_recipients
from memory.recall.budget import divide
from memory.recall.given import Past
from memory.recall.rewriting.exchanges import Rewrite
from memory.text.embedding import get_embedding_servers
from memory.text.words import SMALL_WORDS

# After an overflow the prompt is built again for this share of the window.
SHRUNK = 0.7
# The earlier questions that are searched for a language, if the question's is unclear.
MOST_BEFORE = 3


def check_length(question: str, window: int, model: str = "") -> None:
    """Raise QuestionTooLong if the question leaves no room for an answer in the window."""
    limits = llm.prompt_limits(window, model=model)
    system, asked = count_fixed_tokens(limits.window, question)
    divide(limits, system=system, question=asked, history=0, passages=0)


def note_asked(owner: UUID, model: str) -> None:
    """Note the servers that will receive the person's question, before they do."""
    note_recipients(owner, [*llm.list_servers(model), *get_embedding_servers()])


def prepare_ground(request: AnswerRequest) -> Ground:
    """Build the ground of an answer: recall, retrieve, judge, assemble the prompt."""
    timings = Timings()
    language = select_language(request.query, _read_questions(request.past))
    with translation.override(language):  # the language of immediate replies
        with timings.step("recall"):
            asked = understand(request)
        with timings.step("find"):
            searched = search_library(request, asked)
        with timings.step("read"):
            judged = judge_passages(request, asked, searched)
        with timings.step("arrange"):
            searched = arrange_structure(request, asked, searched, bool(judged.told))
            judged = judged.trust_words(searched.form)
        searched.form.language = language
    with timings.step("build"):
        draft = draft_answer(request, asked, searched, judged)
    return Ground(
        query=request.query,
        recalled=searched.recalled,
        found=searched.found,
        prompt=draft.prompt,
        draft=draft,
        timings=timings,
        units=judged.units,
        answerability=judged.answerability,
        unread=judged.unread,
        missed=judged.missed,
        reply=judged.told.text if judged.told else asked.reply,
        personal=asked.personal,
        told=judged.told,
        recounted=PlainReply() if judged.told else asked.recounted,
        profile=searched.profile,
        language=language,
    )


def _read_questions(past: Past) -> Iterator[str]:
    """Yield earlier questions, the newest first, up to MOST_BEFORE."""
    newest = range(max(1, past.last_position - MOST_BEFORE + 1), past.last_position + 1)
    yield from (turn.query for turn in reversed(past.read(newest)))


def get_given_rewrite(turn: Turn) -> Rewrite | None:
    """Return the standalone question that the client gave with the turn's own, if any."""
    if turn.rewriting == Rewriting.AUTOMATIC or turn.standalone_query is None:
        return None
    return Rewrite(turn.standalone_query, turn.rewriting)


# Words of the first and second person and of small talk, beside the small words of questions.
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
# Letters that identify the language of a single word: "Kündigungsfrist?"
_LETTERS = {
    "de": re.compile(r"[äöüß]"),
    "es": re.compile(r"[ñ¿¡áíóú]"),
    "fr": re.compile(r"[èêçàùœ]"),
}
_WORD = re.compile(r"[^\W\d_]+")
LOOKED_AT = 500  # characters


def select_language(question: str, before: Iterable[str] = ()) -> str:
    """Return the language of the answer.

    It is the question's; in doubt that of the newest earlier question whose language is clear, or
    else the page's. `before` are the earlier questions, newest first.
    """
    page = translation.get_language() or "en"
    if page.split("-")[0] not in _WORDS:
        return page
    told = (_guess_language(each.lower()[:LOOKED_AT]) for each in chain([question], before))
    return next(filter(None, told), page)


def _guess_language(said: str) -> str:
    words = _WORD.findall(said)
    counts = {name: sum(word in small for word in words) for name, small in _WORDS.items()}
    for name, letters in _LETTERS.items():
        counts[name] += bool(letters.search(said))
    best = max(counts.values())
    likely = [name for name, count in counts.items() if count == best]
    return likely[0] if best > 1 or len(likely) == 1 else ""
