"""Staff: their roles and rights, what they do at a terminal, in an emergency, or by approval."""
