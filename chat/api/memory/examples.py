"""What the schema shows of the memory of a person."""

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter

from chat.api.schema.examples import EXAMPLE_TURN
from chat.shapes.resources.facts import FactAnswer, FactsAnswer, LevelsAnswer, RecollectionAnswer

FACT_ID = OpenApiParameter("fact_id", OpenApiTypes.UUID, OpenApiParameter.PATH)
EXAMPLE_FACT: FactAnswer = {
    "fact_id": "01970000-0000-7000-8000-0000000000f1",
    "kind": "fact",
    "state": "found",
    "origin": "said",
    "subject": "home",
    "text": "I moved to Porto",
    "session_id": EXAMPLE_TURN["session_id"],
    "turn_id": EXAMPLE_TURN["turn_id"],
    "position": 1,
    "shared": True,
    "current": True,
    "valid_from": "2026-01-05T09:30:00+00:00",
    "valid_until": None,
    "replaced_by": None,
    "expires_at": None,
}
EXAMPLE_FACTS: FactsAnswer = {"facts": [EXAMPLE_FACT], "next": None}
EXAMPLE_RECOLLECTION: RecollectionAnswer = {
    "confidence": 0.81,
    "turns": [
        {
            "turn_id": EXAMPLE_TURN["turn_id"],
            "session_id": EXAMPLE_TURN["session_id"],
            "title": "Determination Date",
            "position": 1,
            "timestamp": EXAMPLE_TURN["timestamp"],
            "query": "What is the Determination Date?",
            "response": "The second Business Day before each Distribution Date [1].",
            "score": 0.81,
        }
    ],
    "facts": [EXAMPLE_FACT],
}
EXAMPLE_LEVELS: LevelsAnswer = {
    "allowed": True,
    "working": {"window": 4096, "turns": 10},
    "episodic": {"sessions": 12, "recallable": 9},
    "semantic": {"facts": 4, "confirmed": 1},
    "derived": {
        "returned_to": [
            {
                "name": "Determination Date",
                "sessions": [EXAMPLE_TURN["session_id"]],
                "turns": [
                    {
                        "turn_id": EXAMPLE_TURN["turn_id"],
                        "session_id": EXAMPLE_TURN["session_id"],
                        "position": 1,
                        "timestamp": EXAMPLE_TURN["timestamp"],
                    }
                ],
                "count": 3,
                "days": 2,
                "beside": ["Backup Servicer"],
            }
        ],
        "changed": [{"subject": "home", "facts": [EXAMPLE_FACT], "count": 3}],
        "alike": [],
    },
    "profile": {"preferences": 2, "wishes": 1},
}
