"""Messages without content, by their wording: small talk, questions about the conversation, and the
product's own refusals.
"""

import pytest

from chat.extractive.writing import write_nothing_found
from memory.recall.rewriting import rewrite
from memory.recall.rewriting.exchanges import MORE_OF_THE_SAME, Exchange
from memory.recall.rewriting.questions import ReadQuestion
from memory.recall.talk.conversation import (
    ABOUT_CONVERSATION,
    GO_ON,
    SMALL_TALK,
    AboutConversation,
    classify_talk,
    find_subject,
    talk_in,
)
from memory.recall.talk.refusals import is_refusal
from memory.recall.talk.small_talk import (
    SmallTalk,
    classify_small_talk,
    detect_talk_language,
    drop_greeting,
)
from memory.text.reading import ReadText
from tests.effort import computed_within

ANSWER = Exchange("What is the footprint of oat flour?", "It is 0.9 kg.", 1)


@pytest.mark.parametrize(
    ("kind", "texts"),
    [
        (SmallTalk.GREETING, "Hi!|hello there|¡Hola! ¿Qué tal?|Guten Tag|Bonjour, ça va ?"),
        (SmallTalk.THANKS, "Thanks a lot, that's all|¡Muchas gracias!|Vielen Dank!|Merci beaucoup"),
        (SmallTalk.GOODBYE, "OK thanks, bye|Auf Wiedersehen"),
        (SmallTalk.NOD, "ok|I see.|👍🏽|:-)|great|d'accord|vale|no|never mind"),
        (SmallTalk.YES, "yes|Yes please|please do|ja|sí|oui|genau|sure|go on|of course"),
        (SmallTalk.ABLE, "Hello, what can you do?|¿Qué puedes hacer?|Was kannst du?|who are you|?"),
        (None, "Thanks! And what does it do?|Hello World in C|Why?|tasksel|sure?||so|12 monkeys"),
        (None, "What can you do with a Determination Date?|Who are you suing?|What is help?"),
    ],
)
def test_small_talk_is_known_in_four_languages(kind: SmallTalk | None, texts: str) -> None:
    for text in texts.split("|"):
        assert classify_small_talk(ReadText(text)) == kind, text


def test_small_talk_tells_its_language() -> None:
    said = {"thanks": "en", "ok danke": "de", "¡Gracias!": "es", "merci": "fr", "👍": ""}
    assert {text: detect_talk_language(text) for text in said} == said


@pytest.mark.parametrize("said", "yes|yes please|please do|ja|sí|oui|genau|go on|sure".split("|"))
def test_a_yes_goes_on_with_what_was_answered(said: str) -> None:
    found = rewrite(ReadQuestion(said), [ANSWER])
    assert (found.query, found.reason) == (ANSWER.query, MORE_OF_THE_SAME)
    assert rewrite(ReadQuestion(said), []).reason == SMALL_TALK


def test_a_nod_to_a_question_is_an_answer() -> None:
    assert talk_in(ReadText("ok"), "It is the 15th day.") == SMALL_TALK
    assert talk_in(ReadText("ok"), "Shall I tell you more?") == GO_ON


