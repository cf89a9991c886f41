"""Where is option, setting or key Z handled: what defines it, reads it, sets it, documents it and tests it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from agent.answer.offline.context import Context, Draft, doc_statements, find_lines, title, where
from agent.answer.offline.find import Line, folded
from agent.answer.offline.prose import is_history
from agent.answer.offline.wording import code, listed, not_listed, plural, prose_sentences, quote
from retrieval.records import Role, SymbolRow

MAX_TERMS = 3
MAX_CODE_LINES = 20
MAX_ALIAS_LINES = 10
MAX_DOC_LINES = 4
MAX_TEST_LINES = 3
MAX_ENVIRONMENT = 30
MAX_DOC_QUOTES = 2
_MAX_ALIASES = 3
_MIN_DOC_WORDS = 5  # of a sentence that is quoted
_DOC_BELOW = 14  # lines of a document below the one that names the key
_FLAG = re.compile(r"(?<![\w-])--?[A-Za-z][\w-]{0,80}")
_CAPITALS = re.compile(r"(?<![\w.])[A-Z][A-Z0-9_]{2,80}(?!\w)")
_READERS = ("get(", "getenv(", "environ", "getattr(", "config.", "settings.", "options.", "args.", "pop(")
_ORDER = ("defined", "bound", "read", "set", "used", "noted")
_ALIAS = re.compile(r"\s*([A-Za-z_]\w{0,80})\s*(?::[^=\n]{1,120})?=(?!=)")
_ENVIRONMENT = re.compile(r"\b(?:environ|getenv)\b")
# What is read of the process's environment, not of a request's, and not what is written into it.
_VARIABLE = re.compile(
    r"(?<![\w.])(?:os\.)?(?:environb?(?:\.(?:get|pop|setdefault)\(|\[) ?|getenvb?\( ?)"
    r"[bf]?[\"']([A-Z][A-Z0-9_]{2,60})[\"'](?! ?\] ?=(?!=))"
    r"|[\"']([A-Z][A-Z0-9_]{2,60})[\"'] (?:not )?in (?:os\.)?environ\b"
)
_ENVIRONMENT_FRAME = re.compile(
    r"\b(?:env(?:ironment)?|var(?:iable)?s?|reads?|uses?|used|supported|supports?|respects?|understands?|list|"
    r"all|available|set|configure[ds]?|tool|program|app|project|library|package|code)\b",
    re.IGNORECASE,
)
_ITEM_NOTE = re.compile(r"(?:\s{0,9}\([^()]{0,80}\))?\s{0,9}:?$")  # behind the name of an item: "(string):"
_ASKS_ENVIRONMENT = re.compile(r"\benv(?:ironment)? var", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Site:
    line: Line
    how: str


def answer_settings(context: Context) -> Draft:
    """For each name that the question spells: the lines that spell it, from all of the index, code first."""
    draft = Draft()
    terms = spelled_terms(context)
    for term in terms[:MAX_TERMS]:
        draft.gap()
        _tell(context, term, draft)
    if not draft.lines and lists_environment(context):
        _environment(context, draft)
    if not draft.lines and context.names_a_symbol:
        for row in context.targets[:MAX_TERMS]:
            draft.gap()
            draft.say(where(context, row), *doc_statements(context, row, 1))
    return draft


def spelled_terms(context: Context) -> list[str]:
    """What the question spells out: identifiers, flags, names in capitals."""
    question = context.pack.question[:8_000]
    mentions = context.pack.plan.mentions
    found = [mention.text.strip("`").removesuffix("()") for mention in mentions if context.is_name(mention)]
    flags = _FLAG.findall(question)
    of_flags = {flag.lstrip("-") for flag in flags}
    found = [each for each in found if each not in of_flags] + flags + _CAPITALS.findall(question)
    absent = set(context.absent)
    named = context.in_name_position
    return [term for term in dict.fromkeys(found) if (len(term) > 2 or term in named) and term not in absent]


def spells_a_flag(context: Context) -> bool:
    """``what is the default of --budget``: the option is meant, not what shares its name."""
    spelled = any(each.how != "word" for each in context.pack.plan.mentions if each.symbols)
    return not spelled and any(flag.startswith("--") for flag in _FLAG.findall(context.pack.question[:2_000]))


def _tell(context: Context, term: str, draft: Draft) -> None:
    lines = context.find.lines(term)
    if not lines:
        return
    sites = [_Site(line, how(line, term)) for line in lines]
    code_sites = [site for site in sites if not _is_doc(site.line) and site.line.role is not Role.TEST]
    docs = [site.line for site in sites if _is_doc(site.line) and site.line.role is not Role.TEST]
    tests = [site.line for site in sites if site.line.role is Role.TEST]
    for row in _defined_by(context, term):
        draft.say(where(context, row))
    counts = [
        f"{plural(len(code_sites), 'line')} of code" if code_sites else "",
        f"{plural(len(docs), 'line')} of documentation" if docs else "",
        f"{plural(len(tests), 'line')} of tests" if tests else "",
    ]
    working = [site for site in code_sites if site.how != "noted"] or code_sites
    if working:
        draft.say(f"{code(term, 200)} stands on {listed(list(filter(None, counts)))}:")
    chosen = sorted(working, key=lambda site: (_role_rank(site.line), _ORDER.index(site.how)))[:MAX_CODE_LINES]
    draft.say(*(_entry(context, site) for site in chosen))
    _more(draft, len(working), len(chosen), f"lines of code with {term}")
    told = len(code_sites) - len(working)
    if told:
        draft.notes.append(not_listed(told, f"lines of comments and docstrings with {term}"))
    _aliases(context, term, (site for site in code_sites if site.how != "noted"), draft)
    _documents(context, "It" if working else code(term, 200), term, docs, draft)
    if tests:
        draft.gap()
        files = len({line.path for line in tests})
        draft.say(f"Tests spell it on {plural(len(tests), 'line')} in {plural(files, 'file')}:")
        draft.say(*(_entry(context, _Site(line, "used")) for line in tests[:MAX_TEST_LINES]))
        _more(draft, len(tests), MAX_TEST_LINES, f"lines of tests with {term}")


def _defined_by(context: Context, term: str) -> list[SymbolRow]:
    return [row for row in context.targets if row.symbol.name == term.rsplit(".", 1)[-1]]


def _is_doc(line: Line) -> bool:
    return line.role is Role.DOC or (line.prose and line.kind in ("section", "window"))


def _role_rank(line: Line) -> int:
    return 0 if line.role is Role.CODE else 1


def how(line: Line, term: str) -> str:
    """What a line of code does with the name, judged by its form alone."""
    stripped = line.text.strip()
    at = stripped.find(term)
    before = stripped[:at]
    behind = stripped[at + len(term) :]
    if line.prose or stripped.startswith(("#", '"""', "'''", "..")) or "#" in before:
        return "noted"
    quoted = before.endswith(("'", '"'))
    before = before.rstrip("\"'`").rstrip()
    behind = behind.lstrip("\"'`").lstrip()
    if before.endswith("[") and behind.startswith("]") and before[-2:-1].isidentifier():
        behind = behind[1:].lstrip()
        return "set" if behind[:1] == "=" and behind[:2] != "==" else "read"
    assigned = behind[:1] == "=" and behind[:2] != "=="
    if not before and assigned and not stripped.endswith(","):
        return "defined"
    if behind[:1] == ":" and (not before or (quoted and before[-1] in "{,(")):
        return "defined"
    if assigned:
        return "set"
    if before.endswith(_READERS):
        return "read"
    if quoted and line.kind in ("class", "module") and _ALIAS.match(line.text) and "(" in before:
        return "bound"
    return "used"


