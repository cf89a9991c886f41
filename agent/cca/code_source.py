"""Code of any language in an answer: its fences, their text without comments and strings, what is found there."""

from __future__ import annotations

import re

from agent.cca import checks as c
from agent.cca.formats import Judgement
from agent.cca.linear import compiled, scrub
from agent.cca.views import Span, View

_MAX_SPANS = 20
_MAX_CHARS = 200_000  # of a fence
_SHELL = (
    "bash",
    "sh",
    "shell",
    "zsh",
    "console",
    "shell-session",
    "terminal",
    "shellsession",
    "powershell",
    "cmd",
    "bat",
)
LANGUAGES: dict[str, tuple[str, ...]] = {
    "python": ("python", "py", "python3", "py3", "pycon"),
    "javascript": ("javascript", "js", "jsx", "mjs", "cjs", "node", "typescript", "ts", "tsx"),
    "typescript": ("typescript", "ts", "tsx"),
    "shell": ("bash", "sh", "shell", "zsh"),
    "other_shell": ("sh", "shell", "zsh", "console", "shell-session", "terminal", "shellsession"),
    "go": ("go", "golang"),
    "rust": ("rust", "rs"),
    "java": ("java",),
    "kotlin": ("kotlin", "kt"),
    "c": ("c", "h", "cpp", "c++", "cc", "hpp"),
    "csharp": ("csharp", "cs", "c#"),
    "ruby": ("ruby", "rb"),
    "php": ("php",),
    "css": ("css", "scss", "less"),
    "html": ("html", "htm", "vue", "svelte", "jsx", "tsx"),
    "sql": ("sql", "postgres", "postgresql", "mysql", "sqlite", "tsql", "duckdb", "plsql", "bigquery"),
    "yaml": ("yaml", "yml"),
    "json": ("json", "jsonc", "json5"),
    "toml": ("toml",),
    "dockerfile": ("dockerfile", "docker", "containerfile"),
    "makefile": ("makefile", "make"),
    "terraform": ("terraform", "hcl", "tf"),
    "diff": ("diff", "patch"),
}
"""What fences of a language are marked with; JavaScript's are TypeScript's, too; ``other_shell``: but "bash"."""
_TRIPLE = r'"""(?:[^"\\]|\\.|"{1,2}(?!"))*"""|\'\'\'(?:[^\'\\]|\\.|\'{1,2}(?!\'))*\'\'\''
_QUOTED = r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'"
_STARS = r"/\*(?:[^*]|\*+[^*/])*\*+/"
_HASH = re.compile(rf"(?P<comment>(?<![^\s;])\#[^\n]*)|(?P<string>{_TRIPLE}|{_QUOTED})", re.S)
_PYTHON = re.compile(rf"(?P<comment>\#[^\n]*)|(?P<string>{_TRIPLE}|{_QUOTED})", re.S)
_SLASH = re.compile(rf"(?P<comment>//[^\n]*|{_STARS})|(?P<string>{_QUOTED}|`(?:[^`\\]|\\.)*`)", re.S)
_DASH = re.compile(rf"(?P<comment>--[^\n]*|{_STARS})|(?P<string>'(?:[^']|'')*')", re.S)
_NONE = re.compile(r"(?P<comment>(?!x)x)|(?P<string>(?!x)x)")
_SYNTAX: dict[str, re.Pattern[str]] = {
    **dict.fromkeys(LANGUAGES["python"], _PYTHON),
    **{
        name: _SLASH
        for language in ("javascript", "go", "rust", "java", "kotlin", "c", "csharp", "php", "css")
        for name in LANGUAGES[language]
    },
    **{
        name: _HASH
        for language in ("shell", "ruby", "yaml", "toml", "dockerfile", "makefile", "terraform")
        for name in LANGUAGES[language]
    },
    **dict.fromkeys(LANGUAGES["sql"], _DASH),
    **dict.fromkeys(_SHELL, _HASH),
}


def names_of(language: str) -> tuple[str, ...]:
    """What fences of the language are marked with; of one that is not known its own name."""
    return LANGUAGES.get(language, (language,))


def judge_code(view: View, check: c.Code) -> Judgement:
    wanted = compiled(check.pattern)
    seen = False
    broken: list[Span] = []
    for span, text in _texts(view, check):
        if check.where and not compiled(check.where).search(scrub(text)):
            continue
        seen = True
        places = [(match.start(), match.end()) for match in wanted.finditer(scrub(text))][: 10 * _MAX_SPANS]
        if check.most is not None and len(places) > check.most:
            broken.extend(Span(span.start + start, span.start + end) for start, end in places[check.most :])
        elif len(places) < check.least:
            broken.append(span)
    name = check.finds or f"/{check.pattern[:60]}/"
    if broken:
        said = f"{name} is missing" if check.least and check.most is None else f"has {name}" if not check.most else name
        return "violated", f"its code: {said}", tuple(broken[:_MAX_SPANS])
    return ("holds", "", ()) if seen else ("no_verdict", "there is no such code", ())


def _texts(view: View, check: c.Code) -> list[tuple[Span, str]]:
    """The code of that language, as it is looked at. ``commands``: of shells, of unnamed fences, and within a line."""
    commands = check.language == "commands"
    names = (*_SHELL, "") if commands else names_of(check.language)
    found = [
        (fence.span, _seen(view.of(fence.span), fence.language, check))
        for fence in view.fences
        if (not check.language or fence.language in names) and fence.span.end - fence.span.start <= _MAX_CHARS
    ]
    if commands and not check.least:
        found.extend((span, view.of(span)) for span in view.inline_code)
    return found


def _seen(text: str, language: str, check: c.Code) -> str:
    """Comments and strings are blanked, offsets kept. Of shells strings stay: what they hold is run as well."""
    syntax = _SYNTAX.get(language, _NONE)

    def blank(match: re.Match[str]) -> str:
        if (check.comments and match["comment"] is not None) or (
            match["string"] is not None and (check.strings or language in _SHELL)
        ):
            return match[0]
        if match["string"] is not None:
            return match[0][0] + re.sub(r"[^\n]", " ", match[0][1:-1]) + match[0][-1]
        return re.sub(r"[^\n]", " ", match[0])

    return syntax.sub(blank, text)
