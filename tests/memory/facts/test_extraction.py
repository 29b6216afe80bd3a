"""What is learned of what people type: counted over sentences, half of which were held back."""

import unicodedata
from pathlib import Path

import pytest

from memory.models.facts import Fact, FactKind
from memory.recall.facts.asking import answered_by, asks_for_all
from memory.recall.facts.extraction import asked_in, learned, only_tells, sought_in, without_wishes
from memory.recall.facts.extraction.statements import Learned, key
from memory.recall.facts.known import KnownFacts
from memory.recall.titles import title_of
from memory.text.words import stem
from tests.effort import computed_within

pytestmark = pytest.mark.once

LINES = [
    line
    for line in (Path(__file__).parent / "sentences.txt").read_text().splitlines()
    if line and not line.startswith("#")
]
# What only has to be in the subject: the verb and the noun may bring more words.
RULES = ("always", "never")


def expected(line: str) -> tuple[set[str], str]:
    """Return the subjects that a line names, "!" before what is taken back, and its sentence."""
    said, _, sentence = line.partition(" | ")
    named = said.split(" ") if said.startswith("!uses") else [said]
    return {_subject(each) for each in named if each != "-"}, sentence


def _subject(named: str) -> str:
    ends, (name, colon, rest) = named.startswith("!"), named.lstrip("!").partition(":")
    if rest and name not in ("work", "uses"):
        rest = stem(rest) if name == "pet" else key(rest)
    return ("!" if ends else "") + name + colon + rest


def found(sentence: str, wanted: set[str]) -> set[str]:
    subjects = {("!" if each.ends else "") + each.subject for each in learned(sentence)}
    return {next((one for one in wanted if _is_rule(one, each)), each) for each in subjects}


def _is_rule(wanted: str, subject: str) -> bool:
    (name, _, words), (other, _, others) = wanted.partition(":"), subject.partition(":")
    return name in RULES and name == other and set(words.split()) <= set(others.split())


@pytest.mark.parametrize("part", ["tuned on", "held back"])
def test_nearly_all_that_is_learned_was_said_and_nearly_all_that_was_said_is_learned(
    part: str, record_property: object
) -> None:
    lines = LINES[part == "held back" :: 2]
    assert len(lines) > 140
    right = wrong = missed = 0
    for line in lines:
        wanted, sentence = expected(line)
        got = found(sentence, wanted)
        right, wrong, missed = (
            right + len(wanted & got),
            wrong + len(got - wanted),
            missed + len(wanted - got),
        )
    assert right / (right + wrong) >= 0.97, f"precision {right} of {right + wrong}"
    assert right / (right + missed) >= 0.95, f"recall {right} of {right + missed}"


@pytest.mark.parametrize(
    "message",
    [
        "Summarise this:\nI live in Rome and I always answer in bullet points.",
        "> I live in Rome\n\nIs that true?",
        "```\nI live in Rome.\n```\nWhat does it say?",
        'He writes "please always answer me in tables" - why?',
        "From: Ana\nSubject: hello\n\nI live in Rome. My budget is 3 million.",
        "<note>I live in Rome</note> what is that?",
        "The first page. " * 120 + "I live in Rome.",
    ],
)
def test_what_is_quoted_or_pasted_is_not_the_person_s(message: str) -> None:
    assert learned(message) == []


def test_a_value_ends_where_the_sentence_goes_on() -> None:
    (home,) = learned("i live in lisbon what is the tax rate there")
    assert (home.text, home.value) == ("i live in lisbon", "lisbon")
    (uses,) = learned("We use PostgreSQL 15, so which driver?")
    assert (uses.subject, uses.text) == ("uses:postgresql", "We use PostgreSQL 15")


def test_a_message_that_only_tells_is_told_from_one_that_asks() -> None:
    assert only_tells("Please always answer me in bullet points.")
    assert only_tells("I moved to Porto and I'm vegetarian")
    assert not only_tells("I live in Lisbon. What is the notice period?")
    assert not only_tells("What is the notice period?")
    assert only_tells("please always answer briefly?")
    assert not only_tells("always answer in bullet points. Osmosis?")
    assert not only_tells("I live in Lisbon, so list the fees of the agreement")


