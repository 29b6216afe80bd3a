# The product in an image: web, worker and commands are the same image with another command.
# Written without a container engine at hand: tests hold its form (tests/test_operations.py), nobody
# has built it. python:3.11-slim-trixie brings the client of PostgreSQL 17, for `manage.py backup`.
FROM python:3.11-slim-trixie

ENV PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    PIP_NO_CACHE_DIR=1 \
    PIP_DISABLE_PIP_VERSION_CHECK=1

RUN apt-get update \
    && apt-get install --yes --no-install-recommends postgresql-client \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --uid 10001 --user-group --no-create-home --shell /usr/sbin/nologin throughline \
    && install --directory --owner throughline --group throughline --mode 0700 /data

WORKDIR /app
COPY requirements.txt ./
RUN pip install --requirement requirements.txt \
    && python -m compileall -q "$(python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')"
COPY manage.py ./
COPY config ./config
COPY memory ./memory
COPY citations ./citations
COPY chat ./chat
COPY templates ./templates
COPY static ./static
RUN python -m compileall -q config memory citations chat

ENV DATA_DIR=/data \
    SECRETS_DIR=/run/secrets \
    HOST=0.0.0.0
VOLUME /data
EXPOSE 8000
USER 10001:10001
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=90s \
    CMD ["python", "-c", "import http.client as h; c = h.HTTPConnection('127.0.0.1', 8000, timeout=4); c.request('GET', '/healthz'); raise SystemExit(c.getresponse().status != 200)"]
# Alone it is all of it: web processes and a worker, on SQLite in /data.
CMD ["python", "manage.py", "serve"]
