"""The doors of the API, version 1."""

from django.urls import path

from chat.api import (
    bibliographies,
    deletions,
    documents,
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

# Ids are any text here, so that a malformed one is answered as an unknown one is.
SESSION = "sessions/<str:session_id>"
TURN = f"{SESSION}/turns/<str:turn_id>"
SUMMARY = f"{SESSION}/summaries/<str:summary_id>"
DOCUMENT = "documents/<str:document_id>"
PACKAGE = "packages/<str:package_id>"

urlpatterns = [
    path("sessions", sessions.Sessions.as_view(), name="sessions"),
    path(SESSION, sessions.OneSession.as_view(), name="session"),
    path(f"{SESSION}/extend", sessions.Extend.as_view(), name="extend"),
    path(f"{SESSION}/deletion", deletions.SessionDeletion.as_view(), name="session_deletion"),
    path(f"{SESSION}/history", sessions.History.as_view(), name="history"),
    path(f"{SESSION}/summary", summaries.WholeSummary.as_view(), name="summary"),
    path(f"{SESSION}/summaries", summaries.Summaries.as_view(), name="summaries"),
    path(SUMMARY, summaries.OneSummary.as_view(), name="one_summary"),
    path(f"{SUMMARY}/again", summaries.SummaryAnew.as_view(), name="summary_again"),
    path(f"{SESSION}/topics", summaries.Topics.as_view(), name="topics"),
    path(f"{SESSION}/sources", sessions.Sources.as_view(), name="sources"),
    path(f"{SESSION}/memory", in_session.Memory.as_view(), name="memory"),
    path(f"{SESSION}/memory/entities", in_session.Entities.as_view(), name="entities"),
    path(
        f"{SESSION}/memory/entities/<str:entity_id>", in_session.OneEntity.as_view(), name="entity"
    ),
    path(
        f"{SESSION}/memory/documents/<str:document_id>",
        in_session.StandingInSession.as_view(),
        name="standing",
    ),
    path(f"{SESSION}/export", sessions.Export.as_view(), name="export"),
    path(f"{SESSION}/turns", turns.Turns.as_view(), name="turns"),
    path(TURN, turns.OneTurn.as_view(), name="turn"),
    path(f"{TURN}/deletion", deletions.TurnDeletion.as_view(), name="turn_deletion"),
    path(f"{TURN}/events", turns.Events.as_view(), name="events"),
    path(f"{TURN}/stop", turns.Stop.as_view(), name="stop"),
    path(f"{TURN}/retry", turns.Retry.as_view(), name="retry"),
    path(f"{TURN}/continue", turns.Continue.as_view(), name="continue"),
    path(f"{TURN}/table", turns.Table.as_view(), name="table"),
    path(f"{TURN}/context", turns.Context.as_view(), name="context"),
    path("memory", overview.MemoryLevels.as_view(), name="levels"),
    path("memory/search", overview.Recollections.as_view(), name="recollections"),
    path("memory/facts", facts.Facts.as_view(), name="facts"),
    path("memory/facts/<str:fact_id>", facts.OneFact.as_view(), name="fact"),
    path("memory/facts/<str:fact_id>/undo", facts.UndoneFact.as_view(), name="undo_fact"),
    path("query", query.Ask.as_view(), name="query"),
    path("passages", passages.Retrieval.as_view(), name="retrieval"),
    path("verify", passages.Verify.as_view(), name="verify"),
    path("search", search.Search.as_view(), name="search"),
    path("citations/<str:citation_id>/pages", pages.CitationPages.as_view(), name="citation_pages"),
    path("models", models.Models.as_view(), name="models"),
    path("consents", consents.Consents.as_view(), name="consents"),
    path("consents/decisions", consents.Decisions.as_view(), name="decisions"),
    path("erasures", erasures.Erasures.as_view(), name="erasures"),
    path("erasures/<str:erasure_id>", erasures.OneErasure.as_view(), name="erasure"),
    path("packages", packages.Packages.as_view(), name="packages"),
    path(PACKAGE, packages.OnePackage.as_view(), name="package"),
    path(f"{PACKAGE}/link", packages.PackageLink.as_view(), name="package_link"),
    path(f"{PACKAGE}/file/<str:token>", packages.PackageFile.as_view(), name="package_file"),
    path("documents", documents.Documents.as_view(), name="documents"),
    path("documents/sources", bibliographies.ChosenSources.as_view(), name="chosen_sources"),
    path(DOCUMENT, documents.OneDocument.as_view(), name="document"),
    path(f"{DOCUMENT}/reread", documents.Rereading.as_view(), name="reread"),
    path(f"{DOCUMENT}/original", documents.DocumentFile.as_view(), name="original"),
    path(f"{DOCUMENT}/sources", bibliographies.DocumentSources.as_view(), name="document_sources"),
    path(f"{DOCUMENT}/pages/<str:number>", pages.Page.as_view(), name="page"),
    path(f"{DOCUMENT}/passages", documents.Passages.as_view(), name="passages"),
]
