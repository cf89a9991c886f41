"""The vault: exact sources by content, in one SQLite file. What was published is pinned and never evicted.

An id is ``a_`` and the shortest prefix of the SHA-256, from 12 hex digits on, that no other artifact has. Insertion,
pinning and eviction are one write transaction, so no pruner can come between. One ``Vault`` serves one thread.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sqlite3
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from retrieval.context_ir.settings import DEFAULT_VAULT_BYTES
from retrieval.errors import UserError

VAULT_NAME = "vault.sqlite"
ID_DIGITS = 12
_DIGITS_MORE = 4
_BUSY_S = 30.0
_RETRY_S = 0.005

_SCHEMA = (
    "CREATE TABLE IF NOT EXISTS artifacts (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, "
    "sha256 TEXT NOT NULL UNIQUE, chars INTEGER NOT NULL, bytes INTEGER NOT NULL, pinned INTEGER NOT NULL, "
    "content BLOB NOT NULL)",
    "CREATE INDEX IF NOT EXISTS artifacts_by_pin ON artifacts (pinned, seq, bytes)",
    "CREATE TABLE IF NOT EXISTS exposures (artifact TEXT NOT NULL, ordinal INTEGER NOT NULL, role TEXT NOT NULL, "
    "format TEXT NOT NULL, PRIMARY KEY (artifact, ordinal, role, format)) WITHOUT ROWID",
)
_NAMES = frozenset({"artifacts", "artifacts_by_pin", "exposures"})


class VaultError(UserError):
    """The vault cannot be used, or does not hold what was asked for."""


class VaultFullError(VaultError):
    """Pinned evidence fills the vault."""


@dataclass(frozen=True, slots=True)
class Exposure:
    """Where a source was shown: index of the message, its role, the format. ``text`` is the exact source."""

    text: str
    ordinal: int
    role: str
    format: str


@dataclass(frozen=True, slots=True)
class Artifact:
    """``shown`` lists (ordinal, role, format) of each exposure, sorted."""

    id: str
    sha256: str
    text: str
    pinned: bool
    shown: tuple[tuple[int, str, str], ...]


def to_bytes(text: str) -> bytes:
    """Lone surrogates, which a Python string can hold, survive the round trip."""
    return text.encode("utf-8", "surrogatepass")


def digest_of(text: str) -> str:
    return hashlib.sha256(to_bytes(text)).hexdigest()


def expected_id(text: str) -> str:
    """The id that ``text`` gets unless another artifact's digest starts alike."""
    return f"a_{digest_of(text)[:ID_DIGITS]}"


def _use_wal(conn: sqlite3.Connection) -> None:
    """Switching to WAL does not wait for other connections by itself; it is done once in the life of a file."""
    deadline = time.monotonic() + _BUSY_S
    while conn.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
        try:
            conn.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError:
            if time.monotonic() > deadline:
                raise
            time.sleep(_RETRY_S)


