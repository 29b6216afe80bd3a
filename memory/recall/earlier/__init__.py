"""What was said in a person's earlier sessions, as far as a question in another calls for it."""
