"""How an answer begins and ends, its questions, its lines and paragraphs, its letters and its language."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.families.family import Family, Slots
from agent.cca.families.form.making import found, layout, none_of, of_each, simple, some_of

_QUESTION = r"\?[\"'”’)*_]{0,3}\s*\z"
_ASKS = r"\?(?:[\s\"”')*]|$)"
_BOLD_LINE = r"\A\s*(?:\*\*|__)[^\n]+(?:\*\*|__)[.:!?]?\s*\z"
_POSTSCRIPT = r"(?im)^[\s*_]*p\.? ?s\.?[:*_ ]"
_PS = r"p\.? ?s\.?:?"
_OWN_NAMES = {
    "deutsch": "german",
    "français": "french",
    "español": "spanish",
    "italiano": "italian",
    "castilian": "spanish",
}


def _edge(nth: int, pattern: str, finds: str, wanted: bool = True, kind: str = "line") -> Any:
    return of_each(
        kind, c.Matches(pattern=pattern, least=int(wanted), most=None if wanted else 0, finds=finds), nth=nth
    )


def named_languages(text: str) -> list[str]:
    """Natural languages that are named with a capital, each once, in order."""
    from agent.cca.language import LANGUAGES

    found_: list[str] = []
    for word in re.findall(r"[^\W\d_]+", text):
        name = _OWN_NAMES.get(word.lower(), word.lower())
        if name in LANGUAGES and name not in found_:
            found_.append(name)
    return found_


_DENIED = re.compile(r"\b(?:not|never|no|avoid|refrain|any|except|forbidden|banned)\b|n['’]t\b", re.IGNORECASE)
_OTHER_THAN = re.compile(r"\b(?:other(?: language)? than|but|except|besides|apart from|else than)\b", re.IGNORECASE)
_ASIDE = re.compile(
    r"\b(?:not|never|instead of|rather than|even (?:if|when|though)|whatever|although|though|if|when|regardless|from)\b"
    r"[^.;,]*",
    re.IGNORECASE,
)


def _language(slots: Slots) -> Any:
    """The one language that is named, others of a condition or a contrast left out; none where it is denied."""
    named = [name for name in named_languages(slots.text) if name not in named_languages(" ".join(slots.contrast))]
    if slots.terms or not named:
        return None
    if len(named) > 1:
        behind = named_languages(" ".join(match[0] for match in _ASIDE.finditer(slots.text)))
        named = [name for name in named if name not in behind]
    if len(named) != 1:
        return None
    at = slots.text.lower().find(named[0])
    before = slots.text[max(0, at - 40) : at] if at >= 0 else ""
    clause = re.split(r"[.;,:]", before)[-1]
    if _DENIED.search(clause) and not _OTHER_THAN.search(clause):
        return None
    alone = c.Language(language=named[0])
    if not _THROUGHOUT.search(slots.text):
        return alone
    paragraph = c.Each(part=c.Part(kind="paragraph", pattern=r"(?:\S+\s+){7}\S"), check=alone)
    return c.AllOf(checks=(alone, paragraph))


_THROUGHOUT = re.compile(
    r"\b(?:entire|whole|complete|exclusively|throughout|no other language|nothing but|from (?:start|beginning) to)\b",
    re.I,
)


def _not_language(slots: Slots) -> Any:
    named = named_languages(slots.text)
    if len(named) != 1 or slots.terms or re.search(r"\b(?:other than|except)\b", slots.text, re.IGNORECASE):
        return None
    return c.Not(check=c.Language(language=named[0])) if _DENIED.search(slots.text) else None


def _separated(slots: Slots) -> Any:
    """Between two paragraphs a line stands that holds the sign and nothing else."""
    terms = [term.strip() for term in (*slots.terms, *slots.examples) if re.fullmatch(r"[^\w\s]{1,20}", term.strip())]
    if not terms:
        match = re.search(r"(?<!\S)([*=~#+_-]{3,20})(?=[\s.,;)]|$)", slots.text)
        terms = [match[1]] if match else []
    if len(set(terms)) != 1:
        return None
    sign = re.escape(terms[0])
    return c.When(
        condition=c.Count(unit="paragraphs", least=2),
        then=c.Matches(pattern=rf"^[ \t]*{sign}[ \t]*$", least=1, finds=f"lines “{terms[0]}”"),
    )


def _sentences(pattern: str, finds: str, wanted: bool) -> Any:
    return of_each("sentence", c.Matches(pattern=pattern, least=int(wanted), most=None if wanted else 0, finds=finds))


FAMILIES: tuple[Family, ...] = (
    simple("question.none", "no questions", lambda: none_of(_ASKS, "questions"), r"\?"),
    simple("question.some", "a question", lambda: some_of(_ASKS, "questions"), r"\?"),
    found("question.count", "{limit} questions", _ASKS, "questions"),
    simple("last.question", "the answer ends with a question", lambda: _edge(-1, _QUESTION, "a question"), r"\?"),
    simple(
        "last.no_question",
        "the answer does not end with a question",
        lambda: _edge(-1, _QUESTION, "a question", False),
        r"\?",
    ),
    simple(
        "first.question",
        "the answer begins with a question",
        lambda: _edge(1, _QUESTION, "a question", kind="sentence"),
        r"\?",
    ),
    simple(
        "first.no_question",
        "the answer does not begin with a question",
        lambda: _edge(1, _QUESTION, "a question", False, "sentence"),
        r"\?",
    ),
    simple("first.bold", "the first line is in bold", lambda: _edge(1, _BOLD_LINE, "a line in bold"), r"\*\*.{0,30}"),
    simple("last.bold", "the last line is in bold", lambda: _edge(-1, _BOLD_LINE, "a line in bold"), r"\*\*.{0,30}"),
    simple(
        "first.italic",
        "the first line is in italics",
        lambda: _edge(1, r"\A\s*[*_][^*_\s].*[*_][.:!?]?\s*\z", "a line in italics"),
        r"[*_].{0,30}",
    ),
    simple(
        "last.italic",
        "the last line is in italics",
        lambda: _edge(-1, r"\A\s*[*_][^*_\s].*[*_][.:!?]?\s*\z", "a line in italics"),
        r"[*_].{0,30}",
    ),
    simple("postscript.some", "a postscript at the end", lambda: some_of(_POSTSCRIPT, "a postscript", "answer"), _PS),
    simple("postscript.none", "no postscript", lambda: none_of(_POSTSCRIPT, "a postscript", "answer"), _PS),
    simple(
        "quotes.whole",
        "the answer stands in quotation marks",
        lambda: some_of(r"\A\s*[\"“][^\"“”]+[\"”]\s*\z", "quotation marks around it", "answer"),
        '["“”]',
    ),
    Family("paragraphs.separated", "{terms} between paragraphs", _separated, takes_terms=True),
    layout("paragraphs.blank", "blank lines between paragraphs", "blank_between_paragraphs", r"\\n\\n"),
    layout("blank.single", "no two blank lines together", "single_blank_lines"),
    simple("blank.none", "no blank lines", lambda: none_of(r"\S[ \t]*\n[ \t]*\n", "blank lines", "answer"), r"\\n\\n"),
    layout("paragraphs.flush", "paragraphs are not indented", "flush_paragraphs"),
    simple("spaces.single", "no two spaces after a sentence", lambda: none_of(r"[.!?] {2,}\S", "double spaces")),
    simple(
        "spaces.no_trailing",
        "no spaces at line ends",
        lambda: none_of(r"\S[ \t]+$", "spaces at the end of lines", "answer"),
    ),
    simple("tabs.none", "no tabs", lambda: c.Charset(allow="no_tabs"), r"\\t"),
    simple("letters.lower", "small letters alone", lambda: c.Case(letters="lower", within="prose")),
    simple("letters.upper", "capital letters alone", lambda: c.Case(letters="upper", within="prose")),
    simple(
        "letters.latin",
        "Latin letters alone",
        lambda: none_of(
            r"[\p{Cyrillic}\p{Greek}\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Arabic}\p{Hebrew}\p{Thai}\p{Devanagari}]",
            "letters of other scripts",
        ),
    ),
    simple("letters.ascii", "ASCII alone", lambda: c.Charset(allow="ascii")),
    simple(
        "sentences.capital",
        "sentences begin with a capital letter",
        lambda: _sentences(r"\A[^\p{L}\d`/.$]*\p{Ll}[\p{Ll}'’]*\s", "small letters at the start", False),
    ),
    simple(
        "sentences.full_stop",
        "sentences end with a full stop",
        lambda: _sentences(r"[!?…][\"'”’)*_]{0,3}\s*\z", "other marks at the end", False),
        r"[.!?]",
    ),
    Family("language.in", "the answer is in a language", _language),
    Family("language.not", "the answer is not in a language", _not_language),
)
