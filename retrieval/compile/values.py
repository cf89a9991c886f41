"""Questions about values: where a default, a limit or a list of names is written down.

Such a question describes the value ("how many cached files …") and not the function around it, and what holds the value
is a line at the top of a module that says little else. Three ways lead there:

* the question's words name the constant (``CONCURRENT_REQUESTS_PER_DOMAIN``);
* the likeliest code uses it, by its name or as a quoted key (``settings.getint("RETRY_TIMES")``);
* the code reads it from the environment, when the question asks for a variable of the environment;

and a question about building, packaging or required versions is answered by the tables of the build files.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from retrieval.compile.value_files import MAX_BODY, build_tables, chunks_holding, environment_readers
from retrieval.compile.value_wording import (
    asked_terms,
    asks_about_the_build,
    asks_about_the_environment,
    asks_for_values,
    beginnings,
    name_holds,
    name_terms,
    said_share,
)
from retrieval.pack_records import Candidate, Plan
from retrieval.records import ChunkKind, ChunkRow, Role
from retrieval.search.ports import Reader
from retrieval.search.related import Related

MAX_NAMED = 6  # constants that the question's words name
MAX_USED = 6  # constants that likely code uses
MAX_KEYS = 4  # quoted keys of likely code that a table of the code spells
_READ = 12  # likeliest chunks of code whose constants are looked up
_LEAST_COVER = 0.5  # of a constant's name, by rarity of its words
_MAX_LINES = 14  # of one definition
_MAX_LINES_OF_A_WORD = 4  # of a constant of which the question says one word
_ONE_WORD_FACTOR = 0.6
_TWO_WORDS = 1.5  # words, words of a family counted less
_MAX_NOTE = 4  # comment lines above it
_MAX_ROWS = 3000
_NAMED_SCORE, _USED_SCORE = 0.9, 0.75

_TRIVIAL = frozenset({"LOG", "LOGGER", "PY", "T", "P", "TYPE_CHECKING", "NOT", "AND", "OR", "UTF", "URL", "HTTP", "ID"})
_KEY = re.compile(r"(?:\[|\b[a-z_]{0,20}(?:get|option|setting|config)[a-z_]{0,20}\() ?[\"']([a-z][a-z0-9_]{3,40})[\"']")
_CONSTANT = re.compile(r"(?<![\w.])(?:[A-Za-z_]\w{0,40}\.)?(_{0,2}[A-Z][A-Z0-9]{1,40}(?:_[A-Z0-9]{1,40}){0,8})(?!\w)")


@dataclass(frozen=True, slots=True)
class _Constant:
    name: str
    path: str
    first: int
    last: int


def value_chunks(plan: Plan, reader: Reader, likeliest: Sequence[Candidate]) -> Iterator[tuple[ChunkRow, Related]]:
    """Chunks that hold the values asked for, with the lines that do; nothing for questions about something else.

    Args:
        likeliest: Candidates of the search, likeliest first.
    """
    if asks_about_the_build(plan.question):
        yield from build_tables(plan, reader)
    if not asks_for_values(plan.question):
        return
    asked = asked_terms(plan)
    code = [each for each in likeliest if each.chunk.role is Role.CODE][:_READ]
    chosen = {**_used(asked, reader, code), **_named(asked, reader)}
    for constant, (score, reason) in chosen.items():
        row = reader.chunk_at(constant.path, constant.first)
        if row is not None:
            yield row, Related(score, _focus(reader, row, constant), False, reason)
    yield from _keys(reader, code)
    if asks_about_the_environment(plan.question):
        yield from environment_readers(plan, reader)


# ----------------------------------------------------------------------------------------------------------- constants


def _named(asked: Mapping[str, float], reader: Reader) -> dict[_Constant, tuple[float, str]]:
    """Constants of the code whose names the question's words cover, best first."""
    words = beginnings(asked)
    found = list(_constants_like(reader, words)) if words else []
    terms = {each: name_terms(each.name) for each in found}
    frequency = Counter(term for each in found for term in terms[each])
    rarity = {term: math.log(1.0 + len(found) / count) for term, count in frequency.items()}
    ranked: list[tuple[float, str, int, _Constant]] = []
    for each in found:
        shares = {term: said_share(term, asked) for term in terms[each]}
        total = sum(rarity[term] for term in shares)
        held = sum(rarity[term] * share for term, share in shares.items())
        if total <= 0 or held < _LEAST_COVER * total:
            continue
        if sum(shares.values()) < _TWO_WORDS:
            each = replace(each, last=min(each.last, each.first + _MAX_LINES_OF_A_WORD - 1))
            held *= _ONE_WORD_FACTOR
        ranked.append((-held * held / total, each.path, each.first, each))
    ranked.sort(key=lambda item: item[:3])
    best = -ranked[0][0] if ranked else 1.0
    return {
        each: (_NAMED_SCORE * max(0.3, -value / best), f"{each.name} has the question's words in its name")
        for value, _, _, each in ranked[:MAX_NAMED]
    }


