"""The pages of a signed-in person."""

from django.urls import path

from chat.views import examples
from chat.views.account import access, display, erasure, lifetimes, memory, own_data
from chat.views.conversations import (
    arranging,
    bibliography,
    exporting,
    remembered,
    search,
    sessions,
    styles,
    summaries,
    temporary,
    turns,
)
from chat.views.library import citations, documents, listing, pages, scope, versions

app_name = "chat"

session = "conversations/<uuid:session_id>"
turn = f"{session}/turns/<uuid:turn_id>"
summary = f"{session}/summary/<uuid:summary_id>"
document = "library/<uuid:document_id>"
package = "account/data/packages/<uuid:package_id>"

urlpatterns = [
    path("", sessions.home, name="home"),
    path("conversations", sessions.list_conversations, name="conversations"),
    path("conversations/new", turns.start, name="start"),
    path(session, sessions.read_conversation, name="conversation"),
    path(f"{session}/title", sessions.rename_conversation, name="title"),
    path(f"{session}/delete", sessions.confirm_deletion, name="delete"),
    path(f"{session}/style", styles.style, name="style"),
    path(f"{session}/lifetime", lifetimes.session_lifetime, name="lifetime"),
    path(f"{session}/extend", lifetimes.extend_session, name="extend"),
    path(f"{session}/close", temporary.close_session, name="close"),
    path(f"{session}/reopen", temporary.reopen_session, name="reopen"),
    path(f"{session}/arrange", arranging.arrange, name="arrange"),
    path(f"{session}/sources", bibliography.sources, name="sources"),
    path(f"{session}/export", exporting.choose_export, name="exports"),
    path(f"{session}/export/<str:form>", exporting.export, name="export"),
    path(f"{session}/documents", scope.limit, name="limit"),
    path(f"{session}/memory", remembered.show_memory, name="memory"),
    path(f"{session}/memory/add", remembered.add_entity, name="remember"),
    path(f"{session}/memory/<uuid:entity_id>", remembered.correct_entity, name="entity"),
    path(f"{session}/memory/<uuid:entity_id>/remove", remembered.delete_entity, name="forget"),
    path(
        f"{session}/memory/documents/<uuid:document_id>",
        remembered.change_standing,
        name="standing",
    ),
    path(f"{session}/summary", summaries.show_whole, name="summary"),
    path(summary, summaries.show_one, name="one_summary"),
    path(f"{summary}/back", summaries.go_back, name="summary_back"),
    path(f"{summary}/again", summaries.make_anew, name="summary_again"),
    path(f"{session}/turns", turns.ask_next, name="ask"),
    path(turn, turns.read_turn, name="turn"),
    path(f"{turn}/stop", turns.stop_answer, name="stop"),
    path(f"{turn}/retry", turns.answer_again, name="retry"),
    path(f"{turn}/continue", turns.continue_answer, name="continue"),
    path(f"{turn}/feedback", turns.feedback, name="feedback"),
    path(f"{turn}/table.csv", turns.show_table, name="table"),
    path(f"{turn}/context", turns.context, name="context"),
    path(f"{turn}/delete", erasure.delete_turn, name="delete_turn"),
    path("search", search.search_page, name="search"),
    path("api/examples", examples.show_examples, name="examples"),
    path("citations/<uuid:citation_id>", citations.show_citation, name="citation"),
    path("citations/<uuid:citation_id>/page", pages.show_page, name="citation_page"),
    path("library", listing.list_documents, name="library"),
    path("library/upload", listing.upload, name="upload"),
    path("library/choices", scope.offer, name="choices"),
    path("library/rows", listing.show_rows, name="rows"),
    path(document, documents.open_document, name="document"),
    path(f"{document}/edit", documents.edit, name="edit"),
    path(f"{document}/replaces/<uuid:older_id>", versions.confirm_replacement, name="replace"),
    path(f"{document}/keep", versions.keep_both, name="keep_both"),
    path(f"{document}/restore", versions.restore, name="restore"),
    path(f"{document}/changes", versions.show_changes, name="changes"),
    path(f"{document}/undo", documents.undo_edit, name="undo_edit"),
    path(f"{document}/reread", documents.reread, name="reread"),
    path(f"{document}/original", documents.original, name="original"),
    path(f"{document}/pages/<int:number>", pages.picture, name="page_picture"),
    path(f"{document}/delete", documents.confirm_document_deletion, name="delete_document"),
    path("account/settings", display.display, name="settings"),
    path("account/keeping", lifetimes.keeping, name="keeping"),
    path("account/memory", memory.show_levels, name="levels"),
    path("account/memory/facts", memory.write_fact, name="write_fact"),
    path("account/memory/facts/<uuid:fact_id>", memory.correct_fact, name="correct_fact"),
    path("account/memory/facts/<uuid:fact_id>/keep", memory.confirm_fact, name="confirm_fact"),
    path("account/memory/facts/<uuid:fact_id>/delete", memory.delete_fact, name="delete_fact"),
    path("account/memory/facts/<uuid:fact_id>/undo", memory.undo_fact, name="undo_fact"),
    path(f"{session}/memory/reach", remembered.change_reach, name="reach"),
    path("account/devices/<int:device_id>", access.sign_out_device, name="sign_out_device"),
    path("account/access/end", access.end_access, name="end_access"),
    path("account/tokens", access.tokens, name="tokens"),
    path("account/tokens/new", access.new_token, name="new_token"),
    path("account/tokens/<uuid:token_id>/revoke", access.revoke_token, name="revoke_token"),
    path("account/data", own_data.own_data, name="data"),
    path("account/data/decisions", own_data.decisions, name="decisions"),
    path("account/data/decide", own_data.record_decision, name="decide"),
    path("account/data/packages", own_data.new_package, name="ask_for_package"),
    path(package, own_data.package, name="package"),
    path(f"{package}/link", own_data.package_link, name="package_link"),
    path(f"{package}/file/<str:token>", own_data.package_file, name="package_file"),
    path(f"{package}/discard", own_data.discard_package, name="discard_package"),
    path("account/data/erasure", erasure.erasure, name="erasure"),
    path("account/data/erasure/cancel", erasure.cancel_erasure, name="cancel_erasure"),
    path("account/data/erasure/<str:scope>", erasure.confirm_erasure, name="confirm_erasure"),
    path("erasures/<str:token>", erasure.erasure_status, name="erasure_status"),
    path("certificates", erasure.verify_certificate, name="certificates"),
    path("certificates/<uuid:certificate_id>", erasure.certificate, name="certificate"),
    path(
        "certificates/<uuid:certificate_id>.json", erasure.certificate_file, name="certificate_file"
    ),
]
