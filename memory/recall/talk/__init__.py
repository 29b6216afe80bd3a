"""Messages that no document answers: small talk, and questions about the conversation."""
