"""The vault keeps what was published: through pruning, many writers, damage and kills."""

from __future__ import annotations

import os
import random
import sqlite3
import stat
from functools import partial
from pathlib import Path

import pytest
from forked import in_child
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from retrieval.context_ir.settings import DEFAULT_VAULT_BYTES, vault_bytes_from_env
from retrieval.context_ir.tools import artifact_find, artifact_get, artifact_peek, call
from retrieval.context_ir.vault import Exposure, Vault, VaultError, VaultFullError, digest_of, expected_id


def shown(text: str, ordinal: int = 1) -> Exposure:
    return Exposure(text, ordinal, "user", "spans")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(st.lists(st.text(st.characters(exclude_categories=()), max_size=60), min_size=1, max_size=5))
def test_every_text_comes_back_exactly(tmp_path: Path, texts: list[str]) -> None:
    with Vault(tmp_path / "v.sqlite") as vault:
        names = vault.publish([shown(text, at) for at, text in enumerate(texts)])
        assert [vault.read(name).text for name in names] == texts
        assert len(set(names)) == len(set(texts))


def test_a_collision_lengthens_the_id(tmp_path: Path) -> None:
    with Vault(tmp_path / "v.sqlite", id_digits=1) as vault:
        names = vault.publish([shown(f"text {at}") for at in range(40)])
        assert len(set(names)) == 40 and {len(name) - 2 for name in names} > {1}
        for at, name in enumerate(names):
            assert vault.read(name).text == f"text {at}" and digest_of(f"text {at}").startswith(name[2:])
        assert vault.publish([shown("text 7")]) == (names[7],)  # the same content keeps its id


def test_files_are_private_and_links_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "v.sqlite"
    with Vault(path) as vault:
        vault.publish([shown("x")])
        for each in path.parent.iterdir():
            assert stat.S_IMODE(each.stat().st_mode) & 0o077 == 0, each
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    path.chmod(0o644)
    Vault(path).close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    (tmp_path / "link.sqlite").symlink_to(path)
    with pytest.raises(VaultError):
        Vault(tmp_path / "link.sqlite")


def test_capacity_evicts_the_oldest_unpinned_and_never_what_was_published(tmp_path: Path) -> None:
    with Vault(tmp_path / "v.sqlite", max_bytes=3000) as vault:
        (pinned,) = vault.publish([shown("p" * 1000)])
        loose = [vault.put(f"{at}" * 900) for at in range(5)]
        held = {name for name, _, _ in vault.ids()}
        assert pinned in held and loose[0] not in held and loose[-1] in held
        vault.publish([shown("q" * 1900)])
        assert {name for name, _, is_pinned in vault.ids() if not is_pinned} == set()
        with pytest.raises(VaultFullError):
            vault.publish([shown("r" * 1000)])
        with pytest.raises(VaultFullError):
            vault.put("s" * 1000)
        assert vault.read(pinned).text == "p" * 1000 and len(vault.ids()) == 2
        assert vault.prune(0) == 0


