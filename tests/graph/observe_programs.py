"""Run as a script: executes programs under ``sys.setprofile``, prints the calls that happened. Needs ``os.fork``.

Reads a folder as a JSON string from each line of standard input; prints a JSON list of ``[caller, callee]`` pairs for
each, or the error as a string. A call from a frame outside the folder is no pair.
"""

from __future__ import annotations

import contextlib
import inspect
import io
import json
import os
import runpy
import sys
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

_INLINED = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")


def module_name(path: str, folder: str) -> str:
    parts = Path(path).relative_to(folder).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)


class Names:
    """Names of code objects as the graph gives them; class and module bodies are told apart from functions."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.names: dict[CodeType, str] = {}
        self.bodies: set[CodeType] = set()

    def add_file(self, path: str) -> None:
        top = compile(Path(path).read_text("utf-8"), path, "exec")
        name = module_name(path, self.folder)
        self.names[top] = name
        self.bodies.add(top)
        self._inside(top, name, {name: 1})

    def _inside(self, code: CodeType, name: str, seen: dict[str, int]) -> None:
        lambdas = 0
        for inner in code.co_consts:
            if not isinstance(inner, CodeType):
                continue
            if inner.co_name in _INLINED:
                self.names[inner] = name
                self._inside(inner, name, seen)
                continue
            if inner.co_name == "<lambda>":
                lambdas += 1
                own = f"{name}.<lambda{lambdas}>"
            else:
                own = f"{name}.{inner.co_name}"
                seen[own] = seen.get(own, 0) + 1
                own = own if seen[own] == 1 else f"{own}#{seen[own]}"
            self.names[inner] = own
            if not inner.co_flags & inspect.CO_OPTIMIZED:
                self.bodies.add(inner)
            self._inside(inner, own, seen)


def observe(folder: str) -> list[list[str]] | None:
    names = Names(folder)
    for path in sorted(Path(folder).rglob("*.py")):
        names.add_file(str(path))
    by_place = {(code.co_filename, code.co_name, code.co_firstlineno, code.co_qualname): code for code in names.names}
    # lambdas of one line share all four: told apart by their bytes
    by_code = {(code.co_filename, code.co_firstlineno, code.co_code, code.co_consts): code for code in names.names}
    pairs: set[tuple[str, str]] = set()

    def known(code: CodeType) -> CodeType | None:
        return by_code.get((code.co_filename, code.co_firstlineno, code.co_code, code.co_consts)) or by_place.get(
            (code.co_filename, code.co_name, code.co_firstlineno, code.co_qualname)
        )

    def profile(frame: FrameType, event: str, _argument: Any) -> None:
        if event != "call" or frame.f_back is None:
            return
        code, caller = known(frame.f_code), known(frame.f_back.f_code)
        if code is None or caller is None or code in names.bodies or code.co_name in _INLINED:
            return
        if not code.co_flags & (inspect.CO_GENERATOR | inspect.CO_COROUTINE):  # these are entered by who consumes them
            pairs.add((names.names[caller], names.names[code]))

    sys.path.insert(0, folder)
    os.chdir(folder)
    with contextlib.redirect_stdout(io.StringIO()):
        sys.setprofile(profile)
        try:
            runpy.run_path(str(Path(folder, "main.py")), run_name="__main__")
        finally:
            sys.setprofile(None)
    return [list(pair) for pair in sorted(pairs)]


def in_child(folder: str) -> Any:
    reading, writing = os.pipe()
    pid = os.fork()
    if not pid:
        try:
            found = json.dumps(observe(folder))
        except BaseException as error:
            found = json.dumps(f"{type(error).__name__}: {error}")
        os.write(writing, found.encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as pipe:
        found = pipe.read()
    os.waitpid(pid, 0)
    return json.loads(found)


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(in_child(json.loads(line))), flush=True)
