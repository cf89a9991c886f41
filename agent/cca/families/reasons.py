"""Where in a sentence its demand stands, its reason left aside: "Tabs are errors in YAML, so use none".

What a reason counts, names or denies is no part of the demand: "two columns fit, so no line has more than 80
characters". Only a reason that is told as one is left aside, by "because", "since", "so that" or "so", or since just
one of two clauses demands anything; where both do, all of the sentence is its demand.
"""

from __future__ import annotations

import re

from agent.cca.quoted import quoted_terms

_I = re.IGNORECASE
_VERB = (
    r"(?:is|are|was|were|has|have|had|does|do|can|can['’]t|cannot|will|won['’]t|would|isn['’]t|aren['’]t|don['’]t"
    r"|doesn['’]t|[a-z]{2,}[^\W\ds]s|need|needs|takes?|reads?|gets?|goes|go|fits?|break|use|want|know|like|pipe|see"
    r"|show|put|print|call|ask|expect|suggest|continue|write|paste)"
)
_SAYS_WHY = r"(?:this|it|that|we|they|i|you|there|the|our|your|a|an|its|their|most|many|some|each|every|no|[\w’'-]+)"
_AHEAD = re.compile(
    rf"^(?:because|given that|seeing that|now that|since(?! \d)|as(?= {_SAYS_WHY}(?: [^\s,;]+){{0,6}} {_VERB}\b))"
    r" [^,;.:]{6,160},\s+(?=\S)",
    _I,
)
_BEHIND = re.compile(
    rf"[,;]?\s+(?:because|so that|in order that|or else)\s.*$|[,;]\s+otherwise\s.*$"
    rf"|[,;]\s+(?:since|as(?! (?:in|well|long|soon|far|if|though)\b)) (?={_SAYS_WHY}(?: [^\s,;]+){{0,6}} {_VERB}\b).*$",
    _I | re.S,
)
_SO = re.compile(
    r",\s+(?:and\s+)?(?:so|hence|therefore|thus|which is why|that is why|that['’]s why)\s+"
    r"(?!that\b|on\b|forth\b|as\b|long\b|much\b|many\b|far\b|is\b|are\b|do\b|does\b)",
    _I,
)
_PARTS = re.compile(r"(?<=[^\d\s.])(?P<mark>[;.:])\s+(?=[^\W\d_])")
_TELLS = (
    "use|write|pretty-print|address|keep|put|leave|give|make|add|avoid|omit|skip|drop|begin|start|end|close|open|finish|answer|reply"
    "|respond|return|output|print|send|say|spell|do|don['’]t|never|always|please|no|only|not|include|insert|mark|name|call|cite"
    "|show|limit|restrict|list|sort|order|separate|wrap|enclose|format|indent|number|quote|refer|replace|prefer|stick"
    "|fence|tie|pin|pick|choose|set|let|have|ask|thank|mention|state|tell|stop|cut|break|split|refrain|stay|go|get"
    "|must|count|remove|delete|turn|take|follow|see that|ensure|produce|try|exactly"
)
_TELLING = re.compile(rf"^(?:[a-z]+ly,? |then |and |but )?(?:{_TELLS})\b", _I)
_DEMANDS = re.compile(
    r"\b(?:must|should|shall|ought|has to|have to|needs? to|is to|are to|may not|may only|mustn['’]t|never|always"
    r"|only|at most|at least|no more|exactly|precisely|no (?:\w+ )?longer than|allowed|forbidden|banned|taboo|required"
    r"|mandatory|prohibited)\b"
    r"|\b(?:has|have|contains?|holds?|with|are|is) no\b",
    _I,
)
_NO_DEMAND = re.compile(
    r"^(?:i|we) (?:can['’]t|cannot|don['’]t) (?:stand|like|need|see)\b"
    r"|^(?:that['’]s|that is|this is) (?:all|what|how)\b"
    r"|\b(?:looks?|makes?|sounds?|breaks?|promises?|reads?|chokes?|fails?|means?)\b(?! sure)(?!.*\b(?:must|should)\b)",
    _I,
)
_POINTS = re.compile(r"\b(?:it|them|one|ones|any|none|so)\b", _I)
_MIN_WORDS = 2


def demand_of(text: str) -> tuple[int, int]:
    """Start and end of the clause that demands; all of the text where no reason is told. Pure, deterministic."""
    masked = _masked(text)
    start, end = 0, len(text)
    ahead = _AHEAD.match(masked)
    if ahead:
        start = ahead.end()
    so = next(iter(_SO.finditer(masked, start)), None)
    if so is not None:
        head, tail = masked[start : so.start()], masked[so.end() :]
        if not _tells(head) or _tells(tail):
            if (
                not (_tells(tail) and _POINTS.search(tail))
                and _demands(head)
                and _demands(tail)
                and not _NO_DEMAND.search(head)
            ):
                return start, end
            start = so.end()
        else:
            end = so.start()
    behind = _BEHIND.search(masked, start, end)
    if behind is not None and len(masked[start : behind.start()].split()) >= _MIN_WORDS:
        end = behind.start()
    return _one_of_two(masked, start, end)


def _one_of_two(masked: str, start: int, end: int) -> tuple[int, int]:
    """Of two clauses the one that demands, where the other one does not. Behind a colon stands what it announces:
    that is never left out."""
    cuts = list(_PARTS.finditer(masked, start, end))
    if len(cuts) != 1:
        return start, end
    cut = cuts[0]
    head, tail = masked[start : cut.start()], masked[cut.end() : end]
    if _demands(tail) and not _demands(head) and (cut["mark"] != ":" or _tells(tail)) and len(head.split()) > 1:
        return (cut.end(), end) if len(tail.split()) >= _MIN_WORDS else (start, end)
    told = _NO_DEMAND.search(tail) is not None
    if cut["mark"] != ":" and ((_demands(head) and not _demands(tail)) or told) and len(head.split()) >= _MIN_WORDS:
        return start, cut.start()
    return start, end


def _tells(clause: str) -> bool:
    return _TELLING.match(clause.strip()) is not None


def _demands(clause: str) -> bool:
    if _tells(clause):
        return True
    return _DEMANDS.search(clause) is not None and _NO_DEMAND.search(clause) is None


def _masked(text: str) -> str:
    """The text, as long as it is, without what it quotes."""
    for each in quoted_terms(text):
        text = text[: each.start] + "§" * (each.end - each.start) + text[each.end :]
    return text
