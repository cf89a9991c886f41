"""A small conservative suffix stemmer for words of code and prose.

It folds the inflections that questions and code disagree on (``routes``, ``routing``, ``routed``, ``route``;
``validates``, ``validation``, ``validator``) and leaves everything else alone. Applied to words and parts of
identifiers on both sides, never to whole identifiers. In the manner of Porter's algorithm (1980), with far fewer rules.
"""

from __future__ import annotations

from functools import lru_cache

_VOWELS = frozenset("aeiouy")
_DOUBLES = frozenset("bdgmnprt")

# Words that the rules would cut wrongly or fold into a different word of code (``settings`` is not ``set``).
IRREGULAR: dict[str, str] = {
    "alias": "alias",
    "axes": "axis",
    "bus": "bus",
    "children": "child",
    "class": "class",
    "classes": "class",
    "indexes": "index",
    "indices": "index",
    "matrices": "matrix",
    "vertices": "vertex",
    "use": "use",
    "used": "use",
    "uses": "use",
    "user": "user",
    "using": "use",
    "string": "string",
    "strings": "string",
    "embed": "embed",
    "embeds": "embed",
    "multiply": "multipli",
    "setting": "setting",
    "settings": "setting",
    "thing": "thing",
    "during": "during",
    "exception": "exception",
    "exceptions": "exception",
    "number": "number",
    "numbers": "number",
    "header": "header",
    "headers": "header",
    "other": "other",
    "need": "need",
    "needed": "need",
    "written": "write",
    "wrote": "write",
}


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """The stem of one lower-case ASCII word; words under four letters and non-ASCII words come back unchanged.

    Remembered: an index meets each word in a dozen identifiers.
    """
    if len(word) < 4 or not word.isascii() or not word.isalpha():
        return word
    known = IRREGULAR.get(word)
    if known is not None:
        return known
    word = _verb(_plural(word))
    return _final(_noun(word))


def singular(word: str) -> str:
    """``word`` without its plural ending, if it seems to have one."""
    return word if len(word) < 4 else IRREGULAR.get(word, _plural(word))


def _plural(word: str) -> str:
    if not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies"):
        return word[:-3] + "y" if len(word) > 4 else word[:-1]
    if word.endswith(("sses", "xes", "ches", "shes", "zzes")):
        return word[:-2]
    return word[:-1]


def _verb(word: str) -> str:
    """Strip ``ing``, ``ed`` and ``ly``."""
    if word.endswith("ing"):
        return _undouble(word[:-3]) if _stands(word[:-3]) else word
    if word.endswith("ied"):
        return word[:-3] + "y" if len(word) > 4 else word
    if word.endswith("eed"):
        return word
    if word.endswith("ed"):
        return _undouble(word[:-2]) if _stands(word[:-2]) else word
    if word.endswith("ly") and len(word) > 5:
        return word[:-3] + "le" if word.endswith("bly") else word[:-2]
    return word


def _noun(word: str) -> str:
    """Strip the endings that make nouns and agents of verbs, where at least a four-letter stem is left."""
    for ending, least in (("ation", 9), ("ator", 8), ("ment", 10), ("ate", 7)):
        if word.endswith(ending):
            return word[: -len(ending)] if len(word) >= least else _agent(word)
    if len(word) >= 6 and word.endswith("at") and not word.endswith(("format", "concat", "repeat")):
        return word[:-2]  # what "ating" and "ated" leave behind
    return _agent(word)


def _agent(word: str) -> str:
    """Strip ``ion``, ``or`` and ``er``."""
    if len(word) >= 8 and word.endswith(("tion", "sion")):
        return word[:-3]
    if len(word) >= 7 and word.endswith("tor"):
        return word[:-2]
    while len(word) >= 6 and word.endswith("er") and not word.endswith(("eer", "ther", "meter")):
        word = _undouble(word[:-2])
    return word


def _final(word: str) -> str:
    """Drop a silent ``e`` and turn a final ``y`` after a consonant into ``i``."""
    if len(word) >= 4 and word.endswith("e") and not word.endswith("ee"):
        return word[:-1]
    if len(word) >= 4 and word.endswith("y") and word[-2] not in _VOWELS:
        return word[:-1] + "i"
    return word


def _stands(rest: str) -> bool:
    return len(rest) >= 3 and not _VOWELS.isdisjoint(rest)


def _undouble(rest: str) -> str:
    if len(rest) >= 4 and rest[-1] == rest[-2] and rest[-1] in _DOUBLES:
        return rest[:-1]
    return rest
