"""Code blocks: whether, how many, with which language, what stands around them."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.families.family import Family, Slots
from agent.cca.families.form.making import FENCE_SIGN, count, layout, none_of, simple

_CODE_LINE = (
    r"^(?:[ \t]*(?:def \w+\([^\n]*\).*:|class \w+[^\n]*[:{]|import \w[\w., ]*|from [\w.]+ import \w[^\n]*"
    r"|(?:const|let|var) \w+ = [^\n]+|for \(?\w[^\n]*(?: in [^\n]+:|\{)|if \(?[^\n]+\)? ?\{|print\([^\n]*\)"
    r"|function \w+\([^\n]*\) ?\{|return [^\n]+;|#include <\w[^\n]*"
    r"|\w[\w.]*(?:\[[^\]\n]*\])? = [\[({\"'\w][^\n]*[\])}\"';\d]"
    r"|SELECT [^\n]+ FROM [^\n]+;?|\$ \w[^\n]*)[ \t]*)$"
)
_LANGUAGES = {
    "python": ("python", "py", "python3"),
    "javascript": ("javascript", "js", "jsx", "mjs"),
    "typescript": ("typescript", "ts", "tsx"),
    "bash": ("bash", "sh", "shell", "zsh", "console"),
    "sql": ("sql", "postgresql", "mysql", "sqlite"),
    "json": ("json", "jsonc", "json5"),
    "yaml": ("yaml", "yml"),
    "java": ("java",),
    "ruby": ("ruby", "rb"),
    "rust": ("rust", "rs"),
    "golang": ("go", "golang"),
    "html": ("html",),
    "css": ("css",),
    "kotlin": ("kotlin", "kt"),
    "swift": ("swift",),
    "php": ("php",),
    "text": ("text", "txt", "plaintext"),
    "diff": ("diff", "patch"),
}


def _tagged(slots: Slots) -> Any:
    """Fences name that one language."""
    said = f"{slots.text} {' '.join(slots.terms)}".lower()
    named = [name for name in _LANGUAGES if re.search(rf"(?<!\w){name}(?!\w)", said)]
    tags = re.findall(r"\b(ts|tsx|js|jsx|py|sh)\b", said)
    if len(named) != 1 and not (tags and not named):
        return None
    spelled = "|".join(_LANGUAGES[named[0]] if named else dict.fromkeys(tags))
    shown = named[0] if named else tags[0]
    some = c.When(
        condition=c.Count(unit="fences", least=1),
        then=c.Matches(pattern=rf"(?i)^ {{0,3}}(?:```|~~~) ?(?:{spelled})\b", least=1, finds=f"fences of {shown}"),
    )
    return some


FAMILIES: tuple[Family, ...] = (
    simple("fences.none", "no code blocks", lambda: c.Count(unit="fences", most=0), FENCE_SIGN),
    simple("fences.some", "a code block", lambda: c.Count(unit="fences", least=1), FENCE_SIGN),
    count("fences.count", "{limit} code blocks", "fences", signs=FENCE_SIGN),
    simple(
        "fences.named",
        "fences name their language",
        lambda: c.When(condition=c.Count(unit="fences", least=1), then=c.Count(unit="unnamed_fences", most=0)),
        rf"{FENCE_SIGN}|python|bash|json|js|sql|text|plaintext|sh|ya?ml|html|css|toml|xml",
    ),
    simple(
        "fences.unnamed",
        "fences name no language",
        lambda: none_of(r"^ {0,3}(?:```|~~~) ?\w", "fences with a language", "answer"),
        rf"{FENCE_SIGN}|python",
        numbers=True,
    ),
    Family("fences.language", "fences of one language", _tagged, takes_terms=True),
    simple(
        "fences.backticks",
        "fences of backticks",
        lambda: none_of(r"^ {0,3}~~~", "fences of tildes", "answer"),
        FENCE_SIGN,
        numbers=True,
    ),
    simple(
        "code.fenced",
        "code stands in fences",
        lambda: none_of(_CODE_LINE, "lines of code outside of fences"),
        FENCE_SIGN,
    ),
    simple(
        "code.none",
        "no code",
        lambda: c.AllOf(checks=(c.Count(unit="fences", most=0), none_of(_CODE_LINE, "lines of code"))),
    ),
    layout("code.only", "nothing but code", "only_code", FENCE_SIGN),
    layout("code.first", "code comes first", "code_first"),
    layout("code.not_first", "text comes before code", "text_first"),
    layout("code.explained", "text after each code block", "text_after_code"),
    layout("code.introduced", "text before each code block", "text_before_code"),
    simple(
        "code.last",
        "nothing follows the code",
        lambda: c.When(
            condition=c.Count(unit="fences", least=1),
            then=c.Matches(pattern=r"(?:```|~~~)\s*\z", least=1, finds="code at the end", within="answer"),
        ),
    ),
    simple(
        "code.not_last",
        "the answer does not end with code",
        lambda: c.When(
            condition=c.Count(unit="fences", least=1), then=none_of(r"(?:```|~~~)\s*\z", "code at the end", "answer")
        ),
    ),
)
