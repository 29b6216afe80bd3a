"""What stands for something before: a noun, never a clause; and the question before, amended."""

import pytest

from memory.recall.rewriting import Exchange, ReadQuestion
from memory.recall.rewriting.rules.amending import done_otherwise, done_to_another, the_other_end
from tests.memory.follow_ups import searched

NORTH = ("what were the sales in the north in 2021", "> North: 1455 [1]")
HERON = ("how much does the heron weigh", "> The Heron 75 sander weighs 2.4 kg. [1]")
PRINTER = ("my printer prints blank pages", "> A banner page should be printed. [1]")
DRILL = ("how much is the falcon drill", "> The Falcon 200 drill is 129 euros. [1]")
PAYS = (
    "We are moving out and I wondered when the landlord has to pay back the deposit.",
    "> The deposit is paid back within six months after the end of the tenancy. [1]",
)
ANA = ("tell me about ana ribeiro", "> Ana Ribeiro is a frontend engineer in Porto. [1]")
FITS = (
    "would she fit the frontend role",
    "> The frontend role requires three years of frontend experience. [1]",
)
STUDIED = ("how many years has Tomasz Nowak worked", "> Tomasz Nowak has ten years. [1]")
SAW = ("how much is the osprey saw", "> The Osprey X saw is 219 euros. [1]")
RRSYNC = ("what does rrsync do", "> rrsync restricts an ssh login to rsync transfers. [1]")
ROLE = ("what does the frontend role require", "> The frontend role requires React. [1]")
MEETS = "does tomasz meet the backend role"
PRIVOXY = ("what is privoxy", "> Privoxy is a web proxy with filtering. [1]")
CANCEL = ("how do i cancel a job", "> The cancel and lprm commands cancel a print job. [1]")


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        ((PRINTER, "does it work over wifi"), "does printer work over wifi"),
        ((PAYS, "How much was it again?"), "How much was the deposit again"),
        ((RRSYNC, "how do i make it read only"), "how do i make rrsync read only"),
    ],
)
def test_a_pronoun_stands_for_a_thing_and_never_for_a_clause(
    turns: tuple[tuple[str, str] | str, ...], expected: str
) -> None:
    assert searched(*turns).startswith(expected)


def test_it_is_nobody_whom_she_was_said_of() -> None:
    assert "ribeiro" not in searched(ANA, FITS, "what does it require").lower()


def test_what_names_its_own_subject_is_asked_as_it_is() -> None:
    assert searched(CANCEL, "what does lpstat do") == "what does lpstat do"


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        ((NORTH, "same for the south"), "what were the sales in the south in 2021?"),
        ((NORTH, "and the same with the east please"), "what were the sales in the east in 2021?"),
        ((HERON, "sorry i meant the robin"), "how much does the robin weigh?"),
        ((HERON, "no, the robin"), "how much does the robin weigh?"),
        ((HERON, "no i meant the robin, not the heron"), "how much does the robin weigh?"),
        ((NORTH, "no, I meant in 2019"), "what were the sales in the north in 2019?"),
        ((DRILL, "and the sander?"), "how much is the sander?"),
        ((CANCEL, "no i meant pause"), "how do i pause a job?"),
        ((STUDIED, SAW, "back to tomasz, where did he study"), "where did Tomasz Nowak study"),
    ],
)
def test_the_question_before_is_amended(
    turns: tuple[tuple[str, str] | str, ...], expected: str
) -> None:
    assert searched(*turns) == expected


@pytest.mark.parametrize(
    "question",
    [
        "what did the court mean by default",
        "I meant to ask about the drug test for pilots",
        "is the same true for the deposit of a cash guarantee",
        "how do i share my printer with others",
    ],
)
def test_what_merely_sounds_like_it_amends_nothing(question: str) -> None:
    assert not searched(NORTH, question).startswith("what were the sales")


def test_what_is_somebodys_is_not_exchanged_for_something_near_it() -> None:
    asked = searched(
        ("how do i share my printer with others", "> Tag each printer. [1]"),
        "what about windows computers",
    )
    assert "my windows computers" not in asked
    assert "printer" in asked


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        (("when was debian woody released", "and sarge?"), "when was debian sarge released?"),
        (
            ("when was debian woody released", "and sarge?", "how many packages did it have"),
            "how many packages did sarge have",
        ),
        ((DRILL, "and the sander?", "no i meant the other one"), "how much is the falcon drill?"),
        ((ROLE, "and the backend one?", "does tomasz meet that"), MEETS),
        ((DRILL, "and the sander?", "how heavy is it"), "how heavy is the sander"),
        (
            ("combien coûte la perceuse falcon", "et la ponceuse?"),
            "combien coûte la ponceuse?",
        ),
        (
            ("que fait la commande rsync", "et comment exclure un dossier"),
            "et comment exclure un dossier (sur fait commande rsync)",
        ),
        (
            ("cuánto es la fianza del piso", "cuándo me la devuelven"),
            "cuándo me devuelven la fianza",
        ),
    ],
)
def test_what_was_asked_of_last_is_gone_on_with(
    turns: tuple[tuple[str, str] | str, ...], expected: str
) -> None:
    assert searched(*turns) == expected


