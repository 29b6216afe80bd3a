"""The schema endpoint, and the page that renders it without resources of other hosts."""

from drf_spectacular.renderers import OpenApiJsonRenderer2
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

from chat.protocol.requests import OneForm


class Schema(SpectacularAPIView):
    content_negotiation_class = OneForm
    metadata_class = None  # like the API's own endpoints, it has no OPTIONS
    renderer_classes = [OpenApiJsonRenderer2]  # noqa: RUF012 - the parent's is a list


class Docs(SpectacularSwaggerSplitView):
    content_negotiation_class = OneForm
    metadata_class = None
