"""The pattern of all that is written like an example ("14 March 2025") or a template ("HM-000000", "Serves n")."""

from __future__ import annotations

import re

_MONTHS = "January February March April May June July August September October November December"
_FULL = tuple(_MONTHS.split())
_SHORT = tuple(name[:3] for name in _FULL)
_DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday"
_WEEKDAY = tuple(_DAYS.split())
_TOKEN = re.compile(
    r"(?P<hole><[^<>\n]{1,60}>|\$\{?[A-Za-z_]\w*\}?|\[[a-z][a-z _-]{1,40}\]|\{\{?[^{}\n]{1,60}\}?\}|…"
    r"|\.{3})|(?P<ordinal>(?<=\d)(?:st|nd|rd|th)\b)|(?P<half>(?<=\d)[ap]m\b|(?<=\d )[ap]m\b)"
    r"|(?P<letters>YYYY|MM|DD|HH|hh|mm|ss|dd|[Nn]{1,8}(?![A-Za-z])|[xyz](?=\.[xyz])|(?<=[xyz]\.)[xyz](?![A-Za-z])"
    r"|X{2,}(?![A-Za-z])|(?<=[\w-])#{2,})|(?P<thousands>\d{1,3}(?:,\d{3})+(?!\d))|(?P<digits>\d+)"
    r"|(?P<word>[A-Za-zÀ-ÿ]+)|(?P<blank>\s+)|(?P<sign>.)",
    re.DOTALL,
)
_MAX_TOKENS = 40
_PLACES = "Name Place Title Author City Date Address Email Reason Topic Text Key Value key value name text reason"
_STANDS = frozenset(_PLACES.split())
"""Words that stand for others where a form has places to fill in."""
_TWO = {"MM", "DD", "HH", "hh", "mm", "ss", "dd"}


def is_template(text: str) -> bool:
    """Whether it has places to fill in: letters that stand for digits, names in angle brackets, zeros."""
    return any(
        match["hole"]
        or match["letters"]
        or (match["digits"] and set(match["digits"]) == {"0"} and len(match["digits"]) > 2)
        for match in _TOKEN.finditer(text)
    )


def shape(text: str) -> str:
    """An RE2 pattern without anchors; "" where the text has nothing that could differ, or is too long."""
    tokens = list(_TOKEN.finditer(text.strip()))
    if not tokens or len(tokens) > _MAX_TOKENS:
        return ""
    parts = []
    loose = False
    template = is_template(text)
    for at, token in enumerate(tokens):
        part, differs = _part(token, template, tokens[at - 1][0] if at else "")
        parts.append(part)
        loose = loose or differs
    return "".join(parts) if loose else ""


def _part(token: re.Match[str], template: bool, before: str) -> tuple[str, bool]:
    if token["hole"]:
        if re.fullmatch(r"<(?:e-?mail|address|mail)\b[^<>]*>", token[0], re.IGNORECASE):
            return r"<[^<>\n]+>", True
        return (r"<?[^<>\n]+?>?" if token[0][0] == "<" else r".+?"), True
    if token["ordinal"]:
        return "(?:st|nd|rd|th)", False
    if token["half"]:
        return "[ap]m", False
    if token["letters"]:
        return _filled(token[0]), True
    if token["thousands"]:
        return r"\d{1,3}(?:,\d{3})*", True
    if token["digits"]:
        return _digits(token[0], before), True
    if token["word"]:
        if template and token[0] in _STANDS:
            return ".+?", True
        return _word(token[0])
    if token["blank"]:
        return r"\s+", False
    return re.escape(token[0]), False


def _filled(letters: str) -> str:
    if letters == "YYYY":
        return r"\d{4}"
    if letters in _TWO:
        return r"\d{2}"
    if letters[0] in "X#" or (len(letters) > 1 and letters[0] in "Nn"):
        return rf"\d{{{len(letters)}}}"
    return r"\d+"


def _digits(digits: str, before: str) -> str:
    """Zeros, and digits behind a decimal mark, stand for as many; a year for four; others for any number."""
    if set(digits) == {"0"} and len(digits) > 2:
        return rf"\d{{{len(digits)}}}"
    if before in (".", ",") and len(digits) < 3:
        return rf"\d{{{len(digits)}}}"
    if len(digits) == 4 and digits[:2] in ("19", "20"):
        return r"\d{4}"
    if digits[0] == "0" and len(digits) == 2:
        return r"\d{2}"
    return r"\d+"


def _word(word: str) -> tuple[str, bool]:
    if word in _FULL:
        return f"(?:{'|'.join(_FULL)})", True
    if word in _SHORT:
        return f"(?:{'|'.join(_SHORT)})", True
    if word in _WEEKDAY:
        return f"(?:{'|'.join(_WEEKDAY)})", True
    if word in ("HH", "MM", "DD"):
        return r"\d{2}", True
    return re.escape(word), False


def bracketed(shown: str) -> str:
    """``[Health n/10 | Oil n/5 | Place]``: each part that is a name alone stands for any text."""
    inner = shown.strip().strip("[]")
    parts = [part.strip() for part in inner.split("|")]
    out = [shape(part) if is_template(part) else r"[^\]|]+" for part in parts]
    return r"\[\s*" + r"\s*\|\s*".join(out) + r"\s*\]" if all(out) else ""


def of_words(shown: str) -> str:
    """``key=value``, ``term: definition``: words that stand for others, with signs between them."""
    pieces = re.findall(r"[A-Za-z]+|[^A-Za-z\s]+|\s+", shown)
    signs = [piece for piece in pieces if not piece.isalpha() and piece.strip()]
    if not signs or len(pieces) > 9 or any(char.isdigit() for char in shown):
        return ""
    return "".join(
        r"[^\n]+?" if piece.isalpha() else r"\s+" if not piece.strip() else re.escape(piece) for piece in pieces
    )
