"""Why a file is not worth indexing: pure predicates over its name, its size and its content.

Leaving out too much is as much a fault as too little. Ordinary words (``tokens.py``, ``secrets.py``, a folder
``build``) decide nothing, and a module with one monstrous literal in it stays a module.
"""

from __future__ import annotations

import re

from retrieval.source.entries import Reason, Skipped, WalkLimits
from retrieval.source.secrets import is_secret_path


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_UNSUPPORTED = _words(
    # images, fonts, sound, film
    "png jpg jpeg gif bmp ico icns webp avif tif tiff psd ai eps heic xcf ttf otf woff woff2 eot mp3 mp4 m4a m4v wav "
    "ogg flac avi mov mkv webm swf "
    # archives and packages
    "zip tar gz tgz bz2 tbz xz txz zst 7z rar jar war ear whl egg deb rpm apk dmg iso lz4 br "
    # compiled
    "pyc pyo pyd so dll dylib exe o obj a lib class wasm bin elf pdb node beam rlib rmeta "
    # office, print
    "pdf doc docx xls xlsx ppt pptx odt ods odp epub mobi rtf "
    # databases, models, arrays, serialised objects
    "db sqlite sqlite3 mdb parquet feather arrow avro orc npy npz mat h5 hdf5 pkl pickle pt pth onnx safetensors gguf "
    "tflite joblib shp dbf shx pcap dat idx pack "
    # signatures
    "sig asc gpg crt cer der"
)
_ALWAYS_DATA = _words("svg ipynb po pot mo log map snap ambr geojson pbf wkt srt vtt tmx xliff xlf")
_TABLES = _words("csv tsv jsonl ndjson json5l")
_MARKUP_DATA = _words("json xml plist xsd")
_LOCK_FILES = _words(
    "poetry.lock uv.lock pdm.lock pipfile.lock pixi.lock package-lock.json npm-shrinkwrap.json yarn.lock "
    "pnpm-lock.yaml bun.lock bun.lockb deno.lock cargo.lock gemfile.lock composer.lock go.sum go.work.sum flake.lock "
    "mix.lock podfile.lock pubspec.lock gradle.lockfile packages.lock.json conda-lock.yml .terraform.lock.hcl"
)
_GENERATED_NAME = re.compile(
    r".*(?:_pb2(?:_grpc)?\.pyi?|\.pb\.(?:go|cc|h|gw\.go)|\.g\.(?:dart|cs)|\.generated\.[a-z]{1,8})"
)
_MINIFIED_NAME = re.compile(r".*[.-](?:min|bundle)\.(?:js|css|mjs|cjs|html)")
_MINIFIED_EXTENSIONS = _words("js css mjs cjs html")
_MINIFIABLE = _words("javascript typescript css html json xml python text sql yaml")

_HEADER_LINES = 15
_HEADER_CHARS = 4096
_COMMENT = re.compile(r"""[ \t]*(?:#|//|/\*|\*|--|;|<!--|\{#|%|\.\.[ ]|["']{3}|'|REM\b|@?rem\b)""")
_BLOCKS = {"/*": "*/", "<!--": "-->", "{#": "#}", '"""': '"""', "'''": "'''"}
_PREAMBLE = ("<?", "<!doctype", "<!DOCTYPE", '"use strict"', "'use strict'", "@echo", "---")
_PROSE_COMMENT = re.compile(r"[ \t]*(?:<!--|\.\.[ ]|\[//\]:)")
_PROSE = frozenset({"markdown", "rst", "asciidoc"})
_GENERATED_MARK = re.compile(r"(?<![\w.`\"'@])@generated\b(?![`\"'])")
_DO_NOT_EDIT = re.compile(r"\bDO NOT (?:EDIT|MODIFY)\b")
_MADE = re.compile(r"\b(?:auto-?)?(?:matically )?generated\b", re.IGNORECASE)
_HANDS_OFF = re.compile(
    r"\b(?:do not|don't|not be|never) (?:be )?(?:hand-?|manually )?(?:edit|modif|chang)", re.IGNORECASE
)

_LONG_LINE = 400  # characters; nobody writes code in such lines
_MIN_MINIFIED_CHARS = 2048
_MAX_NORMAL_SHARE = 0.2
_ENOUGH_NORMAL_LINES = 5
_MIN_SPACE_SHARE = 0.05
_CONTROL = bytes(c for c in range(32) if c not in b"\t\n\r\f\v\b\x1b") + b"\x7f"
_MAX_CONTROL_SHARE = 0.03


_MIN_WORD_LIST_CHARS = 8_192
_WORD_LIST_SHARE = 0.95


