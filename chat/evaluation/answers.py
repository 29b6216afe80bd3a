"""Answers: which are right, cited rightly, declined rightly, and which are invented.

A few questions of each group, and some more without the documents that answer them, go the way of
`/query`. A language model takes its time: a run goes on where its file ends.
"""

import hashlib
import re
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from chat.evaluation.documents import (
    DECLINED,
    SourceLibrary,
    gold_documents,
    ground_question,
    write_answer,
)
from chat.evaluation.files import Line
from chat.evaluation.scoring import answer_has, passage_holds
from chat.turns.grounding import Ground
from memory.models import Turn

# So many questions of each group, and so many without their documents.
FROM_EACH, WITHOUT_GOLD = 12, 24
GROUPS = ("xquad_en", "xquad_es", "xquad_de", "covidqa", "policyqa")


@dataclass(frozen=True)
class Case:
    """A question that is asked, with or without the documents that answer it."""

    question: Line
    group: str
    has_gold: bool

    @property
    def key(self) -> tuple[str, bool]:
        return self.question["id"], self.has_gold


def cases(questions: Iterable[Line], *, most: int, without: int) -> list[Case]:
    """Return the questions to ask: of each group those whose ids have the smallest digests.

    Those asked without their documents are chosen from all groups together. A question that is
    limited to one document would have nothing to be asked of without it.
    """
    known = sorted(
        (line for line in questions if question_group(line) in GROUPS),
        key=lambda line: hashlib.sha256(str(line["id"]).encode()).hexdigest(),
    )
    answerable = [
        Case(line, group, has_gold=True)
        for group in GROUPS
        for line in [line for line in known if question_group(line) == group and line["answers"]][
            :most
        ]
    ]
    free = [line for line in known if line.get("scope") != "document"]
    lacking = [Case(line, question_group(line), has_gold=False) for line in free[:without]]
    return answerable + lacking


def question_group(question: Line) -> str:
    """Return the source of the question, with its language if it has several."""
    return "_".join(part for part in (question["source"], question.get("lang")) if part)


def answer_case(case: Case, library: SourceLibrary) -> Line:
    """Answer the case's question, and score the answer."""
    begun = time.perf_counter()
    without = frozenset() if case.has_gold else gold_documents(case.question)
    ground = ground_question(case.question, library, without=without)
    answer = write_answer(ground)
    seconds = time.perf_counter() - begun
    gave = ground.outcome not in DECLINED
    right = gave and case.has_gold and answer_has(answer, case.question["answers"])
    return {
        "id": case.question["id"],
        "group": case.group,
        "has_gold": case.has_gold,
        "outcome": ground.outcome,
        "answer": answer,
        "text": ground.citing.text,
        "declined": not gave,
        "right": right,
        "cited_rightly": right and _is_cited(case.question, ground, library),
        "has_citations": bool(ground.citing.markers),
        "invented": not case.has_gold and ground.outcome == Turn.Outcome.ANSWERED,
        "words": len(re.findall(r"\w+", answer)),
        "seconds": round(seconds, 2),
        "prompt_tokens": ground.prompt.tokens,
        "passages": len(ground.prompt.offers),
        "answerability": ground.answerability,
    }


def _is_cited(question: Line, ground: Ground, library: SourceLibrary) -> bool:
    """Return whether a passage that the answer cites, or that was found for it, has the answer."""
    gold, citing = gold_documents(question), ground.citing
    offers = [marker.offer for marker in citing.markers]
    offers += [reference.offer for each in citing.judged for reference in each.references]
    cited = {offer.passage.pk: offer.passage for offer in offers}
    return any(
        library.names[passage.document_id] in gold
        and passage_holds(passage.text, question["spans"])
        for passage in cited.values()
    )


def answer_figures(rows: Sequence[Line]) -> Iterator[str]:
    """Yield the figures in words: for each group, and for all."""
    by_group = sorted(rows, key=lambda row: GROUPS.index(row["group"]))
    groups = [(name, list(own)) for name, own in groupby(by_group, lambda row: row["group"])]
    for name, own in [*groups, ("ALL", list(rows))]:
        asked, lacking = ([row for row in own if row["has_gold"] == has] for has in (True, False))
        right = [row for row in asked if row["right"]]
        cells = [
            _share("right", right, asked),
            _share("cited rightly", [row for row in right if row["cited_rightly"]], right),
            _share("declined wrongly", [row for row in asked if row["declined"]], asked),
            _share("declined rightly", [row for row in lacking if row["declined"]], lacking),
            _share("invented", [row for row in lacking if row["invented"]], lacking),
            f"words {_mean(own, 'words'):.0f}",
            f"seconds {_mean(own, 'seconds'):.1f}",
        ]
        yield f"{name:10s} " + "  ".join(cells)


def _share(name: str, some: Sequence[Line], of: Sequence[Line]) -> str:
    return f"{name} {len(some)}/{len(of)}" + (f" = {len(some) / len(of):.2f}" if of else "")


def _mean(rows: Sequence[Line], key: str) -> float:
    return sum(row[key] for row in rows) / max(1, len(rows))
