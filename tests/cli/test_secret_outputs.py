"""A secret in a file reaches no output of any command and no service, names and signatures included."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from agent.cli.main import main
from retrieval.index.build import update_index
from retrieval.index.location import locate

GITHUB = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
OPENAI = "sk-proj-" + "Abcd1234Efgh5678Ijkl9012Mnop3456Qrst7890"
AWS = "AKIA" + "IOSFODNN7EXAMPLQ"
SECRETS = (GITHUB, OPENAI, AWS)
TREE = {
    ".env": f"KEY={AWS}\n",
    "conf.py": f'AWS_KEY = "{AWS}"\n\n\ndef connect(key="{GITHUB}"):\n    """Connect with {OPENAI}."""\n'
    f'    # key {GITHUB}\n    return "{OPENAI}"\n\n\nclass Client:\n    token = "{GITHUB}"\n\n'
    f'    @deco("{GITHUB}")\n    def run(self, key="{OPENAI}"):\n        raise ValueError("{AWS}")\n',
    "doc.md": f"# Key {GITHUB}\n\nUse {OPENAI} to connect.\n",
    "c.toml": f'["{GITHUB}"]\ntoken = "{OPENAI}"\n',
    "tokens.py": "def tokenize(text):\n    return text.split()\n",
}
QUESTIONS = (
    "what does connect do",
    "where is AWS_KEY",
    "key token connect",
    "who calls connect",
    "what does Client.run do",
)


@pytest.mark.parametrize("command", [("search",), ("search", "--json"), ("pack",), ("pack", "--json"), ("pack", "--explain"), ("ask",), ("ask", "--json")])  # fmt: skip
def test_no_command_prints_a_secret(
    write_tree: Callable[..., Path], capsys: pytest.CaptureFixture[str], command: tuple[str, ...]
) -> None:
    root = write_tree(TREE)
    for question in QUESTIONS:
        assert main([*command, question, "--root", str(root)]) == 0
        shown = "".join(capsys.readouterr())
        assert not [secret for secret in SECRETS if secret in shown], (question, shown)
        assert "conf.py" in shown


class _RemoteEmbedder:
    model_id, dim, local, batch_size = "remote-1", 4, False, 8

    def __init__(self) -> None:
        self.received: list[str] = []

    def embed_documents(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        self.received.extend(texts)
        return np.full((len(texts), 4), 0.5, np.float32)

    def embed_query(self, text: str) -> npt.NDArray[np.float32]:
        raise AssertionError(text)


def test_no_secret_is_sent_to_an_embedding_service(
    write_tree: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    remote = _RemoteEmbedder()
    monkeypatch.setattr("retrieval.index.run.load_embedder", lambda _spec: remote)
    update_index(locate(write_tree(TREE), explicit=True), workers=1)
    sent = "\n".join(remote.received)
    assert "tokenize" in sent
    assert not [secret for secret in SECRETS if secret in sent]
