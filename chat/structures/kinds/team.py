"""Team: a set of items that covers requirements together."""

from typing import ClassVar

from django.utils.translation import gettext_lazy as _
from pydantic import Field

from chat.structures.definition import Breadth, Structure
from chat.structures.outputs import Claim, Output, Row, Rows, Text


class Member(Row):
    name: Text = Field(default="", description="the member")
    role: Text = Field(default="", description="the part in the team")
    brings: Claim = Field(default="", description="what it brings for that, with [n]")


class Team(Output):
    titles: ClassVar = {"name": _("Member"), "role": _("Part"), "brings": _("What it brings")}

    rows: Rows[Member] = ()
    conclusion: Claim = Field(default="", description="which requirements nobody covers, with [n]")


STRUCTURE = Structure(
    name="team",
    label=_("Team"),
    output=Team,
    instruction="Put together a team that covers the requirements, and say what it doesn't cover.",
    examples={
        "en": [
            "Build a team for a web project",
            "Put together three people for the payment project",
            "Who should work together on the migration?",
            "Which combination of candidates covers frontend and backend?",
            "Assemble a group with design, testing and operations",
            "Which modules do we need together to cover the requirements?",
        ],
        "es": [
            "Forma un equipo para un proyecto web",
            "Junta a tres personas para el proyecto de pagos",
            "¿Quiénes deberían trabajar juntos en la migración?",
            "¿Qué combinación de candidatos cubre frontend y backend?",
            "Arma un grupo con diseño, pruebas y operaciones",
        ],
        "de": [
            "Stelle ein Team für ein Webprojekt zusammen",
            "Wer sollte gemeinsam an der Migration arbeiten?",
            "Welche Kombination deckt Frontend und Backend ab?",
        ],
        "fr": [
            "Compose une équipe pour un projet web",
            "Qui devrait travailler ensemble sur la migration ?",
            "Quelle combinaison couvre le frontend et le backend ?",
        ],
    },
    breadth=Breadth.EACH_DOCUMENT,
)
