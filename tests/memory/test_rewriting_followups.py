"""Careless follow-ups: what was left out is put in, and what stands alone is left alone."""

import pytest

from memory.recall.rewriting import Exchange, ReadQuestion, rewrite
from memory.recall.rewriting.language.noun_phrases import the_verb
from memory.recall.rewriting.rules.places import of_a_place
from memory.recall.talk import ABOUT_CONVERSATION, OF_THE_ANSWER, talk_in
from memory.recall.talk.conversation import AboutConversation, classify_talk
from memory.text.reading import ReadText
from tests.memory.follow_ups import searched

ROLES = (
    "What does the backend role require?",
    "> The **backend role requires** Python. The frontend role requires React. [1]\n\n*Roles*",
)
DATE = (
    "What is the Distribution Date?",
    '> "**Distribution Date**" means the twenty-fifth day of each calendar month. [1]\n\n*Model '
    "Pooling and Servicing Agreement › Article I*",
)
DRUGS = (
    "Which drugs target PIK3CA?",
    "> The **drugs** that **target PIK3CA** directly are alpelisib and inavolisib, which both "
    "inhibit p110α. [1]\n\n*Notes on PIK3CA › Drugs*",
)
STICHTAG = ("Was ist der Stichtag?", "> Der Stichtag ist der 15. Tag des Monats. [1]")


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        ((ROLES, "And the frontend one?"), "What does the frontend role require?"),
        ((ROLES, "Does the frontend one need React?"), "Does the frontend role need React?"),
        ((DATE, "and if that's a holiday?"), "and if the Distribution Date is a holiday?"),
        (
            (DATE, "what if it's on a Sunday?"),
            "what if the Distribution Date is on a Sunday?",
        ),
        ((DATE, "why?"), "What is the Distribution Date, and why?"),
        ((DATE, "how come"), "What is the Distribution Date, and why?"),
        ((DATE, "why?", "since when"), "What is the Distribution Date, and since when?"),
        (
            (DATE, "und wenn das auf ein Wochenende fällt?"),
            "und wenn Distribution Date auf ein Wochenende fällt?",
        ),
        (
            (STICHTAG, "und wenn er auf ein Wochenende fällt?"),
            "und wenn der Stichtag auf ein Wochenende fällt?",
        ),
        ((STICHTAG, "warum?"), "Was ist der Stichtag, und warum?"),
        (
            ("¿Qué es el Distribution Date?", "¿y si cae en fin de semana?"),
            "¿y si el Distribution Date cae en fin de semana?",
        ),
        (
            (DRUGS, "Which of them was given with palbociclib?"),
            "Which of alpelisib and inavolisib was given with palbociclib?",
        ),
    ],
)
def test_what_was_left_out_is_put_in(turns: tuple[tuple[str, str] | str, ...], expected: str):
    assert searched(*turns) == expected


SALES = ("how did sales in the east develop?", "> Sales in the east rose by 4 %. [1]")
NOTICE = ("Wie lange ist die Kündigungsfrist?", "> Sie beträgt zwei Wochen. [1]")
ORDERS, TUGS = "how many orders were shipped in march", "what is the tonnage of the ferries?"


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        # What one side of a comparison leaves out.
        ((SALES, "better than the west?"), f"H{SALES[0][1:-1]}, better than the west?"),
        ((SALES, "and is it more than 40?"), f"H{SALES[0][1:-1]}, is it more than 40?"),
        ((NOTICE, "länger als im Handel?"), f"{NOTICE[0][:-1]}, länger als im Handel?"),
        # All that was said, where no noun stands for it.
        ((NOTICE, "gilt das auch für Azubis?"), f"gilt das auch für Azubis: {NOTICE[0]}"),
        # What something is of, where no "of" was asked.
        ((ORDERS, "and of april?"), "how many orders were shipped in april?"),
        ((TUGS, "and of the tugs?"), "what is the tonnage of the tugs?"),
        # Several things are no "it".
        (("what were the revenues of quillborn", "who founded it?"), "who founded quillborn?"),
    ],
)
def test_what_was_left_out_is_told_by_the_form_of_what_was_said(
    turns: tuple[tuple[str, str] | str, ...], expected: str
) -> None:
    assert searched(*turns) == expected


