"""From bytes to text: byte order mark, then declaration, then UTF-8, then a marked fallback. Never silence."""

from __future__ import annotations

import codecs
import hashlib
import re
from pathlib import Path

from retrieval.errors import UserError
from retrieval.source import skips
from retrieval.source.contain import read_inside
from retrieval.source.entries import Reason, Skipped, SourceText, WalkLimits
from retrieval.source.roles import language_of

_MARKS = (  # the UTF-32 marks begin with the UTF-16 ones
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_DECLARATION = re.compile(rb"[ \t\f]*#[^\n]*?coding[:=][ \t]*([-\w.]+)")  # PEP 263
_COMMENT_OR_BLANK = re.compile(rb"[ \t\f]*(?:#[^\n]*)?\r?(?:\n|\Z)")
_MAX_DECLARATION_LINE = 400
# Codecs whose text is not what the bytes show line by line, or that decode in more than linear time.
_REFUSED_CODECS = frozenset({"idna", "punycode", "unicode_escape", "raw_unicode_escape", "utf-7", "undefined"})
_GUESSED_UTF16_SHARE = 0.7  # of one half of the bytes that are NUL in a UTF-16 text without a mark


def read_source(root: Path, path: str, limits: WalkLimits | None = None) -> SourceText | Skipped:
    """Read one file of the tree, or say why it is left out. Whatever the file holds, nothing is raised.

    Applies every gate of the walk again (names, sizes, containment), so that it is safe for any path.
    """
    limits = limits or WalkLimits()
    early = skips.by_name(path, 0, limits)
    if early is not None:
        return early
    try:
        data = read_inside(root, path, limits.max_file_bytes)
    except FileNotFoundError:
        return Skipped(path, Reason.VANISHED)
    except UserError as error:
        return Skipped(path, Reason.SPECIAL if "regular" in error.cause else Reason.OUTSIDE, error.cause)
    except (OSError, ValueError) as error:
        return Skipped(path, Reason.UNREADABLE, getattr(error, "strerror", None) or "")
    if data is None:
        return Skipped(path, Reason.HUGE, f"> {limits.max_file_bytes:,} bytes")
    return skips.by_name(path, len(data), limits) or source_from_bytes(path, data)


def source_from_bytes(path: str, data: bytes) -> SourceText | Skipped:
    """Decode a file's bytes and judge its content; pure."""
    language = language_of(path)
    decoded = decode(data, is_python=language == "python")
    if decoded is None:
        return Skipped(path, Reason.BINARY)
    text, encoding, lossy = decoded
    skipped = skips.by_content(path, text, language)
    if skipped is not None:
        return skipped
    return SourceText(path, data, text, encoding, lossy, hashlib.sha256(data).hexdigest())


def decode(data: bytes, *, is_python: bool = False) -> tuple[str, str, bool] | None:
    """(text, encoding, lossy) of a file's bytes; None when they are not text.

    Order: byte order mark; UTF-16 without a mark; binary check; PEP 263 declaration (Python); UTF-8; UTF-8 with few bad
    bytes replaced; cp1252, then latin-1, which take any bytes. The last three are lossy: they guess.
    """
    found = _decode_marked(data) or _decode_bare_utf16(data)
    if found is None:
        if skips.is_binary(data):
            return None
        found = (_decode_declared(data) if is_python else None) or _decode_utf8(data) or _decode_fallback(data)
    text, encoding, lossy = found
    if "\0" in text:
        return None
    if "\r" in text and "\n" not in text:
        text = text.replace("\r", "\n")
    return text, encoding, lossy


def _decode_marked(data: bytes) -> tuple[str, str, bool] | None:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            body = data[len(mark) :]
            try:
                return body.decode(encoding), encoding, False
            except UnicodeDecodeError:
                return body.decode(encoding, "replace"), encoding + " (repaired)", True
    return None


def _decode_bare_utf16(data: bytes) -> tuple[str, str, bool] | None:
    if len(data) < 4 or len(data) % 2 or b"\0" not in data[:256]:
        return None
    sample = data[:4096]
    even, odd = sample[::2].count(0) / (len(sample) / 2), sample[1::2].count(0) / (len(sample) / 2)
    if odd >= _GUESSED_UTF16_SHARE and even == 0:
        encoding = "utf-16-le"
    elif even >= _GUESSED_UTF16_SHARE and odd == 0:
        encoding = "utf-16-be"
    else:
        return None
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        return None
    # Arrays of small integers look alike, but are full of control characters.
    return None if skips.is_binary(text.encode("utf-8")) else (text, encoding + " (fallback)", True)


def declared_encoding(data: bytes) -> str | None:
    """The codec that a PEP 263 comment in the first two lines names, None when there is none to be trusted."""
    first = data[:_MAX_DECLARATION_LINE]
    match = _DECLARATION.match(first)
    if match is None:
        blank = _COMMENT_OR_BLANK.match(first)
        if blank is None:
            return None
        match = _DECLARATION.match(data[: blank.end() + _MAX_DECLARATION_LINE], blank.end())
    if match is None:
        return None
    try:
        codec = codecs.lookup(match.group(1).decode("ascii"))
        head = data[: match.end()]
        # A declaration must read the same under the codec that it declares: no UTF-16, EBCDIC, rot13 or zip.
        honest = codec.name.replace("_", "-") not in {name.replace("_", "-") for name in _REFUSED_CODECS}
        return codec.name if honest and head.decode(codec.name) == head.decode("ascii", "strict") else None
    except (LookupError, UnicodeError, ValueError):
        return None


def _decode_declared(data: bytes) -> tuple[str, str, bool] | None:
    encoding = declared_encoding(data)
    if encoding is None or encoding == "utf-8":
        return None
    try:
        return data.decode(encoding), encoding, False
    except (UnicodeError, ValueError):
        return None


def _decode_utf8(data: bytes) -> tuple[str, str, bool] | None:
    try:
        return data.decode("utf-8"), "utf-8", False
    except UnicodeDecodeError:
        pass
    text = data.decode("utf-8", "replace")
    replaced = text.count("\ufffd")
    good = len(text) - len(text.encode("ascii", "ignore")) - replaced
    return (text, "utf-8 (repaired)", True) if good > replaced else None


def _decode_fallback(data: bytes) -> tuple[str, str, bool]:
    try:
        return data.decode("cp1252"), "cp1252 (fallback)", True
    except UnicodeDecodeError:
        return data.decode("latin-1"), "latin-1 (fallback)", True
