"""What is said in a conversation without being of a document: small talk, and the talk itself."""
