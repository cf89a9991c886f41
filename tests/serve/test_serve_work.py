"""Work in threads: dropped, interrupted or refused when nobody waits for it or too many do."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import pytest
from serve_helpers import write

from agent.serve.problems import RequestError
from agent.serve.work import Gone, GoneError, Threads, lent
from agent.session import open_session
from agent.tools.pool import SessionPool

_ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"


def test_a_statement_ends_when_its_client_goes(tmp_path: Path) -> None:
    session = open_session(write(tmp_path / "tree"))
    session.close()
    pool, gone, began = SessionPool(session.location, session.embedder, 1), Gone(), threading.Event()
    ended: list[str] = []

    def work() -> None:
        try:
            with lent(pool, gone) as found:
                found.reader.conn.set_progress_handler(began.set, 1_000)
                found.reader.conn.execute(_ENDLESS).fetchall()
        except GoneError:
            ended.append("gone")

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    began.wait()  # the statement runs
    gone.set()
    thread.join(30)
    assert ended == ["gone"]
    with lent(pool, Gone()) as found:  # the session came back and still reads
        assert found.reader.paths
    pool.close()


def test_nothing_begins_for_a_client_that_has_gone(tmp_path: Path) -> None:
    session = open_session(write(tmp_path / "tree"))
    session.close()
    pool, gone = SessionPool(session.location, session.embedder, 1), Gone()
    gone.set()
    with pytest.raises(GoneError), lent(pool, gone):
        raise AssertionError("lent")
    with pytest.raises(GoneError):
        gone.sleep(60)
    pool.close()


def test_one_more_than_may_wait_is_refused_as_busy_and_those_who_left_make_room() -> None:
    async def scenario() -> None:
        threads = Threads(1, 1, "test")
        go, ran = threading.Event(), []
        first = asyncio.create_task(threads.run(lambda: go.wait()))
        second = asyncio.create_task(threads.run(lambda: ran.append("second")))
        await asyncio.sleep(0)
        with pytest.raises(RequestError) as refused:
            await threads.run(lambda: ran.append("third"))
        assert refused.value.status == 503
        second.cancel()  # its client has gone before it began
        await asyncio.gather(second, return_exceptions=True)
        await asyncio.sleep(0)
        fourth = asyncio.create_task(threads.run(lambda: ran.append("fourth")))
        go.set()
        await asyncio.gather(first, fourth)
        assert ran == ["fourth"]
        threads.close()

    asyncio.run(scenario())
