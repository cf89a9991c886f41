"""Demands in set phrases on what stands in an answer beside prose: code, lists, lines, headings, bold."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.grammar.forms import ALWAYS, ANSWER, END, MUST, NO, NUMBER, Form, form, never, none_of, read_form, some
from agent.cca.grammar.limits import number_of
from agent.cca.quoted import Quoted

_I = re.IGNORECASE
_BULLETS = (
    r"(?:(?:the|your|each|every|all|any|individual) )*(?:bullet(?:ed)?(?: ?points?)?s?|bullet items?|list"
    r" items?|bullet list items?)"
)
_STOP = (
    r"(?P<stop>(?:(?:a|an|any|the) )?(?:(?:trailing|final|closing|ending) )?(?:period|full stop|dot|colon|comma"
    r"|semi-?colon"
    r"|question mark|exclamation (?:mark|point)|punctuation(?: marks?)?)s?)"
)
_UNITS = (
    rf"(?P<unit>{_BULLETS}|(?:(?:the|your|each|every|all|any|a|section|markdown) )*(?:headings?|headers?|section"
    rf" titles?))"
)
_LANGUAGE_OF = (
    r"(?:(?:the|a|an|its|their|explicit|correct|proper|appropriate) )*(?:programming )?language(?: (?:identifier|tag"
    r"|name|hint"
    r"|label|specifier|annotation))?s?"
)
_FENCES = r"(?:(?:each|every|all|your|the|any|fenced|markdown) )*code (?:blocks?|fences?|snippets?|examples?)"
_KEY = (
    r"(?:the |your |all |any )?(?:(?:final|numeric|numerical|overall) )*(?:answer|result|verdict|conclusion"
    r"|recommendation"
    r"|decision|(?:key|important|main|technical|crucial|essential) (?:terms?|words?|phrases?|points?|facts?|concepts?"
    r"|information|takeaways?)|keywords?)"
)
_NO_CODE = c.Count(unit="fences", most=0)


_MARKS = {"colon": (":",), "comma": (",",), "semi": (";",), "punct": (".", ":", ";", ",", "!", "?"), "question": ("?",),
          "exclamation": ("!",)}  # fmt: skip


def _unit_stop(found: re.Match[str], _: tuple[str, ...]) -> Any:
    """No bullet, or no heading, ends with that mark."""
    named = found["stop"].lower()
    marks = next((marks for word, marks in _MARKS.items() if word in named), (".",))
    unit = found["unit"].lower()
    scope: Any = "heading" if "head" in unit or "title" in unit else "bullet"
    return c.Every(scope=scope, check=c.Not(check=c.Ends(terms=marks)))


def _fence_lines(found: re.Match[str], _: tuple[str, ...]) -> Any:
    most = number_of(found["n"])
    if most > 400:
        return None
    line = r"(?:[^`\n][^\n]*)?\n"
    return c.Matches(
        pattern=rf"^```[^\n`]*\n(?:{line}){{{most + 1},}}```", least=0, most=0, finds=f"code of over {most} lines"
    )


def _line_length(found: re.Match[str], _: tuple[str, ...]) -> Any:
    return c.LineLength(most=number_of(found["n"]))


def _bullet_sign(found: re.Match[str], _: tuple[str, ...]) -> Any:
    dashes = found["sign"].lower().startswith(("hyph", "dash"))
    return never(rf"^[ \t]*[{'*+•' if dashes else '+•-'}] +\S", "other marks of bullets")


def _small_bullets(_: re.Match[str], __: tuple[str, ...]) -> Any:
    return c.Every(scope="bullet", check=c.Matches(pattern=r"\A[^\w`]*[\p{Ll}0-9`]"))


def _longest_list(found: re.Match[str], _: tuple[str, ...]) -> Any:
    return c.Count(unit="longest_list", most=number_of(found["n"]))


def _list_sign(found: re.Match[str], terms: tuple[str, ...]) -> Any | None:
    sign = terms[0] if terms else found["sign"]
    return never(rf"^[ \t]*{re.escape(sign)}\s", "such marks of bullets") if len(sign) == 1 else None


def _capital_bullets(_: re.Match[str], __: tuple[str, ...]) -> Any:
    return c.Every(scope="bullet", check=c.Matches(pattern=r"\A[^\w`]*[\p{Lu}0-9`]"))


def _deepest(found: re.Match[str], _: tuple[str, ...]) -> Any:
    level = number_of(found["n"])
    return never(rf"^ {{0,3}}#{{{level + 1},6}} \S", "deeper headings", "answer") if 1 <= level <= 5 else None


def _no_h1(found: re.Match[str], terms: tuple[str, ...]) -> Any | None:
    """Headings of the first level are refused; ``terms`` are the marks that the sentence shows."""
    if any(not term or set(term) - {"#"} for term in terms):
        return None
    refused = re.match(r"(?:no|please|do|don|never|avoid)\b", found[0], _I) is not None
    if refused and "§" in found[0] and not re.search(r"h1|level", found[0], _I) and terms[:1] != ("#",):
        return None
    return never(r"^ {0,3}# \S", "headings of the first level", "answer")


_FORMS: tuple[Form, ...] = (
    # code
    form(rf"^(?:{NO} (?:show|include|write|output|give|provide|paste|use|add|return|produce|share|display|present"
          rf"|contain)(?:ing)?|no)"
          r" (?:any |actual |source |program |raw |python |sql )*code(?: (?:snippets?|samples?|examples?|blocks?"
          r"|fences?))?"
          rf"(?: (?:in|to) (?:the|your) (?:answer|response|reply|output))?{END}", _NO_CODE),
    form(rf"^(?:explain|describe|answer)(?: it)? in (?:plain )?(?:words|prose)(?: only)?[;,:]? (?:and )?(?:{NO} "
          rf"(?:include|show|use|write)|"
          rf"no|without) (?:any )?code(?: (?:snippets?|blocks?))?{END}", _NO_CODE),
    form(rf"^(?:no |{NO} (?:show|write|use|include|output|have) )?{_FENCES} (?:{MUST}|may |can |(?:must |should |may"
          rf" |can |do )?not |never )*"
          r"(?:be |have |has |exceed |contain |run |is |are |go )*(?:at most|up to|no more than|more than|longer than"
          r"|over|beyond|past"
          rf"|a maximum of|limited to|to)? ?(?P<n>{NUMBER}) lines(?: of code| long| each| at most| or (?:less"
          rf"|fewer))?{END}", _fence_lines),
    form(rf"^{ALWAYS}(?:keep|limit|restrict|cap) {_FENCES} (?:to|under|below|within|at)(?: at most| a maximum of)? "
          rf"(?P<n>{NUMBER})"
          rf" lines(?: of code| each| at most| or (?:less|fewer))?{END}", _fence_lines),
    form(rf"^{ALWAYS}(?:label|tag|mark|annotate|open) {_FENCES} with {_LANGUAGE_OF}{END}",
          c.Count(unit="unnamed_fences", most=0)),
    form(rf"^{ALWAYS}(?:specify|name|state|give|declare|add|include|set|indicate|provide) {_LANGUAGE_OF} (?:of|for"
          rf"|to|on|in|with|after)"
          rf" {_FENCES}{END}", c.Count(unit="unnamed_fences", most=0)),
    form(rf"^{_FENCES} {MUST}(?:specify|specifies|have|has|name|names|declare|declares|include|includes|carry"
          rf"|carries|state|states"
          rf"|(?:be |are |is )?(?:tagged|labelled|labeled|marked|annotated) with) {_LANGUAGE_OF}{END}",
          c.Count(unit="unnamed_fences", most=0)),
    form(rf"^(?:{NO} (?:show|output|write|include|print|give|produce|generate|return)(?:ing)? (?:more than|over)"
         rf"|{ALWAYS}(?:show|output|write|include"
         rf"|print|give|use|return)? ?(?:at most|no more than|up to|a maximum of|max(?:imum)?)) (?P<n>{NUMBER}) lines"
         rf" of code(?: in the answer)?{END}",
         _fence_lines),
    # lists
    form(rf"^{NO} (?:end|finish|close|terminate|punctuate)(?:ing)? {_UNITS} with {_STOP}{END}", _unit_stop),
    form(rf"^{_UNITS} (?:{MUST}|do |does |may |can )*(?:(?:not|never) (?:end|finish|close)s? (?:with|in)|ends?"
          rf" without|(?:have|has|take|takes"
          rf"|get|gets) no) {_STOP}(?: at the end)?{END}", _unit_stop),
    form(rf"^(?:no|{NO} (?:put|add|place|use|write)(?:ing)?|omit|leave out|skip) {_STOP} (?:at the end of|on|after"
          rf"|in|to) {_UNITS}{END}",
          _unit_stop),
    form(rf"^{ALWAYS}(?:capitali[sz]e (?:the )?first (?:word|letter) (?:of|in)|(?:start|begin) ){_BULLETS}?(?:"
          rf" ?{_BULLETS})?"
          rf"(?: with (?:a|an) (?:capital|upper-?case)(?: letter)?)?{END}", _capital_bullets),
    form(rf"^{_BULLETS} {MUST}(?:start|begin|open)s? with (?:a|an) (?:capital|upper-?case)(?: letter)?{END}",
          _capital_bullets),
    form(rf"^{ALWAYS}(?:use |write |format |mark |start |begin )?(?:{_BULLETS}|bullet lists?|lists) (?:{MUST}|are "
          rf"|is )*(?:use |with |start with "
          r"|begin with |written with |marked (?:with|by) |using )(?:an? )?(?P<sign>hyphens?|dash(?:es)?|asterisks?)"
          rf"(?: \(§\))?(?:,? (?:not|never|and not|rather than|instead of) (?:with )?(?:an? )?(?:hyphens?|dash(?:es)?"
          rf"|asterisks?|stars?|§)"
          rf"(?: \(§\))?)?{END}", _bullet_sign),
    form(rf"^{ALWAYS}use (?:an? )?(?P<sign>hyphens?|dash(?:es)?|asterisks?)(?: ?\(?[-*§]\)?)? (?:for|as|to mark) "
          rf"(?:{_BULLETS}|bullet lists?|lists"
          rf"|unordered lists?)(?:,? (?:not|never|and not|rather than|instead of) (?:an? )?(?:hyphens?|dash(?:es)?"
          rf"|asterisks?|stars?|§)"
          rf"(?: \(§\))?)?{END}", _bullet_sign),
    form(rf"^{NO} (?:split|break|divide|spread|cut)(?:ing)? {ANSWER} (?:up )?(?:into|over|across) (?:several"
          rf"|multiple|many|two|more than one"
          rf"|separate|different) paragraphs?{END}", c.Count(unit="paragraphs", most=1)),
    form(rf"^{NO} (?:leave|insert|put|add|use)(?:ing)? (?:any )?(?:blank|empty) lines?(?: between [\w"
          rf" ]{{3,30}})?{END}", none_of("blank lines")),
    form(rf"^{_BULLETS} {MUST}(?:start|begin|open)s? with (?:a|an) (?:lower-?case|small)(?: letter)?{END}",
         _small_bullets),
    form(rf"^{ALWAYS}(?:start|begin) {_BULLETS} with (?:a|an) (?:lower-?case|small)(?: letter)?{END}", _small_bullets),
    form(rf"^{ALWAYS}(?:keep|limit|restrict|cap) (?:(?:all|the|your|any|each|every) )*lists? (?:to|under|below|within"
         rf"|at)(?: at most"
         rf"| a maximum of)? (?P<n>{NUMBER}) (?:items|bullets|bullet points|entries|points)(?: each| or (?:less"
         rf"|fewer)| at most)?{END}",
         _longest_list),
    form(rf"^{NO} (?:use|using|write|put)(?:ing)? (?:the )?(?:§|(?P<sign>[•►✔*–—·→-]))(?: (?:character|sign|symbol"
         rf"|mark))?s? (?:for|as|to mark)"
         rf" (?:a |the )?(?:bullets?|list items?|bullet points?|bullet lists?|lists?){END}", _list_sign),
    # lines
    form(rf"^{ALWAYS}(?:wrap|break|fold|limit|keep|cap) (?:(?:all|the|your|each|every) )*(?:lines?|line length|text)"
          rf"(?: of text)? (?:at|to|under"
          rf"|below|within)(?: at most| a maximum of)? (?P<n>{NUMBER}) (?:characters?|columns?|chars)(?: wide|"
          rf" long)?{END}", _line_length),
    form(rf"^(?:no line|(?:each |every |all |the )?lines?(?: length)?) (?:{MUST}|may |can |are |is |be |has |have "
          rf"|stays? |not |never )*(?:at most"
          rf"|no longer than|not longer than|longer than|no more than|more than|over|exceed|up to|within|limited to|a"
          rf" maximum of)? ?"
          rf"(?P<n>{NUMBER}) (?:characters?|columns?|chars)(?: wide| long| each| at most)?{END}", _line_length),
    # headings, bold
    form(rf"^{ALWAYS}(?:start|begin|open|lead)s? (?:{ANSWER} )?with (?:a|one) (?:markdown |short |clear )?(?:heading"
          rf"|header){END}",
          c.Matches(pattern=r"\A\s*#{1,6} \S", finds="a heading at the start")),
    form(rf"^(?:the |your )?(?:very )?first line(?: of {ANSWER})? {MUST}(?:be|is) a (?:markdown )?(?:heading"
          rf"|header){END}",
          c.Matches(pattern=r"\A\s*#{1,6} \S", finds="a heading at the start")),
    form(r"^(?:no|(?:please )?(?:do not|don['’]t|never|avoid)(?: (?:use|using|write|add))?) (?:h1|level[- ](?:1|one)"
          r"|first[- ]level|top[- ]level"
          rf"|§)(?:[- ]level)? ?(?:headings?|headers?|titles?)?(?: \(?§\)?)?(?:[;,] (?:always )?(?:start|begin) (?:at"
          rf"|with) (?:h2|level (?:2|two)|§))?"
          rf"{END}", lambda found, terms: _no_h1(found, terms)),
    form(rf"^(?:(?:all|the|section|your) )*(?:headings|headers) (?:{MUST}|are |is |be )*(?:(?:start|begin)s? (?:at"
          rf"|with|from) )?(?:h2|level[- ]"
          rf"(?:2|two)|second[- ]level|§)(?: headings?)?(?: \((?:##|§)\))?(?: or (?:lower|deeper|below))?{END}",
          lambda found, terms: _no_h1(found, terms)),
    form(rf"^{ALWAYS}use § for (?:section |all |the )?(?:headings|headers|sections)(?:,? (?:never|not|and not|and"
          rf" never) §){END}",
          lambda found, terms: _no_h1(found, terms[1:]) if terms[0] == "##" else None),
    form(rf"^{NO} (?:(?:use|go|nest)(?:ing)? )?(?:headings? )?(?:deeper|lower|smaller|below)(?: headings?)? than "
          rf"(?:h|level[- ]|heading level )"
          rf"(?P<n>{NUMBER})(?: headings?)?{END}", _deepest),
    form(rf"^{ALWAYS}(?:put|mark|write|set|give|show|highlight|print|state|present|display|format|render) {_KEY} in"
          rf" bold(?: type| text| face)?{END}",
          some("bold")),
    form(rf"^{ALWAYS}(?:bold|boldface) {_KEY}{END}", some("bold")),
    form(rf"^{_KEY} {MUST}(?:are|is|be|appear|stand)s?(?: (?:set|put|written|shown|marked|highlighted|printed"
          rf"|formatted))? in bold"
          rf"(?: type)?{END}", some("bold")),
    form(rf"^(?:no|{NO}(?: us(?:e|ing))?) § as (?:an? )?(?:dividers?|separators?|horizontal rules?)(?: between [\w"
          rf" ]{{3,30}})?{END}",
          lambda found, terms: none_of("horizontal rules") if set(terms[0]) <= set("-*_") else None),
)  # fmt: skip


def of_shown(masked: str, terms: tuple[Quoted, ...]) -> Any | None:
    """The check of a sentence in one of these phrases; None where it is none of them.

    Args:
        masked: The sentence with each quoted term replaced by "§".
    """
    return read_form(_FORMS, masked, tuple(each.text for each in terms))
