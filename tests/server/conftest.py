from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.server.harness import Browser, Server
from tests.server.postgres import Database, running_database, why_not


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests that do not break it."""
    server = Server(tmp_path_factory.mktemp("server"), "--no-limits")
    yield server
    server.stop()


@pytest.fixture(scope="module")
def impatient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server whose time limits are short."""
    server = Server(tmp_path_factory.mktemp("impatient"), "--no-limits", "--impatient")
    yield server
    server.stop()


@pytest.fixture(scope="module")
def database() -> Iterator[Database]:
    """PostgreSQL, where it is installed."""
    if why_not():
        pytest.skip(why_not())
    with running_database() as database:
        yield database


@pytest.fixture
def ann(server: Server) -> Iterator[Browser]:
    with server.browser() as browser:
        yield browser


@pytest.fixture
def bob(server: Server) -> Iterator[Browser]:
    with server.browser() as browser:
        yield browser


@pytest.fixture
def eve(server: Server) -> Iterator[Browser]:
    """Someone whom nobody gave a link."""
    with server.browser() as browser:
        yield browser
