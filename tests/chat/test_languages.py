"""The product's own sentences are in the question's language, not in the pages'."""

import ast
import gettext as catalogs
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.template.loader import render_to_string
from django.utils import translation

from chat.turns.grounding import select_language
from memory.conversations.asking import create_session
from memory.models import Session, Turn, User
from memory.recall.talk.refusals import CATALOGS, is_nothing_found, is_refusal
from tests.chat.remembered import said

ROOT = Path(__file__).parents[2]
LOCALE = ROOT / "chat/locale"
# Whose sentences stand in answers.
WORDED = (
    *(ROOT / "chat/turns/replies").glob("*.py"),
    *(ROOT / "chat/extractive").rglob("*.py"),
    *(ROOT / "chat/structures").rglob("*.py"),
    *(ROOT / "chat/turns/structured").glob("*.py"),
    ROOT / "chat/turns/personal/telling.py",
    ROOT / "citations/readers/part_sentences.py",
)
CALLED = ("_", "lazy", "plural", "gettext", "gettext_lazy", "gettext_noop", "ngettext")
ENTRY = re.compile(r'^msgid (".*")\n(?:msgid_plural ".*"\n)?msgstr(?:\[0\])? (".*")$', re.MULTILINE)


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("what do you know about me", "en"),
        ("how much is the hotel in la rochelle", "en"),
        ("what is der spiegel", "en"),
        ("ich wohne in Köln", "de"),
        ("was kostet das hotel in berlin", "de"),
        ("Kündigungsfrist", "de"),
        ("que sabes de mi", "es"),
        ("que significa la linea Priority", "es"),
        ("que sais-tu de moi", "fr"),
        ("quelle est la difference entre main et contrib", "fr"),
        ("TP53", "en"),
    ],
)
def test_the_language_of_a_question_is_told_without_accents_too(
    question: str, language: str
) -> None:
    assert select_language(question) == language


def test_a_word_that_tells_no_language_is_in_that_of_the_question_before() -> None:
    assert select_language("TP53?", ["Probezeit?", "was ist das?", "who is it?"]) == "de"
    with translation.override("nl"):  # a page that is translated into what isn't told apart
        assert select_language("was ist das?") == "nl"


def worded() -> Iterator[tuple[str, ...]]:
    for path in WORDED:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in CALLED:
                said = [each.value for each in node.args if isinstance(each, ast.Constant)]
                yield tuple(each for each in said if isinstance(each, str))


@pytest.mark.parametrize("language", CATALOGS)
def test_every_sentence_of_answers_is_translated_and_its_catalog_is_up_to_date(
    language: str,
) -> None:
    folder = LOCALE / language / "LC_MESSAGES"
    with (folder / "django.mo").open("rb") as file:
        catalog = catalogs.GNUTranslations(file)
    missing = [each for each in worded() if each and catalog.gettext(each[0]) == each[0]]
    same = {"p. %(page)d", " · p. %(page)d", "Aspect", "Document", "Point", "Team", "Verdict"}
    assert [each for each in missing if len(each) == 1 and each[0] not in same] == []
    assert [each for each in missing if len(each) == 2 and catalog.ngettext(*each, 2) in each] == []
    entries = ENTRY.findall((folder / "django.po").read_text())
    assert len(entries) > 60
    for msgid, msgstr in entries:
        names = set(re.findall(r"%\(\w+\)\w", msgid))
        assert set(re.findall(r"%\(\w+\)\w", msgstr)) == names, msgid
        written, told = ast.literal_eval(msgid), ast.literal_eval(msgstr)
        if written:
            assert told in (catalog.gettext(written), catalog.ngettext(written, written, 1))


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("tells", "noted", "asks", "told"),
    [
        (
            "Ich wohne in Köln",
            "Ich merke mir, was du gesagt hast",
            "was weißt du über mich?",
            "hast du mir gesagt: „Ich wohne in Köln“",
        ),
        (
            "Vivo en Madrid",
            "Recuerdo lo que has dicho",
            "que sabes de mi",
            "me dijiste: «Vivo en Madrid»",
        ),
        (
            "J'habite à Lyon",
            "Je retiens ce que vous avez dit",
            "que sais-tu de moi ?",
            "vous m’avez dit : « J'habite à Lyon »",
        ),
        ("I live in Porto", "I will remember", "what do you know about me", "You told me on "),
    ],
)
def test_what_is_told_and_asked_of_oneself_is_answered_in_its_language(
    owner: User, tells: str, noted: str, asks: str, told: str
) -> None:
    session = create_session(owner)
    assert said(session, tells).response.startswith(noted)
    answer = said(session, asks)
    assert answer.outcome == Turn.Outcome.ABOUT_CONVERSATION
    assert told in answer.response


@pytest.mark.django_db
@pytest.mark.usefixtures("library")
@pytest.mark.parametrize(
    ("question", "answer", "notice"),
    [
        (
            "Wer gewann die Schachmeisterschaft von Reykjavik?",
            "Die Bibliothek enthält nichts zu dieser Frage.",
            "Nichts gefunden.",
        ),
        (
            "¿Quién ganó el campeonato de ajedrez de Reikiavik?",
            "La biblioteca no contiene nada sobre esta pregunta.",
            "No se encontró nada.",
        ),
        (
            "Qui a gagné le championnat d'échecs de Reykjavik ?",
            "La bibliothèque ne contient rien sur cette question.",
            "Rien trouvé.",
        ),
    ],
)
def test_that_nothing_was_found_is_said_in_the_language_of_the_question(
    session: Session, question: str, answer: str, notice: str
) -> None:
    turn = said(session, question)
    assert (turn.response, turn.outcome) == (answer, Turn.Outcome.NOTHING_FOUND)
    assert is_refusal(answer)
    assert is_nothing_found(answer)
    page = render_to_string("chat/_outcome.html", {"outcome": turn.outcome, "turn": turn})
    assert notice in page
