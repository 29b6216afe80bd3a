"""`/metrics`: all of it as Prometheus reads it, for those who run the place."""

from collections import Counter
from collections.abc import Iterator
from hmac import compare_digest
from ipaddress import ip_address

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from config.metrics import gauges
from memory.metrics.counting import counted
from memory.metrics.declared import METRICS, PREFIX

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
# A request that came through a proxy says nothing of where it began.
FORWARDED = ("HTTP_FORWARDED", "HTTP_X_FORWARDED_FOR", "HTTP_X_REAL_IP", "HTTP_VIA")


@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Answer with all metrics who has METRICS_TOKEN, or, where there is none, this machine."""
    if not _may_read(request):
        raise Http404
    return HttpResponse("".join(_lines()), content_type=CONTENT_TYPE)


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


def _lines() -> Iterator[str]:
    series = _by_metric(counted())
    for name, metric in METRICS.items():
        yield _head(name, metric.help, metric.kind)
        yield from (f"{line} {number!r}\n" for line, number in series.get(name, []))
    for name, gauge in gauges.GAUGES.items():
        yield _head(name, gauge.help, "gauge")
        for value in gauges.read(gauge):
            labels = ",".join(f'{label}="{told}"' for label, told in value.labels)
            yield (
                f"{PREFIX}{name}"
                + (f"{{{labels}}}" if labels else "")
                + f" {float(value.number)!r}\n"
            )


def _head(name: str, text: str, kind: str) -> str:
    return f"# HELP {PREFIX}{name} {text}\n# TYPE {PREFIX}{name} {kind}\n"


def _by_metric(counts: Counter[str]) -> dict[str, list[tuple[str, float]]]:
    """Return the numbers of each metric, the buckets of a histogram by their bounds."""
    found: dict[str, list[tuple[str, float]]] = {}
    for line, number in sorted(counts.items()):
        name = line.partition("{")[0].removeprefix(PREFIX)
        for ending in ("_bucket", "_sum", "_count"):
            if name.removesuffix(ending) in METRICS:
                name = name.removesuffix(ending)
        found.setdefault(name, []).append((line, number))
    return found
