"""Prometheus's rules: promtool accepts them, and each alert fires where it should."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from prometheus_client import Histogram

from config.metrics import gauges
from memory.metrics.declared import METRICS, PREFIX
from tests.surroundings import ROOT

OPERATIONS = ROOT / "docs" / "operations"
with_promtool = pytest.mark.skipif(not shutil.which("promtool"), reason="promtool isn't installed")
# For each alert the series of an installation where it fires, those of one where it doesn't, and
# the labels that it fires with beside its severity: values a minute, for an hour and a half.
FIRES: dict[str, tuple[dict[str, str], dict[str, str], dict[str, str]]] = {
    "Down": (
        {'up{job="throughline-pods"}': "0x90"},
        {'up{job="throughline"}': "1x90", 'up{job="other"}': "0x90"},
        {"job": "throughline-pods"},
    ),
    "DatabaseAway": (
        {'database_up{database="keys"}': "0x90"},
        {'database_up{database="keys"}': "1x90"},
        {"database": "keys"},
    ),
    "Errors": (
        {
            'responses_total{status="5xx",part="api"}': "0+2x90",
            'responses_total{status="2xx",part="api"}': "0+98x90",
        },
        {
            'responses_total{status="4xx",part="api"}': "0+50x90",
            'responses_total{status="2xx",part="api"}': "0+50x90",
        },
        {},
    ),
    "Refuses": (
        {'questions_refused_total{reason="overloaded"}': "0+1x90"},
        {'questions_refused_total{reason="limit_reached"}': "0+1x90"},
        {},
    ),
    "AnswersLost": (
        {
            'turns_total{status="interrupted"}': "0+6x90",
            'turns_total{status="complete"}': "0+94x90",
        },
        {
            'turns_total{status="interrupted"}': "0+4x90",
            'turns_total{status="complete"}': "0+96x90",
        },
        {},
    ),
    "ModelFails": (
        {
            'model_errors_total{failure="model_silent"}': "0+60x90",
            'turns_total{status="complete"}': "0+120x90",
        },
        {
            'model_errors_total{failure="model_silent"}': "0+6x90",
            'turns_total{status="complete"}': "0+120x90",
        },
        {"failure": "model_silent"},
    ),
    "ContextOverflows": (
        {"context_overflows_total": "0+1x90"},
        {"context_overflows_total": "3x90"},
        {},
    ),
    "FirstTextSlow": (
        {
            'first_piece_seconds_bucket{le="10"}': "0+90x90",
            'first_piece_seconds_bucket{le="30"}': "0+100x90",
            'first_piece_seconds_bucket{le="+Inf"}': "0+100x90",
        },
        {
            'first_piece_seconds_bucket{le="10"}': "0+99x90",
            'first_piece_seconds_bucket{le="30"}': "0+100x90",
            'first_piece_seconds_bucket{le="+Inf"}': "0+100x90",
        },
        {},
    ),
    "ConnectionsShort": (
        {
            'connections_waited_total{database="default",instance="a"}': "0+30x90",
            'connections_wanted_total{database="default",instance="a"}': "0+100x90",
        },
        {
            'connections_waited_total{database="default",instance="a"}': "0+10x90",
            'connections_wanted_total{database="default",instance="a"}': "0+100x90",
        },
        {"database": "default", "instance": "a"},
    ),
    "WorkWaits": (
        {'oldest_job_seconds{class="rights"}': "0+60x90"},
        {'oldest_job_seconds{class="rights"}': "500x90"},
        {"class": "rights"},
    ),
    "ErasureWaits": (
        {"oldest_erasure_seconds": "0+60x90"},
        {"oldest_erasure_seconds": "3000x90"},
        {},
    ),
    "PurgeLate": ({"purge_lag_seconds": "0+60x90"}, {"purge_lag_seconds": "800x90"}, {}),
    "PurgeResisted": ({"purge_failing": "1x90"}, {"purge_failing": "0x90"}, {}),
    "AuditFeedLate": (
        {"audit_feed_lag_seconds": "0+60x90"},
        {"audit_feed_lag_seconds": "800x90"},
        {},
    ),
}


def published() -> set[str]:
    counted = {
        PREFIX + name + ending
        for name, metric in METRICS.items()
        for ending in (("_bucket", "_sum", "_count") if metric.kind is Histogram else ("",))
    }
    return counted | {PREFIX + name for name in [*gauges.GAUGES, *gauges.SAMPLED]}


def rules() -> list[dict[str, Any]]:
    (group,) = yaml.safe_load((OPERATIONS / "alerts.yml").read_text())["groups"]
    found: list[dict[str, Any]] = group["rules"]
    return found


def test_every_alert_has_a_rule_on_metrics_that_are_there_and_says_where_to_look() -> None:
    assert [rule["alert"].removeprefix("Throughline") for rule in rules()] == list(FIRES)
    for rule in rules():
        assert set(re.findall(rf"{PREFIX}\w+", rule["expr"])) <= published(), rule["alert"]
        assert rule["labels"]["severity"] in ("page", "ticket")
        assert {"summary", "look"} == set(rule["annotations"])


def case(rule: dict[str, Any], series: dict[str, str], fired: list[dict[str, Any]]) -> Any:
    """Return promtool's test of a rule over the series, named without the product's prefix."""
    given = [
        {"series": name if name.startswith("up{") else PREFIX + name, "values": values}
        for name, values in series.items()
    ]
    expected = {"eval_time": "85m", "alertname": rule["alert"], "exp_alerts": fired}
    return {"interval": "1m", "input_series": given, "alert_rule_test": [expected]}


@with_promtool
def test_each_alert_fires_where_it_should_and_nowhere_else(tmp_path: Path) -> None:
    shutil.copy(OPERATIONS / "alerts.yml", tmp_path)
    cases = []
    for rule, (ill, well, labels) in zip(rules(), FIRES.values(), strict=True):
        told = yaml.safe_dump(rule["annotations"])
        for label, value in labels.items():
            told = told.replace("{{ $labels." + label + " }}", value)
        fired = {
            "exp_labels": rule["labels"] | labels,
            "exp_annotations": yaml.safe_load(told),
        }
        cases += [case(rule, ill, [fired]), case(rule, well, [])]
    written = {"rule_files": ["alerts.yml"], "evaluation_interval": "1m", "tests": cases}
    (tmp_path / "tests.yml").write_text(yaml.safe_dump(written))
    command = ["promtool", "test", "rules", str(tmp_path / "tests.yml")]
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stdout + said.stderr


@with_promtool
def test_prometheus_finds_nothing_wrong_with_what_it_is_to_read(tmp_path: Path) -> None:
    shutil.copy(OPERATIONS / "alerts.yml", tmp_path)
    (tmp_path / "token").touch()
    text = (OPERATIONS / "prometheus.yml").read_text()
    places = set(re.findall(r"credentials_file: ([^}]+)", text))
    assert len(places) == 1
    (tmp_path / "prometheus.yml").write_text(text.replace(*places, str(tmp_path / "token")))
    command = ["promtool", "check", "config", str(tmp_path / "prometheus.yml")]
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stdout + said.stderr


def test_every_panel_of_the_dashboard_draws_metrics_that_are_there() -> None:
    board = json.loads((OPERATIONS / "grafana.json").read_text())
    expressions = [target["expr"] for panel in board["panels"] for target in panel["targets"]]
    drawn = {name for text in expressions for name in re.findall(rf"{PREFIX}\w+", text)}
    assert drawn <= published()
    assert len({panel["id"] for panel in board["panels"]}) == len(board["panels"])
    for text in expressions:
        assert text.count("(") == text.count(")")
    gauged = {PREFIX + name for name in [*gauges.GAUGES, *gauges.SAMPLED]} - {PREFIX + "info"}
    assert gauged - drawn == {
        "throughline_database_up",  # an alert
        "throughline_erasures_under_way",
        "throughline_audit_feed_waiting",
        "throughline_audit_feed_lag_seconds",  # an alert
    }
