"""Saying that the evidence does not answer: what was looked for, what is missing, the nearest names and passages."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.answer.offline.context import Context, Draft, unique
from agent.answer.offline.locate import place
from agent.answer.offline.wording import code, listed
from retrieval.records import ChunkKind, SymbolRow
from retrieval.text.common_words import is_common

MAX_NAMES = 5
MAX_PASSAGES = 3
_ACRONYM = re.compile(r"(?<![\w.`'\"/-])(?=\w{0,40}[A-Z]\w{0,40}[A-Z])[A-Za-z]{3,40}(?![\w.(/'\"`-])")
_WORD = re.compile(r"[^\W\d][\w.-]{0,80}\w")
_NAME_INSIDE = re.compile(r"(?<=[a-z,] )[A-Z][a-z]\w{1,40}(?![\w.(])")
_FAMILY_LETTERS = 5
_ALIKE = 0.55  # difflib's ratio of two members' names


def abstain_absent(context: Context, names: Sequence[str] = ()) -> Draft:
    """A named identifier that nothing in the tree has: ``names``, else those of the context."""
    draft = Draft(abstained=True)
    for name in names or context.absent:
        tell_absent(context, name, draft)
    return draft


def tell_absent(context: Context, name: str, draft: Draft) -> None:
    draft.gap()
    draft.say(f"The evidence does not show {code(name, 200)}: nothing indexed has that name.")
    draft.missing.append(f"a definition or a line that spells {name[:200]}")
    _tell_nearest(context, name, draft)


def _tell_nearest(context: Context, name: str, draft: Draft) -> None:
    near = nearest(context, name)
    if near:
        draft.say("The nearest names that exist are:")
        draft.say(*(f"- {place(context, row)}" for row in near))


def tell_undefined(context: Context, draft: Draft) -> None:
    """Names that documents alone spell, where the answer is silent on them.

    ``how do before_request and before_first_request differ``: the second was removed, and only the changelog has it.
    """
    said = "\n".join(draft.lines)
    for mention in context.pack.plan.mentions:
        name = mention.text.strip("`").removesuffix("()")
        if mention.symbols or not context.is_name(mention) or name in context.absent or name in said:
            continue
        lines = context.find.lines(name)
        if lines and all(line.prose for line in lines):
            first = lines[0]
            at = code(f"{first.path}:{first.number}", 300)
            cited = context.book.cite(first.path, first.number, names=(name,))
            shown = code(first.text.strip(), 160)
            draft.gap()
            draft.say(f"No code has the name {code(name, 200)}; text spells it, first at {at}: {shown} {cited}")


def tell_unshown(words: Sequence[str], draft: Draft) -> None:
    """Subjects of the question that an answer about the rest of it leaves open."""
    if words and not draft.abstained:
        draft.gap()
        draft.say(f"The evidence does not show anything about {listed([code(word) for word in words], 'or')}.")
        draft.missing.extend(f"evidence about {code(word)}" for word in words)


def nearest(context: Context, name: str) -> list[SymbolRow]:
    """Members of the class that a dotted name names, alike first; then one definition for each nearest simple name."""
    rows = _members_alike(context, name.removesuffix("()"))
    for part in reversed(name.removesuffix("()").split(".")[-MAX_NAMES:]):
        for similar in context.reader.similar_names(part[:120], MAX_NAMES):
            rows.extend(context.reader.symbols_named(similar)[:1])
    return unique(rows)[:MAX_NAMES]


def _members_alike(context: Context, name: str) -> list[SymbolRow]:
    """``Config.from_file`` and the like, for ``Config.from_xml``."""
    from difflib import get_close_matches

    head, _, tail = name[:200].rpartition(".")
    owners = context.reader.symbols_named(head.rpartition(".")[2]) if head else ()
    classes = [row for row in owners if row.symbol.kind == "class"]
    if not classes:
        return []
    owner = classes[0].symbol.qualname
    members = {row.symbol.name: row for row in context.reader.symbols_in(classes[0].path) if row.symbol.parent == owner}
    return [members[close] for close in get_close_matches(tail, sorted(members), MAX_NAMES, _ALIKE)]


def unknown_acronyms(context: Context) -> list[str]:
    """Names with several capitals (``YAML``, ``GraphQL``) that the question spells and no line knows, in any case.

    They name what is asked about; evidence that does not know them is about something else.
    """
    text = "\n".join(f"{chunk.path}\n{chunk.symbol}\n{chunk.source}" for chunk in context.pack.chunks).lower()
    found = [
        word for word in dict.fromkeys(_ACRONYM.findall(context.pack.question[:2_000])) if word.lower() not in text
    ]
    return [
        word
        for word in found
        if not any(context.find.lines(form) for form in dict.fromkeys((word, word.lower(), word.upper(), word.title())))
    ]


def _unmatched(context: Context) -> list[str]:
    """The words of the question that carry meaning and occur nowhere in the evidence, at most ten."""
    from retrieval.text.frames import subject_of
    from retrieval.text.stopwords import BOILERPLATE, QUESTION_WORDS
    from retrieval.text.terms import index_terms

    have = {
        term
        for chunk in context.pack.chunks
        if chunk.kind != ChunkKind.WINDOW.value
        for term in index_terms(f"{chunk.path} {chunk.symbol} {chunk.source}")
    }
    words = dict.fromkeys(_WORD.findall(subject_of(context.pack.question)[:20_000]))
    known = QUESTION_WORDS | BOILERPLATE
    return [word for word in words if word.lower() not in known and have.isdisjoint(index_terms(word))][:10]


def unknown_subjects(context: Context) -> tuple[list[str], list[str]]:
    """What the question is about and no line knows: (names of things, other words), each in the question's order.

    Words of everyday English describe and are left out. A name is a word with a capital inside a sentence (``Kafka``).
    """
    question = context.pack.question[:2_000]
    names = {word for word in _NAME_INSIDE.findall(question) if not word.isupper()}
    spelled = {part for mention in context.pack.plan.mentions for part in _WORD.findall(mention.text)}
    words = [word for word in unknown_words(context) if word not in spelled and not is_common(word)]
    words = [word for word in words if not _has_family(context, word)]
    return [word for word in words if word in names], [word for word in words if word not in names]


def _has_family(context: Context, word: str) -> bool:
    """The evidence has a word that begins alike (``serialised``, ``serializer``)."""
    from retrieval.text.terms import index_terms

    start = word.lower()[: max(_FAMILY_LETTERS, (2 * len(word)) // 3)]
    return len(word) >= _FAMILY_LETTERS and any(
        term.startswith(start)
        for chunk in context.pack.chunks
        for term in index_terms(f"{chunk.path} {chunk.symbol} {chunk.source}")
    )


def unknown_words(context: Context) -> list[str]:
    """The words of the question that carry meaning and that no indexed line spells, as far as the evidence lacks them.

    Case is tried as written and in lower case; a word that the evidence has in another form is known.
    """

    def known(word: str) -> bool:
        lines = (*context.find.lines(word), *context.find.lines(word.lower()))
        return any(line.kind != ChunkKind.WINDOW.value for line in lines)  # a list of words spells every word

    return [word for word in _unmatched(context) if not known(word)]


def abstain_thin(context: Context) -> Draft:
    """Evidence too weak to answer from."""
    pack = context.pack
    draft = Draft(abstained=True)
    draft.say(f"The evidence is too thin to answer this question (strength {pack.strength:.2f} of 1).")
    unmatched = _unmatched(context)
    unmatched = [word for word in unmatched if not is_common(word)] or unmatched
    draft.missing.extend(f"evidence about {code(word)}" for word in unmatched)
    draft.missing.extend(item for item in pack.missing if item not in draft.missing)
    words = [code(word) for word in (*unmatched, *(item for item in pack.missing if item not in unmatched))]
    # ``Session.answer`` of a class that has no such method: its words stand in the evidence, but not as a name.
    unnamed = [each.text for each in pack.plan.mentions if not each.symbols and context.is_name(each)]
    unnamed = [name for name in unnamed if name not in context.absent]
    if not draft.missing and unnamed:
        draft.missing.extend(f"a definition called {code(name, 200)}" for name in unnamed)
    if not draft.missing:
        draft.missing.append("a passage that is about the question as a whole")
    shown = f"anything about {listed(words, 'or')}" if words else draft.missing[0]
    draft.say(f"The evidence does not show {shown}.")
    for name in context.absent:
        tell_absent(context, name, draft)
    for name in unnamed[:1]:
        _tell_nearest(context, name, draft)
    if pack.chunks:
        draft.gap()
        draft.say("The nearest passages, which are not on the point, are:")
        named = sorted(pack.chunks, key=lambda chunk: not (chunk.qualname or chunk.symbol))  # stable: by rank
        for chunk in named[:MAX_PASSAGES]:
            cited = context.book.cite(chunk.path, chunk.ranges[0][0], names=(chunk.qualname or chunk.symbol,))
            name = f" {code(chunk.qualname or chunk.symbol, 200)}" if chunk.qualname or chunk.symbol else ""
            draft.say(f"- {code(f'{chunk.path}:{chunk.ranges[0][0]}', 300)}{name} {cited}")
    return draft
