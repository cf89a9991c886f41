"""What an answer is called by who knows what it will be: a turn, a story, an e-mail. Put as "the answer"."""

from __future__ import annotations

import re

_I = re.IGNORECASE
_SURE = (
    r"answers?|repl(?:y|ies)|responses?|messages?|outputs?|turns?|completions?|write-?ups?|e-?mails?|posts?|tweets?"
    r"|stor(?:y|ies)|articles?|essays?|poems?|speech(?:es)?|bulletins?|newsletters?|memos?|notices?"
    r"|announcements?|adverts?|leaflets?|flyers?|briefings?|digests?|blurbs?|obituar(?:y|ies)|handouts?"
    r"|product (?:texts?|descriptions?)|press releases?|cover letters?|feedback|reviews?|reports?"
)
_AS_A_WHOLE = (
    r"descriptions?|letters?|summar(?:y|ies)|labels?|notes?|captions?|translations?|explanations?|listings?"
    r"|recipes?|plans?"
)
"""May as well be a part of the answer, or what it is about: only where "whole" or "entire" stands by."""
_ADJ = r"(?:final|finished|complete|full|generated|single|product|support|chat|customer) "
_VERB = (
    r"(?=(?:must|should|shall|may not|may never|can(?:not| not)|has|have|is|are|will|never|always|needs?|contains?"
    r"|includes?"
    r"|mentions?|starts?|begins?|opens?|ends?|closes?|finishes|stays?|fits?|runs?|does|do|asks?|uses?|carries|names"
    r"|gives"
    r"|shows?|consists?|keeps?|exceeds?|takes)\b)"
)
_SUBJECT = re.compile(
    rf"^(?:(?P<det>each|every|all|an?|the|your|our|any|no|none of the) (?:{_ADJ})*(?:{_SURE})"
    rf"|(?:the|your|each|every|an?) (?:whole|entire) (?:{_ADJ})*(?:{_SURE}|{_AS_A_WHOLE}))"
    rf"(?: (?:as a whole|you (?:write|give|send)))? {_VERB}"
    r"(?!(?:is|are|has been|have been|will be) (?:delimited|enclosed|given|provided|shown|below|above|wrapped|marked"
    r"|surrounded|separated|in <|as follows|an? (?:input|list|text|string)))",
    _I,
)
ANSWER = rf"(?:{_ADJ})*(?:{_SURE}|letters?|labels?|notes?|captions?|descriptions?|documents?)"
_BEHIND = re.compile(
    rf",? (?:in|of|per|within|for|to) (?:an?|the|each|every|any|your|one|a single) (?:whole |entire"
    rf" )?(?:{_ADJ})*(?:{_SURE}"
    rf"|label|caption|summary|description|letter)(?=[,.;:]|$| (?:and|but) )",
    _I,
)


def named(text: str) -> str:
    """``Each turn must …`` as ``The answer must …``, ``at most once in a story`` as ``at most once``."""
    found = _SUBJECT.match(text)
    if found:
        lead = "No answer " if (found["det"] or "").lower() in ("no", "none of the") else "The answer "
        text = lead + text[found.end() :]
    return _BEHIND.sub("", text)