_WORDS = {
    "defined": "defined",
    "bound": "bound to a name",
    "read": "read",
    "set": "set",
    "used": "used",
    "noted": "noted",
}


def _entry(context: Context, site: _Site) -> str:
    line = site.line
    cited = context.book.cite(line.path, line.number, names=(line.owner,))
    owner = f" in {code(title(line.owner), 200)}" if line.owner else ""
    text = context.book.line(line.path, line.number)
    return f"- {_WORDS[site.how]} at {code(f'{line.path}:{line.number}', 300)}{owner}: {code(text)} {cited}"


def _aliases(context: Context, term: str, sites: Iterable[_Site], draft: Draft) -> None:
    """Names that a class or module gives to the key: ``secret_key = ConfigAttribute("SECRET_KEY")``; and their uses."""
    names: dict[str, Line] = {}
    for site in sites:
        matched = _ALIAS.match(site.line.text)
        if matched and site.line.kind in ("class", "module") and site.line.role is Role.CODE and matched[1] != term:
            names.setdefault(matched[1], site.line)
    for name, line in list(names.items())[:_MAX_ALIASES]:
        attribute = line.kind == "class"
        uses = [
            each
            for each in context.find.lines(name)
            if each.role is Role.CODE
            and not each.prose
            and (each.path, each.number) != (line.path, line.number)
            and (f".{name}" in each.text or not attribute)
            and not each.text.lstrip().startswith(("from ", "import "))
        ]
        if not uses:
            continue
        draft.gap()
        owner = f"{title(line.owner)}.{name}" if attribute and line.owner else name
        cited = context.book.cite(line.path, line.number, names=(line.owner,))
        draft.say(f"Code reaches it as {code(owner, 200)} {cited}, a name that stands on {plural(len(uses), 'line')}:")
        draft.say(*(_entry(context, _Site(each, how(each, name))) for each in uses[:MAX_ALIAS_LINES]))
        _more(draft, len(uses), MAX_ALIAS_LINES, f"lines with {name}")


