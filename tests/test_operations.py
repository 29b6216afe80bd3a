"""The files for running it elsewhere: they parse, and name only what the product has."""

import configparser
import re
import shlex
import shutil
import signal
import subprocess
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.conf import LazySettings
from django.core.management import get_commands
from django.test import Client

from config.logs import OPENS
from config.programs import build_clock_command, build_web_command, list_classes
from tests.isolation.routes import routes
from tests.servers import Installation
from tests.surroundings import (
    PATIENCE,
    PYTHON,
    ROOT,
    documented_variables,
    end,
    free_port,
    wait_until,
)

OPERATIONS = ROOT / "docs" / "operations"
# Variables of the images themselves, not the product's.
FOREIGN = re.compile(r"PYTHON\w+|PIP_\w+|POSTGRES_\w+")
SHOW = "from django.conf import settings; print(settings.METRICS_TOKEN, settings.TOKEN_DAYS)"


def manifests() -> list[dict[str, Any]]:
    return list(yaml.safe_load_all((OPERATIONS / "kubernetes.yaml").read_text()))


def compose() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text())
    return found


def units() -> Iterator[configparser.ConfigParser]:
    for path in sorted((OPERATIONS / "systemd").iterdir()):
        unit = configparser.ConfigParser(strict=False, interpolation=None)
        unit.optionxform = str  # type: ignore[assignment,method-assign]
        unit.read_string(path.read_text())
        yield unit


def dockerfile() -> list[tuple[str, str]]:
    """Return the instructions of the Dockerfile, each with its arguments on one line."""
    text = re.sub(r"^#.*\n", "", (ROOT / "Dockerfile").read_text(), flags=re.MULTILINE)
    joined = re.sub(r"\\\n\s*", " ", text)
    return [tuple(line.split(maxsplit=1)) for line in joined.splitlines() if line]  # type: ignore[misc]


def pods() -> list[dict[str, Any]]:
    return [
        each["spec"]["template"]["spec"]
        for each in manifests()
        if "template" in each.get("spec", ())
    ]


def containers() -> list[dict[str, Any]]:
    return [one for pod in pods() for one in pod.get("initContainers", []) + pod["containers"]]


# --- Names ----------------------------------------------------------------------------------------


def variables_named() -> Iterator[str]:
    yield from manifests()[0]["data"]
    yield from re.findall(r"--from-file=(\w+)", (OPERATIONS / "kubernetes.yaml").read_text())
    for service in compose()["services"].values():
        yield from service.get("environment", {})
        yield from (name for name in service.get("secrets", []) if name.isupper())
    for unit in (OPERATIONS / "systemd").iterdir():
        yield from re.findall(r"^Environment=(\w+)", unit.read_text(), re.MULTILINE)
    for instruction, rest in dockerfile():
        if instruction == "ENV":
            yield from (pair.partition("=")[0] for pair in shlex.split(rest))


def test_every_variable_that_they_set_is_one_of_the_product() -> None:
    named = {name for name in variables_named() if not FOREIGN.fullmatch(name)}
    assert named > {"SECRETS_DIR", "MASTER_KEY", "BACKUP_KEY", "TRUSTED_PROXIES"}
    assert named <= documented_variables()


def test_every_command_that_they_run_is_there() -> None:
    commands = [container["command"] for container in containers()]
    commands += [one["command"] for one in compose()["services"].values() if "command" in one]
    commands += [
        shlex.split(line)
        for unit in (OPERATIONS / "systemd").glob("*.service")
        for line in re.findall(r"^ExecStart(?:Pre)?=(.*)$", unit.read_text(), re.MULTILINE)
    ]
    run = {line[line.index("manage.py") + 1] for line in commands if "manage.py" in line}
    assert run == {"check", "prepare", "collectstatic", "migrate", "serve", "backup", "work"}
    assert run <= set(get_commands())


def test_web_processes_are_started_with_the_options_of_the_product_itself() -> None:
    options = " ".join(build_web_command(3)[4:]).replace("--fd 3 ", "")
    ours = re.findall(r"--[a-z-]+(?:[ =](?!-)\S+)?", options)
    web = [one["command"] for one in containers() if "uvicorn" in one["command"]]
    web.append(compose()["services"]["web"]["command"])
    for command in web:
        assert {option.replace(" ", "=") for option in ours} <= set(command)