def _used(asked: Mapping[str, float], reader: Reader, code: Sequence[Candidate]) -> dict[_Constant, tuple[float, str]]:
    """Constants that the likeliest code names or spells as a key, by how likely that code is and what it asks."""
    users: dict[str, tuple[float, Candidate]] = {}
    for nth, each in enumerate(code):
        for name in dict.fromkeys(_CONSTANT.findall(reader.chunk_text(each.chunk)[:MAX_BODY])):
            if name in _TRIVIAL:
                continue
            terms = name_terms(name)
            said = sum(said_share(term, asked) for term in terms) / max(1, len(terms))
            value = (1.0 + said) / (2.0 + nth / 4.0)
            if value > users.get(name, (0.0, each))[0]:
                users[name] = (value, each)
    chosen: dict[_Constant, tuple[float, str]] = {}
    for name, (value, user) in sorted(users.items(), key=lambda item: (-item[1][0], item[0])):
        at = _definition(reader, name, user.chunk.path)
        if at is not None and at not in chosen and not _inside(at, user.chunk):
            by = user.chunk.symbol or user.chunk.path
            chosen[at] = (_USED_SCORE * min(1.0, value), f"{name} is used by {by}")
        if len(chosen) == MAX_USED:
            break
    return chosen


def _definition(reader: Reader, name: str, path: str) -> _Constant | None:
    """The assignment of a constant: in the file that uses it, else the only one in code, else none."""
    rows = [
        row
        for row in reader.symbols_named(name)
        if row.symbol.kind in ("variable", "attribute") and row.role is Role.CODE
    ]
    near = [row for row in rows if row.path == path]
    only = near[:1] or (rows if len({row.path for row in rows}) == 1 else [])
    return _Constant(name, only[0].path, only[0].symbol.def_line, only[0].symbol.end_line) if only else None


def _inside(constant: _Constant, row: ChunkRow) -> bool:
    return constant.path == row.path and row.start_line <= constant.first <= row.end_line


def _constants_like(reader: Reader, words: Sequence[str]) -> Iterator[_Constant]:
    """Module-level names of code, and constants of classes, that hold one of the words' beginnings."""
    holds, parameters = name_holds(words[:24])
    rows = reader.conn.execute(
        "SELECT s.name, f.path, s.start_line, s.end_line FROM symbols s JOIN files f ON f.id = s.file_id "
        f"WHERE f.role = ? AND (s.kind = 'variable' OR (s.kind = 'attribute' AND s.name GLOB '*[A-Z][A-Z]*')) "
        f"AND ({holds}) ORDER BY f.path, s.start_line LIMIT ?",
        [Role.CODE.value, *parameters, _MAX_ROWS],
    )
    return (_Constant(*row) for row in rows)


def _focus(reader: Reader, row: ChunkRow, constant: _Constant) -> tuple[int, ...]:
    """The lines of the definition, and of the comment right above it."""
    lines = reader.file_text(row.path).lines
    first = constant.first
    while constant.first - first < _MAX_NOTE and first > row.start_line and lines[first - 2].lstrip().startswith("#"):
        first -= 1
    return tuple(range(first, min(constant.last, constant.first + _MAX_LINES, row.end_line) + 1))


def _keys(reader: Reader, code: Sequence[Candidate]) -> Iterator[tuple[ChunkRow, Related]]:
    """Tables at the top of modules that give a value to a key of likely code: ``{"replay_dir": …}``."""
    keys: dict[str, tuple[float, Candidate]] = {}
    for nth, each in enumerate(code):
        for key in _KEY.findall(reader.chunk_text(each.chunk)[:MAX_BODY]):
            keys.setdefault(key, (1.0 / (1.0 + nth / 4.0), each))
    for key, (value, user) in list(keys.items())[: 3 * MAX_KEYS]:
        given = re.compile(rf"[\"']{key}[\"'] ?:(?!:)")
        for row in chunks_holding(reader, (key,), 40):
            if row.kind is not ChunkKind.MODULE or row.role is not Role.CODE:
                continue
            lines = reader.file_text(row.path).lines
            hits = tuple(n for n in range(row.start_line, row.end_line + 1) if given.search(lines[n - 1]))
            if hits:
                by = user.chunk.symbol or user.chunk.path
                yield row, Related(_USED_SCORE * value, hits, False, f"{key} is used by {by}")
                break
