"""Requests of all kinds, good and bad, made up from the API's own description of itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import content_type_conformance, response_schema_conformance

from ludotheque.server.app import create_app
from ludotheque.server.config import Settings
from tests.server.harness import PATIENCE, Browser
from tests.server.test_after import finished_record, upload
from tests.speeds import several

AFTER = ("/branch", "/branches", "/draws", "/summary", "/review", "/progress", "/replay.html")
"""What is asked for when a game is over."""

schema = schemathesis.openapi.from_dict(create_app(Settings(data=Path())).openapi_schema.to_schema())


@schema.parametrize()
@settings(max_examples=several(2, 8), suppress_health_check=list(HealthCheck))
def test_no_request_breaks_the_server_or_its_promises(case: schemathesis.Case[Any], ann: Browser) -> None:
    if "table_id" in case.path_parameters and not case.path.endswith("/leave"):
        case.path_parameters["table_id"] = _table(ann, over=case.path.endswith(AFTER))
    checks = [not_a_server_error, response_schema_conformance]
    if not case.path.endswith("/record"):  # which comes as JSON or as text
        checks.append(content_type_conformance)
    answer = case.call_and_validate(
        base_url=ann.server.url, checks=checks, cookies=dict(ann.http.cookies), timeout=PATIENCE
    )
    assert "Traceback" not in answer.text


def _table(browser: Browser, over: bool) -> str:
    """A table of this browser where it holds every seat, and where the game runs or is over."""
    mine = [table for table in browser.get("/api/mine").json() if table["over"] == over]
    if mine:
        return str(mine[0]["id"])
    return upload(browser, finished_record()).id if over else browser.open("orchard", "me me").id
