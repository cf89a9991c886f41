"""Runs a check that a model wrote in Python, only where the user allowed it: a separate process that can compute and
nothing else.

The child reads the code and the answer from its standard input, then gives up everything: limits on CPU time, memory,
file size and processes, and a seccomp filter under which every system call but those of computing, writing to the open
pipes and leaving fails. It has no network, opens no file, starts nothing. A crash, a limit or nonsense on its output is
"no verdict", never a violation. Linux on x86-64 and arm64; elsewhere generated code is not run.
"""

from __future__ import annotations

import json
import platform
import subprocess
import sys

from agent.cca.interpret import Verdict

CPU_SECONDS = 2
WALL_SECONDS = 5.0
MEMORY_BYTES = 512 << 20
MAX_CODE_CHARS = 20_000
MAX_ANSWER_CHARS = 400_000

# Numbers of: read write close brk mmap munmap mremap mprotect madvise futex rt_sigreturn rt_sigaction rt_sigprocmask
# clock_gettime getrandom exit exit_group sched_yield (arch/x86/entry/syscalls/syscall_64.tbl, asm-generic/unistd.h).
_ALLOWED = {
    "x86_64": (0xC000003E, (0, 1, 3, 12, 9, 11, 25, 10, 28, 202, 15, 13, 14, 228, 318, 60, 231, 24)),
    "aarch64": (0xC00000B7, (63, 64, 57, 214, 222, 215, 216, 226, 233, 98, 139, 134, 135, 113, 278, 93, 94, 124)),
}

_CHILD = r"""
import sys, json
import re, math, string, collections, datetime, unicodedata, statistics, textwrap, itertools, functools, decimal
job = json.loads(sys.stdin.buffer.read())
code = compile(job["code"], "<generated check>", "exec")
import ctypes, resource, struct
for what, value in ((resource.RLIMIT_CPU, job["cpu"]), (resource.RLIMIT_AS, job["memory"]), (resource.RLIMIT_FSIZE, 0),
                    (resource.RLIMIT_NPROC, 0), (resource.RLIMIT_CORE, 0)):
    resource.setrlimit(what, (value, value))
arch, allowed = job["arch"], job["allowed"]
LOAD, JEQ, JGE, RET = 0x20, 0x15, 0x35, 0x06
KILL, ERRNO, ALLOW = 0x80000000, 0x00050001, 0x7FFF0000
rows = [(LOAD, 0, 0, 4), (JEQ, 1, 0, arch), (RET, 0, 0, KILL), (LOAD, 0, 0, 0)]
rows += [(JGE, 0, 1, 0x40000000), (RET, 0, 0, KILL)]
for number in allowed:
    rows += [(JEQ, 0, 1, number), (RET, 0, 0, ALLOW)]
rows.append((RET, 0, 0, ERRNO))
program = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *row) for row in rows))
class Filter(ctypes.Structure):
    _fields_ = [("len", ctypes.c_ushort), ("filter", ctypes.c_void_p)]
libc = ctypes.CDLL(None, use_errno=True)
out = sys.stdout
result = None
if libc.prctl(38, 1, 0, 0, 0) == 0:
    spec = Filter(len(rows), ctypes.addressof(program))
    if libc.prctl(22, 2, ctypes.byref(spec), 0, 0) == 0:
        space = {"__name__": "check", "re": re, "math": math, "json": json, "string": string, "datetime": datetime,
                 "collections": collections, "unicodedata": unicodedata, "statistics": statistics}
        exec(code, space)
        result = space["check"](job["answer"])
out.write("\x00" + json.dumps({"result": result if isinstance(result, bool) else None}))
out.flush()
"""


def supported() -> bool:
    return sys.platform == "linux" and platform.machine() in _ALLOWED


def run_generated(code: str, answer: str) -> Verdict:
    """Call ``check(answer)`` of the generated ``code``: True holds, False is a violation, anything else no verdict."""
    if not supported():
        return Verdict("no_verdict", "generated code is not run on this platform")
    if len(code) > MAX_CODE_CHARS or len(answer) > MAX_ANSWER_CHARS:
        return Verdict("no_verdict", "too large to check")
    arch, allowed = _ALLOWED[platform.machine()]
    job = {
        "code": code,
        "answer": answer,
        "cpu": CPU_SECONDS,
        "memory": MEMORY_BYTES,
        "arch": arch,
        "allowed": allowed,
    }
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-B", "-c", _CHILD],
            input=json.dumps(job).encode(),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=WALL_SECONDS,
            env={},
            cwd="/",
            check=False,
        )
    except (subprocess.TimeoutExpired, OSError):
        return Verdict("no_verdict", "the generated check did not finish")
    return _verdict(done.returncode, done.stdout)


def _verdict(code: int, output: bytes) -> Verdict:
    """Only the last record counts; what the generated code printed before it is nothing."""
    try:
        result = json.loads(output.rsplit(b"\0", 1)[1])["result"] if code == 0 else None
    except (IndexError, ValueError, KeyError, TypeError):
        result = None
    if result is True:
        return Verdict("holds")
    if result is False:
        return Verdict("violated", "a generated check says so")
    return Verdict("no_verdict", "the generated check gave no verdict")
