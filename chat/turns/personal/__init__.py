"""Personal material for answers: facts about the person, and their other sessions."""
