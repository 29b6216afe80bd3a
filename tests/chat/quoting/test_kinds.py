"""What kind of question is asked, by its wording, and what fits it as an answer."""

import pytest

from chat.quoting.kinds import (
    COMPARES,
    FORM_WORTH,
    counted,
    kinds_of,
    without_asking,
    wording_worth,
)
from citations.index import index_terms
from citations.retrieval.units import UnitForm
from memory.text.words import terms


def names(*wordings: str) -> list[str]:
    return [kind.name for kind in kinds_of(*wordings)]


@pytest.mark.once
@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("How many berths are there?", "number"),
        ("What percentage of boats pays?", "number"),
        ("¿Cuántos amarres hay?", "number"),
        ("Wie viele Liegeplätze gibt es?", "number"),
        ("Combien de places y a-t-il ?", "number"),
        ("What is the maximum number of boats?", "upper bound"),
        ("max boats", "upper bound"),
        ("Wie viele Boote dürfen es höchstens sein?", "upper bound"),
        ("whats the most they pay", "upper bound"),
        ("how long can a boat be", "upper bound"),
        ("Wie lang darf ein Boot höchstens sein?", "upper bound"),
        ("wie lange darf ich bleiben", "upper bound"),
        ("How many keys do I get at least?", "lower bound"),
        ("do i have to sign", "obligation"),
        ("is a deposit required", "obligation"),
        ("muss ich bezahlen", "obligation"),
        ("hay que reservar", "obligation"),
        ("faut-il réserver", "obligation"),
        ("what happens if i leave early", "condition"),
        ("was passiert wenn es brennt", "condition"),
        ("¿qué pasa si llueve?", "condition"),
        ("does it cost anything", "price"),
        ("kostet das was", "price"),
        ("When was it finished?", "date"),
        ("In which year did it open?", "date"),
        ("¿Cuándo se terminó?", "date"),
        ("Wann wurde er fertig?", "date"),
        ("Quand a-t-elle été finie ?", "date"),
        ("Who is the harbour master?", "person"),
        ("And who is her deputy?", "person"),
        ("¿Quién es el capitán?", "person"),
        ("Wer leitet den Hafen?", "person"),
        ("Qui dirige le port ?", "person"),
        ("Why was it built?", "reason"),
        ("¿Por qué se construyó?", "reason"),
        ("Warum wurde er gebaut?", "reason"),
        ("Pourquoi a-t-elle été construite ?", "reason"),
        ("What is a berth?", "definition"),
        ("¿Qué es un amarre?", "definition"),
        ("Was ist ein Liegeplatz?", "definition"),
        ("Qu'est-ce qu'un poste d'amarrage ?", "definition"),
        ("How do I book the crane?", "how to"),
        ("¿Cómo se reserva la grúa?", "how to"),
        ("Wie buche ich den Kran?", "how to"),
        ("Comment réserver la grue ?", "how to"),
        ("whats the default of max_size", "default"),
        ("¿Cuál es el valor por defecto?", "default"),
        ("where are the logs", "place"),
        ("Which folder is it in?", "place"),
        ("¿Dónde está el registro?", "place"),
        ("Wo liegt das Protokoll?", "place"),
        ("Which documents are needed?", "list"),
        ("List all fees", "list"),
        ("¿Qué documentos se piden?", "list"),
        ("Welche Papiere sind nötig?", "list"),
        ("Quels papiers faut-il ?", "list"),
        ("May I use the inner basin?", "yes or no"),
        ("¿Puedo usar la dársena?", "yes or no"),
        ("Darf ich das Becken nutzen?", "yes or no"),
        ("Est-ce permis ?", "yes or no"),
        ("gibt es wlan am steg", "yes or no"),
        ("se puede pescar", "yes or no"),
        ("was macht die schleuse", "definition"),
        ("à quoi sert la grue", "definition"),
        ("para qué sirve la grúa", "definition"),
        ("como reservo la grua", "how to"),
        ("donde esta el registro", "place"),
        ("cuando abre", "date"),
        ("in welcher datei steht das", "place"),
        ("dans quel fichier est-ce", "place"),
        ("ab welcher version geht das", "number"),
        ("wie alt ist der hafen", "number"),
        ("who wrote the handbook", "author"),
        ("how do i run it every 5 minutes", "recurrence"),
        ("cómo lo repito cada dos horas", "recurrence"),
    ],
)
def test_a_question_says_by_its_wording_what_kind_it_is_of(question: str, kind: str) -> None:
    assert kind in names(question)


