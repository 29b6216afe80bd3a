"""The pages of a signed-in person."""

from django.urls import path

from chat.views import citations, conversations, turns

app_name = "chat"

session = "conversations/<uuid:session_id>"
turn = f"{session}/turns/<uuid:turn_id>"

urlpatterns = [
    path("", conversations.home, name="home"),
    path("conversations", conversations.index, name="conversations"),
    path("conversations/new", turns.start, name="start"),
    path(session, conversations.read, name="conversation"),
    path(f"{session}/title", conversations.title, name="title"),
    path(f"{session}/delete", conversations.delete, name="delete"),
    path(f"{session}/turns", turns.ask, name="ask"),
    path(turn, turns.read, name="turn"),
    path(f"{turn}/stop", turns.stop, name="stop"),
    path(f"{turn}/retry", turns.retry, name="retry"),
    path(f"{turn}/feedback", turns.feedback, name="feedback"),
    path(f"{turn}/context", turns.context, name="context"),
    path("citations/<uuid:citation_id>", citations.show, name="citation"),
]
