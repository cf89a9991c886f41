"""Demands on Python's calls: logging, files, processes, requests, times, dataclasses; unused imports."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from agent.cca import checks as c
from agent.cca.python_source import Finding, Source, name_of

Finder = Callable[[Source, c.PythonCode], Finding]
_LEVELS = frozenset({"debug", "info", "warning", "warn", "error", "exception", "critical"})
_LOGGERS = frozenset({"logging", "log", "logger", "_log", "_logger", "LOG", "LOGGER"})
_HTTP = frozenset({"get", "post", "put", "patch", "delete", "head", "options", "request", "urlopen"})
_HTTP_OF = frozenset({"requests", "httpx", "session", "request"})
_RUNS = frozenset({"run", "Popen", "call", "check_call", "check_output"})


def calls_of(source: Source) -> Iterator[ast.Call]:
    return (node for node in ast.walk(source.tree) if isinstance(node, ast.Call))


def owner_of(call: ast.Call) -> str:
    """The name that a method is called on: ``log`` of ``self.log.info()``."""
    return name_of(call.func.value) if isinstance(call.func, ast.Attribute) else ""


def keyword(call: ast.Call, name: str) -> ast.expr | None:
    return next((each.value for each in call.keywords if each.arg == name), None)


def _unpacks(call: ast.Call) -> bool:
    """``f(**options)``: what is given cannot be told."""
    return any(each.arg is None for each in call.keywords)


def _log_calls(source: Source) -> list[ast.Call]:
    return [call for call in calls_of(source) if name_of(call.func) in _LEVELS and owner_of(call) in _LOGGERS]


def _is_composed(node: ast.expr) -> bool:
    if isinstance(node, ast.JoinedStr):
        return any(isinstance(part, ast.FormattedValue) for part in node.values)
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, ast.Mod) or (
            isinstance(node.op, ast.Add)
            and any(_is_text(side) or _is_composed(side) for side in (node.left, node.right))
        )
    return isinstance(node, ast.Call) and name_of(node.func) == "format" and isinstance(node.func, ast.Attribute)


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def lazy_logging(source: Source, check: c.PythonCode) -> Finding:
    found = [call for call in _log_calls(source) if call.args]
    return bool(found), [call.lineno for call in found if _is_composed(call.args[0])]


def named_logger(source: Source, check: c.PythonCode) -> Finding:
    """Loggers are of the module; the root logger is not called."""
    made = [call for call in calls_of(source) if name_of(call.func) == "getLogger"]
    wrong = [call.lineno for call in made if not (len(call.args) == 1 and name_of(call.args[0]) == "__name__")]
    direct = [call.lineno for call in _log_calls(source) if owner_of(call) == "logging"]
    return bool(made or direct), wrong + direct


def _opens(source: Source) -> list[ast.Call]:
    return [call for call in calls_of(source) if isinstance(call.func, ast.Name) and call.func.id == "open"]


def open_encoding(source: Source, check: c.PythonCode) -> Finding:
    found = [call for call in _opens(source) if not _is_binary(call) and not _unpacks(call)]
    return bool(found), [call.lineno for call in found if keyword(call, "encoding") is None and len(call.args) < 4]


def _is_binary(call: ast.Call) -> bool:
    mode = call.args[1] if len(call.args) > 1 else keyword(call, "mode")
    return isinstance(mode, ast.Constant) and "b" in str(mode.value)


def with_open(source: Source, check: c.PythonCode) -> Finding:
    found = _opens(source)
    managed: set[int] = set()
    for node in ast.walk(source.tree):
        if isinstance(node, ast.withitem):
            managed.update(id(each) for each in ast.walk(node.context_expr))
        elif isinstance(node, ast.Call) and name_of(node.func) in ("enter_context", "closing"):
            managed.update(id(each) for each in node.args)
    return bool(found), [call.lineno for call in found if id(call) not in managed]


def no_os_path(source: Source, check: c.PythonCode) -> Finding:
    wrong = []
    for node in ast.walk(source.tree):
        attribute = isinstance(node, ast.Attribute) and node.attr == "path" and name_of(node.value) == "os"
        plain = isinstance(node, ast.Import) and any(name.name == "os.path" for name in node.names)
        if isinstance(node, ast.ImportFrom):
            plain = node.module == "os.path" or (node.module == "os" and any(n.name == "path" for n in node.names))
        if attribute or plain:
            wrong.append(getattr(node, "lineno", 0))
    return bool(source.tree.body), wrong


def _process_calls(source: Source) -> list[ast.Call]:
    return [call for call in calls_of(source) if name_of(call.func) in _RUNS and owner_of(call) in ("subprocess", "sp")]


def no_shell_true(source: Source, check: c.PythonCode) -> Finding:
    wrong = [
        call.lineno
        for call in calls_of(source)
        if isinstance(value := keyword(call, "shell"), ast.Constant) and value.value is True
    ]
    return bool(source.tree.body), wrong


def check_true(source: Source, check: c.PythonCode) -> Finding:
    found = [call for call in _process_calls(source) if name_of(call.func) == "run" and not _unpacks(call)]

    def checked(call: ast.Call) -> bool:
        value = keyword(call, "check")
        return isinstance(value, ast.Constant) and value.value is True

    return bool(found), [call.lineno for call in found if not checked(call)]


def argument_lists(source: Source, check: c.PythonCode) -> Finding:
    found = [call for call in _process_calls(source) if call.args]
    return bool(found), [
        call.lineno for call in found if _is_text(call.args[0]) or isinstance(call.args[0], ast.JoinedStr)
    ]


def process_timeout(source: Source, check: c.PythonCode) -> Finding:
    found = [call for call in _process_calls(source) if name_of(call.func) != "Popen" and not _unpacks(call)]
    return bool(found), [call.lineno for call in found if keyword(call, "timeout") is None]


def http_timeout(source: Source, check: c.PythonCode) -> Finding:
    found = [
        call
        for call in calls_of(source)
        if name_of(call.func) in _HTTP
        and (owner_of(call) in _HTTP_OF or name_of(call.func) == "urlopen")
        and not _unpacks(call)
    ]
    return bool(found), [call.lineno for call in found if keyword(call, "timeout") is None]


def aware_times(source: Source, check: c.PythonCode) -> Finding:
    wrong, seen = [], False
    for call in calls_of(source):
        name = name_of(call.func)
        if owner_of(call) not in ("datetime", "dt") or name not in (
            "now",
            "utcnow",
            "utcfromtimestamp",
            "fromtimestamp",
        ):
            continue
        seen = True
        needs = {"now": 1, "fromtimestamp": 2}.get(name)
        if needs is None or (len(call.args) < needs and keyword(call, "tz") is None):
            wrong.append(call.lineno)
    return seen, wrong


def _dataclasses(source: Source, option: str) -> Finding:
    seen, wrong = False, []
    for node in ast.walk(source.tree):
        if not isinstance(node, ast.ClassDef):
            continue
        for mark in node.decorator_list:
            call = mark if isinstance(mark, ast.Call) else None
            if name_of(call.func if call else mark) != "dataclass":
                continue
            seen = True
            value = keyword(call, option) if call else None
            if not (isinstance(value, ast.Constant) and value.value is True):
                wrong.append(mark.lineno)
    return seen, wrong


def no_unused_imports(source: Source, check: c.PythonCode) -> Finding:
    """A name that is imported at the top and never read; of ``__future__``, of a package's own names nothing."""
    bound: dict[str, int] = {}
    for node in source.tree.body:
        if isinstance(node, ast.Import | ast.ImportFrom) and getattr(node, "module", "") != "__future__":
            for name in node.names:
                bound.setdefault((name.asname or name.name).split(".")[0], node.lineno)
    other = [each for each in source.tree.body if not isinstance(each, ast.Import | ast.ImportFrom)]
    if not bound or not other:
        return False, []
    read = {node.id for each in other for node in ast.walk(each) if isinstance(node, ast.Name)}
    texts = " ".join(
        node.value
        for each in other
        for node in ast.walk(each)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )
    return True, [line for name, line in bound.items() if name not in read and name != "*" and name not in texts]


FINDERS: dict[str, Finder] = {
    "lazy_logging": lazy_logging,
    "named_logger": named_logger,
    "open_encoding": open_encoding,
    "with_open": with_open,
    "no_os_path": no_os_path,
    "no_shell_true": no_shell_true,
    "check_true": check_true,
    "argument_lists": argument_lists,
    "process_timeout": process_timeout,
    "http_timeout": http_timeout,
    "aware_times": aware_times,
    "frozen_dataclasses": lambda source, check: _dataclasses(source, "frozen"),
    "slots_dataclasses": lambda source, check: _dataclasses(source, "slots"),
    "no_unused_imports": no_unused_imports,
}