def test_what_is_of_another_kind_takes_no_things_place() -> None:
    before = ("how do I set up the printer?", "> Unpack it and plug it in. [1]")
    assert "printer" in searched(before, "what about usb")
    assert searched(before, "what about the scanner?") == "how do I set up the scanner?"
    before = ("does the printer work over wifi", "> It does. [1]")
    assert searched(before, "what about usb") == "does the printer work over usb?"


@pytest.mark.parametrize(
    ("asked", "query", "expected"),
    [
        ("which port has the most ferries", "and the fewest", "which port has the fewest ferries?"),
        ("which port has the most ferries?", "which one has the least", "which port has the least"),
        ("Welcher Hafen ist am größten?", "und am kleinsten", ""),
        ("welcher hafen hat die meisten fähren", "und die wenigsten?", "hat die wenigsten fähren?"),
        ("qué puerto tiene la mayor flota", "y la menor", "qué puerto tiene la menor flota?"),
        ("quel port a le plus grand quai", "et le plus petit ?", "quel port a le plus petit quai?"),
        ("what is the fee for a ferry", "and the most?", ""),
    ],
)
def test_the_other_end_of_a_scale_takes_the_place_of_the_one(
    asked: str, query: str, expected: str
) -> None:
    found = searched((asked, "> Northpier. [1]"), query)
    assert expected in found if expected else "Hafen ist kleinsten" not in found


@pytest.mark.parametrize(
    "query", ["other than the west?", "rather than waiting?", "never mind the cost, who pays?"]
)
def test_what_only_looks_like_a_comparison_or_taking_back_is_none(query: str) -> None:
    assert not searched(SALES, query).startswith(SALES[0][:-1].capitalize())
    assert "who pays" not in query or "cost" in searched(SALES, query)


def test_what_asks_by_itself_takes_no_place_in_spanish() -> None:
    before = ("¿Qué fármacos actúan sobre PIK3CA?", "> Alpelisib e inavolisib. [1]")
    assert not searched(before, "¿y cuántos pacientes respondieron?").startswith("¿Qué cuántos")


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("wann wird das wasser abgedreht", ""),
        ("wann wird das Wasser abgedreht?", ""),
        ("was kostet das zimmer", ""),
        ("wo ist das gericht", ""),
        ("was kostet das essen", ""),
        ("wo finde ich das neue formular", ""),
        ("ist das erlaubt?", "ist der Stichtag erlaubt?"),
        ("kann ich das ändern", "kann ich der Stichtag ändern"),
        ("was passiert, wenn das ausfällt?", "was passiert, wenn der Stichtag ausfällt?"),
        ("wird das automatisch verlängert", "wird der Stichtag automatisch verlängert"),
        ("gilt das auch für kinder", "gilt der Stichtag auch für kinder"),
    ],
)
def test_before_a_noun_das_is_an_article(query: str, expected: str) -> None:
    assert searched(STICHTAG, query) == (expected or query)


def test_a_list_of_words_takes_no_german_pronouns_place() -> None:
    drones = (
        "and how much is a drone show instead (about costs 26, fireworks, 000)",
        "> A drone show costs 26,000 euros. [1]",
    )
    assert "26" not in searched(drones, "ist das erlaubt?")
    assert "26" not in searched(drones, "und wie lange?")


def test_what_a_german_question_in_small_letters_said_is_carried() -> None:
    before = ("darf ich trompete spielen", "> Musizieren ist bis 22 Uhr erlaubt. [1]")
    assert "trompete" in searched(before, "und wie lange denn?")


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        (("who is María?", "and Tomasz?"), "compare María and Tomasz"),
        ((ROLES, "And the frontend one?"), "compare backend role and frontend role"),
        (("Who is Ana Ruiz?", "Tell me about Jan Kos"), "compare Ana Ruiz and Jan Kos"),
        ((DRUGS,), "compare alpelisib and inavolisib"),
    ],
)
def test_what_was_asked_about_in_turn_is_compared(
    turns: tuple[tuple[str, str] | str, ...], expected: str
) -> None:
    assert searched(*turns, "compare them") == expected


@pytest.mark.parametrize(
    ("before", "query"),
    [
        (DATE, "how do I reach IT?"),
        (DATE, "asdf qwer"),
        (DATE, "That's interesting"),
        (STICHTAG, "Wie viele Tage Urlaub stehen mir zu?"),
    ],
)
def test_what_stands_alone_or_says_nothing_is_left_alone(
    before: tuple[str, str], query: str
) -> None:
    assert searched(before, query) == query


