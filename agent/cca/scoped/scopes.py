"""The part of an answer that a phrase names: "each step of the method", "the first line", "bullets under Risks"."""

from __future__ import annotations

import re
from dataclasses import dataclass

from agent.cca import checks as c
from agent.cca.part_models import PartKind
from agent.cca.scoped.kinds import KINDS
from agent.cca.scoped.text import Text

_I = re.IGNORECASE
_DET = (
    r"(?:(?P<det>each|every|all|any|no|the|an?|your|both|individual|single|none of|one of)(?: (?:and every|of))?"
    r"(?: (?:the|your|its|these|those|single|individual|one))? )?"
)
_NTH = {
    "first": 1,
    "opening": 1,
    "top": 1,
    "second": 2,
    "third": 3,
    "fourth": 4,
    "fifth": 5,
    "last": -1,
    "final": -1,
    "closing": -1,
    "bottom": -1,
    "penultimate": -2,
    "second-to-last": -2,
    "last but one": -2,
    "second last": -2,
}
_ORD = rf"(?:(?:very )?(?P<nth>{'|'.join(sorted(_NTH, key=len, reverse=True))}) )?"
_NOUNS: tuple[tuple[str, PartKind], ...] = (
    (
        r"(?:link|anchor)(?:ed)? (?:texts?|labels?)|(?:texts?|labels?) of (?:the |all |each |every "
        r"|any |an? )?(?:hyper)?links?",
        "link_text",
    ),
    (r"subject[- ]lines?|subjects?", "subject"),
    (r"(?:commit )?(?:message )?bod(?:y|ies)", "body"),
    (r"(?:table )?cells?", "cell"),
    (r"(?:direct )?(?:quotes|quotations?)|quoted speech", "quote"),
    (r"(?:numbered|method|recipe|procedure)? ?(?:steps?|numbered items?|list numbers?)", "step"),
    (r"(?:bullet(?:ed)?[- ]?(?:points?|items?|lines?)|bullets?|dashed items?)", "bullet"),
    (r"(?:answer |response )?(?:options?|answer choices?|distractors?|alternatives)", "option"),
    (r"(?:exam|test|quiz) (?:items?|questions?)", "item"),
    (r"(?:question )?stems?", "stem"),
    (r"(?:list |changelog |agenda )?(?:items?|entry|entries)", "list_item"),
    (
        r"(?:section |sub-?section |markdown )*(?:sub-?)?headings?|(?:section |sub-?section |markdown )headers?"
        r"|headers|section titles?",
        "heading",
    ),
    (r"headlines?|(?:working )?titles?(?: lines?)?", "title"),
    (r"sentences?", "sentence"),
    (r"(?:body )?paragraphs?", "paragraph"),
    (r"(?:non-?(?:blank|empty) )?(?:output )?lines?", "line"),
    (r"questions?", "question"),
    (r"(?:answer |report )?sections?", "section"),
    (r"keys?", "key"),
    (r"values?", "value"),
    (r"(?:trailers?|footers?)(?: lines?)?", "trailer"),
)
_NOUN = "|".join(f"(?P<n{at}>{words})" for at, (words, _) in enumerate(_NOUNS))
_KIND = "|".join(f"(?P<k{at}>{kind.words})" for at, kind in enumerate(KINDS))
_ADJ = r"(?:(?:single|individual|separate|whole|such|own|new|other|complete|full|main|plain|top-level) )*"
CONTAINER = (
    r"(?:final |whole |generated |finished |written |given )*(?:answers?|repl(?:y|ies)|responses?|outputs?|messages?"
    r"|turns?|methods?|recipes?|stor(?:y|ies)|articles?|reports?|summar(?:y|ies)|letters?|e-?mails?|posts?"
    r"|pages?|lists?"
    r"|changelogs?|release notes?|releases?|commit messages?|commits?|poems?|stanzas?|protocols?|procedures?|documents?"
    r"|texts?|notes?|memos?|brief(?:ing)?s?|drafts?|reviews?|plans?|minutes|explanations?|translations?|menus?|guides?"
    r"|scripts?|scenes?|speech(?:es)?|bulletins?|newsletters?|essays?|descriptions?|announcements?|obituar(?:y|ies)"
    r"|listings?|adverts?|ads?|quiz(?:zes)?|worksheets?|sets?|items?|prose|cop(?:y|ies)|analys[ei]s"
    r"|feedback|evaluations?"
    r"|assessments?|dialogues?|conversations?|chapters?|verdicts?|logs?|handovers?|digests?|agendas?|forecasts?)"
)
_OF_ANSWER = re.compile(
    rf" (?:of|in|within|from|for|to|on) (?:the |an? |each |every |your |any |this |all |our )?{CONTAINER}(?![\w-])"
    r"|,? (?:that |which )?you (?:write|give|list|produce|generate|return|output)(?![\w-])",
    _I,
)
_NAME = r"[A-Z][\w'’/&-]*(?: (?:and |of |for |to |the |& )?[A-Z][\w'’/&-]*){0,3}"
_UNDER = re.compile(
    rf" (?:(?:under|in|of|within|below) (?:the )?(?:heading |section "
    rf"|sections )?(?P<name>{_NAME})(?: (?:section|heading|part))?"
    rf"|under (?P<quoted>§+)|(?:in|of|within|below|under) the (?:heading |section )(?P<quoted2>§+)|(?:in|of"
    rf"|within|below|under) the (?P<quoted3>§+) (?:section|heading))(?![\w-])"
)
_SECTION = re.compile(
    rf"(?:(?:[Tt]he|[Yy]our|[Aa]n?) )?(?:[Ss]ection (?:called |named |titled "
    rf"|headed )?)?(?:(?P<name>{_NAME})|(?P<quoted>§+)"
    rf"|(?P<low>[a-z]+(?: [a-z]+)?(?= section)))(?P<noun> (?:section|part|block))?(?![\w-])"
)
_THE_SECTION = re.compile(r"(?:the|your) (?P<low>[a-z][a-z-]{3,20})(?P<noun> section)?(?![\w-])", _I)
_SECTIONS = re.compile(
    r"(?:executive )?summar(?:y|ies)|abstract|introduction|intro|conclusions?|background|overview"
    r"|discussion|methods?|methodology|results?"
    r"|findings|risks?|recommendations?|next steps|actions?|action items|decisions?|ingredients|materials"
    r"|procedure|safety|purpose|scope|timeline"
    r"|captions?|tagline|description|teaser|standfirst|byline|sign-off|greeting|salutation|closing"
    r"|signature|footnotes?|references|sources|notes?"
    r"|warnings?|limitations|impact|root cause|analysis|rationale|reason(?:ing)?|assumptions|examples?"
    r"|verdict|highlights|key points|agenda|attendees"
    r"|motto|slogan|lede?|deck|blurb|intro(?:ductory)? paragraph|impressum|disclaimer|glossary|appendix"
    r"|symptoms|diagnosis|treatment|history|outlook"
    r"|strengths|weaknesses|opportunities|threats|pros|cons|costs|benefits|objectives?|goals?|keywords|tags"
    r"|synopsis|plot|cast|directions|waste|tips"
    r"|open questions|blockers|added|changed|fixed|removed|deprecated|security|tests?|allergens|storage"
    r"|dosage|price|feedback",
    _I,
)
"""What sections of a text are called."""
_INNER = re.compile(r" (?:of|in|within|per|for) (?=(?:each|every|all|any|the|an?|your|both) )", _I)


