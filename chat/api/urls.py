"""URLs of the API, version 1."""

from django.urls import path

from chat.api import (
    bibliographies,
    documents,
    imports,
    models,
    pages,
    passages,
    query,
    search,
    sessions,
    summaries,
    turns,
)
from chat.api.account import consents, erasures, packages
from chat.api.memory import facts, in_session, overview

app_name = "api"

# Any text is matched as an id, so that a malformed id is answered like an unknown one.
SESSION = "sessions/<str:session_id>"
TURN = f"{SESSION}/turns/<str:turn_id>"
SUMMARY = f"{SESSION}/summaries/<str:summary_id>"
DOCUMENT = "documents/<str:document_id>"
PACKAGE = "packages/<str:package_id>"

ROUTES = [
    ("sessions", "sessions", sessions.Sessions),
    ("session", SESSION, sessions.OneSession),
    ("extend", f"{SESSION}/extend", sessions.Extend),
    ("session_deletion", f"{SESSION}/deletion", sessions.SessionDeletion),
    ("history", f"{SESSION}/history", sessions.History),
    ("summary", f"{SESSION}/summary", summaries.WholeSummary),
    ("summaries", f"{SESSION}/summaries", summaries.Summaries),
    ("one_summary", SUMMARY, summaries.OneSummary),
    ("summary_again", f"{SUMMARY}/again", summaries.SummaryAnew),
    ("topics", f"{SESSION}/topics", summaries.Topics),
    ("sources", f"{SESSION}/sources", sessions.Sources),
    ("memory", f"{SESSION}/memory", in_session.Memory),
    ("entities", f"{SESSION}/memory/entities", in_session.Entities),
    ("entity", f"{SESSION}/memory/entities/<str:entity_id>", in_session.OneEntity),
    ("standing", f"{SESSION}/memory/documents/<str:document_id>", in_session.StandingInSession),
    ("export", f"{SESSION}/export", sessions.Export),
    ("turns", f"{SESSION}/turns", turns.Turns),
    ("turn", TURN, turns.OneTurn),
    ("turn_deletion", f"{TURN}/deletion", turns.TurnDeletion),
    ("events", f"{TURN}/events", turns.Events),
    ("stop", f"{TURN}/stop", turns.Stop),
    ("retry", f"{TURN}/retry", turns.Retry),
    ("continue", f"{TURN}/continue", turns.Continue),
    ("table", f"{TURN}/table", turns.Table),
    ("context", f"{TURN}/context", turns.Context),
    ("levels", "memory", overview.MemoryLevels),
    ("recollections", "memory/search", overview.Recollections),
    ("facts", "memory/facts", facts.Facts),
    ("fact", "memory/facts/<str:fact_id>", facts.OneFact),
    ("undo_fact", "memory/facts/<str:fact_id>/undo", facts.UndoneFact),
    ("query", "query", query.Ask),
    ("retrieval", "passages", passages.Retrieval),
    ("verify", "verify", passages.Verify),
    ("search", "search", search.Search),
    ("citation_pages", "citations/<str:citation_id>/pages", pages.CitationPages),
    ("models", "models", models.Models),
    ("consents", "consents", consents.Consents),
    ("decisions", "consents/decisions", consents.Decisions),
    ("erasures", "erasures", erasures.Erasures),
    ("erasure", "erasures/<str:erasure_id>", erasures.OneErasure),
    ("packages", "packages", packages.Packages),
    ("package", PACKAGE, packages.OnePackage),
    ("package_link", f"{PACKAGE}/link", packages.PackageLink),
    ("package_file", f"{PACKAGE}/file/<str:token>", packages.PackageFile),
    ("documents", "documents", documents.Documents),
    ("import_sources", "documents/import", imports.SourceImport),
    ("chosen_sources", "documents/sources", bibliographies.ChosenSources),
    ("document", DOCUMENT, documents.OneDocument),
    ("reread", f"{DOCUMENT}/reread", documents.Rereading),
    ("version_changes", f"{DOCUMENT}/changes", documents.VersionChanges),
    ("original", f"{DOCUMENT}/original", documents.DocumentFile),
    ("document_sources", f"{DOCUMENT}/sources", bibliographies.DocumentSources),
    ("page", f"{DOCUMENT}/pages/<str:number>", pages.Page),
    ("passages", f"{DOCUMENT}/passages", documents.Passages),
]
urlpatterns = [path(route, view.as_view(), name=name) for name, route, view in ROUTES]
