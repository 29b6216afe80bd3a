"""The prompt kit: what prompts say, where earlier turns stand, and what their markers name."""
