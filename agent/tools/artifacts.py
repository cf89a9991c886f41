"""``artifact_get``, ``artifact_peek``, ``artifact_find``: exact sources behind context IR, from the tree's vault."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from agent.guard import strip_controls
from agent.tools.context import ToolContext
from agent.tools.find import Offset
from agent.tools.paging import prefix, window
from agent.tools.records import Item, Line, Outcome
from retrieval.errors import UserError
from retrieval.source.secrets import redact

if TYPE_CHECKING:
    from retrieval.context_ir.vault import Vault

ArtifactId = Annotated[str, Field(min_length=1, max_length=80)]
Characters = Annotated[int, Field(ge=0, le=1_000_000_000)]


@contextmanager
def _vault(context: ToolContext) -> Iterator[Vault]:
    """The vault of the tree; reading never makes one."""
    from retrieval.context_ir.vault import VAULT_NAME, Vault
    from retrieval.index.location import for_writing

    places = (context.session.location, for_writing(context.session.location))
    path = next((place.index_dir / VAULT_NAME for place in places if (place.index_dir / VAULT_NAME).is_file()), None)
    if path is None:
        raise UserError("There are no artifacts for this tree.", "Context IR makes them when it re-encodes evidence.")
    with Vault(path) as vault:
        yield vault


def artifact_get(
    context: ToolContext, artifact_id: ArtifactId, offset: Characters = 0, limit: Characters = 0
) -> Outcome:
    """Read the exact text of a source that was shown re-encoded or shortened.

    Args:
        artifact_id: As it was shown: a_ and hex digits.
        offset: First character.
        limit: How many characters; 0 for as many as fit.
    """
    with _vault(context) as vault:
        artifact = vault.read(artifact_id)
    text = strip_controls(redact(artifact.text).text)
    if offset > len(text):
        raise UserError(f"The artifact has {len(text):,} characters.", "Ask for an offset that it has.")
    fitting = prefix(text[offset:], context.max_tokens - 150)
    shown = text[offset : offset + (min(limit, fitting) or fitting)]
    end = offset + len(shown)
    data = {"artifact_id": artifact.id, "offset": offset, "total_chars": len(text), "text": shown}
    head = f"{artifact.id}: characters {offset} to {end} of {len(text)}"
    item = Item((Line(shown),), {"offset": offset, "chars": len(shown)})
    return Outcome((head,), [item], rest=len(text) - end, data=data, following=lambda _: {"offset": end})


def artifact_peek(context: ToolContext, artifact_id: ArtifactId) -> Outcome:
    """Tell the size of a source, where it was shown, and how it starts and ends.

    Args:
        artifact_id: As it was shown: a_ and hex digits.
    """
    from retrieval.context_ir.tools import artifact_peek as peek

    with _vault(context) as vault:
        found = peek(vault, artifact_id)
    head = f"{found['artifact_id']}: {found['chars']:,} characters, {found['lines']:,} lines"
    lines = [Line(found["start"])] + ([Line("…"), Line(found["end"])] if found["end"] else [])
    return Outcome((head,), [Item(tuple(lines))], data=found)


def artifact_find(
    context: ToolContext,
    query: Annotated[str, Field(min_length=1, max_length=500)],
    artifact_id: Annotated[str, Field(max_length=80)] = "",
    offset: Offset = 0,
) -> Outcome:
    """Find where a text (any case) occurs in a source, or in all sources that were shown.

    Args:
        query: Plain text.
        artifact_id: Only in this one.
    """
    from retrieval.context_ir.tools import MAX_HITS
    from retrieval.context_ir.tools import artifact_find as find

    with _vault(context) as vault:
        hits: list[dict[str, Any]] = find(vault, query, artifact_id, MAX_HITS)
    items = [Item((Line(f"{hit['artifact_id']}+{hit['offset']}: {hit['text']}"),), hit) for hit in hits]
    return Outcome((f"{len(hits)} occurrences of {query[:200]!r}",), **window(items, offset))
