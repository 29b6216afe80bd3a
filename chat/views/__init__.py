"""Views of the pages: conversations, library, account."""