def test_what_is_said_of_a_thing_is_not_the_thing() -> None:
    before = (PRIVOXY, "does it slow down browsing", "and does it block ads in videos")
    assert searched(*before, "how is it different from an adblocker").startswith("how is privoxy")


def test_what_is_done_is_no_thing() -> None:
    asked = "what if i want to know which package a file came from"
    told = searched((asked, "> apt-file search foo [1]"), "does apt do that as well")
    assert told.startswith("does apt do that as well (about ")


@pytest.mark.parametrize(
    ("asked", "query", "expected"),
    [
        (
            "what happens if a ferry is late",
            "and if the berth is full",
            "what happens if the berth is full?",
        ),
        (
            "was kostet das ablegen wenn ich bar zahle",
            "und falls die schranke klemmt",
            "was kostet das ablegen falls die schranke klemmt?",
        ),
        (
            "combien coûte le quai si je paie plus tard",
            "et si la barrière est fermée",
            "combien coûte le quai si la barrière est fermée?",
        ),
        (
            "cuanto cuesta el muelle si pago en efectivo",
            "y si el muelle esta lleno",
            "cuanto cuesta el muelle si el muelle esta lleno?",
        ),
        ("puedo entrar si olvido la llave", "y si la rompo", "puedo entrar si rompo la llave?"),
        (
            "faut il prévenir le port avant de sortir",
            "meme quand le quai est vide ?",
            "faut il prévenir le port avant de sortir, meme quand le quai est vide?",
        ),
        (
            "does the ferry sail on sundays",
            "even if the wind is strong",
            "does the ferry sail on sundays, even if the wind is strong?",
        ),
    ],
)
def test_the_same_is_asked_on_another_condition(asked: str, query: str, expected: str) -> None:
    assert searched(asked, query) == expected


@pytest.mark.parametrize(
    ("asked", "query", "expected"),
    [
        (
            "what does a berth cost if i pay later",
            "and up front",
            "what does a berth cost if i pay up front?",
        ),
        (
            "was kostet ein platz wenn ich später zahle",
            "und im voraus",
            "was kostet ein platz wenn ich im voraus zahle?",
        ),
        (
            "cuanto cuesta una plaza si pago despues",
            "y por adelantado",
            "cuanto cuesta una plaza si pago por adelantado?",
        ),
    ],
)
def test_what_is_done_on_condition_is_done_otherwise(asked: str, query: str, expected: str) -> None:
    assert searched(asked, query) == expected


def test_what_somebody_loses_is_no_way_of_doing_it() -> None:
    asked = "what does a berth cost if i lose my key"
    before = Exchange(asked, "> A berth costs nine euros. [1]", 1)
    assert done_otherwise(ReadQuestion("and up front"), [before]) is None


def test_the_mayor_is_no_end_of_a_scale() -> None:
    asked = [Exchange("which city is the largest", "> Lisbon. [1]", 1)]
    assert the_other_end(ReadQuestion("and the smallest"), asked)
    assert the_other_end(ReadQuestion("and the mayor"), asked) is None


@pytest.mark.parametrize(
    ("asked", "query", "expected"),
    [
        ("how do i moor a boat", "and hoist a sail", "how do i hoist a sail?"),
        ("quelle touche ouvre le port", "et ferme la barrière", "quelle touche ferme la barrière?"),
        ("como amarro un barco", "y pinto el casco", "como pinto el casco?"),
    ],
)
def test_the_same_is_asked_of_what_else_is_done(asked: str, query: str, expected: str) -> None:
    assert searched(asked, query) == expected


@pytest.mark.parametrize("query", ["and under the bridge", "and near the crane"])
def test_where_it_is_done_is_nothing_that_is_done(query: str) -> None:
    before = Exchange("how do i moor a boat", "> By its ropes. [1]", 1)
    assert done_to_another(ReadQuestion(query), [before]) is None


@pytest.mark.parametrize(
    ("asked", "query"),
    [
        ("who built the harbour crane", "and when was the harbour crane painted"),
        ("quien pinta la grua", "y cuando abre el puerto"),
        ("qui peint la grue", "et quand ouvre le port"),
    ],
)
def test_when_something_is_so_is_asked_and_no_condition(asked: str, query: str) -> None:
    assert not searched(asked, query).startswith(asked)
