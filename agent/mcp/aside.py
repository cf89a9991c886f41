"""Indexing in a process of its own: this module, run. For work that would take long in a thread of the server.

Aside it uses every processor (a process with threads must not fork, so none may run here), keeps no answer waiting for
the interpreter, and gives its memory back. It prints lines of JSON, and ends when nobody reads them any more.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from retrieval.errors import UserError
from retrieval.index.location import Location, for_writing, locate
from retrieval.index.lock import IndexBusyError
from retrieval.index.report import Progress

_PACKAGES = Path(__file__).resolve().parents[2]
_TOLD_EVERY_S = 0.5


def index_aside(location: Location, progress: Progress) -> str:
    """Bring the index of ``location`` up to date in a process aside; one line on what was done.

    Raises:
        IndexBusyError: Another process is writing this index.
        UserError: As `retrieval.index.build.update_index`; or the process failed.
    """
    # -P: a package of the same name in the folder we stand in, which may be the tree itself, must not be run.
    command = [sys.executable, "-P", "-m", __name__, str(location.root)]
    path = os.pathsep.join(filter(None, (str(_PACKAGES), os.environ.get("PYTHONPATH"))))
    done = ""
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": path},
        start_new_session=True,
    ) as process:
        assert process.stdout is not None  # noqa: S101 - a pipe, see above
        fault: UserError | None = None
        for line in process.stdout:
            told = json.loads(line)
            if "phase" in told:
                progress(told["phase"], told["done"], told["total"])
            elif "cause" in told:
                fault = (IndexBusyError if told["busy"] else UserError)(told["cause"], told["mend"])
            else:
                done = told["report"]
    if fault is not None:
        raise fault
    if process.returncode != 0 or not done:
        raise UserError(f"Indexing ended with code {process.returncode}.", f"Look: contextc index {location.root}")
    return done


def main() -> None:
    """Index the tree that the command line names."""
    from retrieval.index.build import update_index

    def tell(**line: Any) -> None:
        try:
            sys.stdout.write(json.dumps(line) + "\n")
            sys.stdout.flush()
        except BrokenPipeError:  # the server is gone; what is built so far stands aside and is thrown away
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            raise SystemExit(1) from None

    last = 0.0

    def progress(phase: str, done: int, total: int) -> None:
        nonlocal last
        if done == total or time.monotonic() - last > _TOLD_EVERY_S:
            last = time.monotonic()
            tell(phase=phase, done=done, total=total)

    try:
        report = update_index(for_writing(locate(Path(sys.argv[1]), explicit=True)), progress=progress)
    except UserError as error:
        tell(cause=error.cause, mend=error.mend, busy=isinstance(error, IndexBusyError))
        return
    tell(report=f"{report.mode}: {report.counts['files']:,} files in {report.seconds:.2f} s")


if __name__ == "__main__":
    main()