@pytest.mark.once
@pytest.mark.parametrize(
    "question", ["What is a berth?", "What does it cost?", "How do I list files?", "What was it?"]
)
def test_a_question_for_one_thing_asks_for_no_list(question: str) -> None:
    assert "list" not in names(question)


@pytest.mark.once
def test_a_statement_is_of_no_kind() -> None:
    assert names("The gearbox of a tractor") == []


@pytest.mark.once
def test_the_question_as_typed_may_tell_the_kind_that_the_rewritten_one_lost() -> None:
    assert names("The harbour master") == []
    assert names("The harbour master", "And who?") == ["person"]


@pytest.mark.once
@pytest.mark.parametrize(
    ("question", "answer", "beside"),
    [
        ("How many berths are there?", "There are 240 berths.", "There are berths."),
        ("who wrote grue", "Grue was first written by Ana Roe.", "The port of Grue to Windows is."),
        ("do it every 5 minutes", "To say “every two hours”, use */2.", "It runs every day."),
        ("When did it open?", "It opened on 14 May 1931.", "It opened at last."),
        ("¿Cuándo abrió?", "Abrió el 3 de mayo de 1931.", "Abrió por fin."),
        ("Wann öffnete er?", "Er öffnete am 3. Mai 1931.", "Er öffnete endlich."),
        ("Who leads it?", "It is led by Marta Lindqvist.", "It is led by somebody."),
        ("who is jon", "Her elder brother (by a year) Jon stayed.", "But I never saw Jon."),
        ("who was marta", "Marta, the cook of the ferry, slept.", "Marta slept."),
        ("who was marta", "Marta was the cook of the ferry.", "If Marta slept, nobody ate."),
        ("when does it lapse", "It lapses if nobody pays.", "It lapses."),
        ("Why is it closed?", "It is closed because of ice.", "It is closed and cold."),
        ("What is a berth?", "A berth is a place for one boat.", "Berths have water."),
        ("Largest boat here?", "Boats have 18 m at most.", "Boats are long."),
        ("Can I swim here?", "No, it is too cold.", "Nobody swims because it is cold."),
        ("Can I swim here?", "A: No, it is too cold.", "A: Nobody may swim."),
        ("May dogs swim?", "Dogs may not swim here.", "Dogs swim here."),
        ("How do I book it?", "Click on the page of bookings.", "Booked is booked."),
        (
            "How do I list the files of a package?",
            "To list all files that a package has, execute the command",
            "This looks through the lists of files of each package.",
        ),
        (
            "What is DER encoding?",
            "It holds Abstract Syntax (AST) and Distinguished Encoding Rules (DER) structures.",
            "The DER encoding is put into the variable.",
        ),
        ("What is the ECB?", "The ECB (European Central Bank) decides.", "The ECB decides."),
        ("what is reml", "They use restricted maximum likelihood (REML).", "REML is less biased."),
        ("Where are the logs?", "They go to /var/log/x.", "They go where logs go."),
        ("Where are the logs?", "They go into the log directory.", "They go somewhere else."),
        ("What is a blob?", "- blob: Anything without a type.", "- tree: Holds a blob."),
        ("blob meaning", "blob - anything without a type", "tree - holds a blob"),
        ("what does -e do", "- -e, --edit: Apply it in place.", "- -b: Used with -e."),
        ("para qué sirve fakeroot", "fakeroot - emula a root.", "Se llama con fakeroot."),
        ("how long does he serve", "He serves for one year.", "See section §9.3 and page 12."),
        ("how often is it saved", "It is saved once per week.", "It is saved on DVD."),
        ("Who is the Harbour Master?", "It is Marta Lindqvist.", "It is the Harbour Master."),
        ("maximum of boats", "There may be up to 8.", "When there are 5, one more comes."),
        ("what's the most they pay", "It is limited to 500 pounds.", "They pay 4 % of 500 pounds."),
        ("does it cost anything", "Mooring is free of charge.", "Mooring can't be done at night."),
        ("do i have to sign it", "A signature is optional.", "You can't sign at night."),
        ("what happens if i leave", "If a boat leaves, its berth is lost.", "Boats leave in May."),
        ("minimum of boats", "There are at least two.", "There are two."),
        ("Is 240 enough?", "Never.", "It is 240."),
        ("limit the speed", "- --limit: Holds it down.", "- It is limited."),
        ("drawbacks of locks", "But there are also disadvantages:", "Locks are old."),
    ],
)
def test_what_answers_such_a_question_is_worth_more(
    question: str, answer: str, beside: str
) -> None:
    kinds, asked = kinds_of(question), frozenset(index_terms(question))
    subject = frozenset(index_terms(without_asking(question)))
    more, less = (
        wording_worth(kinds, each, UnitForm.SENTENCE, asked, subject) for each in (answer, beside)
    )
    assert more > less


