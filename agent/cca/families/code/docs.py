"""Families of demands on Markdown pages of documentation: headings, lists, notes, links, lines."""

from __future__ import annotations

from typing import Any

from agent.cca import checks as c
from agent.cca.families.code.build import fixed, guarded
from agent.cca.families.code.forms import none
from agent.cca.families.family import Family, Slots

_ANY = r"."


def _wrap(slots: Slots) -> Any | None:
    """Lines of prose."""
    if slots.most is None or slots.least:
        return None
    return c.LineLength(most=slots.most, within="prose")


FAMILIES: tuple[Family, ...] = (
    fixed(
        "docs.atx",
        "headings begin with #",
        none(r"^[^\s#>|*+`-][^\n|]*\n(?:={3,}|-{3,})[ \t]*$", "underlined headings"),
        r"atx|underlin|setext|hash|#",
        about=_ANY,
        forbids=r"issue|emphasi|link|commit",
    ),
    fixed(
        "docs.one_h1",
        "one heading of the first level",
        c.Matches(pattern=r"^# \S", least=0, most=1, within="prose", finds="headings of the first level"),
        r"\bh1\b|top-level|first[- ]level|level[- ]one|title|#|headings? of the (?:first|top) level",
        about=_ANY,
        forbids=r"\bno (?:h1|top|first|level)|never (?:use )?(?:an? )?(?:h1|top)|avoid|below(?! the title is)",
    ),
    fixed(
        "docs.hyphen_bullets",
        "bullets are hyphens",
        none(r"^[ \t]*[*+•][ \t]", "other bullets", "prose"),
        r"hyphen|dash|\bminus|[`\"]- ?[`\"]|\"-\"|asterisk|\*",
        about=_ANY,
        forbids=r"em[ -]dash|en[ -]dash|range|word|compound|branch|bold|emphasis|file name",
    ),
    fixed(
        "docs.asterisk_bullets",
        "bullets are asterisks",
        none(r"^[ \t]*[-+•][ \t]", "other bullets", "prose"),
        r"asterisk|star|\*",
        about=_ANY,
        forbids=r"bold|emphasis|import|select",
    ),
    fixed(
        "docs.no_html",
        "no HTML",
        none(r"</?[a-zA-Z][a-zA-Z0-9]*(?:\s+[\w-]+(?:=[^\s>]*)?)*\s*/?>|<!--", "HTML", "prose"),
        r"\bhtml\b|<\w+>|angle-bracket tags|\btags\b",
        about=_ANY,
        forbids=r"fence|code block|language tag|git|page must|escape",
    ),
    Family(
        "docs.wrap",
        "prose is wrapped at {limit} columns",
        guarded(
            _wrap,
            r"wrap|column|line|width|characters|break",
            _ANY,
            r"\bcode\b|commit|subject|docstring|body|python|title|heading|entry|words",
            True,
        ),
        bounded=True,
        takes_terms=True,
    ),
    fixed(
        "docs.no_trailing_space",
        "no spaces at line ends",
        none(r"[^\s][ \t]+$", "spaces at the end of a line"),
        r"trailing|line ends?|end of (?:a |any |each )?line|ends? of lines|\bends?\b|\bfinish",
        about=_ANY,
        forbids=r"comma|period|comment|slash|punctuation|newline",
    ),
    fixed(
        "docs.https",
        "links go to https",
        none(r"\bhttp://", "http://"),
        r"https?",
        about=_ANY,
        forbids=r"timeout|requests|client|status|request",
    ),
    fixed(
        "docs.no_rules",
        "no horizontal rules",
        none(
            r"(?:\A|\n[ \t]*\n)[ \t]{0,3}(?:-{3,}|\*{3,}|_{3,}|(?:- ){2,}-|(?:\* ){2,}\*)[ \t]*(?:\n|\z)",
            "horizontal rules",
        ),
        r"horizontal|rules?\b|divide|separator|---|thematic|\blines\b",
        about=_ANY,
        forbids=r"table|(?:no|use|with|has|have) (?:yaml )?front ?matter|slide|blank|code",
    ),
    fixed(
        "docs.note_quotes",
        "notes stand as > **Note:**",
        none(
            r"^[ \t]*(?:!!! ?\w|:::[ \t]*\w|\.\. (?:note|warning|tip)::|>[ \t]*\[!|(?:\*\*|__)?(?:Note"
            r"|Warning|Tip|NOTE|WARNING|TIP|Caution)(?:\*\*|__)?:)",
            "notes in another form",
        ),
        r"> \*\*|blockquote",
        about=_ANY,
    ),
    fixed(
        "docs.github_alerts",
        "notes stand as > [!NOTE]",
        none(
            r"^[ \t]*(?:!!! ?\w|:::[ \t]*\w|\.\. (?:note|warning|tip)::|>[ \t]*\*\*(?:Note|Warning"
            r"|Tip)|(?:\*\*|__)(?:Note|Warning|Tip)(?::\*\*|\*\*:))",
            "notes in another form",
        ),
        r"\[!|alert",
        about=_ANY,
    ),
    fixed(
        "docs.no_numbered_headings",
        "headings have no numbers",
        c.Each(part=c.Part(kind="heading"), check=none(r"\A(?:\d+(?:\.\d+)*[.)]?|[IVX]+\.)[ \t]", "a number")),
        r"number|\b\d\.",
        about=_ANY,
        forbids=r"\blines?\b|list|\bsteps?\b(?! when)|release|version",
    ),
    fixed(
        "docs.no_toc",
        "no table of contents",
        none(r"(?i)^#{1,6}[ \t]+(?:table of contents|contents|toc)[ \t]*$|\[\[?_?toc_?\]?\]", "a table of contents"),
        r"contents|\btoc\b",
        about=_ANY,
    ),
    fixed(
        "docs.reference_links",
        "links by reference",
        none(r"\[[^\]\n]+\]\(https?://", "inline links"),
        r"reference|\]\[",
        about=_ANY,
        forbids=r"issue|file|section",
    ),
    fixed(
        "docs.inline_links",
        "links within the line",
        none(r"\[[^\]\n]+\]\[[^\]\n]*\]|^[ \t]*\[[^\]\n]+\]:[ \t]+\S", "links by reference"),
        r"inline|\bin place\b|\b(?:no|not|never|rather than|don't)\b.*\breferences?\b",
        about=_ANY,
        forbids=r"code|comment|image",
    ),
    fixed(
        "docs.sentence_a_line",
        "one sentence a line",
        c.Not(check=c.Matches(pattern=r"^[^\s|#>`-][^\n]*[a-z)][.!?] [A-Z][a-z]+ [^\n]*", within="prose")),
        r"sentence",
        about=_ANY,
        forbids=r"bullet|summary|paragraph|word",
    ),
    fixed(
        "docs.angle_placeholders",
        "placeholders are <NAME>",
        none(
            r"\{\{?[A-Za-z_]+\}\}?|\b(?:YOUR|MY)_[A-Z_]+\b|\byour-[a-z-]+\b|<[a-z][a-z_-]*"
            r"(?:[_-][a-z]+)+>|\[[A-Z]+_[A-Z_]+\]",
            "placeholders in another form",
        ),
        r"placeholder|replace|substitut|angle|stand-in|fills? in|must supply",
        about=_ANY,
        forbids=r"incomplete|TODO|empty|lorem",
    ),
)
