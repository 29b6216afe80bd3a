"""What is no content is known by its wording: small talk, questions about the conversation itself,
and the product's own refusals."""

import pytest

from chat import quoting
from memory.recall.rewriting import Exchange, ReadQuestion, rewrite
from memory.recall.talk import ABOUT_CONVERSATION, SMALL_TALK, talk_in
from memory.recall.talk.conversation import AboutConversation, about_conversation, subject_of
from memory.recall.talk.courtesies import said_back
from memory.recall.talk.pastimes import is_pastime
from memory.recall.talk.refusals import is_refusal
from memory.recall.talk.small_talk import (
    SmallTalk,
    language_of_talk,
    small_talk,
    without_greeting,
)
from memory.text.reading import ReadText
from tests.effort import computed_within


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Hi!", SmallTalk.GREETING),
        ("hello there", SmallTalk.GREETING),
        ("¡Hola! ¿Qué tal?", SmallTalk.GREETING),
        ("Guten Tag", SmallTalk.GREETING),
        ("Bonjour, ça va ?", SmallTalk.GREETING),
        ("Thanks a lot, that's all", SmallTalk.THANKS),
        ("¡Muchas gracias!", SmallTalk.THANKS),
        ("Vielen Dank!", SmallTalk.THANKS),
        ("Merci beaucoup", SmallTalk.THANKS),
        ("OK thanks, bye", SmallTalk.GOODBYE),
        ("Auf Wiedersehen", SmallTalk.GOODBYE),
        ("ok", SmallTalk.NOD),
        ("I see.", SmallTalk.NOD),
        ("👍🏽", SmallTalk.NOD),
        (":-)", SmallTalk.NOD),
        ("Who are you?", SmallTalk.WHO),
        ("¿Quién eres?", SmallTalk.WHO),
        ("Wie heißt du?", SmallTalk.WHO),
        ("Qui es-tu ?", SmallTalk.WHO),
        ("Hello, what can you do?", SmallTalk.ABLE),
        ("¿Qué puedes hacer?", SmallTalk.ABLE),
        ("Was kannst du?", SmallTalk.ABLE),
        ("Qu’est-ce que tu peux faire ?", SmallTalk.ABLE),
        ("what time is it", SmallTalk.CLOCK),
        ("¿Qué hora es?", SmallTalk.CLOCK),
        ("wie spät ist es?", SmallTalk.CLOCK),
        ("Quelle heure est-il ?", SmallTalk.CLOCK),
        ("can you speak german", SmallTalk.SPEAKS),
        ("¿Hablas español?", SmallTalk.SPEAKS),
        ("Sprichst du Deutsch?", SmallTalk.SPEAKS),
        ("Parlez-vous français ?", SmallTalk.SPEAKS),
        ("?", SmallTalk.ABLE),
        ("¿?", SmallTalk.ABLE),
        ("what is 17 * 23", SmallTalk.SUM),
        ("2+2", SmallTalk.SUM),
    ],
)
def test_small_talk_is_known_in_four_languages(text: str, kind: SmallTalk) -> None:
    assert small_talk(ReadText(text)) == kind


@pytest.mark.parametrize(
    ("text", "begins"),
    [
        ("thanks", "You’re welcome"),
        ("danke", "Gern geschehen"),
        ("ok danke", "Gern geschehen"),
        ("was kannst du", "Du kannst"),
        ("¡Gracias!", "De nada"),
        ("merci", "Avec plaisir"),
        ("super", "Good"),
        ("alles klar", "Gut"),
        ("sprichst du englisch", "Du kannst auf Deutsch"),
        ("what time is it please", "I don’t tell the time"),
        ("was ist 17 * 23?", "Ich rechne nichts aus"),
        ("12 x 12 =", "I don’t do sums"),
    ],
)
def test_small_talk_is_answered_in_its_language(text: str, begins: str) -> None:
    read = ReadText(text)
    talk = small_talk(read)
    assert talk
    assert said_back(talk, language_of_talk(read)).startswith(begins)


