"""The index of the shared library: tables that the ORM doesn't know, kept true by triggers.

Whatever way a passage goes (one by one, by cascade, by SQL), its index rows go with it; whatever way
vectors change, the library's version does, by which processes notice that their copy is stale.
"""

from django.db import migrations

SQLITE = [
    # Terms come stemmed and joined by spaces: the tokenizer only has to part them.
    """
    CREATE VIRTUAL TABLE citations_passage_terms
    USING fts5(terms, document, tokenize = "ascii tokenchars '.'")
    """,
    "CREATE VIRTUAL TABLE citations_term USING fts5vocab(citations_passage_terms, 'row')",
    """
    CREATE TABLE citations_library (
        id integer PRIMARY KEY CHECK (id = 1),
        version text NOT NULL,
        passages integer NOT NULL
    )
    """,
    "INSERT INTO citations_library VALUES (1, hex(randomblob(16)), 0)",
    """
    CREATE TRIGGER citations_passage_come AFTER INSERT ON citations_passage
    WHEN NEW.owner_id IS NULL
    BEGIN UPDATE citations_library SET passages = passages + 1; END
    """,
    """
    CREATE TRIGGER citations_passage_gone AFTER DELETE ON citations_passage
    WHEN OLD.owner_id IS NULL
    BEGIN
        DELETE FROM citations_passage_terms WHERE rowid = OLD.id;
        UPDATE citations_library SET passages = passages - 1;
    END
    """,
    *(
        f"""
        CREATE TRIGGER citations_vectors_{verb} AFTER {verb} ON citations_passagevectors
        WHEN {row}.owner_id IS NULL
        BEGIN UPDATE citations_library SET version = hex(randomblob(16)); END
        """
        for verb, row in (("insert", "NEW"), ("update", "NEW"), ("delete", "OLD"))
    ),
]
SQLITE_BACK = [
    *(f"DROP TRIGGER citations_vectors_{verb}" for verb in ("insert", "update", "delete")),
    "DROP TRIGGER citations_passage_gone",
    "DROP TRIGGER citations_passage_come",
    "DROP TABLE citations_library",
    "DROP TABLE citations_term",
    "DROP TABLE citations_passage_terms",
]

POSTGRESQL = [
    """
    CREATE TABLE citations_passage_terms (
        passage_id bigint PRIMARY KEY,
        document_id uuid NOT NULL,
        length integer NOT NULL,
        -- A term stands at as many positions as it has occurrences.
        terms tsvector NOT NULL
    )
    """,
    # Without fastupdate, what was just added would not slow the next search.
    """
    CREATE INDEX citations_passage_terms_gin ON citations_passage_terms
    USING gin (terms) WITH (fastupdate = off)
    """,
    "CREATE INDEX citations_passage_terms_document ON citations_passage_terms (document_id)",
    # How many passages hold a term.
    """
    CREATE TABLE citations_term (term text COLLATE "C" PRIMARY KEY, doc integer NOT NULL)
    """,
    # Its one row is also the lock that lets one transaction at a time change the counts.
    """
    CREATE TABLE citations_library (
        id integer PRIMARY KEY CHECK (id = 1),
        version text NOT NULL,
        passages bigint NOT NULL,
        length bigint NOT NULL,
        -- The model whose vectors are in citations_passage_vector; null where pgvector is missing.
        vector_model text
    )
    """,
    "INSERT INTO citations_library VALUES (1, gen_random_uuid()::text, 0, 0, NULL)",
    """
    CREATE FUNCTION citations_terms_added() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        UPDATE citations_library SET
            passages = passages + (SELECT count(*) FROM changed),
            length = citations_library.length + (SELECT coalesce(sum(length), 0) FROM changed);
        INSERT INTO citations_term
        SELECT lexeme, count(*) FROM changed, unnest(changed.terms) GROUP BY lexeme
        ON CONFLICT (term) DO UPDATE SET doc = citations_term.doc + excluded.doc;
        RETURN NULL;
    END $$
    """,
    """
    CREATE FUNCTION citations_terms_removed() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        UPDATE citations_library SET
            passages = passages - (SELECT count(*) FROM changed),
            length = citations_library.length - (SELECT coalesce(sum(length), 0) FROM changed);
        UPDATE citations_term SET doc = citations_term.doc - lost.doc
        FROM (
            SELECT lexeme, count(*) AS doc FROM changed, unnest(changed.terms) GROUP BY lexeme
        ) AS lost
        WHERE term = lost.lexeme;
        DELETE FROM citations_term WHERE doc <= 0;
        RETURN NULL;
    END $$
    """,
    """
    CREATE TRIGGER citations_terms_added AFTER INSERT ON citations_passage_terms
    REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION citations_terms_added()
    """,
    """
    CREATE TRIGGER citations_terms_removed AFTER DELETE ON citations_passage_terms
    REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION citations_terms_removed()
    """,
    """
    CREATE FUNCTION citations_passage_gone() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        DELETE FROM citations_passage_terms WHERE passage_id IN (SELECT id FROM gone);
        IF to_regclass('citations_passage_vector') IS NOT NULL THEN
            DELETE FROM citations_passage_vector WHERE passage_id IN (SELECT id FROM gone);
        END IF;
        RETURN NULL;
    END $$
    """,
    """
    CREATE TRIGGER citations_passage_gone AFTER DELETE ON citations_passage
    REFERENCING OLD TABLE AS gone
    FOR EACH STATEMENT EXECUTE FUNCTION citations_passage_gone()
    """,
    """
    CREATE FUNCTION citations_passages_emptied() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        TRUNCATE citations_passage_terms, citations_term;
        IF to_regclass('citations_passage_vector') IS NOT NULL THEN
            TRUNCATE citations_passage_vector;
        END IF;
        UPDATE citations_library SET version = gen_random_uuid()::text, passages = 0, length = 0;
        RETURN NULL;
    END $$
    """,
    """
    CREATE TRIGGER citations_passages_emptied AFTER TRUNCATE ON citations_passage
    FOR EACH STATEMENT EXECUTE FUNCTION citations_passages_emptied()
    """,
    """
    CREATE FUNCTION citations_vectors_changed() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        UPDATE citations_library SET version = gen_random_uuid()::text;
        RETURN NULL;
    END $$
    """,
    """
    CREATE TRIGGER citations_vectors_changed
    AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON citations_passagevectors
    FOR EACH STATEMENT EXECUTE FUNCTION citations_vectors_changed()
    """,
]
POSTGRESQL_BACK = [
    "DROP TRIGGER citations_vectors_changed ON citations_passagevectors",
    "DROP TRIGGER citations_passages_emptied ON citations_passage",
    "DROP TRIGGER citations_passage_gone ON citations_passage",
    "DROP TABLE IF EXISTS citations_passage_vector",
    "DROP TABLE citations_passage_terms, citations_term, citations_library",
    """
    DROP FUNCTION citations_vectors_changed, citations_passages_emptied,
        citations_passage_gone, citations_terms_added, citations_terms_removed
    """,
]


def forwards(apps, schema_editor):
    if schema_editor.connection.alias == "default":
        for statement in SQLITE if schema_editor.connection.vendor == "sqlite" else POSTGRESQL:
            schema_editor.execute(statement)


def backwards(apps, schema_editor):
    if schema_editor.connection.alias == "default":
        vendor = schema_editor.connection.vendor
        for statement in SQLITE_BACK if vendor == "sqlite" else POSTGRESQL_BACK:
            schema_editor.execute(statement)


class Migration(migrations.Migration):
    dependencies = [("citations", "0001_initial")]
    operations = [migrations.RunPython(forwards, backwards)]