@dataclass(frozen=True, slots=True)
class Scope:
    """``det``: the determiner in lower case. ``sure``: a noun that names a part; else a section of that name.

    ``example``: what its kind of value looks like, for values ("dates") that are looked for wherever they stand.
    """

    part: c.Part
    det: str
    end: int
    sure: bool
    kind: str = ""
    plural: bool = False


_PHRASE = re.compile(rf"{_DET}{_ORD}{_ADJ}(?:{_NOUN}|{_KIND})(?![\w-])", _I)


def scope_at(text: Text, at: int, sections: bool = True) -> Scope | None:
    """The scope that begins at ``at``. ``sections``: any other name may be one of a section."""
    match = _PHRASE.match(text.masked, at)
    if match is None:
        return _section_at(text, at) if sections else None
    index = next((i for i in range(len(_NOUNS)) if match[f"n{i}"] is not None), None)
    noun = match[0].rsplit(" ", 1)[-1].lower()
    nth = _NTH[match["nth"].lower()] if match["nth"] else 0
    kind = ""
    if index is None:
        chosen = KINDS[next(i for i in range(len(KINDS)) if match[f"k{i}"] is not None)]
        part, kind = c.Part(kind="match", pattern=chosen.pattern, nth=nth), chosen.name
    else:
        part = c.Part(kind=_NOUNS[index][1], nth=nth)
        if part.kind in ("key", "value") and not sections:
            return None  # of data: what is said of those is read first
    end = match.end()
    placed, end = _placed(text, part, end)
    if placed is None:
        return None
    return Scope(placed, (match["det"] or "").lower(), end, True, kind, noun.endswith("s"))


