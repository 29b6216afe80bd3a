"""What the API answers, for its schema; the answers themselves are made in chat.shapes."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from citations.formats.blocks import BlockKind
from citations.models import Claim, Document
from memory.models import Consent, ErasureRequest, ExportPackage, Purpose, Turn
from memory.models.conversations import AnswerLength, CitationStyle, Rewriting, Strategy

Shape = serializers.Serializer[Any]
Text, Number, Score = serializers.CharField, serializers.IntegerField, serializers.FloatField
Id, Time, Flag = serializers.UUIDField, serializers.DateTimeField, serializers.BooleanField


@extend_schema_field({"type": "object", "additionalProperties": {}})
class AnyObject(serializers.JSONField):
    """A JSON object of the client's own."""


class ErrorDetail(Shape):
    code = Text(help_text="Stable; made for programs.")
    message = Text(help_text="Made for people, in their language.")
    # REST framework takes it for a field and leaves its own `fields` alone.
    fields = serializers.DictField(  # type: ignore[assignment]
        child=serializers.ListField(child=Text()),
        required=False,
        help_text="What is wrong with each field of the request.",
    )


class Error(Shape):
    error = ErrorDetail()


# --- Sessions -------------------------------------------------------------------------------------


class SessionAnswer(Shape):
    session_id = Id()
    user_id = Id()
    title = Text(help_text="Empty until the first question, which becomes the title.")
    metadata = AnyObject()
    created_at = Time()
    last_activity = Time(help_text="The last question or answer; reading doesn't count.")
    expires_at = Time(help_text="From this moment on the session is gone.")
    own_lifetime = Number(
        allow_null=True, help_text="Seconds that it is kept, if less than your tier's were chosen."
    )
    turn_count = Number()
    context_tokens = Number(help_text="Tokens of all questions and answers.")
    context_window = Number(help_text="In tokens.")
    strategy = serializers.ChoiceField(choices=Strategy.choices)
    style = serializers.ChoiceField(  # type: ignore[assignment]
        choices=CitationStyle.choices, allow_null=True, help_text="Null: as CITATION_STYLE says."
    )
    length = serializers.ChoiceField(
        choices=AnswerLength.choices, allow_null=True, help_text="Null: as ANSWER_LENGTH says."
    )
    model = Text(allow_null=True, help_text="By name; null: the usual one of your tier.")
    temporary = Flag()
    pinned = Flag()
    archived = Flag()
    document_context = serializers.ListField(
        child=Id(),
        allow_null=True,
        help_text="The documents that are searched; null: all. One that was deleted is missing; "
        "if all are, nothing is found.",
    )


class SessionsAnswer(Shape):
    sessions = SessionAnswer(many=True)
    next = Text(allow_null=True, help_text="The cursor of the next page; null at the end.")


class ModelAnswer(Shape):
    name = Text(help_text="What a session's `model` names it by.")
    window = Number(allow_null=True, help_text="In tokens; null if it isn't known.")
    default = Flag(help_text="Whether it answers where a session names none.")


class ModelsAnswer(Shape):
    models = ModelAnswer(many=True)


class SummaryAnswer(Shape):
    session_id = Id()
    summary = Text(allow_null=True)
    key_topics = serializers.ListField(child=Text())
    turn_count = Number()


# --- Turns ----------------------------------------------------------------------------------------


class SourceAnswer(Shape):
    number = Number(help_text="The session's number for the document, the n of [n].")
    document_id = Id(allow_null=True, help_text="Null if the document was removed.")
    title = Text(allow_null=True)
    authors = serializers.ListField(child=Text())
    year = Number(allow_null=True)
    url = Text(allow_null=True)
    relevance = Score(help_text="Of the citation that is borne out best, 0 to 1.")


class CitationAnswer(Shape):
    citation_id = Id()
    claim_id = Id(allow_null=True, help_text="Null if it stands in what is no statement.")
    number = Number(help_text="The n of [n].")
    added = Flag(
        help_text="Whether the product found the passage: `response` has no marker for it, and "
        "[n] would stand at `end`."
    )
    text = Text(help_text="The words of the answer that the citation is for.")
    start = Number(help_text="Where they begin in `response`, in Unicode characters.")
    end = Number(help_text="And where they end.")
    sources = serializers.ListField(child=Id(), help_text="Ids of documents.")
    page = Number(allow_null=True)
    quote = Text(help_text="The sentence of the document that says it.")
    passage_start = Number(allow_null=True, help_text="Where the quote begins in its passage.")
    passage_end = Number(allow_null=True)
    relevance = Score(help_text="How likely the passage says it, 0 to 1.")
    supported = serializers.BooleanField(help_text="Whether that reaches CITATION_THRESHOLD.")


