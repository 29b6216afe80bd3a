"""P12: every field of every model has a kind, an erase rule and an export rule; none goes stale."""

import pytest
from django.apps import apps
from django.db import connections, models

from memory.classification import Handling, Kind
from memory.fields import SealedTextField
from memory.management.commands.data_map import render_page
from memory.models import User
from memory.personal_data import data_map
from memory.personal_data.data_map import (
    Erasure,
    get_handling,
    get_kinds,
    get_ordered_models,
    list_rules,
)
from tests.surroundings import ROOT


def test_p12_every_field_of_every_model_has_its_rules() -> None:
    assert data_map.list_problems() == []
    declared = {(rule.model, rule.field) for rule in list_rules()}
    everything = {
        (model._meta.label, field.name)
        for model in apps.get_models(include_auto_created=True)
        for field in [*model._meta.fields, *model._meta.many_to_many]
    }
    assert declared == everything
    assert len(declared) == len(list_rules()) > 200


def test_p12_every_row_of_a_person_is_found_by_the_walk_or_says_why_not() -> None:
    walked = set(get_ordered_models())
    for model in apps.get_models():
        handling = get_handling(model)
        pointing = [field.name for field in model._meta.fields if field.related_model is User]
        if pointing:
            assert model in walked, f"{model._meta.label} points at people by {pointing}"
        assert model in walked or handling.stays or handling.goes or not personal(model)


def personal(model: type[models.Model]) -> set[Kind]:
    return {kind for kinds in get_kinds(model).values() for kind in kinds} - {Kind.SYSTEM}


def test_p12_children_go_before_their_parents() -> None:
    order = get_ordered_models()
    for model in order:
        for field in model._meta.fields:
            related = field.related_model
            if related in order and related is not model:
                assert order.index(model) < order.index(related), (model, related)
    assert order[-1] is User


def test_p12_what_people_say_is_sealed_and_no_secret_is_exported() -> None:
    for rule in list_rules():
        field = apps.get_model(rule.model)._meta.get_field(rule.field)
        if rule.kind == Kind.CONTENT:
            assert isinstance(field, SealedTextField), rule
        if rule.kind in (Kind.SECRET, Kind.SYSTEM):
            assert not rule.is_exported, rule
        if isinstance(field, SealedTextField) and rule.erasure != Erasure.KEPT:
            assert rule.erasure == Erasure.KEY, rule


@pytest.mark.postgresql
@pytest.mark.django_db
def test_p12_every_table_is_of_a_model_or_explained() -> None:
    of_models = {model._meta.db_table for model in apps.get_models(include_auto_created=True)}
    for alias in connections:
        for table in connections[alias].introspection.table_names():
            explained = any(table.startswith(known) for known in data_map.TABLES)
            assert table in of_models or explained, f"nobody says what is in {table}"


def test_p12_the_privacy_page_is_the_map() -> None:
    written = (ROOT / "docs" / "privacy.md").read_text()
    assert written == render_page(), "run: python manage.py data_map"


@pytest.mark.parametrize(
    ("handling", "problem"),
    [
        (None, "has no handling"),
        (Handling(person="owner"), "note is not declared"),
        (Handling(person="owner", trace="said note"), "said is sealed"),
        (Handling(person="owner", content="said", secret="said", trace="note"), "two kinds"),
        (Handling(person="owner", content="gone", trace="note"), "has no gone"),
        (Handling(person="nobody", trace="note"), "leads to no person"),
        (Handling(trace="note"), "is nobody's"),
        (Handling(system="note said"), "is nobody's"),
        (Handling(person="owner", trace="note", withheld="x"), "withheld"),
    ],
)
def test_p12_the_map_tells_what_is_wrong(handling: Handling | None, problem: str) -> None:
    class Stray(models.Model):
        owner = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
        said = SealedTextField()
        note = models.CharField(max_length=80)

        class Meta:
            app_label = "memory"

    try:
        if handling:
            Stray.handling = handling
        assert any(problem in found for found in data_map.list_problems()), data_map.list_problems()
    finally:
        del apps.all_models["memory"]["stray"]
        apps.clear_cache()
    assert data_map.list_problems() == []
