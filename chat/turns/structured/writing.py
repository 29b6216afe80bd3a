"""Writing of structured answers, by a language model or from quotations; prose if that fails.

A model's output is shown row by row. Unreadable output is requested once more; then the answer is
prose, and its failure says so.
"""

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from chat.structures import Evidence, load_structures
from chat.structures.asking import PLAIN, REPAIR, make_response_format
from chat.structures.definition import Structure
from chat.structures.following import COMPARISON, RANKING
from chat.structures.parsing import OutputReader
from chat.turns.structured.form import Form
from chat.turns.structured.gathering import gather_evidence

if TYPE_CHECKING:
    from chat.prompting.drafts import Message
    from chat.turns.drafting import Draft, Restart
    from chat.turns.grounding.ground import Ground

UNSTRUCTURED = "unstructured"


async def write_structured(draft: "Draft") -> AsyncGenerator["str | Restart", None]:
    """Let the model write the structure; prose if its output is unreadable twice."""
    structure, messages = draft.form.structure, draft.prompt.messages
    if structure is None:
        return
    for again in (False, True):
        reader = OutputReader(structure.output)
        told = amend_last(messages, REPAIR) if again else messages
        async with aclosing(_relay(draft, structure, told, reader)) as steps:
            async for step in steps:
                yield step
        output = structure.assemble(reader.text, (), draft.form.question)
        if output is not None:
            draft.form.output = output
            async with aclosing(draft.replace_text(draft.form.render(output))) as steps:
                async for step in steps:
                    yield step
            draft.problem = draft.judge_ending()
            return
    draft.form.structure, draft.form.failure = None, UNSTRUCTURED
    async with aclosing(draft.write_plain(amend_last(messages, PLAIN))) as steps:
        async for step in steps:
            yield step


async def _relay(
    draft: "Draft", structure: Structure, messages: "Sequence[Message]", reader: OutputReader
) -> AsyncGenerator["str | Restart", None]:
    """Show each row as soon as it is complete."""
    form = make_response_format(structure)
    async with aclosing(draft.relay(messages, response_format=form)) as pieces:
        async for piece in pieces:
            if output := reader.feed(piece):
                shown = draft.form.render(output, is_whole=False)
                if shown.startswith(draft.said):
                    draft.form.beginning = output
                    yield draft.extend(shown[len(draft.said) :])


def amend_last(messages: "Sequence[Message]", more: str) -> "list[Message]":
    """Return the messages with another paragraph at the end of the last."""
    *before, last = messages
    return [*before, {"role": last["role"], "content": f"{last['content']}\n\n{more}"}]


def quote_structured(ground: "Ground") -> str:
    """Return the structure made of quotations; a note if impossible; empty for prose."""
    form = ground.draft.form
    structure, recalled = form.structure, ground.recalled
    if structure is None or not ground.holds_something:
        return ""
    if structure.quote:
        evidence = gather_evidence(
            recalled.asked, ground.found, ground.prompt.offers, recalled.typed.text
        )
        form.output = structure.assemble("", evidence, form.question)
        if form.output:
            return form.render(form.output)
        if structure.name == RANKING and form.question.criteria:
            return _quote_undecided(form, evidence)
    return _note(structure) if form.is_asked else ""


def _quote_undecided(form: Form, evidence: Sequence[Evidence]) -> str:
    """Quote items side by side that only a model could rank."""
    form.structure = load_structures()[COMPARISON]
    form.output = form.structure.assemble("", evidence, form.question)
    said = _("Deciding which is better needs a language model. The documents say:")
    return f"{said}\n\n{form.render(form.output)}" if form.output else ""


def _note(structure: Structure) -> str:
    name = {"structure": structure.label}
    if structure.quote:
        return _("Not sure: nothing in the passages decides this for “%(structure)s”.") % name
    return _("“%(structure)s” needs a language model, and none is connected.") % name
