"""The answerer without a language model: it quotes the passages found."""

# The model name of its answers.
MODEL = "quoting"
