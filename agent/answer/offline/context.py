"""What every question family works from: pack, index, graph, evidence list, and the symbols asked about."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from agent.answer.evidence import Evidence
from agent.answer.identifiers import words_of
from agent.answer.offline.book import Book
from agent.answer.offline.find import Finder
from agent.answer.offline.ports import Graph, Reader
from agent.answer.offline.wording import code, doc_sentences, quote
from retrieval.compile.mentions import find_mentions
from retrieval.pack_records import ContextPack, Mention
from retrieval.records import BlockKind, Role, SymbolRow
from retrieval.source.secrets import redact

_STRONG = frozenset({"backtick", "dotted", "camel", "snake", "call", "traceback"})
_MAX_SIGNATURE_LINES = 40
_MAX_NESTING = 12
_MAX_READ = 8_000  # characters of a question


@dataclass(slots=True)
class Draft:
    """An answer in the making: lines of text, each of which carries its own citations.

    Attributes:
        looked_up: Every line is from the graph or the index; the pack could have held anything.
    """

    lines: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    abstained: bool = False
    looked_up: bool = False

    def say(self, *lines: str | None) -> None:
        self.lines.extend(line for line in lines if line)

    def gap(self) -> None:
        if self.lines and self.lines[-1]:
            self.lines.append("")

    @property
    def text(self) -> str:
        return "\n".join(self.lines).strip("\n") + "\n" if self.lines else ""


@dataclass(frozen=True, slots=True)
class Context:
    """Everything a family may use. ``targets`` are the symbols that the question names, best first, each once."""

    pack: ContextPack
    reader: Reader
    graph: Graph | None
    book: Book
    targets: tuple[SymbolRow, ...]
    alternatives: tuple[SymbolRow, ...]
    absent: tuple[str, ...]
    find: Finder
    in_name_position: frozenset[str] = frozenset()

    @property
    def names_a_symbol(self) -> bool:
        """The question spells an identifier that exists, or a word where a name stands ("explain echo")."""
        return any(mention.symbols and self.is_name(mention) for mention in self.pack.plan.mentions)

    def is_name(self, mention: Mention) -> bool:
        """Not merely a word that happens to be a symbol's name."""
        return mention.how in _STRONG or mention.text in self.in_name_position

    @property
    def spells_a_name(self) -> bool:
        """The question spells an identifier that a definition has or that stands in the evidence."""
        strong = [mention for mention in self.pack.plan.mentions if mention.how in _STRONG]
        return any(mention.text not in self.absent for mention in strong)

    def meant(self) -> tuple[SymbolRow, ...]:
        """The targets, and the other code that shares their names: questions about relations are answered for each."""
        return (*self.targets, *(row for row in self.alternatives if row.role is Role.CODE))


def make_context(pack: ContextPack, reader: Reader, graph: Graph | None) -> Context:
    """Resolve the plan's mentions: one target for each mention, the other definitions of its name as alternatives."""
    targets: dict[str, SymbolRow] = {}
    alternatives: dict[str, SymbolRow] = {}
    mentions = pack.plan.mentions
    found = find_mentions(pack.question[:_MAX_READ])
    named = frozenset(word for word, _, in_position in found.words if in_position)
    strong = [each for each in mentions if each.symbols and (each.how in _STRONG or each.text in named)]
    for mention in strong or [mention for mention in mentions if mention.symbols]:
        rows = [row for row in map(reader.symbol, mention.symbols) if row is not None]
        if rows:
            targets.setdefault(rows[0].symbol.qualname, rows[0])
            alternatives.update((row.symbol.qualname, row) for row in rows[1:])
    plain = {name.split("#", 1)[0] for name in targets}
    others = tuple(row for name, row in alternatives.items() if name.split("#", 1)[0] not in plain)
    book = Book(pack, reader)
    find = Finder(pack, reader, book)
    absent = tuple(mention.text for mention in mentions if _is_absent(mention, pack, find))
    return Context(
        pack,
        reader,
        graph,
        book,
        tuple(targets.values()),
        others,
        tuple(dict.fromkeys(absent)),
        find,
        named,
    )


def _is_absent(mention: Mention, pack: ContextPack, find: Finder) -> bool:
    """Named as an identifier, no definition has the name, and no line of the evidence or the index contains it."""
    if mention.symbols or mention.how not in _STRONG:
        return False
    words = words_of(mention.text)
    if any(all(word in piece.words for word in words) for piece in map(Evidence, pack.chunks)):
        return False
    return not find.lines(mention.text)


# ------------------------------------------------------------------------------------------ sentences about a symbol


def title(qualname: str) -> str:
    """A qualified name as it is read: without the number of a redefinition."""
    return qualname.split("#", 1)[0]


