"""Follow-ups become questions that can be searched on their own, without a language model."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.recall.rewriting import Exchange, Known, ReadQuestion, Rewrite, rewrite
from memory.text.words import terms
from tests.effort import computed_within

pytestmark = pytest.mark.once

DATE = Exchange(
    "What is the Determination Date?",
    "“'Determination Date' means the fifteenth day of each calendar month, as adjusted under "
    "Section 2.1, when the Servicer calculates the payments for that month.” [1]",
    1,
)
DRUGS = Exchange(
    "Which drugs are there?",
    "1. **Alpelisib**: an oral inhibitor\n2. **Inavolisib**: given with palbociclib\n"
    "3. **Capivasertib** - inhibits AKT",
    1,
)


def told(*turns: tuple[str, str]) -> list[Rewrite]:
    """Return the rewrite of each question of a session, given its answers."""
    before: list[Exchange] = []
    found = []
    for position, (query, response) in enumerate(turns, 1):
        found.append(rewrite(ReadQuestion(query), before))
        before.append(Exchange(query, response, position, found[-1].query))
    return found


def test_the_first_question_is_left_alone() -> None:
    found = rewrite(ReadQuestion("And what about it?"), [])
    assert (found.query, found.reason) == ("And what about it?", "first_question")


@pytest.mark.parametrize(
    "query",
    [
        "Which drugs inhibit mutated PIK3CA in breast cancer?",
        "Tell me about the siege of Constantinople in 1453.",
    ],
)
def test_a_question_that_stands_alone_is_left_alone(query: str) -> None:
    found = rewrite(ReadQuestion(query), [DATE])
    assert (found.query, found.reason, found.positions) == (query, "stands_alone", ())


def test_of_a_table_the_row_says_who_is_meant_and_not_its_head() -> None:
    row = "> | Name | Profession | Age | Has kids |\n> | --- | --- | --- | --- |\n"
    answer = f"{row}> | Jo Cox | politician | 41 | TRUE |\n>\n> [1]"
    found = rewrite(
        ReadQuestion("what did she do"), [Exchange("who was the youngest one that died", answer, 1)]
    )
    assert found.query.startswith("what did Jo Cox do")


@pytest.mark.parametrize(("one", "two"), [("Anna Lindh", "Jo Cox"), ("Indira Gandhi", "Ann Lee")])
def test_she_is_whom_the_last_of_two_tables_named(one: str, two: str) -> None:
    table = "> | Name | Profession |\n> | --- | --- |\n> | {} | politician |\n>\n> [1]"
    asked = [
        Exchange("who was the youngest one that died", table.format(one), 1),
        Exchange("who was the oldest politician", table.format(two), 2),
    ]
    assert rewrite(ReadQuestion("how old was she"), asked).query.startswith(f"how old was {two}")


@pytest.mark.parametrize(
    "query",
    ["Why?", "What about in ovarian cancer?", "Who is responsible for that?", "Tell me more"],
)
def test_it_sees_that_a_question_leans_on_the_one_before(query: str) -> None:
    assert ReadQuestion(query).leans_back


def test_a_question_without_a_letter_is_rewritten_too() -> None:
    assert rewrite(ReadQuestion("___"), [DATE]).query.startswith("___")


def test_a_phrase_takes_the_place_of_the_pronoun() -> None:
    found = rewrite(ReadQuestion("And what happens if it falls on a weekend?"), [DATE])
    assert found.query == "And what happens if the Determination Date falls on a weekend?"
    assert (found.reason, found.positions) == ("reference_resolved", (1,))
    assert 0.5 < found.confidence < 1


def test_a_possessive_pronoun_becomes_a_possessive() -> None:
    found = rewrite(
        ReadQuestion("What are its symptoms?"), [Exchange("What is throat cancer?", "", 1)]
    )
    assert found.query == "What are throat cancer’s symptoms?"


def test_a_pronoun_that_begins_the_question_gives_its_capital_on() -> None:
    found = rewrite(ReadQuestion("Its symptoms?"), [Exchange("What is throat cancer?", "", 1)])
    assert found.query.startswith("Throat cancer’s symptoms?")


def test_the_newer_of_two_topics_is_meant() -> None:
    *_, last = told(
        ("What is throat cancer?", ""),
        ("Is it treatable?", ""),
        ("Tell me about lung cancer.", ""),
        ("How is it treated?", ""),
    )
    assert "lung cancer" in last.query


def test_a_topic_is_carried_where_there_is_no_pronoun() -> None:
    *_, last = told(("What is throat cancer?", ""), ("What are the symptoms?", ""))
    assert {"throat", "cancer"} <= set(terms(last.query))
    assert (last.reason, last.positions) == ("topic_carried", (1,))


def test_what_the_session_is_about_is_known_from_before_the_newest_turns() -> None:
    known = [Known("Servicing Fee", "term", 2)]
    found = rewrite(
        ReadQuestion("Who pays it?"), [Exchange("How long is it?", "A month.", 30)], known=known
    )
    assert "Servicing Fee" in found.query
    assert 2 in found.positions


def test_the_dates_of_an_agreement_are_followed_over_four_turns() -> None:
    rewrites = told(
        (DATE.query, DATE.response),
        ("And what happens if it falls on a weekend?", "“The preceding Business Day.” [1]"),
        ("What about the Distribution Date?", "“The next Business Day.” [1]"),
        ("So which comes first?", ""),
    )
    assert [found.query for found in rewrites[1:]] == [
        "And what happens if the Determination Date falls on a weekend?",
        "And what happens if the Distribution Date falls on a weekend?",
        "So which comes first, Determination Date or Distribution Date?",
    ]


def test_the_same_rule_is_said_with_what_it_was_about() -> None:
    *_, last = told(
        (DATE.query, DATE.response),
        ("And what happens if it falls on a weekend?", "“The preceding Business Day.” [1]"),
        ("Does the same rule apply to the Closing Date?", ""),
    )
    assert last.query == (
        "Does the same rule apply to the Closing Date: "
        "what happens if the Closing Date falls on a weekend?"
    )
    assert (last.reason, last.positions) == ("topic_carried", (2,))


def test_the_same_rule_of_nothing_that_is_named_is_what_was_asked() -> None:
    asked = Exchange("What happens if the Closing Date falls on a weekend?", "", 1)
    found = rewrite(ReadQuestion("Is that also the case in Spain?"), [asked])
    assert found.query == (
        "Is that also the case in Spain: what happens if the Closing Date falls on a weekend?"
    )


def test_that_is_what_was_asked_about() -> None:
    answer = "“'Servicer Advance' means a payment of scheduled principal and interest.” [1]"
    *_, last = told(("What are Servicer Advances?", answer), ("Who is responsible for that?", ""))
    assert "responsible for Servicer Advances?" in last.query


def test_the_question_is_asked_again_of_another_thing() -> None:
    *_, last = told(
        ("What is the role of BRCA1 in breast cancer?", "“A tumour suppressor.” [1]"),
        ("What about in ovarian cancer?", ""),
    )
    assert last.query == "What is the role of BRCA1 in ovarian cancer?"


def test_what_is_said_of_it_in_the_middle_of_the_question_is_exchanged_there() -> None:
    *_, last = told(
        ("How high is the risk of ovarian cancer for BRCA1 carriers?", "“44%.” [1]"),
        ("And of breast cancer?", ""),
    )
    assert last.query == "How high is the risk of breast cancer for BRCA1 carriers?"


def test_the_drugs_of_a_gene_are_asked_for_by_the_gene() -> None:
    *_, last = told(
        ("What are the genes of the PI3K pathway?", "“The genes are PIK3CA, PTEN and MTOR.” [1]"),
        ("Tell me more about PIK3CA", "“PIK3CA is an oncogene on chromosome 3.” [1]"),
        ("What are the drugs targeting it?", ""),
    )
    assert last.query == "What are the drugs targeting PIK3CA?"
    assert (last.reason, last.positions) == ("reference_resolved", (2,))


@pytest.mark.parametrize(
    "query",
    ["Tell me more about PIK3CA", "What is PIK3CA?", "Define PIK3CA", "Who was Ching Shih?"],
)
def test_a_question_about_a_name_alone_is_left_as_typed(query: str) -> None:
    answer = "“The genes are PIK3CA, PTEN and MTOR, says Ching Shih.” [1]"
    found = rewrite(
        ReadQuestion(query), [Exchange("Which genes belong to the PI3K pathway?", answer, 1)]
    )
    assert (found.query, found.reason) == (query, "stands_alone")


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("What is blockchain?", "How does blockchain work?"),
        ("Tell me about the Bronze Age collapse.", "How does the Bronze Age collapse work?"),
        ("Define nominal GDP", "How does nominal GDP work?"),
        ("What about the Servicing Fee?", "How does the Servicing Fee work?"),
    ],
)
def test_it_is_what_the_newest_question_was_about_by_its_form(asked: str, expected: str) -> None:
    before = [Exchange("What is throat cancer?", "", 1), Exchange(asked, "", 2)]
    found = rewrite(ReadQuestion("How does it work?"), before)
    assert (found.query, found.positions) == (expected, (2,))


def test_it_stays_the_same_through_questions_that_say_it() -> None:
    *_, last = told(
        ("What is TP53?", "“TP53 is a tumour suppressor gene.” [1]"),
        ("Who wrote the note on it?", "“David Lane wrote of p53 in Nature.” [1]"),
        ("What are its mutations?", ""),
    )
    assert last.query == "What are TP53’s mutations?"


@pytest.mark.parametrize(
    "asked", ["What are the pros and cons?", "Tell me about angel rounds.", "What is new?"]
)
def test_it_is_not_several_things_nor_nothing(asked: str) -> None:
    before = [Exchange("What is throat cancer?", "", 1), Exchange(asked, "", 2)]
    thing = asked.rstrip("?.").rpartition(" ")[2]
    assert f"does {thing}" not in rewrite(ReadQuestion("How does it work?"), before).query


def test_what_a_cut_phrase_leaves_is_put_behind_without_its_small_words() -> None:
    genes = "Which are the genes of the PI3K pathway?"
    found = rewrite(
        ReadQuestion("Which drugs target it?"), [Exchange(genes, "“PIK3CA and PTEN.” [1]", 1)]
    )
    assert "target the PI3K pathway" in found.query
    assert found.query.endswith("?")
    assert found.query.count("?") == 1
    assert not {"of", "the"} & set(found.query.partition(": ")[2].split())


@pytest.mark.parametrize(
    ("before", "query", "expected"),
    [
        ("How old is Tomasz Nowak?", "And Amina Diallo?", "How old is Amina Diallo?"),
        (
            "How high is the risk of breast cancer for BRCA1 carriers?",
            "What about BRCA2?",
            "How high is the risk of breast cancer for BRCA2 carriers?",
        ),
        ("What are BRCA1’s mutations?", "BRCA2?", "What are BRCA2’s mutations?"),
        ("What does the Servicer do?", "And the Trustee?", "What does the Trustee do?"),
        ("¿Dónde vive Tomasz Nowak?", "¿Y Amina Diallo?", "¿Dónde vive Amina Diallo?"),
        (
            "How high is the risk of breast cancer for BRCA1 carriers?",
            "What about in ovarian cancer?",
            "How high is the risk of ovarian cancer for BRCA1 carriers?",
        ),
    ],
)
def test_a_lone_name_takes_the_place_of_the_only_one_like_it(
    before: str, query: str, expected: str
) -> None:
    found = rewrite(ReadQuestion(query), [Exchange(before, "", 1)])
    assert (found.query, found.reason, found.positions) == (expected, "topic_carried", (1,))


@pytest.mark.parametrize(
    ("before", "query"),
    [
        ("Who is older, Tomasz Nowak or María García?", "And Amina Diallo?"),
        ("How old is Tomasz Nowak?", "What about BRCA2?"),
        ("How old is Tomasz Nowak?", "Use Python?"),
    ],
)
def test_a_lone_name_takes_no_place_that_is_not_its_own(before: str, query: str) -> None:
    found = rewrite(ReadQuestion(query), [Exchange(before, "", 1)])
    assert found.query.startswith(query.rstrip("?"))


@pytest.mark.parametrize(
    ("before", "query", "expected"),
    [
        (
            "What is the Determination Date that Marta Lindqvist set?",
            "Where does she live?",
            "Where does Marta Lindqvist live",
        ),
        (
            "Did Jason Kidd play for the Phoenix Suns?",
            "When did he leave them?",
            "When did Jason Kidd leave",
        ),
        (
            "Does Anna Berg work in New Orleans?",
            "How old is she?",
            "How old is Anna Berg",
        ),
    ],
)
def test_a_person_is_no_thing_and_no_place(before: str, query: str, expected: str) -> None:
    found = rewrite(ReadQuestion(query), [Exchange(before, "", 1)])
    assert found.query.startswith(expected)


def test_candidates_are_compared_by_name() -> None:
    applicants = (
        "“María García applies for the backend engineer role.” [1]\n\n"
        "“Amina Diallo applies for the backend engineer role.” [2]\n\n"
        "“Tomasz Nowak applies for the backend engineer role.” [3]"
    )
    rewrites = told(
        ("Who is the best for Backend?", applicants),
        ("How many years of experience does she have?", "“María García has seven years.” [1]"),
        ("compare the first two", "“María García works in Madrid.” [1]"),
        ("Which is better for an enterprise project?", ""),
    )
    queries = [found.query for found in rewrites[1:]]
    assert queries[0].startswith("How many years of experience does María García have")
    assert queries[1:] == [
        "compare María García and Amina Diallo",
        "Which is better for an enterprise project, María García or Amina Diallo?",
    ]


STRENGTHS = (
    "“The strengths María García would bring to a backend team are data modelling, database "
    "performance and careful migrations of live systems.” [1]"
)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("compare the first two", "compare María García and Tomasz Nowak"),
        ("Which of them knows Django?", "Which of María García and Tomasz Nowak knows Django?"),
        ("Which is better?", "Which is better, María García or Tomasz Nowak?"),
        ("¿Cuál de ellos sabe Django?", "¿Cuál de María García y Tomasz Nowak sabe Django?"),
    ],
)
def test_people_of_an_earlier_answer_come_before_what_a_sentence_enumerates(
    query: str, expected: str
) -> None:
    applicants = (
        "“María García applies for the backend engineer role.” [1]\n\n"
        "“The best backend candidate has led an enterprise project.” [2]\n\n"
        "“The strengths Tomasz Nowak would bring are messaging, reliability and design.” [3]"
    )
    best = Exchange("Who is the best for Backend?", applicants, 1)
    found = rewrite(ReadQuestion(query), [best, Exchange("What does she bring?", STRENGTHS, 2)])
    assert (found.query, found.reason, found.positions) == (expected, "list_item", (1,))


def test_what_was_asked_about_in_turn_is_compared_in_that_order() -> None:
    answer = "“The Distribution Date follows.” [1]\n\n“The Determination Date precedes it.” [1]"
    before = [DATE, Exchange("And what is the Distribution Date?", answer, 2)]
    found = rewrite(ReadQuestion("So which comes first?"), before)
    assert found.query == "So which comes first, Determination Date or Distribution Date?"


def test_what_a_question_asked_to_be_listed_is_the_list() -> None:
    answer = "“The drugs that target it are alpelisib, inavolisib and capivasertib.” [1]"
    people = "“Ana Ribeiro wrote it.” [1]\n\n“Juan Pérez reviewed it.” [2]"
    before = [Exchange("Who wrote it?", people, 1), Exchange("Which drugs target it?", answer, 2)]
    assert (
        rewrite(ReadQuestion("Is the second one approved?"), before).query
        == "Is inavolisib approved?"
    )


def test_the_first_two_of_something_are_no_items_of_a_list() -> None:
    assert (
        rewrite(ReadQuestion("Where were the first two trials held?"), [DRUGS]).reason
        != "list_item"
    )


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("Tell me about the second one", "Tell me about Inavolisib"),
        ("What is #1?", "What is Alpelisib?"),
        ("Who makes the last one?", "Who makes Capivasertib?"),
        ("What about the latter?", "What about Capivasertib?"),
        ("Compare the first two", "Compare Alpelisib and Inavolisib"),
        ("compare those 3", "compare Alpelisib, Inavolisib and Capivasertib"),
        ("Which one is cheapest?", "Which one is cheapest, Alpelisib, Inavolisib or Capivasertib?"),
        ("the best one?", "the best one, Alpelisib, Inavolisib or Capivasertib?"),
        ("Háblame de la segunda", "Háblame de Inavolisib"),
        ("¿Cuál es el mejor?", "¿Cuál es el mejor, Alpelisib, Inavolisib o Capivasertib?"),
        ("Compara los dos primeros", "Compara Alpelisib y Inavolisib"),
    ],
)
def test_items_of_the_last_list_are_named(query: str, expected: str) -> None:
    found = rewrite(ReadQuestion(query), [DRUGS])
    assert (found.query, found.reason, found.positions) == (expected, "list_item", (1,))


def test_a_list_in_a_sentence_counts() -> None:
    answer = "“The drugs that target it are alpelisib, inavolisib and capivasertib.” [1]"
    found = rewrite(
        ReadQuestion("Is the second one approved?"), [Exchange("Which drugs?", answer, 1)]
    )
    assert found.query == "Is inavolisib approved?"


def test_an_item_that_the_list_has_not_is_not_invented() -> None:
    assert rewrite(ReadQuestion("Tell me about the fifth one"), [DRUGS]).reason != "list_item"


def test_an_ordinal_that_belongs_to_a_noun_points_at_no_list() -> None:
    found = rewrite(ReadQuestion("What was the second Punic war about?"), [DRUGS])
    assert found.reason != "list_item"


@pytest.mark.parametrize(
    "query",
    [
        "Show me more",
        "tell me more about it",
        "Explain further",
        "What else?",
        "cuéntame más",
    ],
)
def test_more_of_the_same_is_searched_for_again(query: str) -> None:
    previous = Exchange("And if it falls on a weekend?", "The day before.", 2, "Date on a weekend?")
    found = rewrite(ReadQuestion(query), [DATE, previous])
    assert (found.query, found.reason) == ("Date on a weekend?", "more_of_the_same")
    assert found.positions == (2,)


def test_tell_me_more_about_something_else_is_a_question_of_its_own() -> None:
    assert rewrite(ReadQuestion("Tell me more about PIK3CA"), [DATE]).reason != "more_of_the_same"


def test_a_spanish_follow_up_carries_the_topic() -> None:
    found = rewrite(
        ReadQuestion("¿Y qué genes tiene?"), [Exchange("¿Qué es la vía PI3K?", "Una vía.", 1)]
    )
    assert found.query == "¿Y qué genes tiene la vía PI3K?"
    assert found.reason == "reference_resolved"


def test_a_spanish_follow_up_that_needs_words_has_them_before_its_question_mark() -> None:
    found = rewrite(
        ReadQuestion("¿Y eso?"), [Exchange("¿Cuál es el riesgo de la vía PI3K?", "Poco.", 1)]
    )
    assert (found.query, found.reason) == ("¿Y eso (sobre riesgo vía PI3K)?", "topic_carried")


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (
            "¿Cuántos años de experiencia tiene?",
            "¿Cuántos años de experiencia tiene María García?",
        ),
        ("¿Dónde trabaja ahora?", "¿Dónde trabaja María García ahora?"),
        ("¿Y dónde vivía?", "¿Y dónde vivía María García?"),
        ("¿En qué empresas ha trabajado?", "¿En qué empresas ha trabajado María García?"),
        ("¿Qué puede hacer?", "¿Qué puede hacer María García?"),
        ("¿Sabe Python?", "¿María García sabe Python?"),
        ("¿Quién es?", "¿Quién es María García?"),
    ],
)
def test_a_spanish_verb_without_a_subject_is_said_of_the_person_of_the_answer(
    query: str, expected: str
) -> None:
    answer = "“María García is a backend engineer in Madrid.” [1]"
    found = rewrite(ReadQuestion(query), [Exchange("¿Quién es el mejor para backend?", answer, 1)])
    assert (found.query, found.reason, found.positions) == (expected, "reference_resolved", (1,))


@pytest.mark.parametrize(
    "query",
    [
        "¿Cuántos años tiene Tomasz Nowak?",
        "¿Qué edad tiene el candidato?",
        "¿Quién tiene más experiencia?",
        "¿Qué candidato tiene más experiencia?",
        "¿Quién es responsable?",
    ],
)
def test_a_spanish_verb_with_its_subject_is_left_alone(query: str) -> None:
    answer = "“María García is a backend engineer in Madrid.” [1]"
    found = rewrite(ReadQuestion(query), [Exchange("¿Quién es el mejor para backend?", answer, 1)])
    assert found.query == query


def test_it_within_the_question_is_left_in_its_place() -> None:
    query = "If the Closing Date is a holiday, what happens to it?"
    assert rewrite(ReadQuestion(query), [DATE]).query.startswith(query.rstrip("?"))


@pytest.mark.parametrize("query", [" " * 2000 + "x?y z", "What is" + " " * 2000 + "x? y"])
def test_a_long_gap_in_a_question_takes_no_long_time(query: str) -> None:
    computed_within(5, lambda: rewrite(ReadQuestion(query), [DATE]))


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
RESTATED = {"more_of_the_same"}


@settings(max_examples=80)
@given(SAID, EXCHANGES)
def test_rewriting_never_fails_never_empties_and_always_says_the_same(
    query: str, exchanges: list[Exchange]
) -> None:
    found = rewrite(ReadQuestion(query), exchanges)
    assert found == rewrite(ReadQuestion(query), exchanges)
    assert found.query.strip()
    assert 0 <= found.confidence <= 1
    assert set(found.positions) <= {exchange.position for exchange in exchanges}


@settings(max_examples=80)
@given(
    st.lists(
        st.sampled_from("What risk has cancer of lungs it the second how?".split()), min_size=1
    ),
    st.lists(st.sampled_from(["What is throat cancer?", "Tell me about Rome.", ""]), max_size=4),
)
def test_a_rewrite_keeps_the_words_of_the_question(words: list[str], questions: list[str]) -> None:
    query = " ".join(words)
    found = rewrite(
        ReadQuestion(query), [Exchange(text, "", at) for at, text in enumerate(questions, 1)]
    )
    if found.reason not in RESTATED:
        assert set(terms(query)) <= set(terms(found.query))