def test_what_was_put_is_pinned_when_it_is_published(tmp_path: Path) -> None:
    with Vault(tmp_path / "v.sqlite") as vault:
        name = vault.put("text")
        assert vault.publish([shown("text", 4)]) == (name,)
        assert vault.prune(0) == 0 and vault.read(name).shown == ((4, "user", "spans"),)


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE artifacts SET content = CAST('other text' AS BLOB)",
        "UPDATE artifacts SET content = substr(content, 2)",
        "UPDATE artifacts SET sha256 = '00' || substr(sha256, 3)",
        "UPDATE artifacts SET chars = chars + 1",
        "UPDATE artifacts SET content = X'ff' || substr(content, 2)",
        "UPDATE artifacts SET content = 'text of another type'",
    ],
)
def test_damage_is_noticed_when_it_is_read(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "v.sqlite"
    with Vault(path) as vault:
        (name,) = vault.publish([shown("the exact text")])
    conn = sqlite3.connect(path)
    with conn:
        conn.execute(damage)
    conn.close()
    with Vault(path) as vault, pytest.raises(VaultError, match="damaged"):
        vault.read(name)


def test_damaged_content_is_mended_by_publishing_it_again(tmp_path: Path) -> None:
    path = tmp_path / "v.sqlite"
    with Vault(path) as vault:
        (name,) = vault.publish([shown("the exact text")])
        vault._conn.execute("UPDATE artifacts SET content = X'00'")
        assert vault.publish([shown("the exact text")]) == (name,)
        assert vault.read(name).text == "the exact text"


@pytest.mark.parametrize("content", [b"", b"not a database" * 100, b"SQLite format 3\0" + b"\xff" * 5000])
def test_what_is_no_vault_is_an_error_and_stays(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "v.sqlite"
    path.write_bytes(content)
    if not content:
        Vault(path).close()  # an empty file is a vault that was killed before its first page
        return
    with pytest.raises(VaultError):
        Vault(path)
    assert path.read_bytes() == content
    other = tmp_path / "other.sqlite"
    conn = sqlite3.connect(other)
    conn.execute("CREATE TABLE t (x)")
    conn.close()
    with pytest.raises(VaultError, match="not a vault"):
        Vault(other)


@pytest.mark.parametrize(
    "planted",
    [
        "CREATE TRIGGER t AFTER INSERT ON artifacts BEGIN DELETE FROM artifacts; END",
        "CREATE VIEW v AS SELECT * FROM artifacts",
        "CREATE TABLE more (x)",
    ],
)
def test_a_vault_with_foreign_parts_is_not_used(tmp_path: Path, planted: str) -> None:
    """It may have come with somebody's repository."""
    path = tmp_path / "v.sqlite"
    Vault(path).close()
    conn = sqlite3.connect(path)
    with conn:
        conn.execute(planted)
    conn.close()
    with pytest.raises(VaultError, match="not a vault"):
        Vault(path)


def test_a_planted_row_cannot_pose_as_another_source(tmp_path: Path) -> None:
    with Vault(tmp_path / "v.sqlite") as vault:
        wanted = expected_id("the real source")
        vault.put("a false source")
        vault._conn.execute("UPDATE artifacts SET id = ?", (wanted,))
        with pytest.raises(VaultError, match="damaged"):
            vault.read(wanted)
        (name,) = vault.publish([shown("the real source")])
        assert name != wanted and vault.read(name).text == "the real source"


def write_and_prune(path: Path, me: int, pipe: int) -> None:
    rng = random.Random(me)
    for at in range(6):
        with Vault(path, max_bytes=60_000) as vault:
            for loose in range(2):
                vault.put(f"{me} {at} {loose} " + "x" * 2000)
            text = f"evidence {me} {at} " + "y" * 100
            names = vault.publish([shown(text, at), Exposure(f"shared {at}", at, "user", "table")])
            os.write(pipe, f"{names[0]} {me} {at}\n".encode())
            vault.prune(rng.randrange(20_000))


def test_sixteen_writers_and_pruners_lose_no_published_evidence(tmp_path: Path) -> None:
    path = tmp_path / "v.sqlite"
    reading, writing = os.pipe()
    children = [in_child(partial(write_and_prune, path, me, writing)) for me in range(16)]
    assert [os.waitpid(child, 0)[1] for child in children] == [0] * 16
    os.close(writing)
    with os.fdopen(reading) as pipe:
        told = [line.rstrip("\n").split(" ", 1) for line in pipe]
    assert len(told) == 16 * 6
    with Vault(path) as vault:
        for name, which in told:
            found = vault.read(name)
            assert found.pinned and found.text.startswith(f"evidence {which} ")
        assert sum(is_pinned for _, _, is_pinned in vault.ids()) == 16 * 6 + 6
        assert vault._conn.execute("PRAGMA integrity_check").fetchone()[0] == "ok"


def test_tools_page_peek_and_find(tmp_path: Path) -> None:
    with Vault(tmp_path / "v.sqlite") as vault:
        text = "".join(f"line {at} of the Harbour log\n" for at in range(900))
        (name,) = vault.publish([shown(text)])
        vault.put("unpublished Harbour")
        whole, offset = "", 0
        while offset is not None:
            page = artifact_get(vault, name, offset, 3001)
            whole, offset = whole + page.text, page.next_offset
        assert whole == text
        assert len(artifact_get(vault, name, 0, 10**9).text) == 20_000
        assert artifact_get(vault, name, 10**9).text == "" and artifact_get(vault, name, 10**9).next_offset is None
        peek = artifact_peek(vault, name)
        assert (peek["chars"], peek["lines"], peek["start"][:6]) == (len(text), 900, "line 0")
        hits = artifact_find(vault, "LINE 42 ")
        assert [(hit["artifact_id"], hit["text"]) for hit in hits] == [(name, "line 42 of the Harbour log")]
        assert text[hits[0]["offset"] :].startswith("line 42 ")
        assert len(artifact_find(vault, "harbour", limit=10**6)) == 50
        assert '"text": "line 0' in call(vault, "artifact_get", f'{{"artifact_id": "{name}", "limit": 9}}')
        for wrong in ("", "[]", "{", '{"artifact_id": 3}', f'{{"artifact_id": "{name}", "offset": -1}}', "[" * 10**5):
            assert "error" in call(vault, "artifact_get", wrong)
        assert "error" in call(vault, "rm", "{}") and "error" in call(vault, "artifact_find", "{}")


def test_capacity_from_the_environment() -> None:
    assert vault_bytes_from_env({}) == DEFAULT_VAULT_BYTES
    assert vault_bytes_from_env({"CONTEXTC_VAULT_MAX_BYTES": "5000000"}) == 5_000_000
    assert vault_bytes_from_env({"CONTEXTC_VAULT_MAX_BYTES": "7"}) == 1024 * 1024
    assert vault_bytes_from_env({"CONTEXTC_VAULT_MAX_BYTES": "lots"}) == DEFAULT_VAULT_BYTES
    assert expected_id("") == "a_e3b0c44298fc"
