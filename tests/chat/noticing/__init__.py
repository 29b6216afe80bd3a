"""A model's proposals of facts about people."""
