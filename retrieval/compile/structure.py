"""Questions about structure: which definition puts the others to work, and which classes are of a kind.

*Flow* ("through which stages …", "how does a request get to …"): what runs the steps says little about any of them, so
no leg finds it. It calls several of the likeliest definitions, and that is how it is found here.

*Kinds* ("which kinds of environments …", "what do their classes derive from"): the headers of the classes whose names
the question says, of their bases, and of what derives from them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from retrieval.compile.value_wording import CONTENT, beginnings, name_holds, name_terms, said_share
from retrieval.pack_records import Candidate, Plan
from retrieval.records import ChunkRow, EdgeKind, Role
from retrieval.search.links import LinkReader
from retrieval.search.ports import Reader
from retrieval.search.related import Related
from retrieval.text.terms import index_terms, query_terms

MAX_HUBS = 3
MAX_CLASSES = 6  # whose names the question says
MAX_RELATIVES = 10  # their bases and what derives from them
_SEEDS = 24  # likeliest definitions of code
_MAX_LINKS = 600
_LEAST_CALLED = 3  # of the likeliest definitions, by one that runs them
_MAX_FOCUS = 24  # calls that stay visible
_HUB_SCORE, _CLASS_SCORE, _RELATIVE_SCORE = 0.9, 0.8, 0.7
_LEAST_SAID = 0.6  # of a class's name
_MAX_ROWS = 2000
_MAX_READ = 4_000  # characters of a question

_FLOW = re.compile(
    r"\b(?:(?:through|in|by|via|over) (?:which|what) (?:\w+ ){0,2}?"
    r"(?:stages?|steps?|phases?|layers?|parts?|methods|functions|order)|"
    r"(?:which|what) (?:stages|steps|phases|layers|parts|components|pieces|objects|building blocks)|"
    r"step by step|one after the other|in order|"
    r"how (?:does|do|is|are|did) [^?.!\n]{1,80}? (?:(?:gets?|go|goes|travels?|comes?|proceeds?|flows?|moves?) "
    r"(?:from|to|into|out|through|back)|reach(?:es)?|ends? up|carried out|put together|assembled|wired|divided|"
    r"organi[sz]ed|found and|becomes?)|"
    r"from (?:the |an? )?(?:\w+ ){1,4}?to (?:the|an?|its) \w+)\b",
    re.IGNORECASE,
)
_KINDS = re.compile(
    r"\b(?:(?:which|what) (?:kinds?|types|sorts|classes|subclasses|exceptions|errors|implementations|backends|engines|"
    r"strategies|policies|handlers|loaders|formats)|(?:which|what) [^?.!\n]{0,60}?\b(?:base class(?:es)?|"
    r"deriv\w{1,4} (?:directly )?from|inherits? from|subclass\w{0,3})|class count|counts? as)\b",
    re.IGNORECASE,
)


def asks_for_flow(question: str) -> bool:
    return bool(_FLOW.search(question[:_MAX_READ]))


def asks_for_kinds(question: str) -> bool:
    return bool(_KINDS.search(question[:_MAX_READ]))


def structure_chunks(
    plan: Plan, reader: Reader, links: LinkReader, likeliest: Sequence[Candidate]
) -> Iterator[tuple[ChunkRow, Related]]:
    """Chunks that answer for the structure; nothing for other questions.

    Args:
        likeliest: Candidates of the search, likeliest first.
    """
    if asks_for_flow(plan.question):
        yield from _hubs(plan, reader, links, likeliest)
    if asks_for_kinds(plan.question):
        yield from _classes(plan, reader, links)


# ---------------------------------------------------------------------------------------------------------------- flow


def _hubs(
    plan: Plan, reader: Reader, links: LinkReader, likeliest: Sequence[Candidate]
) -> Iterator[tuple[ChunkRow, Related]]:
    """Definitions that call at least three of the likeliest ones, those first that call the likeliest."""
    code = [each for each in likeliest if each.chunk.role is Role.CODE and each.chunk.qualname]
    rank: dict[str, int] = {}
    for each in code:
        rank.setdefault(each.chunk.qualname, len(rank))
        if len(rank) == _SEEDS:
            break
    called: dict[str, dict[str, tuple[str, int]]] = {}
    for link in links.incoming(list(rank), (EdgeKind.CALL,), _MAX_LINKS):
        if link.src != link.dst and link.weight > 0.5:
            called.setdefault(link.src, {}).setdefault(link.dst, (link.path, link.line))
    worth = {
        src: sum(1.0 / (1.0 + rank[dst] / 8.0) for dst in found)
        for src, found in called.items()
        if len(found) >= _LEAST_CALLED
    }
    asked = query_terms(plan.question)
    best = max(worth.values(), default=1.0)
    given = 0
    for src in sorted(worth, key=lambda name: (-worth[name], name)):
        rows = [row for row in reader.chunks_of_symbol(src) if row.role is Role.CODE]
        if not rows or given == MAX_HUBS:
            continue
        given += 1
        lines = sorted(line for _, line in called[src].values())[:_MAX_FOCUS]
        said = bool(set(index_terms(rows[0].symbol)) & asked.keys())
        score = _HUB_SCORE * (worth[src] / best) * (1.0 if said else 0.85)
        for row in rows[:4]:
            focus = tuple(line for line in lines if row.start_line <= line <= row.end_line)
            if focus:
                yield row, Related(score, focus, True, f"calls {len(called[src])} of the likeliest definitions")


# --------------------------------------------------------------------------------------------------------------- kinds


def _classes(plan: Plan, reader: Reader, links: LinkReader) -> Iterator[tuple[ChunkRow, Related]]:
    """Headers of classes that the question names by their words, then of their bases and of what derives from them."""
    asked = query_terms(plan.question)
    words = beginnings(asked)
    words += sorted({term[:3] for term, weight in asked.items() if weight > CONTENT and len(term) >= 7})
    if not words:
        return
    holds, parameters = name_holds(words[:32])
    rows = reader.conn.execute(
        "SELECT s.qualname, s.name FROM symbols s JOIN files f ON f.id = s.file_id "
        f"WHERE f.role = ? AND s.kind = 'class' AND ({holds}) ORDER BY f.path, s.start_line LIMIT ?",
        [Role.CODE.value, *parameters, _MAX_ROWS],
    ).fetchall()
    ranked: list[tuple[float, str]] = []
    for qualname, name in rows:
        terms = name_terms(name)
        said = sum(said_share(term, asked) for term in terms)
        if said >= _LEAST_SAID and said >= _LEAST_SAID * len(terms) / 2:
            ranked.append((-said * said / len(terms), qualname))
    ranked.sort()
    chosen = [qualname for _, qualname in ranked[:MAX_CLASSES]]
    best = -ranked[0][0] if ranked else 1.0
    for value, qualname in ranked[:MAX_CLASSES]:
        yield from _header(reader, qualname, _CLASS_SCORE * max(0.4, -value / best), "a class of the kind asked for")
    relatives = [link.dst for link in links.outgoing(chosen, (EdgeKind.INHERIT,), _MAX_LINKS)]
    relatives += [link.src for link in links.incoming(chosen, (EdgeKind.INHERIT,), _MAX_LINKS)]
    for qualname in [name for name in dict.fromkeys(relatives) if name not in chosen][:MAX_RELATIVES]:
        yield from _header(reader, qualname, _RELATIVE_SCORE, "a base or a subclass of what the question names")


def _header(reader: Reader, qualname: str, score: float, reason: str) -> Iterator[tuple[ChunkRow, Related]]:
    """The chunk of a class that holds its header: the line, and the first line of what it says of itself."""
    found = reader.symbol(qualname)
    if found is None or found.role is not Role.CODE:
        return
    row = reader.chunk_at(found.path, found.symbol.def_line)
    if row is not None:
        last = min(found.symbol.def_line + (2 if found.symbol.doc else 0), row.end_line)
        yield row, Related(score, tuple(range(found.symbol.def_line, last + 1)), False, reason)
