"""The answerer without a language model: it quotes retrieved passages."""

# The model name of its answers.
MODEL = "quoting"
