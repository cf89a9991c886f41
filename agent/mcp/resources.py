"""Resources: ``contextc://file/PATH`` (with ``#L10-L20`` for lines) and ``contextc://pack/QUESTION``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import quote, unquote

from agent.session import Session
from agent.tools.context import FileLines
from agent.tools.paths import read_now, validate_path
from retrieval.errors import UserError
from retrieval.index.codec import split_lines
from retrieval.index.reader import IndexReader

FILE = "contextc://file/"
PACK = "contextc://pack/"
PAGE = 500  # files of one page of the list
_MAX_URI = 8_000
_MAX_CHARS = 400_000
_PACK_TOKENS = 4_000
_LINES = re.compile(r"L(\d{1,8})(?:-L?(\d{1,8}))?")
_MIME = {"python": "text/x-python", "markdown": "text/markdown", "toml": "application/toml", "json": "application/json"}


@dataclass(frozen=True, slots=True)
class FileResource:
    """An indexed file as a client lists it."""

    uri: str
    path: str
    mime_type: str
    lines: int


def file_uri(path: str) -> str:
    return FILE + quote(path)


def list_files(reader: IndexReader, offset: int) -> tuple[list[FileResource], int | None]:
    """A page of the indexed files by path, and where the next one begins."""
    rows = reader.conn.execute(
        "SELECT path, language, n_lines FROM files WHERE root_id = 0 ORDER BY path LIMIT ? OFFSET ?", (PAGE + 1, offset)
    ).fetchall()
    found = [FileResource(file_uri(path), path, mime_of(language), lines) for path, language, lines in rows[:PAGE]]
    return found, offset + PAGE if len(rows) > PAGE else None


def mime_of(language: str) -> str:
    return _MIME.get(language, "text/plain")


def read_resource(session: Session, uri: str) -> tuple[str, str]:
    """(MIME type, text) of a resource: a file as it is now, secrets redacted; or the pack for a question.

    Raises:
        UserError: There is no such resource, or it may not be shown.
    """
    if len(uri) > _MAX_URI:
        raise UserError("The address is too long.", f"Give one of at most {_MAX_URI:,} characters.")
    if uri.startswith(FILE):
        return _file(session, uri.removeprefix(FILE))
    if uri.startswith(PACK):
        return "text/plain", _pack(session, unquote(uri.removeprefix(PACK), errors="strict"))
    raise UserError(f"There is no resource {uri[:80]!a}.", f"There are {FILE}PATH and {PACK}QUESTION.")


def _file(session: Session, rest: str) -> tuple[str, str]:
    encoded, _, fragment = rest.partition("#")
    try:
        path = validate_path(session.reader, unquote(encoded, errors="strict"))
    except UnicodeDecodeError:
        raise UserError("The path is not UTF-8.", "Encode it as UTF-8, then in percent signs.") from None
    lines = FileLines.of(split_lines(read_now(session.reader, path).text), "").shown
    if fragment:
        found = _LINES.fullmatch(fragment)
        if found is None:
            raise UserError(f"{fragment[:40]!a} are no lines.", "Give lines like #L10-L20.")
        first = max(1, int(found.group(1)))
        lines = lines[first - 1 : int(found.group(2) or first)]
    text = "\n".join(lines) + ("\n" if lines else "")
    if len(text) > _MAX_CHARS:
        raise UserError(f"{path} has {len(text):,} characters.", f"Ask for some of its lines: {file_uri(path)}#L1-L500")
    return mime_of(session.reader.file_text(path).language), text


def _pack(session: Session, question: str) -> str:
    from agent.guard import strip_controls
    from retrieval.compile.render import render_pack, render_summary

    if not any(char.isalnum() for char in question):
        raise UserError("The question is empty.", f"Give one behind {PACK}")
    pack = session.checked_pack(question, budget=_PACK_TOKENS)
    return strip_controls(f"{render_pack(pack)}\n{render_summary(pack)}")
