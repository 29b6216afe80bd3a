"""The pages of a signed-in person."""

from django.urls import path

from chat.views import examples
from chat.views.account import account, erasure, lifetimes, own_data
from chat.views.conversations import (
    arranging,
    conversations,
    remembered,
    search,
    styles,
    temporary,
    turns,
)
from chat.views.library import citations, documents, library, limits

app_name = "chat"

session = "conversations/<uuid:session_id>"
turn = f"{session}/turns/<uuid:turn_id>"
document = "library/<uuid:document_id>"
package = "account/data/packages/<uuid:package_id>"

urlpatterns = [
    path("", conversations.home, name="home"),
    path("conversations", conversations.index, name="conversations"),
    path("conversations/new", turns.start, name="start"),
    path(session, conversations.read, name="conversation"),
    path(f"{session}/title", conversations.title, name="title"),
    path(f"{session}/delete", conversations.delete, name="delete"),
    path(f"{session}/style", styles.style, name="style"),
    path(f"{session}/lifetime", lifetimes.lifetime, name="lifetime"),
    path(f"{session}/extend", lifetimes.extend_session, name="extend"),
    path(f"{session}/close", temporary.close_session, name="close"),
    path(f"{session}/reopen", temporary.reopen_session, name="reopen"),
    path(f"{session}/arrange", arranging.arrange, name="arrange"),
    path(f"{session}/sources", arranging.sources, name="sources"),
    path(f"{session}/export/<str:form>", arranging.export, name="export"),
    path(f"{session}/documents", limits.limit, name="limit"),
    path(f"{session}/memory", remembered.show, name="memory"),
    path(f"{session}/memory/add", remembered.add, name="remember"),
    path(f"{session}/memory/<uuid:entity_id>", remembered.correct, name="entity"),
    path(f"{session}/memory/<uuid:entity_id>/remove", remembered.remove, name="forget"),
    path(f"{session}/memory/documents/<uuid:document_id>", remembered.stand, name="standing"),
    path(f"{session}/turns", turns.ask, name="ask"),
    path(turn, turns.read, name="turn"),
    path(f"{turn}/stop", turns.stop, name="stop"),
    path(f"{turn}/retry", turns.retry, name="retry"),
    path(f"{turn}/continue", turns.go_on, name="continue"),
    path(f"{turn}/feedback", turns.feedback, name="feedback"),
    path(f"{turn}/context", turns.context, name="context"),
    path(f"{turn}/delete", erasure.delete_turn, name="delete_turn"),
    path("search", search.search, name="search"),
    path("api/examples", examples.show, name="examples"),
    path("citations/<uuid:citation_id>", citations.show, name="citation"),
    path("library", library.index, name="library"),
    path("library/upload", library.upload, name="upload"),
    path("library/choices", limits.offer, name="choices"),
    path("library/rows", library.rows, name="rows"),
    path(document, documents.read, name="document"),
    path(f"{document}/edit", documents.edit, name="edit"),
    path(f"{document}/delete", documents.delete, name="delete_document"),
    path("account/settings", account.display, name="settings"),
    path("account/keeping", lifetimes.keeping, name="keeping"),
    path("account/devices/<int:device_id>", account.sign_out_device, name="sign_out_device"),
    path("account/access/end", account.end_access, name="end_access"),
    path("account/tokens", account.tokens, name="tokens"),
    path("account/tokens/new", account.new_token, name="new_token"),
    path("account/tokens/<uuid:token_id>/revoke", account.revoke_token, name="revoke_token"),
    path("account/data", own_data.own_data, name="data"),
    path("account/data/decisions", own_data.decisions, name="decisions"),
    path("account/data/decide", own_data.decide, name="decide"),
    path("account/data/packages", own_data.ask_for_package, name="ask_for_package"),
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
