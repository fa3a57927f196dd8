"""Requests of all kinds, good and bad, made up from the API's own description of itself."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.generation.meta import CoveragePhaseData
from schemathesis.specs.openapi.checks import content_type_conformance, response_schema_conformance

from ludotheque.server.app import create_app
from ludotheque.server.config import Settings
from tests.server.harness import PATIENCE, Browser
from tests.server.test_finished_games import finished_record, upload
from tests.speeds import several

AFTER = ("/branch", "/branches", "/draws", "/summary", "/review", "/progress", "/replay.html")
"""What is asked for when a game is over."""

schema = schemathesis.pytest.from_fixture("api_schema")


@pytest.fixture(scope="module")
def api_schema() -> Any:
    """Made when a test asks for it, so that only one of the processes of tests makes it."""
    return schemathesis.openapi.from_dict(create_app(Settings(data=Path())).openapi_schema.to_schema())


@pytest.fixture(autouse=True)
def node_id(request: pytest.FixtureRequest) -> None:
    """Schemathesis 4.32 asks for an attribute that pytest 9.2 no longer has."""
    request.node._nodeid = request.node.nodeid


@schema.include(method="GET").parametrize()
@settings(max_examples=several(1, 8), suppress_health_check=list(HealthCheck))
def test_no_question_breaks_the_server_or_its_promises(case: schemathesis.Case[Any], ann: Browser) -> None:
    check(case, ann)


@schema.exclude(method="GET").parametrize()
@settings(max_examples=several(1, 8), suppress_health_check=list(HealthCheck))
def test_no_command_breaks_the_server_or_its_promises(case: schemathesis.Case[Any], ann: Browser) -> None:
    check(case, ann)


_tried: set[tuple[object, ...]] = set()
"""Kinds of cases: what is asked for, what is special about it, and of which parameter."""


def is_needed(case: schemathesis.Case[Any]) -> bool:
    """Whether a case has to be tried: with `--all` each, else the random ones and the first of every special kind."""
    special = case.meta.phase.data if case.meta else None
    if several(0, 1) or not isinstance(special, CoveragePhaseData):
        return True
    kind = (case.operation.label, special.scenario, special.parameter_location, special.parameter)
    is_new = kind not in _tried
    _tried.add(kind)
    return is_new


def check(case: schemathesis.Case[Any], browser: Browser) -> None:
    if not is_needed(case):
        return
    if "table_id" in case.path_parameters and not case.path.endswith("/leave"):
        find = _same_table if case.method == "GET" else _table
        case.path_parameters["table_id"] = find(browser, over=case.path.endswith(AFTER))
    checks = [not_a_server_error, response_schema_conformance]
    if not case.path.endswith("/record"):  # which comes as JSON or as text
        checks.append(content_type_conformance)
    answer = case.call_and_validate(
        base_url=browser.server.url, checks=checks, cookies=dict(browser.http.cookies), timeout=PATIENCE
    )
    assert "Traceback" not in answer.text


def _table(browser: Browser, over: bool) -> str:
    """A table of this browser where it holds every seat, and where the game runs or is over."""
    mine = [table for table in browser.get("/api/mine").json() if table["over"] == over]
    if mine:
        return str(mine[0]["id"])
    return upload(browser, finished_record()).id if over else browser.open("orchard", "me me").id


_same_table = cache(_table)
"""What asks changes no table, so the same one serves all questions."""
