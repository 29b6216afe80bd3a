"""The answerer without a language model: it quotes the passages found."""

# The name that stands as the model of its answers.
MODEL = "quoting"
