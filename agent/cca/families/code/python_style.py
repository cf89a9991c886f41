"""Families of demands on how Python is written: imports, names, annotations, comments, layout."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.families.code.build import guarded, python, python_at_most
from agent.cca.families.family import Family, Slots

_IMPORTS = r"import"
_ANY = r"."  # any term may be quoted: an example of the construct
_OTHER_LANGUAGE = r"\b(?:java|javascript|typescript|rust|golang|sql|yaml|json|css|kotlin|c\+\+|shell|bash)\b"


def _single_letters(slots: Slots) -> Any | None:
    """What is let through is named: "apart from i, j and k"."""
    behind = re.search(
        r"(?:apart from|except(?: for)?|other than|besides|save for|aside from|but)\s(.*)", slots.text, re.I
    )
    allowed = tuple(dict.fromkeys(re.findall(r"(?<![\w'’])[a-z_](?![\w'’])", behind[1]))) if behind else ()
    if behind and not allowed:
        return None
    return c.PythonCode(demand="no_single_letters", names=allowed)


def _bool_names(slots: Slots) -> Any | None:
    shown = (
        re.fullmatch(r"((?:is|has|can|should|was|are|may|needs|did|does)_|[a-z]+_(?=[.*…]*\Z))\w*[.*…]{0,3}", term)
        for term in slots.named
    )
    names = tuple(dict.fromkeys(match[1] for match in shown if match))
    return c.PythonCode(demand="bool_names", names=names) if names else None


FAMILIES: tuple[Family, ...] = (
    python("future_annotations", r"__future__|future import", about=_ANY),
    python("imports_at_top", _IMPORTS, about=_ANY, forbids=r"alphabet|wildcard|relative|absolute|group"),
    python("one_import_a_line", _IMPORTS, about=_ANY, forbids=r"alphabet|wildcard|relative|absolute"),
    python(
        "no_relative_imports",
        rf"(?:absolute|relative|dotted|leading dots?).{{0,60}}{_IMPORTS}|{_IMPORTS}.{{0,80}}"
        rf"(?:absolute|relative|dots?\b)|\bfrom \.",
        about=_ANY,
        forbids=r"\brelative (?:imports?|ones?) (?:for|within|inside)\b",  # each has its place
    ),
    python(
        "no_wildcard_imports",
        r"wild-?card|star[- ]import|import(?:s|ing)? (?:by |with )?(?:a )?(?:\*|stars?|asterisk"
        r"|everything)|asterisk|\*",
        about=_ANY,
    ),
    python(
        "sorted_imports",
        rf"{_IMPORTS}[^.]{{0,60}}(?:alphabet|a to z|a-z|sort|abc|by name)|(?:alphabet"
        rf"|sort)[^.]{{0,60}}{_IMPORTS}|\border {_IMPORTS}[^.]{{0,20}}\bby name",
        about=_ANY,
        forbids=r"group|section|length",
    ),
    python(
        "import_groups",
        rf"{_IMPORTS}.*groups?\b|groups?\b.*{_IMPORTS}|\bisort\b|{_IMPORTS}.*(?:standard"
        rf"|stdlib|third)|(?:standard|stdlib|third).*{_IMPORTS}",
        about=_ANY,
    ),
    python(
        "no_import_alias",
        r"alias|import.* as\b|\bas\b.*import|renam|under another name|under (?:its|their) own|shorten"
        r"|short names?|abbreviat",
        about=_ANY,
    ),
    python("no_from_imports", r"\bfrom\b|modules?", about=_ANY, forbids=r"relative|wildcard"),
    python("no_unused_imports", rf"{_IMPORTS}", about=_ANY),
    python("no_module_all", r"__all__"),
    python("union_operator", r"\bunions?\b|optional|\|", about=_ANY),
    python(
        "builtin_generics",
        r"generic|typing\.|\b(?:set|list|dict|tuple)\[|\blist\b|\bdict\b|\btuple\b"
        r"|pep 585",
        about=_ANY,
    ),
    python("no_any", r"\bany\b", about=_ANY, forbids=r"no any|any (?:function|method|code|python|answer)"),
    python(
        "annotations",
        r"type[- ]?hint|annotat|typed\b|\btyping\b|\btypes\b",
        about=_ANY,
        forbids=rf"^(?!.*(?:argument|paramet).*(?:result|return)).*(?:return|paramet|argument)|docstring|union|\bany\b|{_OTHER_LANGUAGE}",
    ),
    python("returns_annotated", r"return|->", about=_ANY, forbids=r"docstring|early"),
    python("parameters_annotated", r"paramet|argument", about=_ANY, forbids=r"docstring|return|default"),
    python("no_annotations", r"type[- ]?hint|annotation|\btypes?\b", about=_ANY, forbids=r"docstring|return|comment"),
    Family(
        "python.no_single_letters",
        "no names of one letter",
        guarded(_single_letters, r"letter|character|(?:variables?|names?)\b.*`[a-z]`", _ANY),
        takes_terms=True,
    ),
    Family(
        "python.bool_names",
        "functions that return bool are named as questions",
        guarded(_bool_names, r"bool|true or false|true/false|predicate", _ANY),
        takes_terms=True,
    ),
    python("upper_constants", r"constants?\b", about=_ANY, forbids=_OTHER_LANGUAGE),
    python(
        "snake_case_functions",
        r"(?:function|method)s?\b",
        about=_ANY,
        forbids=rf"variable|argument|paramet|class|{_OTHER_LANGUAGE}",
    ),
    python(
        "snake_case_variables",
        r"(?:variable|argument|paramet|attribute|local)s?\b",
        about=_ANY,
        forbids=rf"function|class|constant|{_OTHER_LANGUAGE}",
    ),
    python("capwords_classes", r"\bclass", about=_ANY, forbids=rf"variable|css|{_OTHER_LANGUAGE}"),
    python("error_names", r"exception|error", about=_ANY),
    python("test_names", r"\btests?\b", about=_ANY),
    python("plain_tests", r"\btests?\b|unittest|testcase", about=_ANY),
    python(
        "double_quotes", r"double|single|\"", about=_ANY, forbids=r"docstring|triple|json|sql|html|shell|js|javascript"
    ),
    python(
        "single_quotes",
        r"single|double|'",
        about=_ANY,
        forbids=r"docstring|triple|json|sql|html|shell|js|javascript",
    ),
    python(
        "top_blank_lines",
        r"(?:two|2|double) (?:\w+ )?(?:blank|empty)|blank|empty",
        about=_ANY,
        forbids=r"method|three|heading",
    ),
    python("method_blank_lines", r"method", about=_ANY),
    python("trailing_commas", r"comma", about=_ANY, forbids=r"oxford|serial|prose|sentence|json|javascript|yaml"),
    python(
        "no_semicolons",
        r"semi-?colon|;",
        about=_ANY,
        forbids=r"\bprose|sentence|sql|javascript|typescript|\bjs\b|bullet|paragraph|text\b|writing",
    ),
    python("no_backslashes", r"back-?slash|\\", about=_ANY, forbids=r"regex|path|escape|windows"),
    python(
        "no_comments",
        r"comment",
        about=_ANY,
        forbids=r"todo|fixme|inline|trailing|end of (?:a )?line|same line|noqa|type: ?ignore|docstring|commented",
    ),
    python("no_inline_comments", r"comment", about=_ANY, forbids=r"todo|fixme|noqa"),
    python("comment_capital", r"comment", about=_ANY),
    python("main_guard", r"__main__|__name__|main[- ]guard|guard|entry", about=_ANY),
    python_at_most("arguments", "functions have at most {limit} arguments", r"argument|paramet|param|\bargs\b|inputs?"),
    python_at_most("function_lines", "functions have at most {limit} lines", r"function|method|\bdef\b|bod(?:y|ies)"),
    python_at_most("nesting", "blocks are nested at most {limit} deep", r"nest|deep|depth|indent|level"),
)