def test_a_pronoun_in_capitals_is_one_where_all_is_in_capitals() -> None:
    assert searched(DATE, "WHEN IS IT?") != "WHEN IS IT?"


def test_where_a_quotation_stands_and_how_it_is_set_are_not_carried() -> None:
    carried = searched(DATE, "and the deadline for complaints?")
    assert "**" not in carried
    assert "Pooling" not in carried


def test_a_verb_is_not_put_behind_a_question() -> None:
    carried = searched(
        ("Which candidates apply for the backend role?", "> Some candidates do. [1]"),
        "list all of them please",
    )
    assert "apply" not in carried


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("shorter", AboutConversation.SHORTER),
        ("make it shorter", AboutConversation.SHORTER),
        ("in one sentence please", AboutConversation.SHORTER),
        ("Can you summarise that?", AboutConversation.SHORTER),
        ("in einem Satz bitte", AboutConversation.SHORTER),
        ("más corto, por favor", AboutConversation.SHORTER),
        ("translate that to german", AboutConversation.OTHERWISE),
        ("auf Deutsch bitte", AboutConversation.OTHERWISE),
        ("say it simpler", AboutConversation.OTHERWISE),
        ("could you explain that in simple words?", AboutConversation.OTHERWISE),
        ("are you sure?", AboutConversation.GROUNDS),
        ("who says that?", AboutConversation.GROUNDS),
        ("where does it say that?", AboutConversation.GROUNDS),
        ("wo steht das?", AboutConversation.GROUNDS),
    ],
)
def test_what_is_wanted_of_the_last_answer_is_no_question_to_the_library(
    text: str, kind: AboutConversation
) -> None:
    assert classify_talk(text) == kind
    assert talk_in(ReadText(text), DATE[1]) == OF_THE_ANSWER
    assert talk_in(ReadText(text)) == ""
    assert searched(DATE, text) == DATE[0]


@pytest.mark.parametrize(
    "text",
    [
        "how many documents do you have",
        "which documents are there?",
        "what documents do you have access to?",
        "list all documents",
        "show me the list of documents i added",
        "which files have i uploaded?",
        "what did i upload here",
        "which documents are mine",
        "welche Dokumente hast du?",
        "¿cuántos documentos tienes?",
        "what docs do you have",
        "whats in here",
        "what's in here?",
        "list all documents pls",
        "which files are there",
        "show me all files",
        "give me a list of the documents please",
        "welche dateien gibt es hier",
        "was ist hier drin?",
        "que documentos hay aqui",
        "¿qué hay aquí?",
        "quels fichiers y a-t-il ?",
        "qu'est-ce qu'il y a ici ?",
    ],
)
def test_what_the_library_holds_can_be_asked(text: str) -> None:
    assert classify_talk(text) == AboutConversation.LIBRARY
    assert talk_in(ReadText(text)) == ABOUT_CONVERSATION


@pytest.mark.parametrize(
    "text",
    [
        "list all candidates",
        "how many documents do I have to sign?",
        "translate the contract clause on fees",
        "who says that the fee is due?",
        "which source feeds the river?",
        "which files are there to sign?",
        "what is in here for tenants?",
        "was ist hier erlaubt?",
        "who wrote this?",
        "where does the agreement say that?",
        "is it right to terminate early?",
        "explain the rule in simple words",
    ],
)
def test_questions_to_the_library_stay_questions(text: str) -> None:
    assert talk_in(ReadText(text), DATE[1]) == ""


def test_thanks_before_a_question_about_the_conversation_say_nothing() -> None:
    text = "thanks, and what was the first thing we talked about?"
    assert classify_talk(text) == AboutConversation.FIRST


