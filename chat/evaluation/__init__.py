"""The product's own code, measured on public questions, conversations and claims."""
