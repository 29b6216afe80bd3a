"""Follow-ups become questions that can be searched on their own, without a language model."""

import pytest
from hypothesis import given, settings, strategies as st

from memory.recall.rewriting import rewrite
from memory.recall.rewriting.exchanges import Exchange, Known, Rewrite, append_topic, split_topic
from memory.recall.rewriting.lists import find_last_list, find_listed_items
from memory.recall.rewriting.questions import ReadQuestion
from memory.text.words import detect_language, extract_terms
from tests.effort import computed_within

Turn = tuple[str, str] | str

DATE = (
    "What is the Determination Date?",
    "“'Determination Date' means the fifteenth day of each calendar month, as adjusted under "
    "Section 2.1, when the Servicer calculates the payments for that month.” [1]",
)
WEEKEND = ("And what happens if it falls on a weekend?", "“The preceding Business Day.” [1]")
DISTRIBUTION = ("What about the Distribution Date?", "“The next Business Day.” [1]")
ADVANCES = ("What are Servicer Advances?", "“'Servicer Advance' means a payment of principal.” [1]")
BRCA1 = ("What is the role of BRCA1 in breast cancer?", "“A tumour suppressor.” [1]")
GENES = ("List all genes in the PI3K pathway", "“The genes are PIK3CA, PTEN and AKT1.” [1]")
PIK3CA = ("Tell me more about PIK3CA", "“PIK3CA is an oncogene on chromosome 3.” [1]")
DRUGS = (
    "Which drugs are there?",
    "1. **Alpelisib**: an oral inhibitor\n2. **Inavolisib**: given with palbociclib\n"
    "3. **Capivasertib** - inhibits AKT",
)
BEST = (
    "Who is the best for Backend?",
    "“María García applies for the backend engineer role.” [1]\n\n"
    "“Tomasz Nowak applies for the backend engineer role.” [2]",
)
MEJOR = ("¿Quién es el mejor para backend?", "“María García is a backend engineer.” [1]")
FEE = ("¿Cuánto cuesta la inscripción en el gimnasio de Sevilla?", "“Cuesta 30 euros.” [1]")


def last_rewrite(*turns: Turn) -> Rewrite:
    """Return the rewrite of the last question, told after the turns before it."""
    before: list[Exchange] = []
    found = Rewrite("", "")
    for position, turn in enumerate(turns, 1):
        query, response = turn if isinstance(turn, tuple) else (turn, "")
        found = rewrite(ReadQuestion(query), before)
        before.append(Exchange(query, response, position, found.query))
    return found


@pytest.mark.parametrize(
    ("turns", "expected", "reason"),
    [
        # Pronouns, by the selector.
        (
            (DATE, WEEKEND[0]),
            "And what happens if the Determination Date falls on a weekend?",
            "reference_resolved",
        ),
        (
            (ADVANCES, "Who is responsible for that?"),
            "Who is responsible for Servicer Advances?",
            "reference_resolved",
        ),
        (
            ("What is throat cancer?", "What are its symptoms?"),
            "What are throat cancer’s symptoms?",
            "reference_resolved",
        ),
        # The previous question of another thing.
        (
            (DATE, WEEKEND, DISTRIBUTION[0]),
            "And what happens if the Distribution Date falls on a weekend?",
            "topic_carried",
        ),
        (
            (BRCA1, "What about in ovarian cancer?"),
            "What is the role of BRCA1 in ovarian cancer?",
            "topic_carried",
        ),
        ((BRCA1, "BRCA2?"), "What is the role of BRCA2 in breast cancer?", "topic_carried"),
        (
            ("How old is Tomasz Nowak?", "And Amina Diallo?"),
            "How old is Amina Diallo?",
            "topic_carried",
        ),
        (
            (FEE, "¿y en Cádiz?"),
            "¿Cuánto cuesta la inscripción en el gimnasio de Cádiz?",
            "topic_carried",
        ),
        # The same rule.
        (
            (DATE, WEEKEND, "What about the Closing Date — same rule?"),
            "What about the Closing Date — same rule: "
            "what happens if the Closing Date falls on a weekend?",
            "topic_carried",
        ),
        (
            (FEE, "¿También se aplica en Cádiz?"),
            "¿También se aplica en Cádiz: ¿Cuánto cuesta la inscripción en el gimnasio de Cádiz?",
            "topic_carried",
        ),
        # A choice.
        (
            (DATE, WEEKEND, DISTRIBUTION, "So which comes first?"),
            "So which comes first, Determination Date or Distribution Date?",
            "list_item",
        ),
        (
            (BEST, "Which is better for an enterprise project?"),
            "Which is better for an enterprise project, María García or Tomasz Nowak?",
            "list_item",
        ),
        (
            (DRUGS, "the best one?"),
            "the best one, Alpelisib, Inavolisib or Capivasertib?",
            "list_item",
        ),
        (
            (DRUGS, "¿Cuál es el mejor?"),
            "¿Cuál es el mejor, Alpelisib, Inavolisib o Capivasertib?",
            "list_item",
        ),
        # Items of a list.
        ((DRUGS, "Tell me about the second one"), "Tell me about Inavolisib", "list_item"),
        ((DRUGS, "What is #1?"), "What is Alpelisib?", "list_item"),
        ((DRUGS, "Who makes the last one?"), "Who makes Capivasertib?", "list_item"),
        ((DRUGS, "Háblame de la segunda"), "Háblame de Inavolisib", "list_item"),
        ((DRUGS, "Compare the first two"), "Compare Alpelisib and Inavolisib", "list_item"),
        (
            (DRUGS, "compare those 3"),
            "compare Alpelisib, Inavolisib and Capivasertib",
            "list_item",
        ),
        ((DRUGS, "Compara los dos primeros"), "Compara Alpelisib y Inavolisib", "list_item"),
        (
            (BEST, "Which of them knows Django?"),
            "Which of María García and Tomasz Nowak knows Django?",
            "list_item",
        ),
        # People.
        (
            (BEST, "Tell me the problems with this candidate"),
            "Tell me the problems with María García",
            "reference_resolved",
        ),
        (
            (MEJOR, "Háblame de este candidato"),
            "Háblame de María García",
            "reference_resolved",
        ),
        # More of it, and why.
        (
            (DATE, WEEKEND, "tell me more about it"),
            "And what happens if the Determination Date falls on a weekend?",
            "more_of_the_same",
        ),
        ((MEJOR, "cuéntame más"), MEJOR[0], "more_of_the_same"),
        ((DATE, "why?"), "What is the Determination Date, and why?", "asked_further"),
        ((FEE, "¿Por qué?"), f"{FEE[0][:-1]}, ¿y por qué?", "asked_further"),
    ],
)
def test_a_follow_up_is_searched_for_as_what_it_means(
    turns: tuple[Turn, ...], expected: str, reason: str
) -> None:
    found = last_rewrite(*turns)
    assert (found.query, found.reason) == (expected, reason)