def label(context: Context, qualname: str) -> str:
    """The name inside its file, for lines that say which file: ``Flask.run`` of ``flask.app.Flask.run``."""
    row = context.reader.symbol(qualname)
    if row is None or row.symbol.kind == "module":
        return title(qualname)
    module = row.symbol.parent
    for _ in range(_MAX_NESTING):
        holder = context.reader.symbol(module)
        if holder is None or holder.symbol.kind == "module":
            break
        module = holder.symbol.parent
    return title(qualname.removeprefix(module + ".")) if module else title(qualname)


def where(context: Context, row: SymbolRow) -> str:
    """``` `flask.app.Flask.run` is a method at `src/flask/app.py:546` [1:546].```"""
    symbol = row.symbol
    cited = context.book.cite(row.path, symbol.def_line, names=(symbol.qualname,))
    article = "an" if symbol.kind[:1] in "aeiou" else "a"
    place = code(f"{row.path}:{symbol.def_line}", 300)
    return f"{code(title(symbol.qualname), 200)} is {article} {symbol.kind} defined at {place} {cited}."


def signature(context: Context, row: SymbolRow) -> str | None:
    """The signature with the lines it spans; for a variable the assignment. None for a module."""
    symbol = row.symbol
    if symbol.kind == "module":
        return None
    if symbol.kind in ("variable", "attribute"):
        line = context.book.line(row.path, symbol.def_line).strip()
        if not line:
            return None
        return f"It is set by {code(line)} {context.book.cite(row.path, symbol.def_line, names=(symbol.name,))}."
    first, last = symbol.def_line, signature_end(context, row)
    text = symbol.signature
    if not text or redact(text).count:  # the lines of the book are redacted, the symbol table is not
        text = " ".join(" ".join(context.book.lines(row.path)[first - 1 : last]).split()).removesuffix(":")
    return f"Its signature is {code(text, 240)} {context.book.cite(row.path, first, last)}." if text else None


def signature_end(context: Context, row: SymbolRow) -> int:
    """The last line of ``def …:`` or ``class …:``: the first at which the brackets are balanced."""
    depth = 0
    lines = context.book.lines(row.path)
    last = min(row.symbol.end_line, row.symbol.def_line + _MAX_SIGNATURE_LINES, len(lines))
    for number in range(row.symbol.def_line, last + 1):
        bare = lines[number - 1].split("#", 1)[0]
        depth += sum(bare.count(char) for char in "([{") - sum(bare.count(char) for char in ")]}")
        if depth <= 0:
            return number
    return row.symbol.def_line


def doc_statements(context: Context, row: SymbolRow, limit: int = 2) -> list[str]:
    """The docstring's first sentences, quoted verbatim, each with the lines it stands on."""
    out: list[str] = []
    for sentence in doc_sentences(row.symbol.doc, limit):
        quoted = quote(sentence)
        span = find_lines(context.book.lines(row.path), sentence, row.symbol.start_line, row.symbol.end_line)
        if quoted and span:
            verb = "Its docstring says" if not out else "It goes on"
            out.append(f"{verb}: {quoted} {context.book.cite(row.path, *span)}.")
    return out


def find_lines(lines: Sequence[str], sentence: str, first: int, last: int) -> tuple[int, int] | None:
    """The lines among ``first..last`` on which ``sentence`` stands when white space is folded."""
    words = sentence.split()
    if not words:
        return None
    last = min(last, len(lines))
    positions: list[int] = []  # line of each word
    found: list[str] = []
    for number in range(first, last + 1):
        for word in lines[number - 1].split():
            found.append(word)
            positions.append(number)
    size = len(words)
    # The first and last word may touch quote marks; the words between must be equal.
    for at in range(len(found) - size + 1):
        ends = found[at].endswith(words[0]) and (size == 1 or found[at + size - 1].startswith(words[-1]))
        if ends and found[at + 1 : at + size - 1] == words[1:-1]:
            return positions[at], positions[at + size - 1]
    return None


_PROSE = (BlockKind.DOCSTRING, BlockKind.COMMENT)


def prose_lines(context: Context, qualname: str, kinds: Sequence[BlockKind] = _PROSE) -> frozenset[int]:
    """Lines of a definition that are docstring or comment (or of other ``kinds``)."""
    blocks = (block for row in context.reader.chunks_of_symbol(qualname) for block in row.blocks) if qualname else ()
    return frozenset(n for block in blocks if block.kind in kinds for n in range(block.start, block.end + 1))


def unique(rows: Iterable[SymbolRow]) -> list[SymbolRow]:
    return list({row.symbol.qualname: row for row in rows}.values())


def question_terms(question: str) -> frozenset[str]:
    """Lower-cased words of the question that carry meaning, stems included; no compounds that it does not spell."""
    from retrieval.text.terms import index_terms, query_terms

    return frozenset(query_terms(question[:20_000])) & frozenset(index_terms(question[:20_000]))
