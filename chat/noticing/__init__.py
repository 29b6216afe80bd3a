"""What people say of themselves beyond the known wordings: a model proposes, their words decide."""