@pytest.mark.once
@pytest.mark.parametrize(
    ("question", "form"),
    [
        ("How do I install it?", UnitForm.CODE),
        ("How do I install it?", UnitForm.ROW),
        ("Which documents are needed?", UnitForm.ITEM),
        ("How many are there?", UnitForm.ROW),
    ],
)
def test_the_form_that_answers_such_a_question_is_worth_more(question: str, form: UnitForm) -> None:
    kinds, asked = kinds_of(question), frozenset(terms(question))
    alone = wording_worth(kinds, "mooring", UnitForm.SENTENCE, asked)
    assert wording_worth(kinds, "mooring", form, asked) == alone + FORM_WORTH


@pytest.mark.once
@pytest.mark.parametrize(
    "question",
    [
        "Compare the two harbours",
        "What is the difference between them?",
        "¿Cuál es mejor?",
        "Was ist der Unterschied?",
        "Quelle est la meilleure ?",
        "are there more berths in corvo or in flores",
        "Ist der Kai älter oder die Mole?",
    ],
)
def test_a_comparison_is_known(question: str) -> None:
    assert COMPARES.search(question)


@pytest.mark.once
@pytest.mark.parametrize(
    "question",
    ["Is more than one boat or car allowed?", "Where do I learn more?", "Is it 3 days or later?"],
)
def test_a_choice_of_anything_else_is_none(question: str) -> None:
    assert COMPARES.search(question) is None


@pytest.mark.once
def test_what_is_only_about_it_is_worth_nothing() -> None:
    assert wording_worth([], "There are 240 berths.", UnitForm.ROW, frozenset()) == 0


@pytest.mark.once
def test_a_figure_of_what_is_to_be_counted_is_found() -> None:
    found = counted("how many headers does it set")
    assert found is not None
    assert found.search("This will set 13 HTTP response headers.")
    assert not found.search("It sets the header X-XSS-Protection to 0.")
    assert counted("which headers does it set") is None


@pytest.mark.once
@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("was macht die schleuse", "yes or no"),
        ("wie viele liegeplätze gibt es", "how to"),
        ("wie lange bleibt ein boot", "purpose"),
        ("wie heißt der hafen", "how to"),
        ("cómo se llama el puerto", "how to"),
        ("welche schleuse ist offen", "list"),
    ],
)
def test_and_of_what_kind_it_is_not(question: str, kind: str) -> None:
    assert kind not in names(question)