@pytest.mark.parametrize(
    ("asked", "verb"),
    [
        ("Which drugs target PIK3CA?", "target"),
        ("What does the backend role require?", "require"),
        ("What causes acidic reflux in the morning?", "causes"),
        ("What do Spanish people do on Christmas day?", ""),
        ("What about Venus flytraps in particular?", ""),
    ],
)
def test_the_verb_of_a_question_is_no_word_that_names_something(asked: str, verb: str) -> None:
    found = the_verb(ReadText(asked).tokens)
    assert (found.word if found else "") == verb


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        ((ROLES, "who is maría"), "who is maría"),
        ((ROLES, "wer ist tomasz nowak?"), "wer ist tomasz nowak?"),
        (("who is maría", "and tomasz"), "who is tomasz?"),
        (("who is maría", "what about tomasz"), "who is tomasz?"),
        (("wer ist maría", "und tomasz?"), "wer ist tomasz?"),
        (("who is maría", "and tomasz", "compare them"), "compare maría and tomasz"),
        (("who is maría", "and tomasz", "and amina"), "who is amina?"),
        (
            ("who is maría", "and tomasz", "which one has more experience"),
            "which one has more experience, maría or tomasz?",
        ),
        (
            (ROLES, "and the frontend one?", "what do both need"),
            "what do backend role and frontend role need",
        ),
        (
            (
                "who is maría",
                ("and tomasz", "> He knows Java, Kotlin and Rust. [1]"),
                "who of them knows Kotlin?",
            ),
            "who of maría and tomasz knows Kotlin?",
        ),
    ],
)
def test_people_are_asked_for_in_turn_without_capitals(
    turns: tuple[tuple[str, str] | str, ...], expected: str
) -> None:
    assert searched(*turns) == expected


MODELS = (
    "which models are there",
    "> There are two models, the Brewline 300 and the Brewline 300 Pro. [1]\n\n*Manual*",
)
WATER = "how much water does the first one hold"


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        (("are dogs allowed in the house", "and cats?"), "are cats allowed in the house?"),
        (
            ("are dogs allowed in the house", "and cats?", "birds"),
            "are birds allowed in the house?",
        ),
        (("Who is the Servicer?", "and the trustee"), "Who is the trustee?"),
        (
            ("how often is the milk carafe cleaned", "and the brew group?"),
            "how often is the brew group cleaned?",
        ),
        (("does it sync symbolic links", "hard links?"), "does it sync hard links?"),
        (
            ("how much does the brewline 300 cost", "in dollars?"),
            "how much does the brewline 300 cost in dollars?",
        ),
        (
            ("how much does the brewline 300 cost", "and the pro?"),
            "how much does the pro cost?",
        ),
        (("who applies for the role", "who else"), "who else applies for the role?"),
        (
            ("wie lange dauert die nachtruhe", "und die mittagsruhe?", "und am sonntag?"),
            "wie lange dauert die mittagsruhe am sonntag?",
        ),
        (("Wie hoch ist die Kaution?", "wann kommt die zurück?"), "wann kommt Kaution zurück?"),
        (("quel est le plan Team", "et le plan Family ?"), "quel est le plan Family?"),
        ((MODELS, WATER), "how much water does the Brewline 300 hold"),
        ((MODELS, WATER, "and the second one"), "how much water does the Brewline 300 Pro hold?"),
        # What is like nothing that was asked of takes nothing's place.
        (("what does descaling need", "why", "Larkspur?"), "Larkspur?"),
    ],
)
def test_the_same_is_asked_of_another_thing(
    turns: tuple[tuple[str, str] | str, ...], expected: str
) -> None:
    assert searched(*turns) == expected


@pytest.mark.parametrize(
    ("before", "question", "expected"),
    [
        (
            ("how do i treat head lice?", ""),
            "and if it comes back?",
            "and if head lice comes back?",
        ),
        (
            ("when does my booking for the sauna begin?", ""),
            "can i change that",
            "can i change booking for the sauna",
        ),
        (
            ("¿Cuántas películas puedo llevarme?", ""),
            "y libros?",
            "¿Cuántas libros puedo llevarme?",
        ),
        (("where does Tomasz Nowak work?", ""), "and amina", "where does amina work?"),
        (
            ("Wer ist Tomasz Nowak?", "Er ist Hausmeister."),
            "und seine telefonnummer",
            "und telefonnummer von Tomasz Nowak",
        ),
        (
            ("Wer ist die Leiterin?", "Die Leiterin ist Amina Diallo."),
            "und ihre telefonnummer?",
            "und telefonnummer von Amina Diallo?",
        ),
        (
            ("Qui est le directeur de Marie Dupont ?", "Le directeur est Paul Martin."),
            "et lui ?",
            "Qui est le directeur de Paul Martin ?",
        ),
        (
            ("Qui est le directeur de Marie Dupont ?", "Le directeur est Paul Martin."),
            "quel est son téléphone ?",
            "quel est le téléphone de Paul Martin ?",
        ),
        (
            ("Qu'est-ce que la carte Ambra ?", "Un abonnement."),
            "combien coûte-t-il ?",
            "combien coûte la carte Ambra ?",
        ),
    ],
)
def test_whom_and_what_a_short_follow_up_means_is_said(
    before: tuple[str, str], question: str, expected: str
) -> None:
    assert rewrite(ReadQuestion(question), [Exchange(*before, 1)]).query == expected