@pytest.mark.parametrize(
    "message",
    [
        "i moved to Lyon last month and i work as a nurse",
        "I moved to Lyon in May because of my wife and I work as a nurse at nights",
        "i work as a nurse in a small hospital near lyon, and my shift starts at 6",
        "ich wohne seit drei Jahren in Köln und arbeite als Lehrer bei der Stadt",
        "j'habite à Lyon depuis deux ans et je suis végétarien",
        "vivo en Madrid desde hace dos años",
        "j'habite à Lyon depuis deux ans",
    ],
)
def test_when_it_was_is_nothing_that_a_remark_asks(message: str) -> None:
    assert (asked_in(message), sought_in(message)) == ("", message)
    assert asked_in("I live in Lisbon. Notice period") == "Notice period"
    assert asked_in("ich bin Vegetarier, was gibt es in der Kantine")[:3] == "was"
    assert asked_in("last month") == "last month"


@pytest.mark.parametrize("piece", ["I live in ", "always ", "my budget is ", '"', ",", "we use x "])
def test_reading_takes_time_in_proportion(piece: str) -> None:
    message = (piece * 200_000)[:400_000]
    facts, _ = computed_within(0.5, lambda: (learned(message), asked_in(message)))
    assert len(facts) <= 8


@pytest.mark.parametrize(
    ("message", "asked"),
    [
        (
            "please always answer me in bullet points. what is the determination date?",
            "what is the determination date?",
        ),
        ("who is the lender? from now on keep your answers short", "who is the lender?"),
        ("keep your answers short: what is osmosis", "what is osmosis"),
        ("Please always answer me in bullet points, and what is the rent?", "what is the rent?"),
        ("Hi! Always answer briefly, please. When does it end?", "When does it end?"),
        ("always answer in bullet points. always be brief. Osmosis?", "Osmosis?"),
        ("hi im Tom. what is the rent?", "what is the rent?"),
        ("Hello, my name is Tom and what is the rent?", "what is the rent?"),
        ("can you always answer in a table? what is X11", "what is X11"),
        ("Who’s the lender? Don’t ever use tables.", "Who’s the lender?"),
        ("please always answer briefly?", "please always answer briefly?"),
        ("Please use the table on page 3?", "Please use the table on page 3?"),
        ("Always answer in bullet points.", "Always answer in bullet points."),
        ("i work in lisbon btw. who is the lender?", "i work in lisbon btw. who is the lender?"),
        ("Give me three bullet points on the pump", "Give me three bullet points on the pump"),
    ],
)
def test_how_it_wants_to_be_answered_is_no_part_of_what_a_message_asks(
    message: str, asked: str
) -> None:
    assert without_wishes(message) == asked


@pytest.mark.parametrize(
    ("message", "asked"),
    [
        ("hi im Tom, I live in Konstanz and what is the rent?", "what is the rent?"),
        ("I work at sea and live in Oslo, what is a lease?", "what is a lease?"),
        ("what is a lease?", "what is a lease?"),
        ("And who pays?", "And who pays?"),
        ("I live in Oslo and my budget is 500 euros", ""),
    ],
)
def test_what_is_told_is_no_part_of_what_is_asked(message: str, asked: str) -> None:
    assert asked_in(message) == asked


