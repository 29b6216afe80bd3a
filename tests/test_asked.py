"""What says which modules ask PostgreSQL nothing that others don't ask."""

from tests import asked


def test_a_statement_is_the_same_whatever_its_values_and_however_many_rows() -> None:
    one = 'SELECT "id" FROM "turn" WHERE "id" IN (%s) LIMIT 21'
    assert asked.shape(one) == asked.shape(one.replace("(%s)", "(%s, %s, %s)").replace("21", "5"))
    row = 'INSERT INTO "turn" ("id", "at") VALUES (%s, %s)'
    assert asked.shape(row) == asked.shape(f"{row}, (%s, %s)")
    assert asked.shape(one) != asked.shape(f"{one} FOR UPDATE")
    columns = 'SELECT "turn"."id", "turn"."at" FROM "turn"'
    assert asked.shape(columns) == asked.shape(columns.replace(', "turn"."at"', ""))


def test_an_engine_has_its_own_way_with_more_than_rows_by_their_values() -> None:
    plain = (
        'SELECT "id" FROM "turn" WHERE ("owner_id" = %s AND "created" > %s) ORDER BY "at" LIMIT 3'
    )
    assert not asked.OWN_WAY.search(plain)
    assert not asked.OWN_WAY.search('DELETE FROM "turn" WHERE "id" IN (%s)')
    for own in ("{} FOR UPDATE", "SELECT COUNT(*) FROM ({}) AS some", "{} ON CONFLICT DO NOTHING"):
        assert asked.OWN_WAY.search(own.format(plain))


def test_what_two_modules_ask_none_asks_alone() -> None:
    found = asked.alone({"one": {"read"}, "two": {"read", "lock"}, "three": set()})
    assert found == {"one": set(), "two": {"lock"}, "three": set()}
