"""The pages of a signed-in person."""

from django.urls import path

from chat.views import (
    account,
    arranging,
    citations,
    conversations,
    documents,
    examples,
    library,
    limits,
    remembered,
    search,
    styles,
    turns,
)

app_name = "chat"

session = "conversations/<uuid:session_id>"
turn = f"{session}/turns/<uuid:turn_id>"
document = "library/<uuid:document_id>"

urlpatterns = [
    path("", conversations.home, name="home"),
    path("conversations", conversations.index, name="conversations"),
    path("conversations/new", turns.start, name="start"),
    path(session, conversations.read, name="conversation"),
    path(f"{session}/title", conversations.title, name="title"),
    path(f"{session}/delete", conversations.delete, name="delete"),
    path(f"{session}/style", styles.style, name="style"),
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
    path(f"{turn}/feedback", turns.feedback, name="feedback"),
    path(f"{turn}/context", turns.context, name="context"),
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
    path("account/devices/<int:device_id>", account.sign_out_device, name="sign_out_device"),
    path("account/tokens", account.tokens, name="tokens"),
    path("account/tokens/new", account.new_token, name="new_token"),
    path("account/tokens/<uuid:token_id>/revoke", account.revoke_token, name="revoke_token"),
]