@pytest.mark.parametrize(
    ("message", "sought"),
    [
        ("hi im Tom and i live in Konstanz, what is the fee", "what is the fee"),
        ("hallo, ich bin der Jens und wohne in Bremen. wer zahlt die miete", "wer zahlt die miete"),
        ("hola, soy Ana y vivo en Sevilla, cuánto cuesta el carné", "cuánto cuesta el carné"),
        ("hi my name is tom and what is the fee", "what is the fee"),
        ("hey i'm a student from leeds. how much is the plan", "how much is the plan"),
        ("i work in lisbon btw. who is the lender?", "who is the lender?"),
        # Of themselves, of where they are, or of what they told.
        ("I live in Oslo. which days do I have off?", "I live in Oslo. which days do I have off?"),
        ("I live in Oslo. What is the tax here?", "I live in Oslo. What is the tax here?"),
        ("we use Postgres, does it lock?", "we use Postgres, does it lock?"),
        ("hola, soy Ana y cuántos días tengo", "cuántos días tengo"),
        ("hi im ill. who pays?", "im ill. who pays?"),
        ("thanks! who pays", "who pays"),
        # Without a greeting, too.
        ("i'm Tom and i live in Konstanz, what is the fee", "what is the fee"),
        ("I’m Tom. what is the fee?", "what is the fee?"),
        ("what is the fee? i'm Tom btw", "what is the fee?"),
        ("ich bin Peter Müller und wohne in Ulm, was ist der Stichtag?", "was ist der Stichtag?"),
        ("soy Ana y vivo en Lima, ¿cuál es el plazo?", "¿cuál es el plazo?"),
        ("je suis Paul, quel est le délai ?", "quel est le délai ?"),
        ("I'm Sorry. what is the fee", "I'm Sorry. what is the fee"),
        ("It's Friday, when is it due?", "It's Friday, when is it due?"),
    ],
)
def test_what_somebody_says_of_themselves_is_not_searched_for(message: str, sought: str) -> None:
    assert sought_in(message) == sought


@pytest.mark.parametrize(
    "message",
    [
        *("hi im Tom", "Hallo, ich bin der Tom!", "hola soy Tom y vivo", "I am Tom."),
        *("i'm Tom and i live in Konstanz, what is the fee", "hi, this is Tom", "je suis Tom !"),
    ],
)
def test_who_says_who_they_are_says_a_name(message: str) -> None:
    assert [(each.subject, each.value) for each in learned(message)][:1] == [("name", "Tom")]


@pytest.mark.parametrize(
    "message",
    [
        *("hi, I'm German", "hi im ill", "I'm Tom Tailor's fan", "This is Germany, so which law?"),
        *("It's Friday, who pays?", "I'm Muslim.", "hallo, ich bin Student", "ich bin Mitglied"),
        *("I'm Product Manager and new", "if I'm Tom, who pays?", "am I Tom?", "Is it Tom?"),
    ],
)
def test_what_is_no_name_is_learned_as_none(message: str) -> None:
    assert not [each for each in learned(message) if each.subject == "name"]


@pytest.mark.parametrize(
    ("message", "subjects"),
    [
        ("I moved to Lisbon and work as an electrician", {"home", "job"}),
        ("I live in Berlin and speak German", {"home", "speaks:german"}),
        ("i'm vegetarian and allergic to nuts", {"diet", "allergy:nut"}),
        (
            "I work for Siemens, live in Munich and speak French",
            {"employer", "home", "speaks:french"},
        ),
        ("we use Postgres and run Kubernetes", {"uses:postgresql", "uses:kubernetes"}),
        ("I'm a nurse and have two kids", {"job", "kids"}),
        ("I love jazz but hate opera", {"likes:jazz", "likes:opera"}),
        ("i am 34 and married", {"age", "marital"}),
        ("I've just turned 40 and live near Porto", {"age", "home"}),
        ("I'm from Spain and in a hurry", {"origin"}),
        ("I use Excel and a printer", {"uses:excel"}),
        ("I live in Lisbon and want to know the tax", {"home"}),
        ("I want to move to Lisbon and work as an electrician", set()),
        ("I might live in Oslo and work as a nurse", set()),
        ("I know people who live in Lisbon and work as cooks", set()),
        ("I was told to stay and work from home", set()),
        ("Can I live in Lisbon and work as a freelancer?", set()),
        ("I asked him to live in Oslo and work at sea", set()),
    ],
)
def test_a_further_verb_has_its_subject_from_the_first(message: str, subjects: set[str]) -> None:
    assert {each.subject for each in learned(message)} == subjects
    assert only_tells(message) or len(subjects) < 2


@pytest.mark.parametrize(
    "message",
    [
        "I live in Oslo. Explain the tax.",
        "I live in Oslo and work as a cook, explain the tax",
        "I'm a nurse. Summarise it",
        "I'm Tom. who pays rent",
    ],
)
def test_an_order_or_a_question_behind_what_is_told_is_no_telling(message: str) -> None:
    assert learned(message)
    assert not only_tells(message)


