"""Verbs that open an instruction, and how to tell them from nouns of the same spelling."""

from __future__ import annotations

import re

_PLAIN = """
    abbreviate abide accept acknowledge adapt add address adhere adjust adopt alphabetize annotate append apply
    archive arrange ask assert assign assume attach attempt attribute await be bear become begin bring bundle
    capitalise capitalize catch choose cite clarify clean collect combine come comply compress conclude confer
    configure confirm conform consider construct consult contact continue contribute convert coordinate create
    credit declare decline decrease define delegate delete demonstrate deprecate derive describe determine discard
    discuss dismiss display distinguish divide do document double-check drop edit eliminate embed emit encapsulate
    encode deliver serialise serialize emphasize employ enable enclose encourage end ensure enter enumerate err
    escalate establish evaluate examine exclude exercise expand explain expose express extend extract familiarize
    fill find finish fix follow format gather generate get give go group guard handle hide highlight honor identify
    ignore imitate implement import include incorporate increase indent indicate inform inherit initialize insert
    inspect integrate introduce invoke isolate italicize join justify keep learn leave let localize log lowercase
    maintain make match maximize memorize mention merge migrate minimise minimize mirror modify move negotiate
    notify number obey observe obtain omit organise organize outline override parenthesize parse pass pay pick pin
    place pluralize point precede prefer prefix prepare prepend present preserve prevent produce propose protect
    prove provide push put quantify quote raise read rebase recall recommend reconsider record redirect reduce
    refactor refer reference refrain refuse regenerate register reject relate rely remain remember remind remove
    rename render reopen reorder repeat rephrase replace reply report reproduce request require reserve resolve
    respect respond restrict retain rethrow return reuse reveal revert revise rewrite round sanitize save say seek
    send separate serve shorten sign simplify sketch skip sort specify spell split squash squeeze state stay stick
    store strike strip strive structure submit subscribe substitute surround suggest summarise summarize supply
    suppress synchronize tag take talk tell terminate think throw track translate treat trim try turn underline
    understand undo update upgrade uppercase use utilize validate verify wait warn wrap write
"""
_ALSO_NOUNS = """
    access aim align allow answer back balance base batch block blog branch break bump cache call cap change
    check claim close code comment commit compare complete contain copy count cover cut default design detail
    draft escape exit export extend fail file filter flag focus force form guide head help hold input issue
    label lead level limit line link list load lock look mark mask measure name note offer open order output own
    patch plan post practice press print process profile program query question queue rank rate release rest
    review run sample scan schedule scope search section set shape share show sign sound source stage start step
    stop store stress style support table target test time title touch trace transfer type unit value version
    view visit watch weigh weight work
"""
_OPERATIONS = """
    activate blog build cd checkout click clone compile configure download enter execute fork go install invoke
    launch navigate press print pull run scroll select start type unpack upgrade visit
"""
"""What a tutorial tells one to do at a machine: a rule only where it hangs on a situation."""

_NOUN_FOLLOWS = re.compile(
    r"\s+(?:an?|the|your|our|its|their|his|all|any|each|every|this|that|these|those|it|them|yourself|both|no|one|two|three"
    r"|four|only|new|other|multiple|several|existing|as|at|in|on|to|for|from|by|with|without|into|out|up|down|over|off|under"
    r"|and then|if|whether|when|how|what|which|where|either|public|private|explicit\w*|clear\w*|user\w*|valid"
    r"|(?-i:[A-Z]{2,}\b)|[`\"“'‘:]|\d)",
    re.IGNORECASE,
)
_FINITE = re.compile(
    r"(?:(?!that\b|which\b|who\b|if\b|when\b|where\b|so\b|because\b|as\b|what\b|how\b|to\b)\S+ ){1,10}?"
    r"(?:is|are|was|were|does|doesn['’]t|has|will|can|may)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"([A-Za-z]+(?:-[A-Za-z]+)?)(?=[\s,.:;!`]|$)")
_OPERATION_SET = frozenset(_OPERATIONS.split())
_PLAIN_SET = frozenset(_PLAIN.split())
_NOUN_SET = frozenset(_ALSO_NOUNS.split())
_NO_IMPERATIVE = re.compile(
    "(?:"
    + "|".join(
        (
            r"(?:use|test|edge|corner) cases?\b",
            r"check (?:out|the )(?!\S+ (?:first|before))",
            r"import (?:os|sys|re)\b",
            r"put (?:bluntly|simply|differently|another way|it)",
            r"be (?:aware|warned)\b",
            r"look (?:at|through|for)\b",
            r"read (?:the|more|on|our|through|about)\b",
            r"refer to (?!all|each|every|them|it\b|any)",
            r"visit\b|contact us|join\b|learn\b|get (?:in touch|started|help)",
            r"let['’]?s\b|let (?:us|me)\b",
            r"say (?:you|that you|we|it)\b",
            r"assume (?:that )?(?:you|we)\b|assuming\b",
            r"note that\b|note:",
            r"come (?:and|join|chat)",
            r"add (?:yourself|the upstream|a remote|it to your `)",
            r"given\b|format (?:is|of)|name (?:is|of)|list of|order (?:is|of)|number of",
            r"do (?:you|it|this)\b",
            r"find (?:out|a|an|the|more|your|us)\b",
            r"think of\b",
        )
    )
    + ")",
    re.IGNORECASE,
)


def opens_instruction(clause: str, *, situated: bool) -> bool:
    """Whether a clause starts with a verb in the imperative. ``situated``: a condition stands before it."""
    match = _WORD.match(clause)
    if match is None:
        return False
    word, rest = match[1].lower(), clause[match.end() :]
    if rest[:1] == ":" and " " not in rest[:2]:
        return False
    if rest.lstrip()[:1] in ("=", "(") or _NO_IMPERATIVE.match(clause):
        return False
    if word in _OPERATION_SET:
        return situated or (word == "start" and re.match(r"(?: [\w']+){0,5} with ", rest) is not None)
    if word in _PLAIN_SET:
        return not re.match(r"\s+(?:is|are|was|were|will|can|has|have|does)\b", rest)
    return (
        word in _NOUN_SET
        and not _FINITE.match(clause)
        and (_NOUN_FOLLOWS.match(rest) is not None or (situated and not rest.strip(" .!")))
    )
