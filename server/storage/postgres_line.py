"""The line to PostgreSQL: how long it may take, and what is raised where it fails."""

from typing import Final

import asyncpg

CONNECT: Final = 2.0
"""Seconds within which a connection must stand."""
LOST: Final = (
    OSError,
    TimeoutError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,  # Of a line whose end the database has said, but which still seems to be there.
    asyncpg.PostgresConnectionError,
    asyncpg.exceptions.OperatorInterventionError,
    asyncpg.exceptions.TooManyConnectionsError,
)
"""What is raised where nobody knows whether the database did as it was told."""


def words(error: BaseException) -> str:
    """What went wrong, without a full stop."""
    return (str(error) or type(error).__name__).rstrip(".")
