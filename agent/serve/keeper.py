"""Keeps the index current while a server runs, by ``agent.watch`` in a process aside: this module, run.

Aside, because an update of many files would keep the interpreter from answering, and gives its memory back only by
ending.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import threading
from pathlib import Path

from agent.session import Warn
from retrieval.errors import UserError
from retrieval.index.location import Location, for_writing, locate
from retrieval.index.report import IndexReport

_STOP_S = 5.0
_PACKAGES = Path(__file__).resolve().parents[2]


class Keeper:
    """Counts the updates that the process aside has made.

    Args:
        warn: Told in one line, from another thread, what keeps an update from being made.
    """

    def __init__(self, location: Location, warn: Warn) -> None:
        self._location = location
        self._warn = warn
        self._changed = threading.Condition()
        self._updates = 0
        self._process: subprocess.Popen[str] | None = None
        self._stopped = False

    @property
    def updates(self) -> int:
        return self._updates

    def start(self) -> None:
        # -P: a package of the same name in the folder we stand in, which may be the tree itself, must not be run.
        command = [sys.executable, "-P", "-m", __name__, str(self._location.root)]
        path = os.pathsep.join(filter(None, (str(_PACKAGES), os.environ.get("PYTHONPATH"))))
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": path},
            start_new_session=True,  # Ctrl-C is the server's, which then ends this process
        )
        threading.Thread(target=self._listen, args=(self._process,), name="keeper", daemon=True).start()

    def wait_for_update(self, seen: int, timeout_s: float) -> bool:
        """Whether there are more than ``seen`` updates by now, or within ``timeout_s`` seconds."""
        with self._changed:
            self._changed.wait_for(lambda: self._updates > seen or self._process is None, timeout_s)
            return self._updates > seen

    def close(self) -> None:
        """End the process; an update that is going on is dropped, and the last complete index stays."""
        process, self._stopped = self._process, True
        if process is None:
            return
        with contextlib.suppress(OSError):
            process.terminate()
        try:
            process.wait(_STOP_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def _listen(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None  # noqa: S101 - a pipe, see start
        for line in process.stdout:
            told = json.loads(line)
            if "problem" in told:
                self._warn(told["problem"])
                continue
            with self._changed:
                self._updates += 1
                self._changed.notify_all()
        code = process.wait()
        with self._changed:
            self._process = None
            self._changed.notify_all()
        if not self._stopped:
            self._warn(f"The index is no longer kept current (its process ended with {code}). Start the server again.")


def main() -> None:
    """Watch the tree that the command line names, one line of JSON to an update or a problem, until stdin ends.

    Stdin is the server's end of a pipe: it ends with the server, however that ends.
    """
    from agent.watch import watch_index

    stop = threading.Event()
    lock = threading.Lock()

    def tell(**line: object) -> None:
        with lock, contextlib.suppress(OSError):
            sys.stdout.write(json.dumps(line) + "\n")
            sys.stdout.flush()

    def wait_for_end() -> None:
        sys.stdin.read()
        stop.set()

    def updated(report: IndexReport) -> None:
        tell(mode=report.mode)

    threading.Thread(target=wait_for_end, daemon=True).start()
    try:
        location = for_writing(locate(Path(sys.argv[1]), explicit=True))
        watch_index(location, updated, lambda text: tell(problem=text), stop=stop)
    except UserError as error:  # the tree is gone
        tell(problem=f"{error.cause} {error.mend}")
        sys.exit(2)
    except OSError as error:
        tell(problem=f"The system refused {error.filename or sys.argv[1]}: {error.strerror or error}.")
        sys.exit(2)


if __name__ == "__main__":
    main()