class ClaimAnswer(Shape):
    claim_id = Id()
    text = Text(help_text="A statement of the answer.")
    start = Number(help_text="Where it begins in `response`, in Unicode characters.")
    end = Number(help_text="And where it ends.")
    state = serializers.ChoiceField(
        choices=Claim.State.choices,
        help_text="`supported`: by a passage it names, or found for it. `partly`: at least half. "
        "`elsewhere`: not by what it names, but by another passage. `unsupported`: it names a "
        "passage, and none says it. `uncited`: it names none, and none says it.",
    )
    score = Score(help_text="How likely what was offered says it, 0 to 1.")
    numbers = serializers.ListField(child=Number(), help_text="Of its sources, the n of [n].")
    citations = serializers.ListField(child=Id())


class SupportAnswer(Shape):
    claims = Number(help_text="How many statements were checked.")
    supported = Number(help_text="How many of them are supported.")


class Failure(Shape):
    code = Text()
    message = Text()


class Usage(Shape):
    prompt_tokens = Number()
    response_tokens = Number()


class RewriteAnswer(Shape):
    rewriting = serializers.ChoiceField(choices=Rewriting.choices)
    changed = Flag(help_text="Whether something else was searched for than was typed.")
    reason = Text()
    confidence = Score(allow_null=True)
    drawn_from = serializers.ListField(
        child=Number(), help_text="Positions of the turns whose words went into it."
    )


class TurnAnswer(Shape):
    turn_id = Id()
    session_id = Id()
    position = Number()
    status = serializers.ChoiceField(choices=Turn.Status.choices)
    failure = Failure(
        allow_null=True,
        help_text="Why it failed or was interrupted. Of a turn that is complete: why the language "
        "model did not answer this time, and the built-in answerer did (`model` is `quoting`), or "
        "the text of the try before stands.",
    )
    timestamp = Time()
    query = Text()
    standalone_query = Text(allow_null=True, help_text="The question as it was searched for.")
    rewrite = RewriteAnswer(allow_null=True, help_text="Why it was searched for like that.")
    new_topic = Flag(help_text="Whether it has nothing to do with the turns before it.")
    outcome = serializers.ChoiceField(
        choices=Turn.Outcome.choices,
        allow_null=True,
        help_text="What the answer is; null as long as there is none. Answers of a language model "
        "may also be `cut` (POST …/continue goes on with it), or, though it was asked once more, "
        "`empty`, `looped` (repeating itself), `other_language`, `filtered` (by its server) or "
        "`refused`; POST …/retry tries those again.",
    )
    answerability = Score(
        allow_null=True, help_text="How likely the library holds an answer, 0 to 1."
    )
    response = Text(
        help_text="Markdown, citing in the style: with markers [n] (inline), with [^n] and a list "
        "of notes (footnote), or without either (reference). While it is written, what there is."
    )
    reasoning = Text(
        allow_null=True,
        help_text="What a model that thinks aloud said before its answer: not part of it.",
    )
    style = serializers.ChoiceField(choices=CitationStyle.choices)  # type: ignore[assignment]
    sources = SourceAnswer(many=True)
    citations = CitationAnswer(many=True)
    claims = ClaimAnswer(many=True, help_text="What the answer states, each checked.")
    support = SupportAnswer()
    usage = Usage()
    model = Text()
    rating = serializers.ChoiceField(choices=[1, -1], allow_null=True)
    feedback = Text()


class UnkeptCitationAnswer(CitationAnswer):
    citation_id = Id(allow_null=True)


class UnkeptClaimAnswer(ClaimAnswer):
    claim_id = Id(allow_null=True)


class QueryAnswer(TurnAnswer):
    """A turn that nobody stores: what has no row has no id."""

    turn_id = Id(allow_null=True)
    session_id = Id(allow_null=True)
    position = Number(allow_null=True)
    citations = UnkeptCitationAnswer(many=True)
    claims = UnkeptClaimAnswer(many=True)


# --- Search ---------------------------------------------------------------------------------------


class MatchAnswer(Shape):
    start = Number()
    end = Number()


class SnippetAnswer(Shape):
    text = Text(help_text="A piece of it, on one line.")
    matches = MatchAnswer(
        many=True, help_text="Where the words are in `text`, in Unicode characters."
    )


class HitAnswer(Shape):
    turn_id = Id()
    session_id = Id()
    title = Text(help_text="Of the session.")
    position = Number()
    timestamp = Time()
    query = SnippetAnswer()
    response = SnippetAnswer()


class SearchAnswer(Shape):
    results = HitAnswer(many=True)
    next = Text(
        allow_null=True,
        help_text="The cursor of the next page; null at the end. A page may be short, or empty, "
        "and have a next one: a request looks through a limited number of turns.",
    )


# --- Documents ------------------------------------------------------------------------------------


class OutlineEntry(Shape):
    level = Number(help_text="From 0.")
    heading = Text()
    page = Number(allow_null=True)
    position = Number(help_text="Of the first passage under it.")


class ReadingProgress(Shape):
    unit = serializers.ChoiceField(choices=["pages", "passages", "characters"])
    done = Number()
    total = Number()


