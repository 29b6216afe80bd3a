"""What a model proposes of what people say of themselves."""
