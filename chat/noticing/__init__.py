"""Facts stated beyond the known wordings: a model proposes them, the person's words decide."""
