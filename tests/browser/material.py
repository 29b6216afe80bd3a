"""Texts that are hard to lay out: long words and titles, right-to-left text, many items."""

import json
import re
from collections.abc import Callable
from datetime import timedelta
from hashlib import sha256

from citations.attribution.offers import Marker, Offer
from citations.attribution.statements import split_statements
from citations.models import Citation, Claim, Document, Passage, Source
from memory.conversations.asking import create_session
from memory.models import Session, Turn, User

WORD = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft"
LONG = (
    "Terms under which a servicer may, with the consent of the trustee and having regard to all "
    "holders of certificates, modify, waive or amend what was agreed at the closing of the trust"
)
ARABIC = "قانون حماية البيانات الشخصية ومعالجتها في المملكة"
# Behind each of these a browser may break the line, if nothing forbids it.
ENDS = ["!", "?", "…", "”", "—", ")", "%", "/", "年", ".", "**", "`"]
MARKER = re.compile(r"\[(\d+)\]")
MANY = [(f"Question {number}", "So it is [1].") for number in range(60)]
STRUCTURED = f"""The **Project Leader** is elected by the **Developers** for one year [1].

> The election begins nine weeks before the leadership post becomes vacant, or immediately [1].

Constitution › 5.2 Appointment · p. 4

1. Nominate yourself [2]
2. Campaign, {WORD.lower()} [11]
   - with `a word` of code

| Option | Meaning of the option | By default | Since version | Notes on compatibility |
| --- | --- | ---: | --- | --- |
| `--mode` | How it is run on machines of any kind | 12 | 1.0.0 | None whatsoever, really [1] |

```sh
sudo apt-get install --no-install-recommends one-server one-worker one-everything one-more
```

### A heading

{ARABIC} [2]."""


def print_material(username: str) -> None:
    """Make it for the person, and print the addresses of what was made as JSON."""
    owner = User.objects.get(username=username)
    documents = _documents(owner)
    places = {
        "hard": _conversation(owner, LONG, _hard_answers(), documents),
        "numbers": _conversation(owner, "Numbers", [("Where?", _numbered())], documents),
        "many": _conversation(owner, ARABIC, MANY, documents),
    }
    for number in range(60):
        title = (WORD, ARABIC, LONG, f"Conversation {number}")[number % 4]
        session = create_session(owner, title=title)
        past = session.last_activity - timedelta(hours=9 * number)
        Session.objects.filter(pk=session.pk).update(last_activity=past)
    read = {"long": documents[0], "failed": documents[2], "waiting": documents[3]}
    addresses = {name: f"/conversations/{session.pk}" for name, session in places.items()}
    print(json.dumps(addresses | {name: f"/library/{one.pk}" for name, one in read.items()}))


def print_turns(username: str, count: int, question: Callable[[int], str]) -> None:
    """Make a conversation of so many turns for the person, and print its address."""
    owner = User.objects.get(username=username)
    exchanges = [(question(number), "So it is.") for number in range(1, count + 1)]
    print(f"/conversations/{_conversation(owner, 'Many turns', exchanges, []).pk}")


def _documents(owner: User) -> list[Document]:
    titles = {LONG: "ready", ARABIC: "ready", f"{WORD}.pdf": "failed", WORD: "waiting"}
    return [_document(owner, title, status) for title, status in titles.items()]


def _document(owner: User, title: str, status: str) -> Document:
    document = Document.objects.create(
        owner=owner,
        title=title,
        authors=["Ames, A.", f"{WORD}, B.", "Cole, C.", "Dunn, D."],
        year=2026,
        url=f"https://example.org/{WORD}",
        file_name=f"{WORD}.pdf",
        media_type="application/pdf",
        checksum=sha256(title.encode()).hexdigest(),
        status=status,
        failure="encrypted" if status == "failed" else "",
        passage_count=6,
        page_count=12,
        size=4096,
    )
    for position in range(6 if status == "ready" else 0):
        Passage.objects.create(
            document=document,
            owner=owner,
            position=position,
            page=position + 1,
            heading=f"Part {position % 3} › {LONG} › {WORD}",
            text=f"{title}. It is the fifteenth day. {WORD} " * 5,
            tokens=60,
        )
    return document


def _hard_answers() -> list[tuple[str, str]]:
    questions = [LONG, WORD * 3, f"{ARABIC}؟", "And in footnotes?", "And with none?"]
    return [(question, STRUCTURED) for question in questions]


def _numbered() -> str:
    """Return lines of every length that end in a number, so that some end where a line does."""
    lines = (
        f"{'so ' * length}{'*' * 2 * (end == '**')}{'`' * (end == '`')}end{end} [11][2]"
        for end in ENDS
        for length in range(3, 33)
    )
    return "\n\n".join(lines)


def _conversation(
    owner: User, title: str, exchanges: list[tuple[str, str]], documents: list[Document]
) -> Session:
    session = create_session(owner, title=title)
    # The last of them has been deleted.
    numbers = dict(zip((1, 2, 11), [*documents[:2], None], strict=False)) if documents else {}
    sources = {
        number: Source.objects.create(session=session, document=document, number=number)
        for number, document in numbers.items()
    }
    styles = {"And in footnotes?": "footnote", "And with none?": "reference"}
    for position, (question, response) in enumerate(exchanges, start=1):
        turn = Turn.objects.create(
            session=session,
            owner=owner,
            position=position,
            query=question,
            query_tokens=5,
            standalone_query=f"{question}, or {LONG}?" if position % 2 else question,
            rewriting="automatic",
            response=response,
            style=styles.get(question, "inline"),
            status="complete",
            new_topic=position % 3 == 2,
            rating=1 if position == 2 else None,
        )
        _cite(turn, sources)
        _claim(turn)
    Session.objects.filter(pk=session.pk).update(
        turn_count=len(exchanges), last_position=len(exchanges)
    )
    return session


def _cite(turn: Turn, sources: dict[int, Source]) -> None:
    at = 0
    for marker in MARKER.finditer(turn.response):
        source = sources[int(marker[1])]
        passage = source.document.passages.first() if source.document else None
        Citation.objects.create(
            turn=turn,
            owner=turn.owner,
            source=source,
            passage=passage,
            start=marker.start(),
            claim_start=at,
            quote="It is the fifteenth day.",
            score=0.9,
        )
        at = marker.end()


def _claim(turn: Turn) -> None:
    """Let what the answer states be in every state, one after the other."""
    offer = Offer(1, Passage(), turn.pk)
    markers = [
        Marker(found.start(), int(found[1]), offer) for found in MARKER.finditer(turn.response)
    ]
    for number, stated in enumerate(split_statements(turn.response, markers)):
        state = Claim.State.values[number % len(Claim.State)]
        Claim.objects.create(
            turn=turn,
            owner=turn.owner,
            start=stated.start,
            end=stated.end,
            state=state,
            score=0.5,
            method="overlap",
            version="1",
        )
