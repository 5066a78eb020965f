"""Clock of a PostgreSQL server that can be stepped for all users of one of its databases."""

from urllib.parse import urlsplit

_PREPARE = """
CREATE SCHEMA IF NOT EXISTS clocks;
CREATE TABLE IF NOT EXISTS clocks.step (seconds float8);
CREATE OR REPLACE FUNCTION clocks.now() RETURNS timestamptz STABLE LANGUAGE sql AS
    'SELECT pg_catalog.now() + make_interval(secs => (SELECT sum(seconds) FROM clocks.step))'
"""


def stepped(url: str, seconds: float) -> list[str]:
    """Statements for the database at that URL, after which its clock differs by so much more than before.

    Those who connected before the first of them see none. `now()` is found in `clocks` before it is found in the
    catalogue; tables are made where they were before.
    """
    database = urlsplit(url).path[1:]
    path = f"ALTER DATABASE {database} SET search_path = public, clocks, pg_catalog"
    return [_PREPARE, f"INSERT INTO clocks.step VALUES ({seconds})", path]
