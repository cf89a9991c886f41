"""A sentence in plainer words of the same meaning, so that what reads it afterwards has fewer wordings to know.

Only what changes nothing of the demand is put differently: who is addressed, that it holds in every answer, verbs of
style. A rewording that depends on what a word means is made only where that word names a feature.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from agent.cca.grammar.features import FEATURES

_I = re.IGNORECASE
_ANSWER = (
    r"(?:answers?|responses?|repl(?:y|ies)|outputs?|turns?|(?:chat |final |user-facing |customer-facing )?messages?)"
)
_PEOPLE = r"(?:customers?|users?|readers?|clients?|callers?|guests?|visitors?|patients?|students?|players?)"
_NEVER = r"(?:(?:please )?(?:do not|don['’]t|never|avoid)(?: ever)?)"
_TEXT = (
    r"(?:answers?|responses?|repl(?:y|ies)|outputs?|information|data|results?|findings?|content|text|options?|facts?"
    r"|figures|comparisons?|prices|points|ideas|instructions|steps|procedure|takeaways|suggestions|recommendations"
    r"|report|summary|message|everything|it|this|them)"
)
_FEATURE = "|".join(f"(?:{each.noun.pattern})" for each in FEATURES if each.only not in ("count", "wanted"))
_X = r"(?P<x>(?:an? |any |the |markdown )*(?:[\w-]+ ){0,2}[\w-]+)"
_FULL = re.compile(rf"(?:(?:an?|any|the|some) )*(?:{_FEATURE})", _I)


_Put = str | Callable[[re.Match[str]], str]


def _plainer(pattern: str, put: _Put) -> tuple[re.Pattern[str], _Put]:
    return re.compile(pattern, _I), put


def _names(match: re.Match[str], put: str) -> str:
    """``put`` with the thing that is named, where that is a feature; else what stood there."""
    return put.format(x=match["x"]) if _FULL.fullmatch(match["x"].strip()) and "quot" not in match["x"] else match[0]


def _refused(match: re.Match[str]) -> str:
    return _names(match, "Do not use {x}")


def _used(match: re.Match[str]) -> str:
    return _names(match, f"{match['no'] or ''}use {{x}}")


_TIMES = {"once": "one", "twice": "two"}


def _often(match: re.Match[str]) -> str:
    number = _TIMES.get(match["n"].lower(), match["n"].split(" ")[0])
    return _names(match, f"Use at most {number} {{x}}")


_END = r"(?= *[.!;,)]| *$)"
_REWORDED: tuple[tuple[re.Pattern[str], _Put], ...] = (
    # that it holds in every answer, and for whom
    _plainer(rf"\b(?:in|to|of|for|with|per) (?:each|every|all|any)(?: of)?(?: the| your| our)?(?: single)? {_ANSWER}\b"
             rf"(?: to {_PEOPLE})?", "in the answer"),
    _plainer(rf"\bper (?:{_ANSWER})\b", "in the answer"),
    _plainer(rf"^(?:every|each|any)(?: single)? (?:one of )?(?:your |our |final )*{_ANSWER} (?!you\b|that\b|which\b)",
             "The answer "),
    _plainer(r"^(?:all|our|customer-facing|user-facing)(?: of)?(?: your| our| the)? (?:customer-facing |support )?"
             r"(?:answers|responses|replies|outputs|messages) (?=(?:must|should|shall|have|has|need|are|stay|contain"
             r"|start|end|include|use|begin|never|do not|may|can|carry)\b)", "Answers "),
    _plainer(rf"(?<=[a-z]) (?:in|to|for|with) (?:your |our |the )?(?:answers|responses|replies|messages|writing) "
             rf"(?:to|for) "
             rf"(?:the |your |our )?{_PEOPLE}{_END}", " in the answer"),
    _plainer(rf"(?<=[a-z\"”'’]) (?:to|for|with) (?:the |your |our |a |any )?{_PEOPLE}{_END}", ""),
    # that nothing changes it
    _plainer(r",? ?(?:however|whatever|whichever|whether|regardless|no matter|even (?:if|when|though|where))\b"
             r"[^,;.]{2,80}(?=[.!]?$)", ""),
    _plainer(r" of any (?:kind|sort|type|form)\b|,? (?:not )?at all(?= *[.!]?$)|, ever(?= *[.!]?$)"
             r"|,? under any circumstances?(?= *[.!]?$)", ""),
    # what the house does not do
    _plainer(r"^(?:our |the )?(?:(?:brand|house|team|company|product)(?: voice| style| tone)?|voice|style|tone) "
             r"(?:never uses?|does not use|doesn['’]t use|avoids|has no)\b", "Never use"),
    _plainer(r"^we (?:do not|don['’]t|never) (?:do|use|write|like|want|allow)\b", "Never use"),
    _plainer(r"^(?:zero|absolutely no|strictly no) ", "No "),
    _plainer(r"^(?P<x>[\w -]{3,40}?) (?:is|are) (?:(?:completely|strictly|always) )?(?:off the table|out of the"
             r" question"
             r"|not our style|not our thing|not welcome|taboo|a no-go|not an option)\b", _refused),
    # verbs of style
    _plainer(rf"\b(?:decorate|pepper|litter|clutter|embellish|fill|pad|garnish|sprinkle) (?:your |the )?{_TEXT} with\b",
             "use"),
    _plainer(r"\b(?:sprinkle|scatter|slip|sneak|throw|drop|stick|work)(?: in)? (?P<x>[\w -]{3,30}?) (?:in|into|on"
             r"|onto|to)"
             rf" (?:your |the )?{_ANSWER}\b", lambda match: _names(match, "use {x}")),
    _plainer(rf"(?P<no>{_NEVER} )?\b(?:present|lay|give|show|display|format|deliver|arrange|organi[sz]e|structure|put"
             rf"|write"
             rf"|list|return|provide|state|present) (?:the |your |any |all |these |its )?{_TEXT}(?: out)? (?:as|in"
             rf"|under|using"
             rf"|with|in the form of) {_X}{_END}", _used),
    _plainer(rf"(?P<no>{_NEVER} )?\b(?:break|divide|split|organi[sz]e|structure|chop|cut|turn|separate) (?:up )?"
             rf"(?:the |your )?"
             rf"{_TEXT}(?: up)? (?:into|under|with|by|using)(?: (?:sections|parts|blocks) (?:with|under|by))?"
             rf" {_X}{_END}", _used),
    # one thing in place of another
    _plainer(rf"^(?:please )?(?:always )?(?:use|write|prefer|choose) [^§\"`]{{2,40}} (?:rather than|instead of|over"
             rf"|not|never) "
             rf"{_X}{_END}(?!,)", _refused),
    _plainer(rf"^instead of {_X}, (?:please )?(?:use|write|prefer) [^,.]{{2,40}}{_END}", _refused),
    _plainer(rf"^replace {_X} (?:with|by) [\w ,]{{2,40}} in (?:your|the) (?:{_ANSWER}|writing|text)\b", _refused),
    # what is told of a thing, and that it is therefore not to be used
    _plainer(r"^(?:[\w ]{0,30}(?:not|n['’]t|never) (?:render|support|display|show|understand|handle) )?(?P<x>[\w"
             r" -]{3,30}?)"
             r"(?: (?:is|are|do|does|will|can)? ?(?:not|n['’]t|never|break|breaks|clutter\w*|confuse\w*|cause\w*|look"
             r"|looks"
             r"|unnecessary|useless|un\w+)[^,;:]{0,40}| characters break[^,;:]{0,30})?[,;:]? (?:so|hence|therefore"
             r"|thus)?,? ?"
             r"(?:please )?(?:(?:do not|don['’]t|never|avoid) (?:use|using|include|add|write|emit|insert)? ?"
             r"(?:it|them|any|those|that)|leave (?:it|them) out|omit (?:it|them)|skip (?:it|them))(?: here)?[.!]?$",
          _refused),
    _plainer(r"^(?P<no>(?:please )?(?:do not|don['’]t|never)) (?:offer|give|list|include|provide|have) "
             r"(?=[\"“`'].*[\"”`'] as (?:an? )?"
             r"(?:answer )?(?:options?|choices?|answers?)[.!]?$)", r"\g<no> use "),
    _plainer(r"(?<=[\"”`']) as (?:an? )?(?:answer )?(?:options?|choices?|answers?)(?=[.!]?$)", ""),
    # a format after what is wanted
    _plainer(r"^(?:please )?(?:answer|respond|reply|write|output|return)(?: only)? (?:in|as|with|using) (?:pure "
             r"|plain |normal |natural )?"
             r"(?:text|prose|words|sentences|language|english),? (?:and )?not (?:as |in )?(?=(?:json|xml|yaml|html"
             r"|markdown|csv)[.!]?$)",
             "Do not return "),
    # how often
    _plainer(r"^(?:please )?(?:do not|don['’]t|never) (?:use|include|write|add|put|have) (?P<x>[\w -]{3,30}?) more"
             r" than "
             r"(?P<n>once|twice|\w+ times)\b(?: in the answer| in an? \w+)?(?= *[.!]?$)", _often),
    # apologies
    _plainer(r"\bsay(?:ing)? (?:you are |you['’]re |that you are )?sorry\b", "apologize"),
    _plainer(r"\boffer(?:ing)? (?:an )?apolog(?:y|ies)\b", "apologize"),
    _plainer(r"(?<=apologi[sz]e) for [^,;.]{2,40}(?=[.!]?$)", ""),
)  # fmt: skip
_MAX_CHARS = 400


def reworded(text: str) -> str:
    """The sentence with each rewording made once, in order."""
    if len(text) > _MAX_CHARS:
        return text
    for pattern, put in _REWORDED:
        text = pattern.sub(put, text, count=1)
    return " ".join(text.split())
