"""Follow-ups in the languages that the model was not trained on."""
