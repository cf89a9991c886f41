"""A pytest plugin that records which functions of a tree really called which, for ``harness.graph_oracle``.

It runs inside the process of the traced test suite, so it imports nothing but the standard library. A pair is recorded
when the frame that called is a frame of the tree and no C function stands between (``sorted(key=f)`` calls ``f``
through ``sorted``, which is code outside the tree). Of a generator or coroutine only the first step counts.

``CONTEXTC_TRACE_ROOT`` is the tree, ``CONTEXTC_TRACE_OUT`` the file that receives JSON:
``[[caller path, caller first line, caller name, callee path, callee first line, callee name, line of the call,
callee is a generator, caller names the callee], ...]``, sorted.
"""

from __future__ import annotations

import dis
import inspect
import json
import os
import sys
import threading
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

_INLINE = frozenset({"<listcomp>", "<setcomp>", "<dictcomp>"})
_STEPPED = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
#: Run at the garbage collector's or the compiler's convenience, wherever the program happens to be.
_NOBODYS = frozenset({"__del__", "<module>", "<genexpr>", *_INLINE})


class Recorder:
    """The profile function and what it has seen."""

    def __init__(self, root: str) -> None:
        self._root = root.rstrip(os.sep) + os.sep
        self._paths: dict[CodeType, str] = {}
        self._starts: dict[CodeType, int] = {}
        self._seen: set[tuple[CodeType, CodeType]] = set()
        self._in_c: set[FrameType] = set()
        self.pairs: set[tuple[str, int, str, str, int, str, int, bool, bool]] = set()

    def profile(self, frame: FrameType, event: str, _argument: Any) -> None:
        if event == "c_call":
            self._in_c.add(frame)
        elif event in ("c_return", "c_exception", "return"):
            self._in_c.discard(frame)
        elif event == "call":
            caller = frame.f_back
            code = frame.f_code
            if caller is None or caller in self._in_c or not self._path(code):
                return
            while caller.f_code.co_name in _INLINE and caller.f_back is not None:
                caller = caller.f_back
            if (caller.f_code, code) not in self._seen:
                self._record(caller, frame)

    def _record(self, caller: FrameType, frame: FrameType) -> None:
        code, source = frame.f_code, caller.f_code
        path = self._path(source)
        stepped = bool(code.co_flags & _STEPPED)
        if not path or code.co_name in _NOBODYS or _is_class_body(code) or (stepped and not self._is_first(frame)):
            return
        self._seen.add((source, code))
        names = code.co_name in source.co_names or code.co_name in source.co_freevars or not stepped
        self.pairs.add(
            (
                path,
                source.co_firstlineno,
                source.co_name,
                self._path(code),
                code.co_firstlineno,
                code.co_name,
                caller.f_lineno or 0,
                stepped,
                names or code.co_name in source.co_varnames or code.co_name in source.co_cellvars,
            )
        )

    def _path(self, code: CodeType) -> str:
        """Relative to the root; "" for code outside of it."""
        path = self._paths.get(code)
        if path is None:
            name = code.co_filename
            path = name[len(self._root) :] if name.startswith(self._root) else ""
            self._paths[code] = path
        return path

    def _is_first(self, frame: FrameType) -> bool:
        code = frame.f_code
        start = self._starts.get(code)
        if start is None:
            start = next((step.offset for step in dis.get_instructions(code) if step.opname == "RESUME"), 0)
            self._starts[code] = start
        return frame.f_lasti <= start


def _is_class_body(code: CodeType) -> bool:
    return not code.co_flags & inspect.CO_OPTIMIZED


def _begin() -> Recorder | None:
    root = os.environ.get("CONTEXTC_TRACE_ROOT")
    if not root:
        return None
    recorder = Recorder(os.path.realpath(root))
    threading.setprofile(recorder.profile)
    sys.setprofile(recorder.profile)
    return recorder


_recorder = _begin()


def pytest_unconfigure() -> None:
    if _recorder is not None:
        sys.setprofile(None)
        threading.setprofile(None)
        Path(os.environ["CONTEXTC_TRACE_OUT"]).write_text(json.dumps(sorted(_recorder.pairs)), encoding="utf-8")