@pytest.mark.parametrize(
    ("asked", "texts"),
    [
        (AboutConversation.FIRST, "What did I ask first?|what did we talk about first"),
        (AboutConversation.FIRST, "¿Qué te pregunté primero?|Was war meine erste Frage?"),
        (AboutConversation.FIRST, "Quelle était ma première question ?"),
        (AboutConversation.LAST, "What was my last question again?|cuál fue la última pregunta"),
        (AboutConversation.LAST, "was war die letzte Frage?|quelle était la dernière question ?"),
        (AboutConversation.QUESTIONS, "List my questions so far|how many questions did i ask"),
        (AboutConversation.QUESTIONS, "wie viele Fragen habe ich bisher gestellt"),
        (AboutConversation.LAST_ANSWER, "what did you just say|repeat that|repite eso por favor"),
        (AboutConversation.LAST_ANSWER, "wiederhole das|tu peux répéter ça ?"),
        (AboutConversation.SOURCES, "Which sources have you used so far?|all sources used so far"),
        (AboutConversation.SOURCES, "Show me all sources used so far|list of references for this"
         " conversation|Show me the bibliography, please|list all the sources we have cited"),
        (AboutConversation.SOURCES, "Muéstrame todas las fuentes usadas hasta ahora|¿Qué fuentes"
         " hemos usado?|la bibliografía"),
        (AboutConversation.SOURCES, "Zeig mir alle bisher verwendeten Quellen|Literaturverzeichnis|"
         "Liste die Quellen auf|Welche Quellen wurden bisher zitiert?"),
        (AboutConversation.SOURCES, "Montre-moi toutes les sources utilisées jusqu'ici|donne-moi la"
         " bibliographie"),
        (AboutConversation.SUMMARY, "Summarise our chat|Summarise so far, please|can you recap this"
         " conversation for me?|Give me an overview of everything we discussed"),
        (AboutConversation.SUMMARY, "was haben wir bisher besprochen|¿Puedes resumir esta"
         " conversación?|Peux-tu récapituler cette conversation ?"),
        (AboutConversation.LIBRARY, "which documents do you have?|qué documentos tienes"),
        (AboutConversation.GROUNDS, "are you sure?|that's wrong|which page?|das stimmt nicht"),
        (AboutConversation.GROUNDS, "sure?|wo steht das?"),
        (AboutConversation.SHORTER, "summarise|fass das bitte mal zusammen|résume ça|más corto"),
        (AboutConversation.OTHERWISE, "i dont get it|más fácil por favor|plus simple|in German"),
        (AboutConversation.ABOUT, "What did I ask about the deposit?"),
        (AboutConversation.SAID, "What did you say about the Servicer?"),
        (None, "What did I ask the court for?|Which sources did the study use?|Summarise the"
         " agreement|List all sources of income|"
         "Which sources of energy are cited?|las fuentes de ingresos|die Quellen des Nils|"
         "What did the Servicer say about fees?"),
        (None, "what is wrong with my printer|repeat the calibration|page layout|price"),
        (None, "What are the main points of the agreement?|Summarise section 3|Fasse das Dokument"
         " zusammen|how often is the rent due?|Dame un resumen del contrato"),
    ],
)  # fmt: skip
def test_questions_about_the_conversation_are_known(
    asked: AboutConversation | None, texts: str
) -> None:
    for text in texts.split("|"):
        assert classify_talk(text) == asked, text


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("What did you tell me about the rent?", "the rent"),
        ("remind me what you told me about pets", "pets"),
        ("was hast du mir vorhin zur Kaution gesagt?", "kaution"),
        ("qué me dijiste sobre la fianza", "la fianza"),
        ("rappelle-moi ce que tu as dit sur la caution", "la caution"),
        ("what did you say about it", ""),
        ("what does the lease say about pets", ""),
    ],
)
def test_what_answers_said_of_something_is_asked_for(text: str, subject: str) -> None:
    assert (classify_talk(text) == AboutConversation.SAID) is bool(subject)
    assert find_subject(text) == subject


def test_neither_is_rewritten() -> None:
    for text, reason in (("Thanks!", SMALL_TALK), ("What did I ask first?", ABOUT_CONVERSATION)):
        found = rewrite(ReadQuestion(text), [ANSWER])
        assert (found.query, found.reason) == (text, reason)


def test_refusals_are_known_by_their_text() -> None:
    assert is_refusal(write_nothing_found(None))
    assert is_refusal(f"{write_nothing_found([])}\n")
    assert not is_refusal("The library holds nothing on this question but one remark.")


@pytest.mark.parametrize("unit", ["ok ", "so far ", "what did i ask ", "before so far ", "!", "a"])
def test_a_long_message_takes_no_longer(unit: str) -> None:
    text = unit * 100_000
    found = computed_within(0.1, lambda: [talk_in(ReadText(text)), talk_in(ReadText(text[:150]))])
    assert not any(found)


@pytest.mark.parametrize(
    ("message", "asked"),
    [
        ("Hello there! What is the fee?", "What is the fee?"),
        ("hey how much is the fee", "how much is the fee"),
        ("never mind, how do i pay", "how do i pay"),
        ("cool. and the pro", "and the pro"),
        ("hello world example in python", "hello world example in python"),
        ("fine-tuning of models", "fine-tuning of models"),
        ("K. Smith wrote what?", "K. Smith wrote what?"),
        ("high risk of cancer?", "high risk of cancer?"),
        ("hello!", "hello!"),
    ],
)
def test_a_greeting_before_a_question_is_not_asked_for(message: str, asked: str) -> None:
    assert drop_greeting(message) == asked
