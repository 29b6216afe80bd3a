"""Replies about earlier answers: the last one again, or short forms of those on a subject."""

from django.utils.translation import gettext as _

from chat.turns.replies.plain import MOST_LISTED, PlainReply, format_list, make_runs, shorten_text
from chat.turns.replies.questions import find_near
from memory.recall import Past
from memory.recall.past import is_answered
from memory.recall.summaries.extracting import Spoken, extract
from memory.text.citation_markers import strip_markers
from memory.text.plain import join_lines, render_plain_text
from memory.text.words import extract_terms

LONGEST_REPEATED = 8_000  # characters of an answer
MOST_QUOTED = 3  # turns with their answers
# Most tokens of summaries, most turns after them, and the words of each such turn.
MOST_OF_SUMMARIES, MOST_EXTRACTED, EXTRACT_WORDS = 1_200, 20, 40


def repeat_last_answer(past: Past) -> PlainReply:
    """Return the last answer with its question; its sources stay with its turn."""
    last = past.last_position
    turns = past.read(range(max(1, last - MOST_LISTED + 1), last + 1))
    turn = next((turn for turn in reversed(turns) if turn.response.strip()), None)
    if turn is None:
        return PlainReply(_("Nothing has been answered in this conversation yet."))
    lead = _("In turn %(number)d you asked: “%(question)s” The answer was:") % {
        "number": turn.position,
        "question": shorten_text(turn.query),
    }
    said = strip_markers(turn.response)[:LONGEST_REPEATED].rstrip()
    return PlainReply(f"{lead}\n\n{said}", make_runs([turn.position]))


def quote_answers(past: Past, subject: str) -> PlainReply:
    """Return the turns with the most words of the subject, in order, with their answers."""
    wanted = set(extract_terms(subject))
    told = [
        (len(wanted & set(extract_terms(f"{turn.query} {strip_markers(turn.response)}"))), turn)
        for turn in past.read(find_near(past, subject))
        if is_answered(turn)
    ]
    most = max((count for count, _turn in told), default=0)
    quoted = [turn for count, turn in told if most and count == most][-MOST_QUOTED:]
    if not quoted:
        nothing = _("Nothing was said about “%(subject)s” in this conversation.")
        return PlainReply(nothing % {"subject": shorten_text(subject)})
    worded = _("In turn %(number)d you asked: “%(question)s” The answer was: %(answer)s")
    lines = [
        worded
        % {
            "number": turn.position,
            "question": shorten_text(turn.query),
            "answer": shorten_text(render_plain_text(strip_markers(turn.response))),
        }
        for turn in quoted
    ]
    return PlainReply("\n\n".join(lines), make_runs(turn.position for turn in quoted))


def summarise_turns(past: Past) -> PlainReply:
    """Summarise the turns: older ones by their summaries, the newest by an extract."""
    summaries = past.summaries((), MOST_OF_SUMMARIES).levels
    since = max((brief.last for brief in summaries), default=0) + 1
    newest = range(max(since, past.last_position - MOST_EXTRACTED + 1), past.last_position + 1)
    lines = [
        _("Turns %(first)d to %(last)d: %(text)s")
        % {"first": brief.first, "last": brief.last, "text": join_lines(brief.text)}
        for brief in summaries
    ]
    told = [(brief.first, brief.last) for brief in summaries]
    for turn in past.read(newest):
        said = [Spoken(turn.query, is_own=True)]
        said += [Spoken(turn.response)] if is_answered(turn) else []
        text = join_lines(extract(said, words=EXTRACT_WORDS, most=2))
        lines.append(_("Turn %(number)d: %(text)s") % {"number": turn.position, "text": text})
        told.append((turn.position, turn.position))
    if not lines:
        return PlainReply(_("You have asked nothing in this conversation yet."))
    lead = _("The conversation so far, in its own sentences:")
    return PlainReply(f"{lead}\n\n{format_list(lines)}", told)