@pytest.mark.parametrize(
    ("turns", "needed"),
    [
        ((GENES, PIK3CA, "What are the drugs targeting it?"), "targeting PIK3CA"),
        ((BEST, "How many years of experience does she have?"), "María García"),
        ((MEJOR, "¿Cuántos años de experiencia tiene?"), "María García"),
        (("What is throat cancer?", "What are the symptoms?"), "throat cancer"),
        (
            (
                "What is throat cancer?",
                "Is it bad?",
                "Tell me about lung cancer.",
                "And treatment?",
            ),
            "lung cancer",
        ),
        (("¿Qué es la vía PI3K?", "¿Y qué genes tiene?"), "PI3K"),
        ((("Wie lange gilt die Garantie?", "Zwei Jahre."), "und was kostet sie?"), "Garantie"),
        (("When did Jason Kidd join the Suns?", "When did he leave them?"), "Jason Kidd"),
    ],
)
def test_what_a_follow_up_leaves_out_is_put_in_or_behind(
    turns: tuple[Turn, ...], needed: str
) -> None:
    assert set(extract_terms(needed)) <= set(extract_terms(last_rewrite(*turns).query))


@pytest.mark.parametrize("nod", ["yes", "yes please", "please do", "go on", "sí", "adelante"])
def test_yes_to_an_offer_repeats_the_search_that_it_follows(nod: str) -> None:
    offered = (DATE[0], f"{DATE[1]} Shall I show what happens on a weekend?")
    found = last_rewrite(offered, nod)
    assert (found.query, found.reason, found.positions) == (DATE[0], "more_of_the_same", (1,))


@pytest.mark.parametrize(
    "query",
    [
        "Which drugs inhibit mutated PIK3CA in breast cancer?",
        "Tell me about the siege of Constantinople in 1453.",
        "Tell me more about BRCA1",
        "what is tasksel?",
        "Now tell me about TP53. What does it do?",
        "¿Qué fármacos inhiben BRCA1?",
        "Wann öffnet das Hallenbad in Konstanz?",
        "___",
    ],
)
def test_a_question_with_its_own_subject_is_left_alone(query: str) -> None:
    found = last_rewrite(DATE, query)
    assert (found.query, found.reason, found.positions) == (query, "stands_alone", ())


@pytest.mark.parametrize(
    "query",
    ["Tell me about the fifth one", "What was the second Punic war about?", "Is BRCA1 first?"],
)
def test_an_item_is_not_invented(query: str) -> None:
    assert last_rewrite(DRUGS, query).reason != "list_item"