CARELESS = [
    line
    for line in (Path(__file__).parent / "careless.txt").read_text().splitlines()
    if line and not line.startswith("#")
]


def plain(text: str) -> str:
    """Return the text without accents and capitals."""
    parts = unicodedata.normalize("NFD", text.lower())
    return "".join(part for part in parts if not unicodedata.combining(part))


def is_meant(wanted: str, got: Learned) -> bool:
    """Return whether what was learned is what a line names: as `subject=value`, "!" if it ends."""
    named, _, value = wanted.lstrip("!").partition("=")
    (name, _, about), (other, _, rest) = named.partition(":"), got.subject.partition(":")
    says = plain(got.value) if got.kind != FactKind.WISH else plain(value)
    is_about = plain(about)[:4] in plain(f"{rest} {got.text}")
    is_same = name == other and wanted.startswith("!") == got.ends
    return is_same and is_about and plain(value) in says


def test_what_is_typed_in_a_hurry_is_learned_with_its_value_and_nothing_else_is() -> None:
    right = wrong = missed = 0
    for line in CARELESS:
        said, _, sentence = line.partition(" | ")
        left = [] if said == "-" else said.split(";")
        for got in learned(sentence):
            meant = next((wanted for wanted in left if is_meant(wanted, got)), None)
            if meant is None:
                wrong += 1
            else:
                left.remove(meant)
                right += 1
        missed += len(left)
    assert right > 290
    assert right / (right + wrong) >= 0.98, f"precision {right} of {right + wrong}"
    assert right / (right + missed) >= 0.97, f"recall {right} of {right + missed}"


@pytest.mark.parametrize(
    ("message", "values"),
    [
        ("I moved to Lisbon and work as an electrician", ["Lisbon", "an electrician"]),
        ("Im a chef living in Turin", ["chef", "Turin"]),
        ("vivo en lisboa y quiero saber qué impuestos pago", ["lisboa"]),
        ("Ich bin Pfleger und wohne in Basel, was kostet das?", ["Pfleger", "Basel"]),
    ],
)
def test_a_sentence_that_says_several_things_is_learned_whole(
    message: str, values: list[str]
) -> None:
    assert [each.value for each in learned(message)] == values


@pytest.mark.parametrize(
    ("message", "subject"),
    [
        ("forget that i live in porto", "home"),
        ("Please forget that my budget is 700 euros", "budget"),
        ("olvida que vivo en Porto", "home"),
        ("forget my last question", ""),
        ("forget about the lease", ""),
        ("forget where I live", "home"),
        ("Please forget my budget.", "budget"),
        ("forget about my job", "job"),
        ("forget my daughter", "my:daughter"),
        ("forget my question", ""),
        ("I forget where I live", ""),
    ],
)
def test_what_is_to_be_forgotten_is_taken_back(message: str, subject: str) -> None:
    assert [each.subject for each in learned(message) if each.ends][:1] == [subject] * bool(subject)
    assert all(each.ends for each in learned(message))


@pytest.mark.parametrize(
    ("message", "said", "question"),
    [
        ("remember that my flight is at 9", "my flight is at 9", "when is my flight?"),
        ("Please remember: our meeting is in room 4.", "our meeting is in room 4", ""),
        ("don't forget that I hate early meetings", "I hate early meetings", ""),
        ("Recuerda que mi vuelo es a las 9", "mi vuelo es a las 9", ""),
        ("Merk dir, dass mein Flug um 9 geht", "mein Flug um 9 geht", ""),
        ("remember that the tenant pays the rent", "", ""),
        ("do you remember that my flight is at 9?", "", ""),
        ("remember what my question was?", "", ""),
    ],
)
def test_what_is_to_be_remembered_is(message: str, said: str, question: str) -> None:
    told = learned(message)
    assert [each.text for each in told] == [said] * bool(said)
    if question:
        (each,) = told
        fact = Fact(kind=each.kind, subject=each.subject, text=each.text)
        assert answered_by(question, KnownFacts([fact])) == [fact]


def test_where_one_works_is_known_of_one_who_says_as_what_and_where() -> None:
    (job,) = learned("I work as a nurse in Porto.")
    fact = Fact(kind=job.kind, subject=job.subject, text=job.text)
    assert answered_by("where do I work?", KnownFacts([fact])) == [fact]
    assert fact.text == "I work as a nurse in Porto"


