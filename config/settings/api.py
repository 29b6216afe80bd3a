"""The API and its schema."""

from config.settings.machine import VERSION

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "chat.protocol.credentials.BearerToken",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "chat.protocol.errors.error_response",
    "URL_FORMAT_OVERRIDE": None,
}
KNOX_TOKEN_MODEL = "memory.ApiToken"
TOKEN_DAYS = 90
MIGRATION_MODULES = {"knox": None}  # its own table of tokens is never used
SPECTACULAR_SETTINGS = {
    "TITLE": "Throughline",
    "DESCRIPTION": "Conversations over a library of documents, with checked citations. "
    "[Examples to copy](/api/examples) in curl, Python and JavaScript. Answers quote documents as "
    "they are: show their Markdown without HTML, images, and links but to http addresses "
    "(a document may hold `[here](javascript:…)`).",
    "VERSION": VERSION,
    # In the order of the documentation: the first steps come first.
    "TAGS": [
        {"name": name}
        for name in ("sessions", "turns", "query", "documents", "search", "memory", "your data")
    ],
    # Its schemas are JSON Schema, so that any validator can check a response.
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_PERMISSIONS": ["rest_framework.permissions.IsAuthenticated"],
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "COMPONENT_SPLIT_REQUEST": True,
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "chat.api.schema.components.complete",
    ],
    # Enumerations are named by their classes, as in responses.
    "ENUM_NAME_OVERRIDES": {
        "AnswerLength": "memory.models.conversations.AnswerLength",
        "CitationFormat": "memory.models.people.CitationFormat",
        "CitationStyle": "memory.models.conversations.CitationStyle",
        "DocumentStandingStanding": "citations.models.DocumentStanding.Standing",
        "EntityKind": "memory.models.Entity.Kind",
        "ErasureRequestScope": "memory.models.ErasureRequest.Scope",
        "FactKind": "memory.models.FactKind",
        "Purpose": "memory.models.Purpose",
        "Reach": "memory.models.conversations.Reach",
        "Strategy": "memory.models.conversations.Strategy",
    },
}
