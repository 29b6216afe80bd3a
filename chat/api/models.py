"""The language models that the person may choose: names and windows, nothing of their servers."""

from rest_framework.request import Request
from rest_framework.response import Response

from chat import llm
from chat.api.schema import answers
from chat.api.schema.documentation import documented
from chat.protocol.requests import Endpoint, person


class Models(Endpoint):
    @documented(
        "list_models",
        "List the language models that your sessions may choose",
        answer=answers.ModelsAnswer,
        errors=(401,),
    )
    def get(self, request: Request) -> Response:
        tier = person(request).tier
        usual = llm.chosen_model("", tier)
        shapes = [
            {"name": each.name, "window": llm.window(each.name), "default": each.name == usual}
            for each in llm.models_for(tier)
        ]
        return Response({"models": shapes})