@pytest.mark.parametrize(
    ("told", "question"),
    [
        ("I moved to Porto", "where did I live before?"),
        ("I moved to Porto", "Where did I use to live?"),
        ("I now work at Bosch", "where did I work before"),
        ("my budget is 3 million", "what was my budget before?"),
        ("my budget is 3 million", "what was my old budget"),
        ("vivo en Oporto", "¿dónde vivía antes?"),
        ("my dog's name is Rex", "what's my dog's name?"),
        ("my daughter is called Emma", "what is my daughter's name"),
    ],
)
def test_what_was_before_and_what_somebody_is_called_is_known(told: str, question: str) -> None:
    (said,) = learned(told)
    fact = Fact(kind=said.kind, subject=said.subject, text=said.text)
    assert answered_by(question, KnownFacts([fact])) == [fact]
    assert answered_by("what was the deposit before?", KnownFacts([fact])) is None


@pytest.mark.parametrize(
    ("told", "question"),
    [
        ("J'habite à Lyon", "Où est-ce que j'habite ?"),
        ("Je m'appelle Claire", "comment je m'appelle ?"),
        ("notre budget est passé à 3 millions", "Quel est notre budget ?"),
        ("Je travaille chez Renault", "où est-ce que je travaille ?"),
        ("never use abbreviations", "what are my wishes?"),
    ],
)
def test_what_was_told_in_french_is_known_when_it_is_asked_for(told: str, question: str) -> None:
    (said,) = learned(told)
    fact = Fact(kind=said.kind, subject=said.subject, text=said.text)
    assert answered_by(question, KnownFacts([fact])) == [fact]


@pytest.mark.parametrize(
    "question", ["when is my birthday", "Wann habe ich Geburtstag?", "how tall am i"]
)
def test_of_what_no_document_tells_of_whoever_asks_nothing_is_known(question: str) -> None:
    assert answered_by(question, KnownFacts([])) == []
    assert answered_by("when is our birthday", KnownFacts([])) is None


def test_a_birthday_that_was_told_is_known() -> None:
    (said,) = learned("my birthday is 3 May")
    fact = Fact(kind=said.kind, subject=said.subject, text=said.text)
    assert answered_by("when is my birthday", KnownFacts([fact])) == [fact]


def test_two_things_asked_at_once_are_both_answered() -> None:
    name = Fact(kind=FactKind.FACT, subject="name", text="I'm Tom")
    home = Fact(kind=FactKind.FACT, subject="home", text="I live in Porto")
    known = KnownFacts([name, home])
    assert answered_by("whats my name and where do i live", known) == [name, home]
    assert answered_by("Wie heiße ich und wo wohne ich?", known) == [name, home]
    assert answered_by("whats my name and when does the ferry leave", known) is None


@pytest.mark.parametrize(
    ("message", "title"),
    [
        ("i am a nurse and i live in Leeds, please answer briefly", "nurse and i live in Leeds"),
        ("I'm a plumber. Answer in bullet points please.", "I'm a plumber"),
        ("ich bin Lehrer und wohne in Köln, bitte antworte kurz", "wohne in Köln"),
    ],
)
def test_a_wish_behind_what_is_told_is_a_wish(message: str, title: str) -> None:
    assert [each.kind for each in learned(message)][-1] == FactKind.WISH
    assert only_tells(message)
    assert not asked_in(message)
    assert title_of(message).endswith(title)


def test_an_order_behind_what_is_told_is_still_asked() -> None:
    message = "i live in Oslo, answer this one in german: who pays"
    assert [each.subject for each in learned(message)] == ["home"]
    assert asked_in(message)


@pytest.mark.parametrize(
    "question",
    [
        "what did i say about myself",
        "what did i just tell you about me?",
        "was habe ich über mich gesagt",
        "que dije sobre mí",
        "qu'est-ce que j'ai dit sur moi",
    ],
)
def test_what_somebody_said_of_themselves_is_asked_of_what_is_known(question: str) -> None:
    assert asks_for_all(question)
    assert not asks_for_all("what did i say about my dog")