class Vault:
    """A vault file, made when missing.

    Args:
        max_bytes: Capacity; the oldest unpinned artifacts go when an insertion passes it.

    Raises:
        VaultError: The file is a link, is damaged, is not a vault, or cannot be made.
    """

    def __init__(self, path: Path, *, max_bytes: int = DEFAULT_VAULT_BYTES, id_digits: int = ID_DIGITS) -> None:
        self.path = path
        self._max_bytes = max_bytes
        self._digits = id_digits
        self._conn = self._open()

    def close(self) -> None:
        self._conn.close()

    def __enter__(self) -> Vault:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _open(self) -> sqlite3.Connection:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            # A link planted here is refused by the kernel; the journal files take the mode of this one.
            fd = os.open(self.path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
            try:
                if hasattr(os, "fchmod") and os.fstat(fd).st_mode & 0o077:  # Windows has neither
                    os.fchmod(fd, 0o600)
            finally:
                os.close(fd)
            conn = sqlite3.connect(self.path, timeout=_BUSY_S, isolation_level=None)
        except (OSError, sqlite3.Error) as error:
            raise VaultError(
                f"The vault {self.path} cannot be opened ({error}).", f"Move it away or mend it: {self.path}"
            ) from None
        try:
            conn.execute("PRAGMA trusted_schema=OFF")
            _use_wal(conn)
            conn.execute("PRAGMA synchronous=FULL")
            names = {row[0] for row in conn.execute("SELECT name FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'")}
            if names - _NAMES:
                raise VaultError(f"{self.path} is not a vault of contextc's.", f"Move it away: {self.path}")
            if names != _NAMES:
                conn.execute("BEGIN IMMEDIATE")
                for statement in _SCHEMA:
                    conn.execute(statement)
                conn.execute("COMMIT")
        except sqlite3.Error as error:
            conn.close()
            raise self._damaged(error) from None
        except VaultError:
            conn.close()
            raise
        return conn

    def _damaged(self, error: sqlite3.Error) -> VaultError:
        return VaultError(f"The vault {self.path} cannot be used ({error}).", f"Move it away or mend it: {self.path}")

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            self._conn.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._conn.execute("COMMIT")
            except BaseException:
                if self._conn.in_transaction:
                    self._conn.execute("ROLLBACK")
                raise
        except sqlite3.Error as error:
            raise self._damaged(error) from None

    def put(self, text: str) -> str:
        """Store ``text`` unpinned: it may be evicted. Returns its id.

        Raises:
            VaultFullError: There is no room beside pinned evidence.
            VaultError: The file failed.
        """
        with self._writing():
            name = self._insert(text, pinned=False)
            self._make_room(keep={name})
        return name

    def publish(self, exposures: Sequence[Exposure]) -> tuple[str, ...]:
        """Store and pin sources with where they are shown, all or none, and read each back. Returns their ids in order.

        Raises:
            VaultFullError: Pinned evidence leaves no room.
            VaultError: The write failed, or what was read back differs.
        """
        with self._writing():
            names = tuple(self._insert(exposure.text, pinned=True) for exposure in exposures)
            self._conn.executemany(
                "INSERT OR IGNORE INTO exposures VALUES (?, ?, ?, ?)",
                [(name, one.ordinal, one.role, one.format) for name, one in zip(names, exposures, strict=True)],
            )
            self._make_room(keep=set(names))
        for name, exposure in zip(names, exposures, strict=True):
            stored = self.read(name)
            shown = (exposure.ordinal, exposure.role, exposure.format)
            if stored.text != exposure.text or not stored.pinned or shown not in stored.shown:
                raise VaultError(f"The vault {self.path} did not keep what was written.", "Check the disk.")
        return names

    def _insert(self, text: str, *, pinned: bool) -> str:
        data = to_bytes(text)
        digest = hashlib.sha256(data).hexdigest()
        query = "SELECT id, CAST(content AS BLOB) FROM artifacts WHERE sha256 = ?"
        row = self._conn.execute(query, (digest,)).fetchone()
        if row is not None:
            if row[1] != data:  # damaged since: what is known to be right replaces it
                self._conn.execute(
                    "UPDATE artifacts SET content = ?, chars = ?, bytes = ? WHERE id = ?",
                    (data, len(text), len(data), row[0]),
                )
            if pinned:
                self._conn.execute("UPDATE artifacts SET pinned = 1 WHERE id = ?", (row[0],))
            return str(row[0])
        digits = self._digits
        while self._conn.execute("SELECT 1 FROM artifacts WHERE id = ?", (f"a_{digest[:digits]}",)).fetchone():
            digits += _DIGITS_MORE
        name = f"a_{digest[:digits]}"
        self._conn.execute(
            "INSERT INTO artifacts (id, sha256, chars, bytes, pinned, content) VALUES (?, ?, ?, ?, ?, ?)",
            (name, digest, len(text), len(data), int(pinned), data),
        )
        return name

    def _make_room(self, keep: set[str]) -> None:
        over = self._total() - self._max_bytes
        if over > 0 and self._evict(over, keep) < over:
            raise VaultFullError(
                f"Pinned evidence fills the vault {self.path} ({self._max_bytes:,} bytes).",
                "Back it up and move it away, or raise CONTEXTC_VAULT_MAX_BYTES.",
            )

    def _total(self) -> int:
        return int(self._conn.execute("SELECT COALESCE(SUM(bytes), 0) FROM artifacts").fetchone()[0])

    def _evict(self, over: int, keep: set[str]) -> int:
        freed = 0
        doomed: list[tuple[int]] = []
        query = "SELECT seq, id, bytes FROM artifacts WHERE pinned = 0 ORDER BY seq"
        for seq, name, size in self._conn.execute(query):
            if freed >= over:
                break
            if name not in keep:
                freed += size
                doomed.append((seq,))
        self._conn.executemany("DELETE FROM artifacts WHERE seq = ? AND pinned = 0", doomed)
        return freed

    def prune(self, max_bytes: int) -> int:
        """Evict the oldest unpinned artifacts until at most ``max_bytes`` are held. Returns the bytes freed.

        Raises:
            VaultError: The file failed.
        """
        with self._writing():
            over = self._total() - max_bytes
            return self._evict(over, set()) if over > 0 else 0

    def read(self, name: str) -> Artifact:
        """The artifact, its text held against its digest, length and id.

        Raises:
            VaultError: There is none of that id, or it is damaged.
        """
        query = "SELECT id, sha256, chars, bytes, pinned, CAST(content AS BLOB) FROM artifacts WHERE id = ?"
        try:
            row = self._conn.execute(query, (name,)).fetchone()
            shown = self._conn.execute(
                "SELECT ordinal, role, format FROM exposures WHERE artifact = ? ORDER BY ordinal, role, format", (name,)
            ).fetchall()
        except sqlite3.Error as error:
            raise self._damaged(error) from None
        if row is None:
            raise VaultError(f"There is no artifact {name[:70]!r} in {self.path}.", "List them: contextc artifact list")
        found, digest, chars, size, pinned, data = row
        try:
            text = data.decode("utf-8", "surrogatepass")
        except (AttributeError, UnicodeDecodeError):
            text = None
        intact = (
            text is not None
            and len(text) == chars
            and len(data) == size
            and hashlib.sha256(data).hexdigest() == digest
            and found[:2] == "a_"
            and digest.startswith(found[2:])
        )
        if text is None or not intact:
            raise VaultError(f"The artifact {name} is damaged.", "Restore the vault from a backup.")
        return Artifact(found, digest, text, bool(pinned), tuple((int(a), str(b), str(c)) for a, b, c in shown))

    def ids(self) -> list[tuple[str, int, bool]]:
        """(id, characters, pinned) of every artifact, oldest first."""
        try:
            rows = self._conn.execute("SELECT id, chars, pinned FROM artifacts ORDER BY seq").fetchall()
        except sqlite3.Error as error:
            raise self._damaged(error) from None
        return [(str(name), int(chars), bool(pinned)) for name, chars, pinned in rows]
