"""What people type in everyday words is known where a document says it otherwise."""

import pytest

from citations.retrieval.everyday import MATTERS, matters_of, meant_by
from citations.retrieval.other_matters import near_other_matters
from memory.text.embedding import Embedded
from memory.text.embedding.e5 import E5
from tests.effort import computed_within


def said_for(question: str, text: str) -> set[str]:
    return meant_by(matters_of(question), text)


@pytest.mark.parametrize(
    ("question", "text", "terms"),
    [
        ("can i get my money back", "Fees are refunded within a month.", {"money", "back"}),
        ("how do I get out of it", "Either party may terminate this contract.", {"get"}),
        ("wie kann ich kündigen", "Sie können die Mitgliedschaft beenden.", {"kundigen"}),
        ("¿cómo quito el sonido?", "Press S to mute it.", {"quito"}),
        ("c'est payant, quel prix ?", "Les frais sont dus le premier jour.", {"prix"}),
        ("who is in charge", "The list is maintained by Tomasz.", {"charg"}),
        ("which law applies", "It is governed by the law of Jersey.", {"appli"}),
        ("who owns my boat", "Members keep the ownership of their boats.", {"own"}),
        ("what happens if she dies", "On the death of a member, dues end.", {"die"}),
        ("can I transfer it", "A berth may not be assigned to others.", {"transfer"}),
        ("can bots read it", "Automated requests are refused.", {"bot"}),
        ("may I rent it out", "No berth is sublet.", {"rent"}),
        ("do you sell my data", "We never share such information.", {"sell", "data"}),
        ("must I pay tax on it", "Amounts are exclusive of VAT.", {"tax"}),
        ("how do i print a cheque", "Print Check opens the dialog.", {"chequ"}),
        ("can I customize the color", "Colours are customised by a menu.", {"custom", "color"}),
    ],
)
def test_what_is_asked_in_everyday_words_is_said_in_others(
    question: str, text: str, terms: set[str]
) -> None:
    assert said_for(question, text) >= terms


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("can i get my money back", "The ferry leaves at noon."),
        ("where is the vendor", "It may be redistributed."),
        ("was sagt die satzung", "On the death of a member, dues end."),
        ("cuáles son los colores", "El volumen de la caja."),
        ("what is the garden for", "It is stored in the shed."),
    ],
)
def test_another_matter_is_not(question: str, text: str) -> None:
    assert said_for(question, text) == set()


def test_who_types_two_words_for_it_tells_them_apart() -> None:
    assert matters_of("what is the difference between remove and purge") == ()
    assert matters_of("how do I remove it") != ()


def test_a_matter_stands_once() -> None:
    assert len({each.asked.pattern for each in MATTERS}) == len(MATTERS)


def test_long_texts_take_no_time() -> None:
    question, text = "throw away " * 20_000, "when one two three try one two " * 20_000
    computed_within(2, lambda: (said_for(question, text), said_for(text, question)))


@pytest.mark.once
@pytest.mark.parametrize(
    ("of_none", "of_a_library"),
    [
        ("will it rain tomorrow in leeds", "how do I reset the root password"),
        ("rezept für einen kuchen", "wie verlängere ich die lizenz"),
        ("quién ganó la copa del mundo", "cómo hago una partición del disco"),
        ("j'ai mal au ventre", "comment activer le chiffrement du serveur"),
    ],
)
def test_what_few_libraries_tell_of_is_known_in_every_language(
    of_none: str, of_a_library: str
) -> None:
    far, near = (near_other_matters(Embedded(each), E5.model) for each in (of_none, of_a_library))
    assert near < 0.2 < far
