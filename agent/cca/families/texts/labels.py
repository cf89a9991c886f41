"""Labelled lines: what may stand behind a label, how labels are written, where the text behind them stands."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.families.family import Family, Slots
from agent.cca.families.texts.told import CONDITIONS, line_at, needs, speaks, spelled_any
from agent.cca.families.words.kit import bare

_I = re.IGNORECASE
_BEFORE = r"^[ \t>#]*(?:[-*+•][ \t]+|\d{1,3}[.)][ \t]+)?"
_PLAIN = _BEFORE.replace("#", "")
_VALUE = r"[A-Za-z][\w'’/-]*(?: [\w'’-]+)?"
_SAID = re.compile(
    r"(?<![\w\"'`“])(?P<label>[A-Z][A-Za-z]+(?: [A-Za-z]+)?): ?"
    r"(?P<values>[A-Z][\w-]*(?:(?:, (?:or )?| or |/| ?\| ?)(?:(?P=label): ?)?[A-Z][\w-]*)+)(?![\w:])"
)
_RATINGS = (
    r"^(?:verdict|status|severity|priority|confidence|risk|rating|result|decision|outcome|sentiment|category|type|level"
    r"|state|recommendation|answer|urgency|impact|certainty)$"
)
_SPLIT = re.compile(r"\s*(?:,? or |,|/|\|)\s*")
_LABELS = r"\b(?:labels?|tags?|fields?|lead-?ins?|markers?|field names?|keywords?|captions?)\b"


def _pairs(slots: Slots) -> tuple[str, tuple[str, ...]] | None:
    """The label and the values that may stand behind it."""
    if slots.examples:
        return None
    split = [re.fullmatch(r"[*_]*([A-Za-z][\w -]{2,40}?)[*_]*:[*_]*(?: +(.*?)[*_.]*)?", term) for term in slots.terms]
    heads = {match[1] for match in split if match}
    if len(heads) == 1 and split[0]:
        label = heads.pop()
        behind = [match[2] or "" if match else term for match, term in zip(split, slots.terms, strict=True)]
        values = [value for text in behind for value in _SPLIT.split(text) if value]
        if not values and not slots.terms[1:]:
            values = [value for value in slots.listed if value.lower() != label.lower()]
    else:
        found = None if slots.terms else _SAID.search(slots.text)
        if found is None or not speaks(found["label"].split()[-1], _RATINGS):
            return None
        label = found["label"].removeprefix("Write ").removeprefix("The ")
        values = [value.removeprefix(f"{label}:").strip() for value in _SPLIT.split(found["values"])]
    fits = len(values) > 1 and all(re.fullmatch(_VALUE, value) and len(value) > 1 for value in values)
    return (label, tuple(dict.fromkeys(values))) if fits else None


def _values(slots: Slots) -> Any | None:
    """Behind the label one of the values stands; in the first or last line where the sentence says so."""
    found = _pairs(slots)
    if found is None:
        return None
    label, values = found
    head = rf"(?i){_BEFORE}[*_`]*{re.escape(label)}[*_`]*[ \t]*[:：]"
    value = rf"[^\p{{L}}\p{{N}}\n]*(?i:{spelled_any(values)})(?:\W|_|\z)"
    at = line_at(bare(slots.text))
    if at and not speaks(slots.text, CONDITIONS + r"|\b(?:each|every)\b"):
        return c.Each(
            part=c.Part(kind="line", nth=at),
            check=c.Matches(pattern=head + value, finds=f"“{label}:” with such a value"),
        )
    return c.Each(
        part=c.Part(kind="match", pattern=rf"{head}([^\n]*\S[^\n]*)"),
        check=c.Matches(pattern=rf"\A{value}", finds="one of the values"),
    )


def names_of(slots: Slots) -> tuple[str, ...]:
    """Labels that are quoted or enumerated, without their colons."""
    shown = tuple(term for term in slots.terms if term not in slots.contrast) or slots.listed
    names = tuple(re.sub(r"^[*_]+|[*_:]+$", "", name.strip()).strip() for name in shown)
    good = names and all(re.fullmatch(r"[A-Za-z][\w /'’-]{0,40}", name) for name in names)
    return tuple(dict.fromkeys(names)) if good else ()


def _refused(form: Any, finds: str) -> Any:
    def make(slots: Slots) -> Any | None:
        names = names_of(slots)
        if not names or not (
            speaks(bare(slots.text), _LABELS) or (slots.terms and all(":" in term for term in slots.terms))
        ):
            return None
        pattern = form(names)
        return c.Matches(pattern=pattern, least=0, most=0, within="prose", finds=finds) if pattern else None

    return make


def _case(slots: Slots) -> Any | None:
    """Labels in capitals are written in no other way, where they are there; the same of small letters."""
    text = bare(slots.text)
    upper = speaks(
        text, r"\b(?:all[- ]caps|(?:full|all|block) capitals|in capitals|in caps|upper[- ]?case|capital letters)\b"
    )
    lower = speaks(text, r"\b(?:lower[- ]?case|small letters)\b")
    names = names_of(slots)
    if (
        upper == lower
        or not names
        or not speaks(text, _LABELS)
        or not all(re.search("[A-Za-z]", name) for name in names)
    ):
        return None
    forms = {form for name in names for form in (name.lower(), name.title(), name.capitalize(), name.upper())}
    forms -= {name.upper() if upper else name.lower() for name in names}
    pattern = rf"{_BEFORE}[*_]*(?:{spelled_any(tuple(sorted(forms)))})[*_]*[ \t]*:"
    return c.Matches(pattern=pattern, least=0, most=0, within="prose", finds="labels in other letters")


def _held(slots: Slots) -> Any | None:
    """Where one of the labels stands, the others stand too."""
    names = () if slots.examples else names_of(slots)
    if not slots.terms and not all(name[:1].isupper() for name in names):
        return None
    if (
        not 2 <= len(names) <= 12
        or any(re.search(r"\d", name) for name in names)
        or any(len(name.split()) > 4 for name in names)
    ):
        return None
    told = [rf"(?i){_BEFORE}[*_]*{re.escape(name)}[*_]*[ \t]*[:：]" for name in names]
    anywhere = [
        rf"(?i)(?:^|\|)[\s>*_#`\"'-]*(?:\d+[.)]\s*)?[*_\"`]*{re.escape(name)}\b|\b{re.escape(name)}[*_\"`]*\s*[:：=]"
        for name in names
    ]
    return c.When(
        condition=c.AnyOf(checks=tuple(c.Matches(pattern=each) for each in told)),
        then=c.AllOf(
            checks=tuple(
                c.Matches(pattern=each, finds=f"“{name[:40]}:”") for each, name in zip(anywhere, names, strict=True)
            )
        ),
    )


def _same_line(slots: Slots) -> Any | None:
    refused = speaks(bare(slots.text), r"\b(?:not|never|n['’]t|no text) (?:\w+ ){0,4}same line\b")
    return None if refused else _SAME(slots)


_SAME = _refused(
    lambda names: rf"{_BEFORE}[*_]*(?:{spelled_any(names)})[*_]*[ \t]*:[*_]*[ \t]*$", "labels with nothing behind them"
)
_BELOW = (
    r"\b(?:next|new|following) line\b|\blines? (?:below|under|beneath|after)\b|\balone on (?:a|its|the"
    r"|their) (?:own )?lines?\b"
    r"|\bnothing else on (?:its|that|the|their) lines?\b|\bby (?:itself|themselves) on\b|\b(?:starts?|goes|follows"
    r"|comes|stands?|begins?) (?:below|beneath|underneath)\b"
)
_SAME_LINE = r"\bsame line\b|\bits line\b|\bline with (?:its|the) (?:label|text|value)\b|\b(?:next|new) line\b"
FAMILIES: tuple[Family, ...] = (
    needs("label.values", "behind the label stands one of {terms}", _values, about=(r":",), denied=None,
          unless=r"\bjson\b|\byaml\b|\bkeys?\b|\bcolumns?\b|\bnot\b|\bnever\b|\bno\b|n['’]t\b"),
    needs("labels.bold", "the labels {terms} are in bold", _refused(
        lambda names: rf"{_PLAIN}(?:{spelled_any(names)})[ \t]*:", "labels that are not in bold"),
        about=(r"\bbold(?:ed|face|ly)?\b",), unless=r"\bjson\b|\bheadings?\b|\bcolumns?\b|\bits text\b"
                                                    r"|\bvalues? (?:is|are|stands?) in bold\b|" + CONDITIONS),
    needs("labels.case", "labels in capitals, or in small letters", _case, about=(r"\b(?:labels?|lead-?ins?"
                    r"|field names?)\b",),
          unless=r"\bjson\b|\byaml\b|\bsnake\b|\bkeys?\b|\binitial\b|\bfirst letters?\b|\b(?:start|begin)s? with\b"
                 r"|" + CONDITIONS),
    needs("labels.same_line", "the text stands on the line of its label", _same_line, about=(_SAME_LINE,), denied=None,
          unless=r"\bjson\b|" + CONDITIONS),
    needs("labels.own_line", "labels stand alone on their lines", _refused(
        lambda names: rf"{_BEFORE}[*_]*(?:{spelled_any(names)})[*_]*[ \t]*:[*_]*[ \t]+[^\s*_]", "text behind labels"),
        about=(_BELOW,), unless=r"\bjson\b|\bsame line\b|" + CONDITIONS, denied=None),
    needs("labels.held", "the labels {terms}, all or none", _held,
          about=(r"\b(?:fields|labels|labelled|labeled|lines|lead-?ins)\b",),
          unless=r"\bjson\b|\byaml\b|\bkeys?\b|\bcolumns?\b|\bone of\b|\bapply\b|\blabels? from\b|\btoml\b"
                 r"|\barrays?\b|\bobjects?\b|\bseparated\b|\bout of\b|\bany\b|\beither\b"
                 r"|\bor\b|\bonly\b|\border\b"
                 r"|\btables?\b|\bapi\b|\bdatabase\b|"
                 + CONDITIONS),
)  # fmt: skip