def by_name(path: str, size: int, limits: WalkLimits) -> Skipped | None:
    """Decide what name and size (bytes) can decide; None when the content must be seen."""
    if is_secret_path(path):
        return Skipped(path, Reason.SECRET)
    name = path.rpartition("/")[2].lower()
    stem, dot, extension = name.rpartition(".")
    if not (dot and stem):
        extension = ""
    if name in _LOCK_FILES:
        return Skipped(path, Reason.GENERATED, "lock file")
    if extension in _UNSUPPORTED:
        return Skipped(path, Reason.UNSUPPORTED, "." + extension)
    if extension in _ALWAYS_DATA:
        return Skipped(path, Reason.DATA, "." + extension)
    if extension in _MINIFIED_EXTENSIONS and _MINIFIED_NAME.fullmatch(name):
        return Skipped(path, Reason.MINIFIED, "by name")
    if ("pb" in name or ".g" in name) and _GENERATED_NAME.fullmatch(name):
        return Skipped(path, Reason.GENERATED, "by name")
    if size > limits.max_file_bytes:
        return Skipped(path, Reason.HUGE, _larger(size, limits.max_file_bytes))
    if extension in _TABLES and size > limits.max_data_bytes:
        return Skipped(path, Reason.DATA, _larger(size, limits.max_data_bytes))
    if extension in _MARKUP_DATA and size > limits.max_json_bytes:
        return Skipped(path, Reason.DATA, _larger(size, limits.max_json_bytes))
    return None


def by_content(path: str, text: str, language: str) -> Skipped | None:
    """Decide what only the decoded text can decide."""
    if is_generated(text, language):
        return Skipped(path, Reason.GENERATED, "by its header")
    if is_minified(text, language):
        return Skipped(path, Reason.MINIFIED, "long lines")
    if is_word_list(text, language):
        return Skipped(path, Reason.DATA, "a list of words")
    return None


def is_word_list(text: str, language: str) -> bool:
    """Whether a large plain text has one word a line: a vocabulary or dictionary, which is about everything at once."""
    if language != "text" or len(text) < _MIN_WORD_LIST_CHARS:
        return False
    lines = [line for line in text.split("\n") if line.strip()]
    return sum(" " not in line.strip() for line in lines) >= _WORD_LIST_SHARE * len(lines)


def is_binary(data: bytes) -> bool:
    """A NUL, or more control characters than text has. UTF-16 and UTF-32 must have been recognised before."""
    if b"\0" in data:
        return True
    controls = len(data) - len(data.translate(None, _CONTROL))
    return controls > _MAX_CONTROL_SHARE * len(data)


def is_generated(text: str, language: str = "") -> bool:
    """Whether a comment among the first lines says that a program wrote the file.

    Only comments and the docstring before the first statement count: a generator that holds the words in a string of
    its own was written by a person.
    """
    comment = _PROSE_COMMENT if language in _PROSE else _COMMENT
    closing = ""  # what ends the block comment or docstring that we are in
    for line in text[:_HEADER_CHARS].split("\n", _HEADER_LINES)[:_HEADER_LINES]:
        stripped = line.strip()
        if not closing:
            if not stripped or stripped.startswith(_PREAMBLE):
                continue
            if not comment.match(line):
                return False
            opening = next((mark for mark in _BLOCKS if stripped.startswith(mark)), "")
            closing = _BLOCKS.get(opening, "")
            stripped = stripped[len(opening) :]
        if (
            _GENERATED_MARK.search(line)
            or _DO_NOT_EDIT.search(line)
            or (_MADE.search(line) and _HANDS_OFF.search(line))
        ):
            return True
        if closing and closing in stripped:
            closing = ""
    return False


def is_minified(text: str, language: str) -> bool:
    """Whether nearly all of the text stands in lines longer than anybody writes.

    Prose is exempt (a paragraph is often one line), plain text that has the spaces of prose too, and so is a Python
    module with a fair number of normal lines around a huge literal.
    """
    if language not in _MINIFIABLE or len(text) < _MIN_MINIFIED_CHARS:
        return False
    normal_chars = normal_lines = longest = 0
    for line in text.split("\n"):
        length = len(line)
        longest = max(longest, length)
        if length <= _LONG_LINE:
            normal_chars += length
            normal_lines += length > 0
    if longest <= _LONG_LINE or normal_chars >= _MAX_NORMAL_SHARE * len(text):
        return False
    if language == "python":
        return normal_lines < _ENOUGH_NORMAL_LINES
    if language in ("text", "yaml", "html", "sql"):
        return text.count(" ") < _MIN_SPACE_SHARE * len(text)
    return True


def _larger(size: int, limit: int) -> str:
    return f"{size:,} > {limit:,} bytes"