@pytest.mark.parametrize(
    "text",
    [
        "Thanks! And what does it do?",
        "Hello World in C",
        "what time does the shop open",
        "what time is it open",
        "who of them can speak german",
        "What is help?",
        "Why?",
        "no",
        "tasksel",
        "Who are you suing?",
        "What can you do with a Determination Date?",
        "",
        "so",
        "12 monkeys",
    ],
)
def test_what_asks_something_is_no_small_talk(text: str) -> None:
    assert small_talk(ReadText(text)) is None


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("What did I ask first?", AboutConversation.FIRST),
        ("what did we say first?", AboutConversation.FIRST),
        ("was haben wir am anfang besprochen", AboutConversation.FIRST),
        ("what did we talk about first", AboutConversation.FIRST),
        ("what was the first thing we discussed?", AboutConversation.FIRST),
        ("¿Qué te pregunté primero?", AboutConversation.FIRST),
        ("Was war meine erste Frage?", AboutConversation.FIRST),
        ("Quelle était ma première question ?", AboutConversation.FIRST),
        ("What was my last question again?", AboutConversation.LAST),
        ("List my questions so far", AboutConversation.QUESTIONS),
        ("what was the last question", AboutConversation.LAST),
        ("cuál fue la última pregunta", AboutConversation.LAST),
        ("was war die letzte Frage?", AboutConversation.LAST),
        ("quelle était la dernière question ?", AboutConversation.LAST),
        ("how many questions did i ask", AboutConversation.HOW_MANY),
        ("cuántas preguntas te he hecho", AboutConversation.HOW_MANY),
        ("wie viele Fragen habe ich bisher gestellt", AboutConversation.HOW_MANY),
        ("combien de questions ai-je posées", AboutConversation.HOW_MANY),
        ("what did you just say", AboutConversation.LAST_ANSWER),
        ("repeat that", AboutConversation.LAST_ANSWER),
        ("can you say that again please", AboutConversation.LAST_ANSWER),
        ("what was your last answer", AboutConversation.LAST_ANSWER),
        ("qué acabas de decir", AboutConversation.LAST_ANSWER),
        ("repite eso por favor", AboutConversation.LAST_ANSWER),
        ("was hast du gerade gesagt", AboutConversation.LAST_ANSWER),
        ("kannst du das bitte noch mal sagen", AboutConversation.LAST_ANSWER),
        ("wiederhole das", AboutConversation.LAST_ANSWER),
        ("qu'est-ce que tu viens de dire ?", AboutConversation.LAST_ANSWER),
        ("tu peux répéter ça ?", AboutConversation.LAST_ANSWER),
        ("Which sources have you used so far?", AboutConversation.SOURCES),
        ("all sources used so far", AboutConversation.SOURCES),
        ("show me all the sources you used", AboutConversation.SOURCES),
        ("Summarise our chat", AboutConversation.SUMMARY),
        ("Summarise everything that we have discussed so far", AboutConversation.SUMMARY),
        ("Summarise so far, please", AboutConversation.SUMMARY),
        ("Resume todo lo que hemos hablado hasta ahora", AboutConversation.SUMMARY),
        ("What did I ask about the deposit?", AboutConversation.ABOUT),
        ("¿Qué te pregunté sobre el depósito?", AboutConversation.ABOUT),
        ("What did you say about the Servicer?", AboutConversation.SAID),
        ("What did you say about it?", AboutConversation.OTHER),
        ("was hab ich als erstes gefragt", AboutConversation.FIRST),
        ("que te pregunte primero", AboutConversation.FIRST),
        ("wht did i ask first pls", AboutConversation.FIRST),
        ("was haben wir bisher besprochen", AboutConversation.SUMMARY),
        ("r u sure?", AboutConversation.GROUNDS),
        ("that's wrong", AboutConversation.GROUNDS),
        ("which page?", AboutConversation.GROUNDS),
        ("das stimmt nicht", AboutConversation.GROUNDS),
        ("auf welcher seite", AboutConversation.GROUNDS),
        ("summarise", AboutConversation.SHORTER),
        ("fass das bitte mal zusammen", AboutConversation.SHORTER),
        ("résume ça", AboutConversation.SHORTER),
        ("más corto", AboutConversation.SHORTER),
        ("noch mal einfacher", AboutConversation.OTHERWISE),
        ("i dont get it", AboutConversation.OTHERWISE),
        ("más fácil por favor", AboutConversation.OTHERWISE),
        ("plus simple", AboutConversation.OTHERWISE),
    ],
)
def test_questions_about_the_conversation_are_known(text: str, asked: AboutConversation) -> None:
    assert about_conversation(text) == asked


