"""CodeGen: lists, tables, links, code blocks by number and kind, and answers that are one of a few words."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.grammar.fields import where_json
from agent.cca.reading import NUMBER, Reading, number_of_word

_I = re.IGNORECASE
_UP_TO = (
    r"(?:at most|no more than|not? (?:exceed|more than)|exceed|maximum(?: of)?|max\.?|up to|more than|over"
    r"|limit\w* (?:\w+ ){0,4}to"
    r"|(fewer than|less than|under|below))"
)
_ITEMS = r"(?:items?|entries|entry|elements?|points?|bullets?|bullet points?)"
_MOST_ITEMS = re.compile(rf"\b{_UP_TO} {NUMBER} (?:list |bulleted )?{_ITEMS}\b", _I)
_LEAST_ITEMS = re.compile(
    rf"\b(?:at least|no fewer than|a minimum of|minimum(?: of)?) {NUMBER} (?:list )?{_ITEMS}\b", _I
)
_LISTS = re.compile(r"\blists?\b", _I)
_AS_BULLETS = re.compile(
    rf"\b(at least|at most|no more than|exactly|up to)? ?\b{NUMBER} (?:\w+ ){{1,3}}(?:as|in) (?:an? )?"
    r"(?:bullets?|bullet points|bullet(?:ed)? list|list of bullets)\b",
    _I,
)
_DEEPER = re.compile(
    rf"\b(?:more than|deeper than|beyond|exceed\w*|over|at most|up to|no more than) {NUMBER} levels?\b", _I
)
_NESTED = re.compile(r"\bnest(?:ed|ing)?\b", _I)


def lists(reading: Reading) -> Any | None:
    """Items of a list, and lists within lists."""
    text = reading.text
    bullets = _AS_BULLETS.search(text)
    if bullets and not reading.negative:
        number, word = number_of_word(bullets[2]), (bullets[1] or "at least").lower()
        most = number if word != "at least" else None
        return c.Count(unit="bullets", least=number if word in ("at least", "exactly") else None, most=most)
    depth = _DEEPER.search(text)
    if _NESTED.search(text) and re.search(r"\b(?:lists?|bullets?|items?)\b", text, _I) and not reading.code:
        if depth:
            return c.Count(unit="list_depth", most=number_of_word(depth[1]))
        if reading.negative or re.search(r"\b(?:no|without) nested\b", text, _I):
            return c.Count(unit="list_depth", most=1)
    if re.search(r"\b(?:flat|single-level|one-level) lists?\b|\blists? flat\b", text, _I) and not reading.negative:
        return c.Count(unit="list_depth", most=1)
    if not _LISTS.search(text) or reading.code:
        return None
    match = _MOST_ITEMS.search(text)
    if match:
        over = re.match(r"(?:exceed|more than|over)\b", match[0], _I)
        if over and not reading.negative and not re.search(r"\bno\b", text, _I):
            return None
        return c.Count(unit="longest_list", most=number_of_word(match[2]) - (1 if match[1] else 0))
    match = _LEAST_ITEMS.search(text)
    if match and not reading.negative:
        wanted = c.Count(unit="longest_list", least=number_of_word(match[1]))
        some = c.Count(unit="longest_list", least=1)
        return c.When(condition=some, then=wanted) if _IN_ANY_LIST.search(text) else wanted
    return None


_IN_ANY_LIST = re.compile(r"\b(?:any|each|every|all) lists?\b|^lists\b", _I)
_COLUMNS = re.compile(rf"\b(exactly|at most|at least|no more than|up to)? ?\b{NUMBER}[- ](?:\w+ )?columns?\b", _I)
_ROWS = re.compile(rf"\b(exactly|at most|at least|no more than|up to)? ?\b{NUMBER}[- ](?:\w+ )?rows?\b", _I)


def table_size(reading: Reading) -> Any | None:
    """``A table with exactly three columns``; "Tables must …" binds the tables that there are."""
    text = reading.text
    if not re.search(r"\b(?<!first )(?<!second )(?<!last )(?<!this )tables?\b", text, _I) or reading.code:
        return None
    sizes: dict[str, Any] = {}
    for pattern, unit in ((_COLUMNS, "columns"), (_ROWS, "rows")):
        match = pattern.search(text)
        if match is None:
            continue
        word, number = (match[1] or ("at most" if reading.negative else "exactly")).lower(), number_of_word(match[2])
        if reading.negative and not re.search(r"\bmore than\b", text, _I):
            return None
        if word in ("exactly", "at least"):
            sizes[f"least_{unit}"] = number
        if word != "at least":
            sizes[f"most_{unit}"] = number
    if not sizes:
        return None
    wanted = c.Table(**sizes)
    if reading.negative or re.search(r"\btables\b|\b(?:any|each|every|all|no) tables?\b", text, _I):
        return c.When(condition=c.Table(least_rows=0), then=wanted)
    return wanted


_LANGUAGES = {
    "python": "python|py|python3", "javascript": "javascript|js", "typescript": "typescript|ts", "yaml": "yaml|yml",
    "bash": "bash|sh|shell", "shell": "bash|sh|shell|console", "ruby": "ruby|rb",
}  # fmt: skip
_LANGUAGE = r"(python|javascript|typescript|bash|shell|json|yaml|sql|rust|go|java|ruby)"
_CODE_SHOWN = r"(?:code )?(?:examples?|snippets?|samples?|blocks?|listings?)"
_EXAMPLE_IN = re.compile(
    rf"\bcode (?:examples?|snippets?|samples?|blocks?|listings?) (?:in|written in) {_LANGUAGE}\b"
    rf"|\b{_LANGUAGE} {_CODE_SHOWN}\b",
    _I,
)
_SHOW = re.compile(r"\b(?:include|show|give|provide|contain|add|have|has|needs?|with|must|at least)\b", _I)
_TAGGED = re.compile(
    r"\b(?:code )?(?:blocks?|fences?)\b[^.]{0,60}\b(?:language|info string|language (?:tag|identifier|name))\b"
    r"|\blanguage (?:tag|identifier|name)?\b[^.]{0,40}\b(?:code )?(?:blocks?|fences?)\b",
    _I,
)


def code_blocks(reading: Reading) -> Any | None:
    """Fences that name their language, and code in a given language."""
    text = reading.text
    if reading.code:
        return None
    if _TAGGED.search(text) and not reading.terms:
        without = re.search(r"\bwithout\b|\bunlabell?ed\b|\buntagged\b", text, _I)
        if bool(without) == reading.negative:
            return c.Count(unit="unnamed_fences", most=0)
        return None
    match = _EXAMPLE_IN.search(text)
    if match and not reading.negative and _SHOW.search(text[: match.start()]):
        name = (match[1] or match[2]).lower()
        names = _LANGUAGES.get(name, name)
        return c.Matches(pattern=rf"^[ \t]*(?:```|~~~)[ \t]*(?i:{names})\b")
    return None


_LINKS = re.compile(r"\b(?:hyper)?links?\b|\burls?\b|\bweb addresses\b", _I)
_OTHER_LINKS = re.compile(
    r"\b(?:to|symbolic|broken|shorten\w*|relative|dead) links?\b|\blinks? (?:to|from|in|with|must|should)\b", _I
)


def links(reading: Reading) -> Any | None:
    text = reading.text
    if re.search(
        r"\b(?:invent|fabricat|ma[dk]e up|fake|hallucinat|guess|modif|chang|alter|click|open|visit|fetch"
        r"|broken|dead|real)\w*\b",
        text,
        _I,
    ):
        return None
    if reading.code or reading.terms or not _LINKS.search(text) or _OTHER_LINKS.search(text):
        return None
    if reading.negative or re.search(r"\b(?:no|without) (?:any )?(?:external )?(?:hyper)?(?:links|urls)\b", text, _I):
        return c.Count(unit="links", most=0, within="prose")
    if re.search(
        r"\b(?:include|add|give|provide|contain|with) (?:at least )?(?:an?|one) (?:hyper)?(?:link|url)\b", text, _I
    ):
        return c.Count(unit="links", least=1)
    return None


_ONE_OF = re.compile(
    r"\b(?:nothing but|only|exactly|solely|either|just)\b|\b(?:exactly )?one of\b"
    r"|\ba single (?:word|letter|token)\b",
    _I,
)
_ANSWERS = re.compile(
    r"\b(?:answer|respond|reply|output|return)(?:s|ed)?\b(?! (?:must )?(?:contain|include|mention|start"
    r"|begin|end))",
    _I,
)
_OPTIONS = re.compile(r"(?::|\bof\b|\bwith\b|\beither\b|\bonly\b|\bbut\b|\bbe\b|\bare\b)\s{0,2}([^:.]{1,200})$", _I)
_OPTION = re.compile(r"[A-Za-z][\w-]{0,30}")
_MORE_THAN_ONE_WORD = re.compile(
    r"\b(?:keys?|fields?|columns?|json|yaml|csv|headings?|words|sentences?|lines?|paragraphs?|bullets?"
    r"|starts?|begins?"
    r"|ends?|then|followed|contain\w*|section)\b",
    _I,
)
_FIELD = re.compile(
    r"[`\"“']?\b([A-Za-z_]\w{0,40})[`\"”']?(?: (?:field|key|value|attribute|property))?"
    r" (?:must|is|are|should|shall|has to|can|may|takes)(?: (?:only|strictly|always|be"
    r"|exactly)){0,3} (?:one of|either)\b",
    _I,
)


def _options(reading: Reading, start: int) -> tuple[str, ...]:
    """The values that are listed: quoted ones, else single words between commas and "or"."""
    quoted = tuple(each.text for each in reading.terms if each.start >= start)
    if len(quoted) >= 2:
        return quoted
    found = _OPTIONS.search(reading.text, start)
    if found is None:
        return ()
    parts = [part.strip(" *\"'“”`()") for part in re.split(r",\s*(?:or |and )?|\s+or\s+|\s*/\s*|\s*\|\s*", found[1])]
    parts = [
        re.sub(
            r"^(?:(?:with|by|as|in) )?(?:either|one of|exactly|only|with|by|the words?"
            r"|the letters?)\s+",
            "",
            part,
            flags=_I,
        )
        for part in parts
    ]
    return tuple(parts) if len(parts) >= 2 and all(_OPTION.fullmatch(part) for part in parts) else ()


def one_of(reading: Reading) -> Any | None:
    """``Answer only with "yes" or "no"``; ``the severity field must be one of low, medium, high``."""
    text = reading.text
    if reading.negative or reading.code:
        return None
    field = _FIELD.search(text)
    subject = field[1].lower() if field else ""
    named = re.search(r"\b(?:field|key|value|attribute|property|json)\b", text, _I) is not None
    if field and (named or subject not in ("answer", "response", "reply", "output", "it", "result", "verdict")):
        values = _options(reading, field.end() - 6)
        if len(values) < 2 or not named:
            return None
        return where_json({field[1]: {"enum": list(values)}})
    if _ONE_NUMBER.search(text):
        return c.Matches(pattern=r"\A\s*[-+−]?\d[\d.,]*(?:[eE][-+]?\d+)?\s*%?\s*\z")
    otherwise = _OTHERWISE.search(text)
    if otherwise and len(reading.terms) == 2:
        return _whole_answer(tuple(each.text for each in reading.terms))
    only, verb = _ONE_OF.search(text), _ANSWERS.search(text)
    if only is None or verb is None or _MORE_THAN_ONE_WORD.search(text):
        return None
    values = _options(reading, min(only.start(), only.end()))
    if len(values) < 2 or any(
        value.lower() in ("json", "yaml", "code", "csv", "prose", "markdown") for value in values
    ):
        return None
    if not re.search(r"\bor\b|\bone of\b|:", text[only.start() :], _I):
        return None
    return _whole_answer(values)


_ONE_NUMBER = re.compile(
    r"\b(?:answer|respond|reply|return|output)\b[^.]{0,40}\b(?:only (?:a|an|one|the) (?:single )?(?:number|integer)"
    r"|(?:a single|one) (?:number|integer) only|nothing but (?:a|one|the) number)\b(?! of\b)",
    _I,
)
_OTHERWISE = re.compile(r"\b(?:answer|respond|reply|return|output|say)\b[^.]{0,200}\b(?:otherwise|else)\b", _I)


def _whole_answer(values: tuple[str, ...]) -> Any:
    choices = "|".join(re.escape(value) for value in values)
    return c.Matches(pattern=rf"(?i)\A[\s\"'`*]*(?:{choices})[.!\"'`*]*\s*\z")