def test_the_first_question_is_left_alone() -> None:
    assert last_rewrite("And what about it?") == Rewrite("And what about it?", "first_question")


def test_the_likelier_another_topic_the_surer_a_gap_has_to_be() -> None:
    question, before = ReadQuestion("What is the deadline?"), [Exchange(*DATE, 1)]
    assert rewrite(question, before).query != question.text
    assert rewrite(question, before, doubt=0.5).query == question.text


def test_an_entity_of_the_session_is_known_from_before_the_newest_turns() -> None:
    known = [Known("Servicing Fee", "term", 2)]
    before = [Exchange("How long is it?", "A month.", 30)]
    found = rewrite(ReadQuestion("Who pays it?"), before, known=known)
    assert "Servicing Fee" in found.query
    assert 2 in found.positions


@pytest.mark.parametrize(
    ("query", "response", "expected"),
    [
        ("", "- Olaparib: a PARP inhibitor\n- Niraparib, once a day", ["Olaparib", "Niraparib"]),
        ("", "> - Model A200: for brine\n> - Model B300 [2]", ["Model A200", "Model B300"]),
        (
            "",
            "“Ana Ribeiro works with Vue 3.” [1]\n\n“Juan Pérez works with React.” [2]",
            ["Ana Ribeiro", "Juan Pérez"],
        ),
        ("What options are there?", "The options are red, green and blue.", "red green blue"),
        ("¿Qué opciones hay?", "Las opciones son rojo, verde y azul.", "rojo verde azul"),
        ("Compare Ana Ribeiro and Juan Pérez", "", ["Ana Ribeiro", "Juan Pérez"]),
        ("Which is cheaper: concrete or asphalt?", "", ["concrete", "asphalt"]),
        ("", "There is one thing to say.", []),
        ("Who is it?", "She is kind, patient and quick.", []),
    ],
)
def test_items_are_what_is_compared_or_listed(
    query: str, response: str, expected: list[str] | str
) -> None:
    names = expected.split() if isinstance(expected, str) else expected
    assert find_listed_items(Exchange(query, response)) == names


def test_the_newest_list_is_meant() -> None:
    lists = [
        Exchange("Which?", f"- one {thing}\n- two {thing}", at)
        for at, thing in enumerate(("boats", "cats"), 1)
    ]
    assert find_last_list([*lists, Exchange("Why?", "So.", 3)]) == (["one cats", "two cats"], 2)


def test_an_answer_about_an_item_of_a_table_does_not_replace_the_table() -> None:
    table = Exchange("Who fits?", "| Item | Why |\n|---|---|\n| Ana | Vue |\n| Juan | React |", 1)
    about = Exchange("Why not Ana?", "The strengths are design, research and tests.", 2)
    assert find_last_list([table, about]) == (["Ana", "Juan"], 1)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What is the deadline?", "What is the deadline (about loans)?"),
        ("¿Cuál es el plazo?", "¿Cuál es el plazo (sobre loans)?"),
        ("Was ist die Frist?", "Was ist die Frist (zu loans)?"),
        ("Quel est le délai ?", "Quel est le délai (sur loans)?"),
    ],
)
def test_added_words_are_phrased_in_the_language_of_the_question(
    question: str, expected: str
) -> None:
    assert append_topic(question, "loans") == expected
    assert split_topic(expected)[0].rstrip("?") == question.rstrip(" ?")


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("y cual es mas barato", "es"),
        ("was konnen wir fur ihn tun", "de"),
        ("ou sont les quais", "fr"),
        ("Could such a continent form again?", "en"),
        ("debconf", "en"),
    ],
)
def test_a_language_is_told_by_its_small_words(question: str, language: str) -> None:
    assert detect_language(question) == language


@pytest.mark.parametrize("query", [" " * 2000 + "x?y z", "What is" + " " * 2000 + "x? y"])
def test_a_long_gap_in_a_question_takes_no_long_time(query: str) -> None:
    computed_within(5, lambda: last_rewrite(DATE, query))


EXCHANGES = st.lists(
    st.builds(Exchange, st.text(max_size=80), st.text(max_size=200), st.integers(1, 40)),
    max_size=14,
)
SAID = st.one_of(
    st.text(min_size=1, max_size=80).filter(str.strip),
    st.lists(
        st.sampled_from(
            "and the second one it she best Which is of them first two in Rome, compare ?".split()
        ),
        min_size=1,
        max_size=9,
    ).map(" ".join),
)


@settings(max_examples=80)
@given(SAID, EXCHANGES)
def test_rewriting_never_fails_and_never_empties_a_question(
    query: str, exchanges: list[Exchange]
) -> None:
    found = rewrite(ReadQuestion(query), exchanges)
    assert found.query.strip()
    assert 0 <= found.confidence <= 1
    assert set(found.positions) <= {exchange.position for exchange in exchanges}
