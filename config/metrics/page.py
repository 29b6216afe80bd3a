"""`/metrics`: all metrics in the format of Prometheus."""

from hmac import compare_digest
from ipaddress import ip_address

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4, generate_latest

from config.metrics.gauges import RowCollector
from memory.metrics.counting import get_counts

# A request through a proxy doesn't show its origin.
FORWARDED = ("HTTP_FORWARDED", "HTTP_X_FORWARDED_FOR", "HTTP_X_REAL_IP", "HTTP_VIA")


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Return all metrics to the holder of METRICS_TOKEN, or, without a token, to this machine."""
    if not _may_read(request):
        raise Http404
    text = b"".join(generate_latest(each) for each in (get_counts().collector(), RowCollector()))
    return HttpResponse(text, content_type=CONTENT_TYPE_PLAIN_0_0_4)


def _may_read(request: HttpRequest) -> bool:
    if settings.METRICS_TOKEN:
        given = request.headers.get("Authorization", "")
        return compare_digest(given.encode(), f"Bearer {settings.METRICS_TOKEN}".encode())
    if any(name in request.META for name in FORWARDED):
        return False
    try:
        return ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False
