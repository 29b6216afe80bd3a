"""What the schema shows of questions and answers: one conversation, by example.

mypy holds each example against the definition that its answer is made by.
"""

from drf_spectacular.utils import OpenApiExample

from chat.shapes.resources.attribution import CitationBase, ClaimBase
from chat.shapes.resources.memory import EntityAnswer
from chat.shapes.resources.summaries import SummaryAnswer
from chat.shapes.resources.turns import QueryAnswer, TurnAnswer, TurnBase

EVENTS = """\
id: 1:0
event: turn
data: {"turn_id":"0197…","session_id":"0197…","position":1,"attempt":1,"resumed":false,\
"status":"pending","query":"What is the Determination Date?","documents":25}

id: 1:0
event: waiting
data: {"before":3}

id: 1:1
event: rewrite
data: {"standalone_query":"What is the Determination Date?","changed":false,\
"reason":"first_question","confidence":1.0,"drawn_from":[]}

id: 1:2
event: passages
data: {"passages":[{"passage_id":7,"document_id":"0197…","title":"…","heading":"…",\
"relevance":0.91}]}

id: 1:14
event: delta
data: {"text":"The second "}

id: 1:42
event: delta
data: {"text":"Business Day before [1]."}

id: 1:43
event: citations
data: {"citations":[…],"claims":[…],"support":{"claims":1,"supported":1}}

id: 1:44
event: done
data: {"turn_id":"0197…","status":"complete",…}
"""
DOCUMENT = "01970000-0000-7000-8000-0000000000d1"
CITATION_ID = "01970000-0000-7000-8000-0000000000c1"
CITATION: CitationBase = {
    "number": 1,
    "added": False,
    "text": "The second Business Day before each Distribution Date",
    "start": 0,
    "end": 53,
    "sources": [DOCUMENT],
    "page": None,
    "quote": "“Determination Date” means the second Business Day before …",
    "passage_start": 0,
    "passage_end": 58,
    "relevance": 1.0,
    "supported": True,
}
CLAIM: ClaimBase = {
    "text": "The second Business Day before each Distribution Date.",
    "start": 0,
    "end": 58,
    "state": "supported",
    "score": 1.0,
    "numbers": [1],
    "citations": [CITATION_ID],
}
TURN: TurnBase = {
    "status": "complete",
    "failure": None,
    "timestamp": "2026-01-05T09:30:00+00:00",
    "query": "What is the Determination Date?",
    "standalone_query": "What is the Determination Date?",
    "rewrite": {
        "rewriting": "automatic",
        "changed": False,
        "reason": "first_question",
        "confidence": 1.0,
        "drawn_from": [],
    },
    "new_topic": False,
    "outcome": "answered",
    "answerability": 0.93,
    "intent": None,
    "structure": None,
    "structured_output": None,
    "unread": [],
    "response": "The second Business Day before each Distribution Date [1].",
    "reasoning": None,
    "pipeline_steps": [
        {
            "step": "searched",
            "state": "done",
            "milliseconds": 14.2,
            "reason": "",
            "turns": 0,
            "passages": 20,
            "tokens": 0,
        }
    ],
    "style": "inline",
    "sources": [
        {
            "number": 1,
            "document_id": DOCUMENT,
            "title": "Pooling and Servicing Agreement",
            "authors": [],
            "year": 2024,
            "url": None,
            "earlier_version": False,
            "relevance": 1.0,
        }
    ],
    "support": {"claims": 1, "supported": 1},
    "usage": {"prompt_tokens": 1480, "response_tokens": 12},
    "model": "quoting",
    "rating": None,
    "feedback": "",
}
CLAIM_ID = "01970000-0000-7000-8000-0000000000e2"
EXAMPLE_TURN: TurnAnswer = {
    "turn_id": "01970000-0000-7000-8000-000000000001",
    "session_id": "01970000-0000-7000-8000-0000000000a1",
    "position": 1,
    "earlier": [],
    "remembered": [],
    **TURN,
    "citations": [{"citation_id": CITATION_ID, "claim_id": CLAIM_ID, **CITATION}],
    "claims": [{"claim_id": CLAIM_ID, **CLAIM}],
}
EXAMPLE_ANSWER: QueryAnswer = {
    "turn_id": None,
    "session_id": None,
    "position": None,
    **TURN,
    "citations": [{"citation_id": None, "claim_id": None, **CITATION}],
    "claims": [{"claim_id": None, **CLAIM}],
}
EXAMPLE_ENTITY: EntityAnswer = {
    "entity_id": "01970000-0000-7000-8000-0000000000e1",
    "kind": "term",
    "name": "Determination Date",
    "snippet": "“Determination Date” means the second Business Day before …",
    "turn_id": EXAMPLE_TURN["turn_id"],
    "last_position": 1,
    "mentions": 1,
    "weight": 0.5,
    "kept": False,
}
EXAMPLE_SUMMARY: SummaryAnswer = {
    "session_id": EXAMPLE_TURN["session_id"],
    "summary": "“What is the Determination Date?” The fifteenth day of each month.",
    "key_topics": ["Determination Date"],
    "contents": [
        {"topic": "Determination Date", "turn_id": EXAMPLE_TURN["turn_id"], "position": 1}
    ],
    "turn_count": 21,
    "summary_id": "01970000-0000-7000-8000-0000000000a1",
    "covers": {"first_position": 1, "last_position": 20},
    "model": "extract",
    "edited": False,
    "awaited": False,
}
QUERY_EXAMPLES = [
    OpenApiExample(
        "With a history of one's own",
        value={
            "query": "And what happens if it falls on a weekend?",
            "conversation_context": [
                {"role": "user", "content": "What is the Determination Date?"},
                {"role": "assistant", "content": "The fifteenth day of each month [1]."},
            ],
        },
        request_only=True,
    ),
    OpenApiExample(
        "The question alone",
        value={"query": "What is the Determination Date?"},
        request_only=True,
    ),
]
NEW_TURN_EXAMPLE = OpenApiExample(
    "A question",
    value={"query": "What is the Determination Date?", "style": "inline"},
    request_only=True,
)
VERIFY_EXAMPLES = [
    OpenApiExample(
        "A text",
        value={"text": "The Determination Date is the second Business Day."},
        request_only=True,
    )
]
EXAMPLE_VERIFICATION = {
    "claims": [
        {
            "text": "The Determination Date is the second Business Day.",
            "start": 0,
            "end": 50,
            "state": "supported",
            "score": 0.93,
            "passages": [
                {
                    "passage_id": 7,
                    "document_id": DOCUMENT,
                    "title": "Pooling Agreement",
                    "heading": "Article I",
                    "page": 3,
                    "text": "“Determination Date” means the second Business Day before …",
                    "score": 0.93,
                    "quote": "“Determination Date” means the second Business Day",
                    "passage_start": 0,
                    "passage_end": 50,
                }
            ],
        }
    ],
    "left_out": 0,
}
