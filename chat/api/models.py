"""Endpoint for the language models to choose from: names and windows, without their servers."""

from typing import Annotated, TypedDict

from rest_framework.request import Request
from rest_framework.response import Response

from chat import llm
from chat.api.schema.documentation import documented
from chat.protocol.requests import Endpoint, person


class ModelAnswer(TypedDict):
    name: Annotated[str, "What a session's `model` names it by."]
    window: Annotated[int | None, "In tokens; null if it isn't known."]
    default: Annotated[bool, "Whether it answers where a session names none."]


class ModelsAnswer(TypedDict):
    models: list[ModelAnswer]


class Models(Endpoint):
    @documented(
        "list_models", "List the language models that your sessions may choose", answer=ModelsAnswer
    )
    def get(self, request: Request) -> Response:
        tier = person(request).tier
        usual = llm.choose_model("", tier)
        shapes: list[ModelAnswer] = [
            {"name": each.name, "window": llm.get_window(each.name), "default": each.name == usual}
            for each in llm.list_models(tier)
        ]
        return Response(ModelsAnswer(models=shapes))
