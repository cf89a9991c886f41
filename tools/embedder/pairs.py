"""Pairs of (what someone would ask, the text that answers) out of one Python file or one document."""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

MAX_QUERY_CHARS = 400
MAX_TEXT_CHARS = 1600
_MIN_BODY_LINES = 2
_SECTION = re.compile(
    r"^\s*(?:args?|arguments|parameters|params|returns?|yields?|raises?|notes?|examples?|see also|references"
    r"|attributes)\s*:?\s*$",
    re.IGNORECASE,
)
_FIELD = re.compile(r"^\s*(?::\w+|@\w+|\.\. |>>>|-{3,}|={3,}|\* |- )")
_ROLE = re.compile(r":[a-z:]+:`~?([^`<]*)[^`]*`")
_SPACE = re.compile(r"\s+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class Pair:
    """``group`` names the definition both sides come from: two pairs of one group are never each other's negatives."""

    kind: str
    group: str
    query: str
    text: str


def python_pairs(path: str, source: str, dice: random.Random) -> Iterator[Pair]:
    """Every pair of one file; none when it does not parse. ``path`` as in the wheel."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    lines = source.split("\n")
    stem = path.removesuffix(".py").removesuffix("/__init__").replace("/", " ")
    yield from _module_pairs(path, stem, tree)
    stack: list[tuple[ast.AST, str]] = [(tree, "")]
    while stack:
        node, scope = stack.pop()
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                yield from _function_pairs(path, stem, scope, child, lines, dice)
                stack.append((child, f"{scope}{child.name}."))
            elif isinstance(child, ast.ClassDef):
                yield from _class_pairs(path, stem, scope, child, lines, dice)
                stack.append((child, f"{scope}{child.name}."))
            elif isinstance(child, ast.If | ast.Try | ast.With):
                stack.append((child, scope))


def prose_pairs(path: str, text: str) -> Iterator[Pair]:
    """Heading to section and first sentence to the rest, for Markdown and reStructuredText."""
    lines = text.split("\n")
    heads: list[tuple[int, str]] = []
    for row, line in enumerate(lines):
        if line.startswith("#") and line.lstrip("#").startswith(" "):
            heads.append((row, line.strip("# \t")))
        elif (
            row
            and len(line) > 2
            and len(set(line.strip())) == 1
            and line.strip()[0] in "=-~^*"
            and lines[row - 1].strip()
        ):
            heads.append((row, lines[row - 1].strip()))
    heads.append((len(lines), ""))
    title = heads[0][1]
    for (row, head), (end, _) in pairwise(heads):
        section = "\n".join(lines[row + 1 : end]).strip()[:MAX_TEXT_CHARS]
        if len(section) < 80 or len(head) < 4:
            continue
        group = f"{path}:{row}"
        yield Pair("heading", group, head if head == title else f"{title} {head}"[:MAX_QUERY_CHARS], section)
        first, _, rest = section.partition(". ")
        if 30 < len(first) < MAX_QUERY_CHARS and len(rest) > 80:
            yield Pair("paragraph", group, _SPACE.sub(" ", first), f"{head}\n{rest}")


def code_without_docstring(node: ast.FunctionDef | ast.AsyncFunctionDef, lines: list[str]) -> str:
    """The definition's lines, decorators included, its docstring's lines left out."""
    start = min([node.lineno, *(d.lineno for d in node.decorator_list)])
    kept = lines[start - 1 : node.end_lineno]
    doc = _docstring_node(node)
    if doc is not None and doc.lineno > node.lineno:
        kept = lines[start - 1 : doc.lineno - 1] + lines[doc.end_lineno : node.end_lineno]
    return "\n".join(kept)


def paragraphs(doc: str) -> list[str]:
    """The prose paragraphs of a docstring in order, roles and white space folded, field lists and sections left out."""
    out: list[str] = []
    for block in re.split(r"\n[ \t]*\n", doc.strip()):
        rows = block.strip().split("\n")
        if _SECTION.match(rows[0]):
            break
        kept: list[str] = []
        for row in rows:
            if _FIELD.match(row):
                break
            kept.append(row)
        folded = _SPACE.sub(" ", _ROLE.sub(r"\1", " ".join(kept))).replace("``", "").strip()
        if folded:
            out.append(folded[:MAX_QUERY_CHARS])
    return out


def _docstring_node(node: ast.AST) -> ast.Expr | None:
    body = getattr(node, "body", None)
    if (
        body
        and isinstance(body[0], ast.Expr)
        and isinstance(body[0].value, ast.Constant)
        and isinstance(body[0].value.value, str)
    ):
        return body[0]
    return None


def _words(name: str) -> str:
    return _CAMEL.sub(" ", name.replace("_", " ").replace(".", " ")).strip()


def _function_pairs(
    path: str,
    stem: str,
    scope: str,
    node: ast.FunctionDef | ast.AsyncFunctionDef,
    lines: list[str],
    dice: random.Random,
) -> Iterator[Pair]:
    code = code_without_docstring(node, lines)
    if code.count("\n") < _MIN_BODY_LINES or len(code) > 40_000:
        return
    group = f"{path}:{scope}{node.name}"
    owner = _words(scope)
    context = f"{stem} {owner}\n"

    def shown(text: str) -> str:
        """Chunks come with their place in the tree in an index, mostly; train on both."""
        return ((context if dice.random() < 0.5 else "") + text)[:MAX_TEXT_CHARS]

    doc = ast.get_docstring(node) or ""
    prose = paragraphs(doc)
    if prose and prose[0].count(" ") >= 2:
        rest = doc.partition("\n\n")[2]
        text = f"{rest[:600]}\n{code}" if rest and dice.random() < 0.25 else code
        yield Pair("docstring", group, prose[0], shown(text))
        if dice.random() < 0.5:
            yield Pair("question", group, _question(prose[0], node.name, scope, dice), shown(text))
    if len(prose) > 1 and prose[1].count(" ") >= 5:
        yield Pair("docstring-2", group, prose[1], shown(code))
    first = node.body[1] if _docstring_node(node) and len(node.body) > 1 else node.body[0]
    body = "\n".join(lines[first.lineno - 1 : node.end_lineno])
    name = _words(node.name)
    if node.name.startswith("test_") or node.name.startswith("test"):
        asked = name.removeprefix("test").strip()
        if asked.count(" ") >= 1:
            yield Pair(
                "test", group, f"{owner} {asked}".strip() if dice.random() < 0.3 else asked, body[:MAX_TEXT_CHARS]
            )
    elif name.count(" ") >= 1 and body.count("\n") >= _MIN_BODY_LINES and not node.name.startswith("__"):
        yield Pair("name", group, f"{name} {owner}".strip() if dice.random() < 0.5 else name, shown(body))
    if "raise " in code and not node.name.startswith("test"):
        yield from _error_pairs(group, node, code, shown)
    yield from _comment_pairs(path, node, lines)


def _error_pairs(group: str, node: ast.AST, code: str, shown: Callable[[str], str]) -> Iterator[Pair]:
    found = 0
    for inner in ast.walk(node):
        if isinstance(inner, ast.Raise) and isinstance(inner.exc, ast.Call) and inner.exc.args:
            told = "".join(
                str(part.value) if isinstance(part, ast.Constant) and isinstance(part.value, str) else " "
                for part in ast.walk(inner.exc.args[0])
                if isinstance(part, ast.Constant)
            )
            told = _SPACE.sub(" ", told).strip()
            if told.count(" ") >= 3:
                blanked = code
                for part in ast.walk(inner.exc.args[0]):
                    if isinstance(part, ast.Constant) and isinstance(part.value, str) and len(part.value) > 3:
                        blanked = blanked.replace(part.value, "")
                yield Pair("error", group, told[:MAX_QUERY_CHARS], shown(blanked))
                found += 1
                if found == 2:
                    return


def _comment_pairs(path: str, node: ast.FunctionDef | ast.AsyncFunctionDef, lines: list[str]) -> Iterator[Pair]:
    row, end = node.lineno, node.end_lineno or node.lineno
    while row < end:
        stripped = lines[row].strip()
        if not stripped.startswith("#"):
            row += 1
            continue
        start, told = row, []
        while row < end and lines[row].strip().startswith("#"):
            told.append(lines[row].strip().lstrip("#: "))
            row += 1
        indent = len(lines[start]) - len(lines[start].lstrip())
        after = row
        while row < end and row - after < 10 and lines[row].strip() and not lines[row].strip().startswith("#"):
            if len(lines[row]) - len(lines[row].lstrip()) < indent:
                break
            row += 1
        comment = " ".join(told)
        prose = sum(ch.isalpha() or ch == " " for ch in comment) > 0.85 * len(comment)
        code = "\n".join(lines[after:row])
        if prose and comment.count(" ") >= 4 and len(code) > 40:
            yield Pair("comment", f"{path}:{start}", comment[:MAX_QUERY_CHARS], code[:MAX_TEXT_CHARS])


def _class_pairs(
    path: str, stem: str, scope: str, node: ast.ClassDef, lines: list[str], dice: random.Random
) -> Iterator[Pair]:
    rows = [lines[node.lineno - 1]]
    for child in node.body:
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            rows.append(lines[child.lineno - 1])
        elif isinstance(child, ast.Assign | ast.AnnAssign):
            rows.extend(lines[child.lineno - 1 : min(child.end_lineno or child.lineno, child.lineno + 2)])
    prose = paragraphs(ast.get_docstring(node) or "")
    group = f"{path}:{scope}{node.name}"
    text = "\n".join(rows)
    if dice.random() < 0.5:
        text = f"{stem}\n{text}"
    text = text[:MAX_TEXT_CHARS]
    if len(rows) < 3:
        return
    for told in prose[:2]:
        if told.count(" ") >= 2:
            yield Pair("class", group, told, text)
    if prose and dice.random() < 0.3:
        yield Pair("question", group, _question(prose[0], node.name, scope, dice), text)


def _module_pairs(path: str, stem: str, tree: ast.Module) -> Iterator[Pair]:
    prose = paragraphs(ast.get_docstring(tree) or "")
    names = [
        child.name for child in tree.body if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    ]
    if names:
        for told in prose[:2]:
            if told.count(" ") >= 2:
                yield Pair("module", path, told, f"{stem}\n{' '.join(names)}"[:MAX_TEXT_CHARS])


def _question(told: str, name: str, scope: str, dice: random.Random) -> str:
    """A docstring's first sentence, asked the way people ask about a codebase they do not know."""
    sentence = told.partition(". ")[0].rstrip(".")
    verb, _, rest = sentence.partition(" ")
    verb = verb.lower()
    stem = verb[:-1] if verb.endswith("s") and not verb.endswith("ss") else verb
    dotted = f"{scope}{name}"
    forms = [
        f"How does the code {stem} {rest}?",
        f"Where does it {stem} {rest}?",
        f"How can I {stem} {rest}?",
        f"Which function {stem}s {rest}?",
        f"Where is the logic that {stem}s {rest}?",
        f"How is {rest} handled?",
        f"What happens when {sentence[:1].lower()}{sentence[1:]}?",
        f"Why does {dotted} {stem} {rest}?",
        f"How does {dotted} {stem} {rest}?",
        f"What does {dotted} do?",
        f"How does {_words(name)} work?",
        f"Where is {_words(name)} implemented?",
    ]
    return dice.choice(forms)[:MAX_QUERY_CHARS]
