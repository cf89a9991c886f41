"""``search`` and ``pack``: ranked places for a query, and the compiled evidence for a question."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from agent.tools.context import ToolContext
from agent.tools.paging import window
from agent.tools.records import Item, Line, Outcome
from retrieval.compile.render import legs_label
from retrieval.errors import UserError

Query = Annotated[str, Field(min_length=1, max_length=4_000)]
Offset = Annotated[int, Field(ge=0, le=1_000_000, description="How many results to pass over.")]
Globs = Annotated[list[Annotated[str, Field(max_length=200)]], Field(max_length=20)]

_MAX_FOUND = 200
_PACK_TOKENS = 1_600  # of evidence: a pack that needs one page
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
    """
    from agent.search_results import brief_row, search_tree

    if not any(char.isalnum() for char in query):
        raise UserError("The query says nothing to look for.", "Give words or names.")
    found = search_tree(context.session, query, min(offset + k, _MAX_FOUND), paths)[offset:]
    items = []
    for place, item in enumerate(found, start=offset + 1):
        context.check()
        chunk = item.candidate.chunk
        shown = context.file(chunk.path).shown
        name = chunk.qualname or chunk.symbol or f"({chunk.kind.value})"
        legs = legs_label(item.candidate.legs)
        where = f"{chunk.path}:{item.start_line}-{item.end_line}"
        lines = [Line(f"{place}. {where} {name} ({legs} {item.candidate.score:.2f})")]
        numbers = range(item.start_line, item.end_line + 1)
        lines += [Line(f"{number} {shown[number - 1]}", chunk.path, number) for number in numbers]
        items.append(Item(tuple(lines), {**brief_row(item), "qualname": chunk.qualname, "role": chunk.role.value}))
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
    """
    from retrieval.compile.render import chunk_header, pieces_above
    from retrieval.compile.schema import pack_to_dict

    made = context.session.checked_pack(question, budget=budget)
    context.check()
    items: list[Item] = []
    for chunk, above in zip(made.chunks, pieces_above(made.chunks), strict=True):
        # A page begins with a whole path, though the piece before, on another page, was of the same file.
        lines = [Line(chunk_header(chunk, above if len(items) != offset else None))]
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