@pytest.mark.parametrize(
    "text",
    [
        "What did I ask the court for?",
        "Which sources did the study use?",
        "Summarise the agreement",
        "What did we agree on first?",
        "List all sources of income",
        "List the questions of the exam",
        "What did the Servicer say about fees?",
        "what is wrong with my printer",
        "how many questions does the exam ask",
        "repeat the calibration",
        "how do i repeat that step",
        "what is the last question of the form",
        "say that it rains, is the fee due",
        "which section covers the rent",
        "page layout",
        "seguro?",
        "price",
    ],
)
def test_questions_about_documents_are_not_about_the_conversation(text: str) -> None:
    assert about_conversation(text) is None


def test_neither_is_rewritten() -> None:
    before = [Exchange("What is the Servicer?", "The Servicer collects payments.", 1)]
    assert rewrite(ReadQuestion("Thanks!"), before).reason == SMALL_TALK
    assert rewrite(ReadQuestion("What did you say about it?"), before).reason == ABOUT_CONVERSATION
    assert (
        rewrite(ReadQuestion("What did you say about it?"), before).query
        == "What did you say about it?"
    )


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("What did you tell me about the rent?", "the rent"),
        ("remind me what you told me about pets", "pets"),
        ("what did you say about R", "r"),
        ("what was that thing you said on hamsters?", "hamsters"),
        ("can you repeat what you said about the deposit again please", "the deposit"),
        ("you said something about hamsters, what was it?", "hamsters"),
        ("i forgot what you said about cats earlier", "cats"),
        ("was hast du mir vorhin zur Kaution gesagt?", "kaution"),
        ("qué me dijiste sobre la fianza", "la fianza"),
        ("rappelle-moi ce que tu as dit sur la caution", "la caution"),
        ("what did you say about it", ""),
        ("what does the lease say about pets", ""),
        ("remind me what the lease says about pets", ""),
        ("what did the judge tell you about the rent", ""),
    ],
)
def test_what_answers_said_of_something_is_asked_in_many_wordings(text: str, subject: str) -> None:
    assert (about_conversation(text) == AboutConversation.SAID) is bool(subject)
    assert subject_of(text) == subject


@pytest.mark.parametrize(
    "said", ["tell me a joke", "2+2", "what is 12 x 12?", "wie spät ist es", "???"]
)
def test_what_passes_the_time_takes_nothing_on_from_before(said: str) -> None:
    before = Exchange("What is the Determination Date?", "It is the 2 May.", 1)
    assert rewrite(ReadQuestion(said), [before]).query == said


@pytest.mark.parametrize("said", ["2020-01-05", "1920x1080", "and in 2 + more"])
def test_a_date_is_no_sum(said: str) -> None:
    assert not is_pastime(said)


def test_a_nod_to_a_question_is_an_answer() -> None:
    assert talk_in(ReadText("ok"), "It is the 15th day.") == SMALL_TALK
    assert talk_in(ReadText("ok"), "Shall I tell you more?") == ""


def test_refusals_are_known_by_their_text() -> None:
    assert is_refusal(quoting.nothing(None))
    assert is_refusal(f"{quoting.nothing([])}\n")
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
        ("Hi! How are you? What is the fee?", "What is the fee?"),
        ("guten Morgen zusammen, wie hoch ist die Miete", "wie hoch ist die Miete"),
        ("never mind, how do i pay", "how do i pay"),
        ("thanks! what time does it close", "what time does it close"),
        ("cool. and the pro", "and the pro"),
        ("hi, i am ill, how many days", "i am ill, how many days"),
        ("hello world example in python", "hello world example in python"),
        ("fine-tuning of models", "fine-tuning of models"),
        ("K. Smith wrote what?", "K. Smith wrote what?"),
        ("what can you do? what is the fee", "what can you do? what is the fee"),
        ("high risk of cancer?", "high risk of cancer?"),
        ("hello!", "hello!"),
    ],
)
def test_a_greeting_before_a_question_is_not_asked_for(message: str, asked: str) -> None:
    assert without_greeting(message) == asked
