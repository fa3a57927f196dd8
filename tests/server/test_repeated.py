"""Work that a server does again and again."""

from __future__ import annotations

import asyncio
import logging

import pytest

from ludotheque.server.repeated import Repeated
from tests.server.harness import run_apart


def test_work_that_failed_is_told_and_done_again_until_it_is_stopped(caplog: pytest.LogCaptureFixture) -> None:
    async def run() -> int:
        tries, enough = 0, asyncio.Event()

        async def work() -> None:
            nonlocal tries
            tries += 1
            if tries == 3:
                enough.set()
            raise OSError("no disk")

        repeated = Repeated(work, 0, "it did not work")
        repeated.start()
        await enough.wait()
        await repeated.stop()
        stopped_at = tries
        await asyncio.sleep(0)
        assert tries == stopped_at
        return tries

    with caplog.at_level(logging.ERROR, "ludotheque.server.repeated"):
        assert run_apart(run()) >= 3
    assert {record.message for record in caplog.records} == {"it did not work"}
