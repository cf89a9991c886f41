"""``search`` and ``pack``: ranked places for a query, and the compiled evidence for a question."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from agent.tools.context import ToolContext
from agent.tools.paging import window
from agent.tools.records import Item, Line, Outcome
from retrieval.errors import UserError

Query = Annotated[str, Field(min_length=1, max_length=4_000)]
Offset = Annotated[int, Field(ge=0, le=1_000_000)]
Globs = Annotated[list[Annotated[str, Field(max_length=200)]], Field(max_length=20)]

_MAX_FOUND = 200
_PACK_TOKENS = 1_700  # of evidence: a pack that needs one page
_PART_LINES = 40  # of a piece of evidence that a page may break after


def search(
    context: ToolContext,
    query: Query,
    k: Annotated[int, Field(ge=1, le=50)] = 10,
    paths: Globs = [],  # noqa: B006 - never written to
    offset: Offset = 0,
) -> Outcome:
    """Rank the code, tests and docs of the tree for words, names or a question. Returns places with their best lines.

    Args:
        query: Words, identifiers or a question.
        k: How many places.
        paths: Globs such as "src/**" to look in; one that starts with "!" leaves out.
        offset: How many of the best to pass over.
    """
    from retrieval.search.filters import PathFilters
    from retrieval.search.windows import shown_ranges

    if not any(char.isalnum() for char in query):
        raise UserError("The query says nothing to look for.", "Give words or names.")
    wanted = min(offset + k, _MAX_FOUND)
    plan = context.session.plan(query)
    context.check()
    filters = PathFilters.from_patterns(paths)
    found = context.session.searcher.search(plan, wanted, filters, objective="files").candidates[offset:]
    context.check()
    items = []
    for place, (first, last, _) in enumerate(shown_ranges(context.reader, query, found), start=offset + 1):
        candidate = found[place - offset - 1]
        chunk = candidate.chunk
        shown = context.file(chunk.path).shown
        name = chunk.qualname or chunk.symbol or f"({chunk.kind.value})"
        legs = "+".join(hit.leg for hit in candidate.legs)
        lines = [Line(f"{place}. {chunk.path}:{first}-{last} {name} ({legs} {candidate.score:.2f})")]
        lines += [Line(f"{number} {shown[number - 1]}", chunk.path, number) for number in range(first, last + 1)]
        data = {
            "path": chunk.path,
            "start_line": first,
            "end_line": last,
            "symbol": chunk.symbol,
            "qualname": chunk.qualname,
            "role": chunk.role.value,
            "score": round(candidate.score, 6),
            "legs": [hit.leg for hit in candidate.legs],
        }
        items.append(Item(tuple(lines), data))
    head = (f"{len(items)} places for {query[:200]!r}, best first:",) if items else ("Nothing found.",)
    return Outcome(head, items, start=offset, data={"query": query})


def pack(
    context: ToolContext,
    question: Query,
    budget: Annotated[int, Field(ge=200, le=32_000)] = _PACK_TOKENS,
    offset: Offset = 0,
) -> Outcome:
    """Compile the evidence for a question: deduplicated numbered lines within a token budget, checked for rot.

    Args:
        question: The question, with the names it is about.
        budget: Tokens that all of the evidence may take.
        offset: How many parts to pass over.
    """
    from retrieval.compile.render import chunk_header
    from retrieval.compile.schema import pack_to_dict

    made = context.session.checked_pack(question, budget=budget)
    context.check()
    items = []
    for chunk in made.chunks:
        lines = [Line(chunk_header(chunk))]
        for text in chunk.text.split("\n"):
            number = text.split(" ", 1)[0]
            lines.append(Line(text, chunk.path, int(number)) if number.isdecimal() and number.isascii() else Line(text))
        data = {
            "number": chunk.number,
            "path": chunk.path,
            "symbol": chunk.qualname or chunk.symbol,
            "ranges": [list(pair) for pair in chunk.ranges],
            "tokens": chunk.tokens,
            "state": chunk.state,
        }
        for start in range(0, len(lines), _PART_LINES):
            items.append(Item(tuple(lines[start : start + _PART_LINES]), data))
    strength = f"evidence strength {made.strength:.2f} of 1" + ("" if made.sufficient else ", too thin to answer from")
    head = (f"{len(made.chunks)} pieces of evidence, {made.total_tokens} tokens; {strength}",)
    tail = [f"not in the index: {what}" for what in made.missing]
    tail += [f"{finding.severity}: {finding.message}" for finding in made.rot]
    whole = pack_to_dict(made)
    beside = {name: whole[name] for name in ("strength", "sufficient", "missing", "warnings", "rot", "index_id")}
    beside["total_tokens"], beside["budget"] = made.total_tokens, budget
    return Outcome(head, **window(items, offset), data=beside, tail=tuple(tail))
