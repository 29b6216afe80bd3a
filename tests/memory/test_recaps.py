"""A recap of the conversation, and how often something was asked: known by the whole wording."""

import pytest

from memory.recall.talk.conversation import AboutConversation, about_conversation, subject_of
from tests.effort import computed_within

pytestmark = pytest.mark.once

RECAPS = """can you recap this conversation for me?
Give me an overview of everything we discussed
What were the main points so far?
could you give me a quick summary of our chat
please go over what we have covered so far
what topics have we discussed?
what was this conversation about?
a short rundown of this conversation, please
what are the key takeaways of our discussion?
I'd like a recap of what we talked about
Kannst du dieses Gespräch zusammenfassen?
Gib mir einen kurzen Überblick über unser Gespräch
Fass bitte alles bisher zusammen
Was waren bisher die wichtigsten Punkte?
Mach mir eine Zusammenfassung dieser Unterhaltung
¿Puedes resumir esta conversación?
Dame un resumen de todo lo que hemos hablado
¿Cuáles fueron los puntos principales hasta ahora?
Peux-tu récapituler cette conversation ?
Donne-moi un résumé de notre discussion
Quels étaient les points principaux jusqu'ici ?
Fais-moi un aperçu de tout ce dont nous avons parlé""".splitlines()
OF_DOCUMENTS = """What are the main points of the agreement?
Give me an overview of the fees
Summarise section 3
can you recap the termination clause?
what topics does the report cover?
what is this document about?
Fasse das Dokument zusammen
Gib mir einen Überblick über die Gebühren
Dame un resumen del contrato
Résume le contrat
how often is the rent due?
how many times can I renew?
how often did the tenant ask about repairs?
wie oft wird gezahlt?
cuántas veces se paga?
combien de fois faut-il payer ?""".splitlines()


@pytest.mark.parametrize("text", RECAPS)
def test_a_recap_of_the_conversation_is_told_from_it(text: str) -> None:
    assert about_conversation(text) == AboutConversation.SUMMARY


@pytest.mark.parametrize("text", OF_DOCUMENTS)
def test_what_a_document_tells_is_not_taken_for_one_about_the_conversation(text: str) -> None:
    assert about_conversation(text) is None


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("How often did I ask about the deposit?", "the deposit"),
        ("how many times have I asked you about rent so far", "rent"),
        ("How many questions did I ask about the notice period?", "the notice period"),
        ("how many of my questions were about fees", "fees"),
        ("Wie oft habe ich nach der Kaution gefragt?", "der kaution"),
        ("¿Cuántas veces te he preguntado por la fianza?", "la fianza"),
        ("Combien de fois ai-je parlé de la caution ?", "la caution"),
    ],
)
def test_how_often_something_was_asked_is_told_from_the_conversation(
    text: str, subject: str
) -> None:
    assert about_conversation(text) == AboutConversation.COUNT
    assert subject_of(text) == subject


@pytest.mark.parametrize("piece", ["please ", "so far ", "what we have discussed ", "me "])
def test_reading_takes_time_in_proportion(piece: str) -> None:
    computed_within(0.5, lambda: about_conversation((piece * 100)[:160]))
