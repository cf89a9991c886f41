"""Follow-up questions: what "it" is, and what "and the tests?" asks for. Resolved to a whole question, and told.

Rules, in order; the first that applies wins. None applies to a question that names a symbol of its own, but for the
one that puts the new name into the last question ("and Response?").
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from agent.chat.records import Topic

_LEAD = re.compile(r"(?:(?:and|but|so|also|then|ok|okay|now|well|hm+)\b[,:]?[ ]+){1,3}", re.IGNORECASE)
_WHAT_ABOUT = re.compile(r"(?:(?:what|how) about|and|same for)[ ]+(?:the )?(.{1,200}?)[ ]*\?*", re.IGNORECASE)
_EXPLETIVE = re.compile(
    r"\bit(?:['’]s| is| was| would be)? (?:possible|true|necessary|likely|important|ok|allowed|worth|enough|that)\b"
    r"|\bis it (?:possible|true|necessary|likely|allowed|worth|ok) (?:to|that)\b",
    re.IGNORECASE,
)
_NOUN = r"(?:function|method|class|module|decorator|exception|constant|variable|property|one|thing|symbol)"
_SINGULAR = re.compile(
    rf"\b(?:its|(?:this|that|the same|the) {_NOUN}['’]s)\b|\b(?:it|itself|(?:this|that|the same) {_NOUN})\b"
    r"|\b(?:this|that)(?= (?:do|does|work|works|used|called|tested|defined|raised|handled|for|from|in)\b)"
    r"|\b(?:this|that)(?=[ ]*[?.!]*$)|\bthe (?:function|method|class)\b(?=[ ]*[?.!]*$)",
    re.IGNORECASE,
)
_PLURAL = re.compile(
    r"\b(?:their|those|these|they|them)\b(?: (?:functions|methods|classes|callers|ones|symbols))?", re.IGNORECASE
)
# "how do blueprints register their routes", "what does a view do with its arguments": the question says whose itself.
_OWN_MANY = re.compile(
    r"\b(?!(?:does|this|was|has|is|its|tests|calls|callers|callees|uses|usages|covers|breaks|returns|raises|arguments|"
    r"parameters)\b)\w{2,40}[^\W_s]s\b.{0,80}\b(?:their|they|them)\b",
    re.IGNORECASE,
)
_OWN_ONE = re.compile(
    r"\b(?:a|an|each|every|the) (?!(?:tests?|callers?|callees?|function|method|class|one)\b)\w{2,40}\b.{0,80}\bits\b",
    re.IGNORECASE,
)
_POSSESSIVE = re.compile(r"its|their|.*['’]s", re.IGNORECASE)
_MAX_OTHERS = 3
_MAX_SHORT = 6  # words of a question that asks for a relation and names nothing

# Whole questions, and what they ask of the subject; articles and possessives are gone by then.
_SHORT: tuple[tuple[str, str], ...] = (
    (
        r"(?:which |any |are there )?(?:unit )?tests?(?: cover(?:age)?(?: it)?| for it)?|tested|how is it tested",
        "which tests cover {}?",
    ),
    (
        r"callers?|(?:who|what) (?:calls|uses)|usages?|uses|call ?sites?|where used|used (?:by whom|where)",
        "who calls {}?",
    ),
    (r"callees?|what calls|(?:what )?does it call|dependencies", "what does {} call?"),
    (
        r"impact|what (?:would |will |could )?breaks?|(?:what )?if (?:i|we) (?:change|remove|rename) it",
        "what breaks if {} changes?",
    ),
    (r"where|where is it|definition|where defined", "where is {} defined?"),
    (
        r"why|how|how so|more|details?|tell me more|go on|explain|explain more|how does it work|and then",
        "how does {} work?",
    ),
    (r"signature|parameters?|arguments?|args|returns?(?: value)?|docstring", "what does {} do?"),
)
_SHORT_RES = tuple((re.compile(pattern, re.IGNORECASE), form) for pattern, form in _SHORT)
_FILLERS = re.compile(r"\b(?:the|its|their|please|is|are|what about|how about|any)\b[ ]*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Followed:
    """``question`` is what to answer; ``told`` says how it was read, "" when nothing was done."""

    question: str
    told: str = ""


def follow_up(text: str, topic: Topic | None, names: Callable[[str], tuple[str, ...]]) -> Followed:
    """Make ``text`` a question that stands alone.

    Args:
        names: The names of symbols that a question spells itself.
    """
    if topic is None or not topic.subject:
        return Followed(text)
    bare = _LEAD.sub("", text, count=1) if _LEAD.match(text) else text
    own = names(text)
    if own:
        return _substituted(text, topic, own)
    subject = f"`{topic.subject}`"
    short = _short(bare)
    if short:
        return _told(short.format(subject))
    if _EXPLETIVE.search(bare) or _OWN_MANY.search(bare) or _OWN_ONE.search(bare):
        return Followed(text)
    plural = _PLURAL.search(bare)
    if plural and topic.others:
        named = " and ".join(f"`{name}`" for name in topic.others[:_MAX_OTHERS])
        return _told(_replace(bare, plural, named))
    found = _SINGULAR.search(bare) or plural
    if found:
        return _told(_replace(bare, found, subject))
    return Followed(text)


def _substituted(text: str, topic: Topic, own: tuple[str, ...]) -> Followed:
    """ "what about Response?": the last question, about another name."""
    match = _WHAT_ABOUT.fullmatch(text.strip())
    if match is None or len(own) != 1 or len(match[1].split()) > 2 or not topic.named:
        return Followed(text)
    named = match[1].strip("`?. ")
    at = topic.question.find(topic.named)
    if at < 0 or own[0] not in named:
        return Followed(text)
    question = f"{topic.question[:at]}{named}{topic.question[at + len(topic.named) :]}"
    return _told(question)


def _short(bare: str) -> str:
    """The form of a question that consists of what it asks for; "" when it is another."""
    said = bare.strip().rstrip("?.! ")
    if len(said.split()) > _MAX_SHORT:
        return ""
    for words in (said, _FILLERS.sub("", said).strip()):
        for pattern, form in _SHORT_RES:
            if words and pattern.fullmatch(words):
                return form
    return ""


def _replace(text: str, match: re.Match[str], named: str) -> str:
    possessive = _POSSESSIVE.fullmatch(match.group()) is not None
    return f"{text[: match.start()]}{named}{'’s' if possessive else ''}{text[match.end() :]}"


def _told(question: str) -> Followed:
    return Followed(question, f"read as: {question}")
