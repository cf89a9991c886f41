"""Saying that the evidence does not answer: what was looked for, what is missing, the nearest names and passages."""

from __future__ import annotations

from agent.answer.offline.context import Context, Draft
from agent.answer.offline.locate import place
from agent.answer.offline.wording import code
from retrieval.records import SymbolRow

MAX_NAMES = 5
MAX_PASSAGES = 3


def abstain_absent(context: Context) -> Draft:
    """A named identifier that nothing in the tree has."""
    draft = Draft(abstained=True)
    for name in context.absent:
        tell_absent(context, name, draft)
    return draft


def tell_absent(context: Context, name: str, draft: Draft) -> None:
    draft.gap()
    draft.say(f"The evidence does not show {code(name, 200)}: nothing indexed has that name.")
    draft.missing.append(f"a definition or a line that spells {name[:200]}")
    near = nearest(context, name)
    if near:
        draft.say("The nearest names that exist are:")
        draft.say(*(f"- {place(context, row)}" for row in near))


def nearest(context: Context, name: str) -> list[SymbolRow]:
    """One definition for each of the nearest simple names."""
    simple = name.removesuffix("()").rsplit(".", 1)[-1][:120]
    rows: list[SymbolRow] = []
    for similar in context.reader.similar_names(simple, MAX_NAMES):
        rows.extend(context.reader.symbols_named(similar)[:1])
    return rows


def abstain_thin(context: Context) -> Draft:
    """Evidence too weak to answer from."""
    pack = context.pack
    draft = Draft(abstained=True)
    draft.say(f"The evidence is too thin to answer this question (strength {pack.strength:.2f} of 1).")
    looked = [*pack.plan.aspects] or [mention.text for mention in pack.plan.mentions]
    if looked:
        draft.missing.extend(f"evidence about {item[:200]}" for item in looked[:10])
    draft.missing.extend(item for item in pack.missing if item not in draft.missing)
    if not draft.missing:
        draft.missing.append("any passage that is about the question")
    draft.say("The evidence does not show:", *(f"- {item}, which is not in the evidence" for item in draft.missing))
    for name in context.absent:
        tell_absent(context, name, draft)
    if pack.chunks:
        draft.gap()
        draft.say("The nearest passages, which are not on the point, are:")
        for chunk in pack.chunks[:MAX_PASSAGES]:
            cited = context.book.cite(chunk.path, chunk.ranges[0][0], names=(chunk.qualname or chunk.symbol,))
            name = f" {code(chunk.qualname or chunk.symbol, 200)}" if chunk.qualname or chunk.symbol else ""
            draft.say(f"- {code(f'{chunk.path}:{chunk.ranges[0][0]}', 300)}{name} {cited}")
    return draft