def test_the_clock_is_started_as_the_product_starts_it() -> None:
    ours = (
        " ".join(build_clock_command()[3:])
        .replace("--app ", "--app=")
        .replace("--pool ", "--pool=")
    )
    wanted = set(ours.replace("--loglevel ", "--loglevel=").split())
    (clock,) = [one for one in containers() if one["name"] == "clock"]
    for command in (clock["command"], compose()["services"]["clock"]["command"]):
        assert set(command) == {"celery"} | wanted


# --- The image ------------------------------------------------------------------------------------


def test_the_image_is_pinned_runs_as_nobody_and_copies_only_the_product() -> None:
    instructions = dockerfile()
    names = [name for name, _ in instructions]
    (base,) = [rest for name, rest in instructions if name == "FROM"]
    assert re.fullmatch(r"python:3\.\d+-slim-\w+", base)
    assert "ADD" not in names
    assert names.index("USER") < names.index("CMD")
    assert not dict(instructions)["USER"].startswith(("0", "root"))
    copied = [rest.split()[0] for name, rest in instructions if name == "COPY"]
    assert all((ROOT / source).exists() for source in copied)
    let_in = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if "!" in line}
    assert set(copied) == let_in, "what isn't copied isn't sent to the builder either"
    for name, rest in instructions:
        if name == "RUN" and "apt-get" in rest:
            assert "rm -rf /var/lib/apt/lists" in rest
        if name in ("CMD", "HEALTHCHECK"):
            assert "[" in rest, "no shell stands between the product and its signals"


def test_every_package_directory_of_the_product_is_in_the_image() -> None:
    packages = {path.parent.name for path in ROOT.glob("*/__init__.py")} - {"tests"}
    copied = {rest.split()[0] for name, rest in dockerfile() if name == "COPY"}
    assert packages | {"templates", "static", "manage.py"} <= copied


# --- Containers -----------------------------------------------------------------------------------


def test_every_container_is_without_rights_and_what_serves_is_looked_after() -> None:
    for pod in pods():
        assert pod["securityContext"]["runAsNonRoot"]
        assert pod["automountServiceAccountToken"] is False
        mounted = {volume["name"] for volume in pod["volumes"]}
        for one in pod.get("initContainers", []) + pod["containers"]:
            assert one["securityContext"]["allowPrivilegeEscalation"] is False
            assert one["securityContext"]["readOnlyRootFilesystem"]
            assert {mount["name"] for mount in one["volumeMounts"]} == mounted
    (web,) = [one for one in containers() if one["name"] == "web"]
    assert web["readinessProbe"]["httpGet"]["path"] == "/readyz"
    assert web["livenessProbe"]["httpGet"]["path"] == "/healthz"
    for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
        assert web[probe]["httpGet"]["httpHeaders"] == [{"name": "Host", "value": "localhost"}]
    assert "localhost" in manifests()[0]["data"]["ALLOWED_HOSTS"]
    hosts = {one["name"]: one.get("value", "") for one in web["env"]}["ALLOWED_HOSTS"]
    assert hosts == manifests()[0]["data"]["ALLOWED_HOSTS"] + ",$(POD_IP)"
    # The file of the shutdown is removed when the container starts again in its pod.
    assert "touch /data/draining" in web["lifecycle"]["preStop"]["exec"]["command"][-1]
    assert web["lifecycle"]["postStart"]["exec"]["command"] == ["rm", "-f", "/data/draining"]
    services = compose()["services"]
    for name in ("prepare", "web", "worker"):
        assert services[name]["read_only"]
        assert services[name]["cap_drop"] == ["ALL"]
    for name, service in services.items():
        assert "healthcheck" in service or name == "web", "the image has web's own"
        assert not service["image"].endswith("latest")
        assert set(service.get("secrets", [])) <= set(compose()["secrets"])
        volumes = {volume.partition(":")[0] for volume in service.get("volumes", [])}
        assert volumes <= set(compose()["volumes"])


def test_selectors_of_the_manifests_find_their_pods() -> None:
    by_name = {(each["kind"], each["metadata"]["name"]): each for each in manifests()}
    labels = by_name["Deployment", "throughline-web"]["spec"]["template"]["metadata"]["labels"]
    assert by_name["Service", "throughline"]["spec"]["selector"] == labels
    assert by_name["Service", "throughline-pods"]["spec"]["selector"] == labels
    assert by_name["PodDisruptionBudget", "throughline-web"]["spec"]["selector"] == {
        "matchLabels": labels
    }
    clock = by_name["Deployment", "throughline-clock"]["spec"]
    assert (clock["replicas"], clock["strategy"]["type"]) == (1, "Recreate")
    beats = [one["name"] for one in containers() if {"beat", "--beat"} & set(one["command"])]
    assert beats == ["clock"], "one clock, and no more"