def _documents(context: Context, subject: str, term: str, docs: Sequence[Line], draft: Draft) -> None:
    if not docs:
        return
    draft.gap()
    told: set[int] = set()
    said: set[str] = set()
    ordered = sorted(range(len(docs)), key=lambda at: (not _heads(docs[at].text, term), is_history(docs[at].path), at))
    for at in ordered:
        line = docs[at]
        if len(told) == MAX_DOC_QUOTES or not _heads(line.text, term):
            break
        quoted = _below(context, line)
        if quoted:
            told.add(at)
            sentence = quoted.split("”", 1)[0]
            if sentence not in said:
                said.add(sentence)
                draft.say(f"{code(f'{line.path}:{line.number}', 300)} documents it: {quoted}")
    rest = [docs[at] for at in ordered if at not in told and not (told and _heads(docs[at].text, term))][:MAX_DOC_LINES]
    if rest:
        draft.say(f"{subject} is {'also ' if told else ''}named in documents:")
        for line in rest:
            cited = context.book.cite(line.path, line.number)
            text = context.book.line(line.path, line.number)
            draft.say(f"- {code(f'{line.path}:{line.number}', 300)}: {code(text)} {cited}")
    _more(draft, len(docs), len(told) + len(rest), f"lines of documents with {term}")


def _heads(text: str, term: str) -> bool:
    """The line is a heading, a directive or a bare item of a list that introduces the name. An item that goes on in
    words is a sentence: what stands below it is its end."""
    bare = text.strip().strip("`*#=:| ").removeprefix(".. ").split("::")[-1].strip("`*: ")
    return bare == term or _ITEM_NOTE.sub("", text.strip()) in (
        f"{sign} {tick}{term}{tick}" for sign in "-*" for tick in ("`", "``")
    )


def _below(context: Context, line: Line) -> str | None:
    """The first sentence of prose below a heading or directive, quoted."""
    lines = context.book.lines(line.path)
    paragraph: list[str] = []
    for number in range(line.number + 1, min(line.number + _DOC_BELOW, len(lines)) + 1):
        stripped = lines[number - 1].strip()
        if stripped and any(char.isalpha() for char in stripped) and not stripped.startswith((".. ", ":", "```")):
            paragraph.append(stripped)
        elif paragraph and sum(len(each.split()) for each in paragraph) >= _MIN_DOC_WORDS:
            break
        else:
            paragraph.clear()  # "Default: None" says less than what follows it
    for sentence in prose_sentences(" ".join(paragraph)):
        quoted = quote(sentence)
        span = find_lines(lines, sentence, line.number + 1, line.number + _DOC_BELOW)
        if quoted and span and len(sentence.split()) >= _MIN_DOC_WORDS:
            return f"{quoted} {context.book.cite(line.path, line.number)}{context.book.cite(line.path, *span)}."
    return None


def lists_environment(context: Context) -> bool:
    """The question asks which environment variables there are, and not about some of them ("that control colours")."""
    question = context.pack.question[:2_000]
    if not _ASKS_ENVIRONMENT.search(question):
        return False
    from retrieval.text.stopwords import BOILERPLATE, QUESTION_WORDS

    rest = re.findall(r"\w+", _ENVIRONMENT_FRAME.sub(" ", question).lower())
    return sum(word not in QUESTION_WORDS and word not in BOILERPLATE for word in rest) <= 1  # the project's name


def _environment(context: Context, draft: Draft) -> None:
    """Which environment variables are read: every line of code that takes one out of the environment."""
    seen: dict[str, Line] = {}
    for word in ("environ", "getenv"):
        for line in context.find.lines(word):
            if line.role is Role.CODE and not line.prose and _ENVIRONMENT.search(line.text):
                first, last = line.statement()
                for groups in _VARIABLE.findall(folded(context.book, line.path, first, last)):
                    seen.setdefault("".join(groups), line)
    if not seen:
        return
    draft.say(f"Code takes {plural(len(seen), 'variable')} out of the environment by name:")
    for name, line in sorted(seen.items())[:MAX_ENVIRONMENT]:
        first, last = line.statement()
        cited = context.book.cite(line.path, first, last, names=(line.owner,))
        owner = f" in {code(title(line.owner), 200)}" if line.owner else ""
        draft.say(f"- {code(name)} at {code(f'{line.path}:{line.number}', 300)}{owner} {cited}")
    _more(draft, len(seen), MAX_ENVIRONMENT, "variables")
    draft.notes.append("variables that are read through another mapping than the environment itself are not seen")


def _more(draft: Draft, total: int, shown: int, what: str) -> None:
    if total > shown:
        draft.notes.append(not_listed(total - shown, what))
