"""The OpenAPI schema: fields, serializers, examples and documentation."""