class DocumentAnswer(Shape):
    document_id = Id()
    title = Text()
    authors = serializers.ListField(child=Text())
    year = Number(allow_null=True)
    url = Text(allow_null=True)
    language = Text(allow_null=True, help_text="As its code: en, es …; null if it can't be told.")
    date = Text(allow_null=True, help_text="Of the work, as YYYY, YYYY-MM or YYYY-MM-DD.")
    about = Text(allow_null=True, help_text="What it is about, in its own words.")
    outline = OutlineEntry(many=True, help_text="Its headings, at most 100.")
    questions = serializers.ListField(
        child=Text(), help_text="Up to three questions that it answers, in its language."
    )
    file_name = Text(help_text="Empty if it came as text.")
    media_type = Text()
    size = Number(help_text="Of the file, in bytes.")
    pages = Number(allow_null=True, help_text="Null if the file has none, or isn't read yet.")
    status = serializers.ChoiceField(choices=Document.Status.choices)
    progress = ReadingProgress(allow_null=True, help_text="How far the reading is, while it is.")
    failure = Failure(allow_null=True, help_text="Why it could not be read.")
    unread = serializers.ListField(
        child=Text(), help_text="What of it could not be read, in words for people."
    )
    passage_count = Number()
    shared = Flag(help_text="Whether everyone may read it; else you alone.")
    created_at = Time()


class DocumentsAnswer(Shape):
    documents = DocumentAnswer(many=True)
    next = Text(
        allow_null=True,
        help_text="The cursor of the next page; null at the end. With `q`, a page may be short, or "
        "empty, and have a next one.",
    )


class Part(Shape):
    start = Number(help_text="In characters of the text.")
    end = Number()
    kind = serializers.ChoiceField(choices=[(kind.value, kind.name) for kind in BlockKind])


class PassageAnswer(Shape):
    passage_id = Number()
    position = Number()
    page = Number(allow_null=True)
    heading = Text()
    text = Text()
    layout = Part(many=True, help_text="The parts of the text, in order; empty if not known.")
    tokens = Number()


class PassagesAnswer(Shape):
    document_id = Id()
    passages = PassageAnswer(many=True)
    next = Number(allow_null=True, help_text="`after` of the next page; null at the end.")


# --- Your data ------------------------------------------------------------------------------------


class DecisionAnswer(Shape):
    purpose = serializers.ChoiceField(choices=Purpose.choices)
    number = Number(help_text="Counts your decisions on the purpose, without a gap.")
    version = Number(help_text="Which wording it was about.")
    given = Flag()
    source = serializers.ChoiceField(  # type: ignore[assignment]
        choices=Consent.Source.choices
    )
    timestamp = Time()


class ConsentAnswer(Shape):
    purpose = serializers.ChoiceField(choices=Purpose.choices)
    text = Text(help_text="The wording of now.")
    version = Number(help_text="Of the wording; a new one has to be allowed anew.")
    allowed = Flag(help_text="Whether it may be done now.")
    in_use = Flag(help_text="Whether anything is done under it yet: not of `recall` and `share`.")
    decision = DecisionAnswer(allow_null=True, help_text="Your newest one.")


class ConsentsAnswer(Shape):
    consents = ConsentAnswer(many=True)


class DecisionsAnswer(Shape):
    decisions = DecisionAnswer(many=True)
    next = Id(allow_null=True, help_text="`before` of the next page; null at the end.")


class PackageAnswer(Shape):
    package_id = Id()
    status = serializers.ChoiceField(choices=ExportPackage.Status.choices)
    progress = Number(help_text="In percent.")
    size = Number(help_text="In bytes, once it is ready.")
    digest = Text(allow_null=True, help_text="Of what is in it; explained in its README.txt.")
    created_at = Time()
    expires_at = Time(help_text="From this moment on it is gone, fetched or not.")


class ErasureAnswer(Shape):
    erasure_id = Id()
    scope = serializers.ChoiceField(choices=ErasureRequest.Scope.choices)
    status = serializers.ChoiceField(choices=ErasureRequest.Status.choices)
    requested_at = Time()
    due_at = Time(allow_null=True, help_text="When it begins; null until it is confirmed.")
    verified_at = Time(allow_null=True)
    confirm_path = Text(
        allow_null=True,
        help_text="The page on which you confirm it, having proved again who you are; null once "
        "you have.",
    )
    certificate_id = Id(allow_null=True, help_text="GET /certificates/{certificate_id}.json")


class ErasuresAnswer(Shape):
    erasures = ErasureAnswer(many=True)


class LinkAnswer(Shape):
    path = Text(help_text="GET it with your own credential; it works once.")
    expires_at = Time()


# --- History --------------------------------------------------------------------------------------


class HistoryAnswer(Shape):
    session_id = Id()
    turns = TurnAnswer(many=True)
    total_turns = Number()
    next = Number(allow_null=True, help_text="`after` of the next page; null at the end.")


class SourcesAnswer(Shape):
    session_id = Id()
    sources = SourceAnswer(many=True)