def _placed(text: Text, part: c.Part, end: int) -> tuple[c.Part | None, int]:
    """With the phrases behind it: "of the method", "under Risks", "of each paragraph"."""
    for _ in range(3):
        own = _OF_ANSWER.match(text.masked, end)
        inner = _INNER.match(text.masked, end)
        outer = scope_at(text, inner.end(), sections=False) if inner else None
        nested = outer is not None and outer.sure and part.of is None and outer.kind == "" and outer.det != "no"
        if outer is not None and nested and not (own and outer.part.kind in ("list_item", "item")):
            part, end = part.model_copy(update={"of": outer.part}), outer.end
            continue
        if own:
            end = own.end()
            continue
        under = _UNDER.match(text.masked, end)
        if under and part.of is None:
            quoted = next((group for group in ("quoted", "quoted2", "quoted3") if under[group]), "")
            name = text.raw[under.start(quoted) + 1 : under.end(quoted) - 1] if quoted else under["name"]
            part, end = part.model_copy(update={"of": section_named(name)}), under.end()
            continue
        if re.match(
            r" (?:of|in(?! (?:sentence|title|bold|italic|capital|upper|lower|all|small|quot|double|square|round"
            r"|parenth|backtick|code|the form|one|a single|single|alphabetical|ascending|descending|reverse"
            r"|chronological|falling|rising|order))|from|within|for|on|about|between)(?![\w-])",
            text.masked[end:],
            _I,
        ):
            return None, end  # of something else, or only some of them
        break
    return part, end


def is_section_name(name: str) -> bool:
    return _SECTIONS.fullmatch(name) is not None


def section_named(name: str) -> c.Part:
    return c.Part(kind="section", name=name.strip(" #*_:`\"'“”")[:120] or "?")


_KEYS = re.compile(
    r"[^()]{3,60}? ?\(?(?:keys?|names) (?:that |which )?(?:end|ends|ending) (?:in|with) (?P<end>§+"
    r"|[.\w-]{2,30})\)?(?: and their values)?(?![\w-])",
    _I,
)


def keys_scope(text: Text) -> Scope | None:
    """``Labels of buttons (keys that end in .btn)``: the values of those keys, in lines ``key=value``."""
    match = _KEYS.match(text.masked)
    if match is None or not re.search(r"\(keys|values? of keys|labels|texts?|strings?", match[0], _I):
        return None
    name = text.raw[match.start("end") : match.end("end")].strip("`\"“”'")
    return Scope(c.Part(kind="value", name=name), "the", match.end(), True)


def _section_at(text: Text, at: int) -> Scope | None:
    known = _SECTIONS.match(text.masked, at)
    if known and " " in known[0] and text.raw[at].isupper() and re.match(r"\W", text.masked[known.end() :]):
        return Scope(section_named(known[0]), "the", known.end(), False)
    for pattern in (_SECTION, _THE_SECTION):
        match = pattern.match(text.masked, at)
        if match is None:
            continue
        groups = match.groupdict()
        called = bool(groups.get("noun")) or "section" in match[0]
        if groups.get("quoted"):
            if not called:
                return None
            name = text.raw[match.start("quoted") + 1 : match.end("quoted") - 1]
        else:
            name = groups.get("name") or groups.get("low") or ""
        if re.match(r"(?:each|every|no|all|any|this|that|these|both|one|another|some|only|an?)\b", name, _I):
            continue
        if not called and not _SECTIONS.fullmatch(name):
            continue
        own = _OF_ANSWER.match(text.masked, match.end())
        return Scope(section_named(name), "the", own.end() if own else match.end(), False)
    return None


def bare_section(text: Text) -> Scope | None:
    """``Risks are …``, ``The section "Risks" …``: surely the name of a section."""
    scope = _section_at(text, 0)
    bare = (
        scope is not None
        and re.match(r"(?!Summ|Abs|Desc|Cap|Ex|Reas|Note|Source|Test)[A-Z]", text.raw)
        and not re.match(r"(?:the|an?|your) ", text.raw, _I)
    )
    called = re.match(
        rf"(?:(?:[Tt]he|[Yy]our|[Aa]n?) )?(?:[Ss]ection (?:called |named |titled |headed )?(?:§|{_NAME})|§+ section"
        rf"|{_NAME} section)",
        text.masked,
    )
    return (
        scope
        if scope is not None and (called or (bare and scope.end < len(text.raw) and text.raw[scope.end - 1] == "s"))
        else None
    )