def test_units_have_their_sections_and_time_to_end() -> None:
    found = Counter(tuple(sorted(unit.sections())) for unit in units())
    backups = {("Service", "Unit"): 2, ("Install", "Timer", "Unit"): 2}
    assert found == {("Install", "Service", "Unit"): 1} | backups


def test_certificates_say_as_long_as_backups_are_kept() -> None:
    folder = OPERATIONS / "systemd"
    kept = {
        int(days)
        for unit in folder.glob("throughline-backup-*.service")
        for days in re.findall(r"-mtime \+(\d+) -delete", unit.read_text())
    }
    said = re.findall(r"BACKUP_DAYS=(\d+)", (folder / "throughline.service").read_text())
    # `find` counts whole days, so a file is a day older than that, and goes the night after.
    assert [int(days) for days in said] == [max(kept) + 2]


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not installed")
def test_systemd_finds_nothing_wrong_with_the_units(tmp_path: Path) -> None:
    for unit in (OPERATIONS / "systemd").iterdir():
        here = unit.read_text().replace("/opt/throughline/.venv/bin/python", PYTHON)
        (tmp_path / unit.name).write_text(here)
    places = sorted(map(str, tmp_path.iterdir()))
    verify = ["systemd-analyze", "verify", "--man=no", *places]
    said = subprocess.run(verify, capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stderr
    assert "throughline" not in said.stderr, said.stderr


# --- nginx ----------------------------------------------------------------------------------------


def test_the_proxy_lets_streams_and_uploads_through_and_keeps_numbers_inside(
    settings: LazySettings,
) -> None:
    text = re.sub(r"#.*", "", (OPERATIONS / "nginx.conf").read_text())
    assert text.count("{") == text.count("}")
    for line in filter(None, map(str.strip, text.splitlines())):
        assert line.endswith((";", "{", "}")), line
    said = dict(re.findall(r"^\s*(\w+) ([^;{]+);", text, re.MULTILINE))
    assert said["proxy_buffering"] == said["gzip"] == "off"
    assert seconds(said["proxy_read_timeout"]) > settings.LLM_FIRST_TOKEN_TIMEOUT
    bodies = [int(size) * 1024**2 for size in re.findall(r"client_max_body_size (\d+)m", text)]
    assert bodies[0] >= settings.MAX_BODY_BYTES
    assert bodies[1] >= settings.MAX_UPLOAD_BYTES
    assert "X-Forwarded-For $remote_addr" in text, "replaced, not added to"
    (inside,) = re.findall(r"location ~ (\S+) \{\s*return 404;", text)
    inner = [route.path({}) for route in routes() if route.name in ("metrics", "readyz", "healthz")]
    assert len(inner) == 3
    assert all(re.match(inside, path) for path in inner)
    (uploads,) = re.findall(r"location ~ (\S+) \{\s*client_max_body_size", text)
    assert all(re.match(uploads, path) for path in ("/library/upload", "/api/v1/documents"))


def test_the_proxy_logs_no_path_that_lets_somebody_in() -> None:
    text = re.sub(r"^\s*#.*", "", (OPERATIONS / "nginx.conf").read_text(), flags=re.MULTILINE)
    ((name, logged),) = re.findall(r"log_format (\w+) ([^;]+);", text)
    told = set(re.findall(r"\$\w+", logged)) - {"$remote_addr", "$time_iso8601", "$status"}
    assert told == {"$request_method", "$throughline_path", "$body_bytes_sent", "$request_time"}
    for block in re.findall(r"^server \{.*?^\}", text, re.MULTILINE | re.DOTALL):
        assert re.findall(r"access_log [^;]*?(\w+);", block) in (["off"], [name])
        assert "error_log" in block or "return 301" in block
    (door,) = re.findall(r'"~(\^[^"]+)"', text)
    opens = re.compile(door.replace("(?<", "(?P<"))
    filled = (route.path(defaultdict(lambda: "b3Blbi1zZXNhbWU")) for route in routes())
    paths = [path for path in filled if OPENS.search(path)]
    assert len(paths) > 4
    for path in paths:
        found = opens.match(path)
        assert found, path
        assert f"{found[1]}..." == OPENS.sub(r"\1...", path)


def test_workers_that_are_kept_free_of_bulk_work_are_among_them() -> None:
    apart = [list_classes(number, 2) for number in (0, 1)]
    services = compose()["services"].values()
    work = [one["environment"] for one in services if "work" in one.get("command", ())]
    assert sorted(each["WORKER_CLASSES"] for each in work) == sorted(apart)
    assert sorted(one["WORKER_CLASSES"] for one in workers_env()) == sorted(apart)


def workers_env() -> list[dict[str, str]]:
    found = [one["env"] for one in containers() if "work" in one["command"]]
    return [{each["name"]: each["value"] for each in env} for env in found]


def test_workers_in_pods_are_started_again_where_they_hang(settings: LazySettings) -> None:
    workers = [one for one in containers() if "work" in one["command"]]
    for worker, environment in zip(workers, workers_env(), strict=True):
        looks = worker["livenessProbe"]["exec"]["command"][-1]
        assert f"find {environment['ALIVE_FILE']} " in looks
        (minutes,) = re.findall(r"-mmin -(\d+)", looks)
        # Its longest step, as to scrub a large table, may take half an hour.
        assert int(minutes) * 60 > 1800 + settings.JOB_LEASE + settings.JOB_SWEEP_INTERVAL


def test_what_is_not_fit_for_others_is_told_before_the_first_start() -> None:
    """The checks of `check --deploy` demand what has to be shared: keys, above all."""
    services = compose()["services"]
    assert services["check"]["command"][1:] == ["manage.py", "check", "--deploy"]
    assert services["prepare"]["depends_on"]["check"]
    checks = [one for one in containers() if "--deploy" in one["command"]]
    assert [one["name"] for one in checks] == ["check"]
    service = (OPERATIONS / "systemd" / "throughline.service").read_text()
    assert "ExecStartPre=/opt/throughline/.venv/bin/python manage.py check --deploy" in service
    assert "check --deploy" in (OPERATIONS / "README.md").read_text()


def seconds(value: str) -> int:
    return int(value.removesuffix("s"))


# --- Secrets in a folder, and the end of a process ------------------------------------------------


def test_secrets_are_read_from_a_folder_and_the_environment_wins(tmp_path: Path) -> None:
    secrets = tmp_path / "secrets"
    secrets.mkdir()
    (secrets / "METRICS_TOKEN").write_text("from a file\n")
    (secrets / "TOKEN_DAYS").write_text("7\n")
    (secrets / "..data").mkdir()
    (secrets / "notes.txt").write_text("no variable")
    found = Installation(tmp_path, SECRETS_DIR=str(secrets), TOKEN_DAYS="8").python(SHOW)
    assert found.strip() == "from a file 8"


def test_a_folder_of_secrets_that_is_not_there_ends_the_start_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="SECRETS_DIR can't be used"):
        Installation(tmp_path, SECRETS_DIR=str(tmp_path / "missing")).python(SHOW)