@pytest.mark.parametrize(
    "question", ["capital of france", "population of norway?", "what is the capital of spain"]
)
def test_what_is_asked_of_a_country_inherits_nothing(question: str) -> None:
    before = Exchange("How long is the warranty on the Nord heat pump?", "Five years.", 1)
    assert rewrite(ReadQuestion(question), [before]).query == question


def test_what_is_asked_of_a_place_that_was_spoken_of_goes_on() -> None:
    before = Exchange("Which tax does France levy?", "France levies a tax.", 1)
    assert of_a_place(ReadQuestion("capital of france"), [before]) is None


def test_a_thing_of_another_kind_takes_no_things_place() -> None:
    before = Exchange("How long is the warranty on the Nord heat pump?", "Five years.", 1)
    assert "How long is offices" not in rewrite(ReadQuestion("offices?"), [before]).query


@pytest.mark.parametrize(
    ("asked", "query", "expected"),
    [
        (
            "cuánta cuerda necesita un barco ligero",
            "y una lancha de motor",
            "cuánta cuerda necesita una lancha de motor?",
        ),
        ("wo finde ich einen lotsen", "und einen mechaniker", "wo finde ich einen mechaniker?"),
        ("what does an oar of oak do", "and of steel", "what does an oar of steel do?"),
        ("combien de couleurs a le drapeau", "et de bandes", "combien de bandes a le drapeau?"),
        (
            "wie heißt das boot mit dem mast",
            "und das mit dem motor",
            "wie heißt das boot mit dem motor?",
        ),
        (
            "que veut dire la lettre i devant un bateau",
            "et la lettre p",
            "que veut dire la lettre p devant un bateau?",
        ),
        ("what does section 4 say", "and section 7", "what does section 7 say?"),
    ],
)
def test_the_same_is_asked_of_another_of_its_kind(asked: str, query: str, expected: str) -> None:
    assert searched(asked, query).startswith(expected)


@pytest.mark.parametrize(
    ("asked", "query", "expected"),
    [
        ("como instalo una aplicacion", "y como la quito", "y como quito una aplicacion"),
        ("donde compro un billete", "y como lo devuelvo", "y como devuelvo un billete"),
    ],
)
def test_what_something_is_done_with_in_spanish_is_said(
    asked: str, query: str, expected: str
) -> None:
    assert searched(asked, query) == expected


def test_what_is_done_is_no_thing_and_nothing_is_said_twice() -> None:
    told = (
        "does rsync run on android",
        "> It is made on GNU/Linux, since it was begun on GNU/Linux. Android takes effort. [1]",
    )
    found = searched(told, "why did they change it")
    assert found.startswith("why did they change rsync")
    assert " run" not in found
    assert found.count("GNU/Linux") <= 1


def test_no_thing_is_he() -> None:
    told = (
        "i lent a friend an oar how do i note it",
        "> Note and remind by the list of oars. [1]",
    )
    assert "once he brings it back" in searched(told, "and once he brings it back")


def test_what_was_asked_of_something_is_not_its_owner() -> None:
    found = searched("mpg of the ford pinto", "and its weight")
    assert found.startswith("and the ford pinto’s weight")


@pytest.mark.parametrize(
    ("asked", "query", "expected"),
    [
        (
            "comment je vois la liste",
            "et comment je la supprime",
            "et comment je supprime la liste",
        ),
        (
            "je peux louer le quai pour le bateau",
            "et je risque quoi",
            "et je risque quoi (sur quai bateau)",
        ),
    ],
)
def test_what_a_french_question_is_of_is_no_verb(asked: str, query: str, expected: str) -> None:
    assert searched(asked, query) == expected
