"""How requests come in and errors go out, for pages and programs."""
