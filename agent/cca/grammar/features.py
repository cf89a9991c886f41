"""What a demand can be about, by the names that people give it: units that are counted, signs that are looked for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from agent.cca import checks as c

_I = re.IGNORECASE
_PREAMBLE = (
    r"(?i)\A\s*(?:sure\b|certainly\b|of course\b|absolutely\b|great question|good question|okay[,!. ]|ok[,!] "
    r"|i['’]d be happy"
    r"|happy to help|here(?:['’]s| is| are) )"
)
_CLOSING = (
    r"(?i)\b(?:let me know if|i? ?hope (?:this|that) helps|feel free to (?:ask|reach)|is there anything else"
    r"|happy to help"
    r"|if you have any (?:other |further |more )?questions|don['’]t hesitate to)"
)
_SORRY = r"(?i)\b(?:sorry|apologi[sz]e[sd]?|apolog(?:y|ies)|my apologies|regret to)\b"
_HEDGE = (
    r"(?i)\b(?:maybe|perhaps|possibly|probably|presumably|i (?:think|believe|guess|suppose)|it seems|might be"
    r"|could be)\b"
)
_GREETING = r"(?i)\A\s*(?:hi|hello|hey|dear|greetings|good (?:morning|afternoon|evening))\b"
_EMOJI = "[\U0001f300-\U0001faff\u2600-\u27bf\U0001f1e6-\U0001f1ff\u2b50\u2b55]"
_BOLD = r"\*\*[^*\s][^*\n]*\*\*|__[^_\s][^_\n]*__"
_ITALICS = r"(?:^|[\s(])\*[^\s*][^*\n]*\*(?:[^*]|$)|(?:^|[\s(])_[^\s_][^_\n]*_(?:[\s).,;:!?]|$)"
_CITED = r"\([A-Z][^()\n]{1,80}\d{4}[a-z]?\)|\[[A-Z][^\[\]\n]{1,80}\d{4}\]"
_CAPITALS = r"\b[A-Z]{2,}(?:[ ,:;!?'\"-]+[A-Z]{2,}){3,}|^[^a-z\n]*\b[A-Z]{5,}[ ,:;!-]+[A-Z]{4,}[^a-z\n]*$"
_MARKDOWN_SIGNS = rf"{_BOLD}|\]\(https?:|^ {{0,3}}#{{1,6}} |^ {{0,3}}```"


@dataclass(frozen=True, slots=True)
class Feature:
    """Counted by a unit of the check language, else by a pattern.

    ``only``: "denied" where nobody could demand it by this name, "wanted" the other way round.
    """

    name: str
    noun: re.Pattern[str]
    unit: str = ""
    pattern: str = ""
    within: str = "answer"
    only: str = ""


def _feature(name: str, noun: str, **fields: Any) -> Feature:
    return Feature(name, re.compile(rf"(?<![\w-])(?:{noun})(?![\w-])", _I), **fields)


_CODE = r"(?:markdown |md |fenced |code |backtick |python |json |sql |bash |yaml |xml )"
FEATURES: tuple[Feature, ...] = (
    # words that contain another feature's word come first
    _feature("blank lines", r"(?:blank|empty) lines?|double (?:newlines?|line breaks?)", pattern=r"\n[ \t]*\n",
             only="denied"),
    _feature("line breaks", r"line[- ]?breaks?|new ?lines?(?: characters?)?|carriage returns?",
             pattern=r"\S[ \t]*\n\s*\S",
             only="denied"),
    _feature("horizontal rules", r"horizontal (?:rules?|lines?|separators?|dividers?)|divider lines?|thematic breaks?",
             pattern=r"^ {0,3}(?:-{3,}|\*{3,}|_{3,})\s*$"),
    _feature("exclamation marks", r"exclamation (?:marks?|points?|signs?)|exclamations?", pattern="!", within="prose"),
    _feature("questions", r"(?:follow[- ]?up |clarifying )?questions?(?! marks?)",
             pattern=r"\?(?:[\s\"”')*]|$)",
             within="prose", only="denied"),
    _feature("question marks", r"question marks?",
             pattern=r"\?(?:[\s\"”')*]|$)", within="prose"),
    _feature("semicolons", "semi-?colons?", pattern=";", within="prose"),
    _feature("punctuation at the end", r"(?:trailing|final|ending|closing) (?:punctuation(?: marks?)?|periods?"
                                       r"|full stops?|dots?)"
             r"|(?:punctuation(?: marks?)?|periods?|full stops?) at the (?:very )?end", pattern=r"[.!?,;:]\s*\z",
             only="denied"),
    _feature("commas", "commas?", pattern=",", within="prose"),
    _feature("em dashes", "em[- ]?dash(?:es)?", pattern="\u2014", within="prose"),
    _feature("en dashes", "en[- ]?dash(?:es)?", pattern="\u2013", within="prose"),
    _feature("ellipses", "ellips[ei]s", pattern=r"\.\.\.|\u2026", within="prose"),
    _feature("ampersands", "ampersands?", pattern="&", within="prose"),
    _feature("parentheses", r"parenthes[ei]s|parenthetical (?:remarks|asides|comments)|parentheticals?|round brackets",
             pattern=r"(?:^|[^\]])\([^)\n]", within="prose"),
    _feature("quotation marks", r"(?:double )?quot(?:e|ation) marks?|double quotes", pattern="[\"“”]", within="prose",
             only="denied"),
    _feature("dollar signs", r"dollar (?:signs?|symbols?)", pattern=r"\$", within="prose", only="denied"),
    _feature("percent signs", r"percent(?:age)? (?:signs?|symbols?)", pattern="%", within="prose", only="denied"),
    _feature("slashes", r"(?:forward )?slash(?:es)?", pattern="/", within="prose", only="denied"),
    _feature("asterisks", "asterisks?", pattern=r"\*", within="prose", only="denied"),
    _feature("underscores", "underscores?", pattern="_", within="prose", only="denied"),
    _feature("tildes", "tildes?", pattern="~", within="prose", only="denied"),
    _feature("hashtags", r"hash[- ]?tags?", pattern=r"(?:^|\s)#[A-Za-z]\w*", within="prose"),
    _feature("emoji", r"emojis?|emoticons?|smileys?|pictographs?", pattern=_EMOJI),
    _feature("footnotes", "footnotes?", pattern=r"\[\^\w+\]"),
    _feature("images", r"images?|pictures?", pattern=r"!\[[^\]\n]*\]\(", only="denied"),
    _feature("block quotes", r"block ?quotes?|quote blocks?|block quotations?", pattern=r"^ {0,3}>\s?\S"),
    _feature("HTML", r"html(?: (?:tags?|markup|elements?))?", pattern=r"</?[A-Za-z][^>\n]{0,200}>", within="prose",
             only="denied"),
    _feature("LaTeX", r"latex(?: (?:markup|notation|formatting|syntax|math))?", pattern=r"\\\(|\\\[|\$\$|\\(?:frac"
                                                                                        r"|text|begin)\b",
             only="denied"),
    _feature("fences", rf"{_CODE}{{0,3}}(?:fences?|fencing)(?: (?:markers?|fences?|blocks?))?"
                       rf"|{_CODE}{{1,3}}(?:blocks?|snippets?"
                       rf"|delimiters|ticks)"
             r"|(?:triple|three) backticks?|triple[- ]backtick (?:blocks?|fences?)|fenced code"
             r"|code block (?:markers?|formatting|syntax)",
             unit="fences"),
    _feature("backticks", r"backticks?", pattern="`", only="denied"),
    _feature("numbered", r"numbers(?= (?:or|and|nor) bullets)|(?<=bullets (?:or) )numbers|(?:numbered|ordered"
                         r"|enumerated) (?:lists?|steps?|items?|points?|bullets?)|enumerations?"
                         r"|numbering",
             unit="numbered"),
    _feature("bullets", r"(?:un(?:numbered|ordered)|bullet(?:ed)?|dash(?:ed)?)[- ](?:lists?|items?|point lists?)"
                        r"|bullet[- ]?points?|bullets"
             r"|bullet|dot points?|lists? of bullets|bulleting", unit="bullets"),
    _feature("headings", r"(?:markdown |section |sub-?section )?(?:sub-?)?head(?:ing|er)s?|section titles?"
                         r"|titled sections?",
             unit="headings"),
    _feature("tables", r"(?:markdown |ascii |html )?tables?(?! of contents| ?\d)|tabular (?:data|layout|format|form)",
             unit="tables"),
    _feature("citations", r"(?:inline |numbered |bracketed )?citations?", unit="citations", only="count"),
    _feature("links", r"(?:hyper|web|external |markdown |inline )?links?|(?:external )?urls?|hyperlinking"
                      r"|web addresses",
             unit="links"),
    _feature("nested lists", r"nested (?:lists?|bullets?|bullet points?|(?:bulleted|bullet) lists?|items)"
                             r"|sub-?bullets?|sub-?lists?"
                             r"|(?:list |bullet )?nesting",
             unit="list_depth", only="denied"),
    _feature("lists", r"lists|(?<!^)list|listicles?|list (?:format\w*|form|items|syntax)", unit="items"),
    _feature("bold", r"bold(?:ed|face|ing)?(?: (?:text|type|words?|font|formatting|phrases?|keywords?|terms?))?",
             pattern=_BOLD, within="prose"),
    _feature("italics", r"italics?(?: (?:text|type|font|formatting))?|italici[sz](?:ed|e|ing)(?: text)?"
                        r"|italici[sz]ation",
             pattern=_ITALICS,
             within="prose"),
    _feature("emphasis", r"(?:text )?emphasis|rich text|text styling", pattern=f"{_BOLD}|{_ITALICS}", within="prose",
             only="denied"),
    _feature("highlights", r"highlight(?:ed|s)?(?: (?:sections?|phrases?|parts?|passages?|text))?",
             pattern=r"\*{1,2}[^*\s][^*\n]*\*{1,2}",
             only="wanted"),
    _feature("placeholders", r"place[- ]?holders?(?: (?:in|with) (?:square )?brackets)?|bracketed placeholders?",
             pattern=r"\[[^\[\]\n]+\](?:[^(\[]|$)"),
    _feature("markdown", r"markdown(?: (?:formatting|markup|syntax|styling|elements))?|mark-?up|(?:text |rich "
                         r"|any )?formatting|md formatting",
             pattern=_MARKDOWN_SIGNS, only="denied"),
    _feature("capital words", r"words? (?:in|with) (?:all )?(?:capital(?: letters)?|capitals|caps)|(?:all[- ]caps"
                              r"|fully capitali[sz]ed|upper-?case|capital) words?",
             pattern=r"\b[A-Z]{2,}\b", only="count"),
    _feature("all caps", r"all[- ]caps|all capital letters|all upper-?case|(?:words? )?in (?:all )?(?:caps|capitals)"
                         r"|shouting",
             pattern=_CAPITALS, only="denied", within="prose"),
    _feature("first person", r"(?:the )?first[- ]person(?: (?:pronouns?|voice|singular|plural|narration))?",
             pattern=r"(?i)\b(?:me|my|mine|we|our|ours|myself|ourselves)\b|\bI(?:['’](?:m|ve|ll|d))?\b",
             within="prose", only="denied"),
    _feature("second person", r"(?:the )?second[- ]person(?: (?:pronouns?|voice))?",
             pattern=r"(?i)\b(?:you|your|yours|yourself)\b",
             within="prose", only="denied"),
    _feature("contractions", r"contractions?|contracted forms", only="denied", within="prose",
             pattern=r"(?i)\b(?:\w+n['’]t|\w+['’](?:re|ve|ll|d)|it['’]s|that['’]s|i['’]m|let['’]s|there['’]s)\b"),
    _feature("apologies", r"apolog(?:y|ies|i[sz]ing|i[sz]e)|apologetic (?:language|phrases)|saying sorry",
             pattern=_SORRY, within="prose", only="denied"),
    _feature("hedging", r"hedg(?:e|es|ing)(?: (?:words?|phrases?|language))?", pattern=_HEDGE, within="prose",
             only="denied"),
    _feature("greeting", r"greetings?|salutations?", pattern=_GREETING, only="denied"),
    _feature("preamble", r"preambles?|(?:conversational |introductory )(?:fillers?|openings?|openers?|preambles?"
                         r"|text|phrases?|remarks?)"
             r"|opening (?:remarks?|pleasantries)|lead-ins?|introductions?|introductory (?:statements?"
             r"|sentences?)", pattern=_PREAMBLE, only="denied"),
    _feature("closing", r"(?:closing|concluding|follow-?up) (?:remarks?|pleasantries|offers?|lines?)|sign-?offs?"
                        r"|offers (?:to|of) (?:further )?help|postambles?",
             pattern=_CLOSING, only="denied"),
    _feature("pleasantries", r"pleasantr(?:y|ies)|small ?talk|openings?(?:,? (?:or|and) |, )closings?|filler(?: "
                             r"(?:phrases?|text|words))?|chit-?chat",
             only="denied",
             pattern=f"{_PREAMBLE}|{_CLOSING}"),
    _feature("digits", r"digits?|numerals?|arabic numerals?", pattern=r"\d", within="prose", only="denied"),
    _feature("sentences", r"(?:full |complete )?sentences?", unit="sentences", only="count"),
    _feature("words", r"words?", unit="words", only="count"),
    _feature("characters", r"characters?|chars?", unit="characters", only="count"),
    _feature("paragraphs", r"paragraphs?", unit="paragraphs", only="count"),
    _feature("lines", r"lines?", unit="lines", only="count"),
    _feature("items", r"(?:list )?items?|entries|points", unit="items", only="count"),
    _feature("sections", r"sections?", unit="headings", only="count"),
)  # fmt: skip
WHERE: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(rf"(?<![\w-])(?:{words})(?![\w-])", _I), within)
    for words, within in (
        (r"in (?:the |your |any |all )?(?:example )?code(?: blocks?| examples?| snippets?| samples?)?", "bare_code"),
        (r"in (?:the |your |any |all )?(?:section )?headings?|(?:in )?(?:section )?titles", "headings"),
        (r"in (?:the |your |any |running )?(?:prose|body text)", "prose"),
    )
)


def wanted(feature: Feature, within: str, least: int | None, most: int | None) -> Any:
    """The check that so many of the feature are there."""
    place: Any = within or feature.within
    if feature.unit == "tables":
        if (least or 0) > 1 or most:
            raise ValueError("tables are not counted")
        some = c.Table(least_rows=0)
        html = c.Matches(pattern=r"(?i)<table\b")
        return c.AnyOf(checks=(some, html)) if least else c.Not(check=some)
    if feature.unit == "list_depth":
        return c.Count(unit="list_depth", most=1)
    if feature.unit == "items":
        kinds: tuple[Any, ...] = tuple(c.Count(unit=unit, least=least, most=most) for unit in ("bullets", "numbered"))
        return c.AllOf(checks=kinds) if least is None else c.AnyOf(checks=kinds)
    if feature.unit == "citations" and least:  # links and "(Ann 2020)" cite as well
        own = c.Count(unit="citations", least=least, most=most)
        return c.AnyOf(checks=(own, c.Count(unit="links", least=least), c.Matches(pattern=_CITED, least=least)))
    if feature.unit:
        return c.Count(unit=feature.unit, least=least, most=most, within=within or "answer")  # type: ignore[arg-type]
    return c.Matches(pattern=feature.pattern, least=least or 0, most=most, within=place, finds=feature.name)