@pytest.mark.django_db
def test_what_drains_is_not_ready_and_lives(tmp_path: Path, settings: LazySettings) -> None:
    settings.DATA_DIR = tmp_path
    (tmp_path / "draining").touch()
    answer = Client().get("/readyz")
    assert (answer.status_code, answer.json()["status"]) == (503, "draining")
    assert Client().get("/healthz").status_code == 200


def test_the_supervisor_serves_on_for_a_while_after_it_was_told_to_end(blueprint) -> None:
    import httpx

    port = free_port()
    place = blueprint.copy(PORT=str(port), DRAIN_SECONDS="600", WEB_WORKERS="1", WORKERS="1")
    serving = place.spawn(PYTHON, "manage.py", "serve", "--no-link", log="serve.log")

    def asked(path: str) -> int:
        try:
            return httpx.get(f"http://127.0.0.1:{port}{path}", timeout=PATIENCE).status_code
        except httpx.TransportError:
            return 0

    try:
        wait_until(lambda: asked("/readyz") == 200, what="the service")
        serving.send_signal(signal.SIGTERM)
        wait_until(lambda: asked("/readyz") == 503, what="the drain")
        assert asked("/healthz") == asked("/account/login/") == 200
        serving.send_signal(signal.SIGTERM)  # a second one ends the while
        assert serving.wait(timeout=PATIENCE) == 0
    except subprocess.TimeoutExpired:
        pytest.fail(place.log("serve.log"))
    finally:
        end(serving, signal.SIGKILL)
    assert asked("/healthz") == 0
    assert not (place.data_dir / "draining").exists()
