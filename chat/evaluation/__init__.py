"""Evaluation of the product's own code on public questions, conversations and claims."""
