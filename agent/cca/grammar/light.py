"""Words that change nothing about what a demand demands. A clause is read only where no other words are left in it."""

from __future__ import annotations

import re

_I = re.IGNORECASE
_WORDS = """
    minimal compact crisp tight readable succinct a an the that this these those there it its their them your you we
    our us i one's any some such both is are be been being am must should shall will would can could may might need
    needs have has had having to do does did answer answers answered answering response responses reply replies
    replied output outputs message messages text result results summary summaries explanation explanations report
    essay letter email content contents writing final whole entire complete full overall total generated produced
    returned model assistant user reader self main body itself prose everything use uses used using usage include
    includes included including inclusion contain contains contained containing add adds added adding provide
    provides provided give gives given giving write writes written produce produces generate generates put puts
    place places placed insert inserts inserted employ employs show shows showing shown display make makes making
    keep keeps kept stay stays staying remain remains appear appears appearing occur occurs occurring exist exists
    find found feature features featuring present presented consist consists consisting comprise comprises format
    formatted formatting respond responds responding say says state mention mentions limit limits limited limiting
    cap capped restrict restricted constrain confine bound set run runs running come comes deliver hand emit print
    type allow allowed allows permit permitted accepted acceptable wanted needed required expected mandatory require
    requires desired requested rely rendered return returns returning finish end ask asking asked pose posing
    wrapped encapsulated encapsulate enclose surround embedded embed within enclosed surrounded around split into
    represented marked denoted delimited formal informal friendly neutral professional polite casual direct factual
    objective conversational warm serious academic technical try ensure sure certain wrap go goes going exceed
    exceeding rendering carry carries hold holds held break breaks splitting please always ever only just strictly
    exactly precisely all anywhere whatsoever absolutely simply also too altogether throughout under circumstances
    matter what again point entirely completely wholly fully really very important importantly note rule kindly of
    in on at for with by as from inside plus and or nor but then so either neither when where how long length style
    tone form layout structure size maximum minimum hard word count anything something square brackets per number
    stick sticking stays compose craft draft
    plain short brief concise concisely briefly clear explicit good proper normal
"""
LIGHT = frozenset(_WORDS.split())
_TOKEN = re.compile(r"[A-Za-z]+(?:['’][a-z]+)?|\d+|[^\s\w]")
_PUNCTUATION = frozenset(".,;:!()[]*_-–—|\"'“”‘’`#>/\\")


def leaves_nothing(text: str) -> bool:
    """Whether all of the words are light."""
    return all(token.lower() in LIGHT or token in _PUNCTUATION for token in _TOKEN.findall(text))


REASON = re.compile(
    r"[,;:–—-]?\s*\(?\b(?:because|since (?:it|they|the|this|we|our|many|some)|so that|so (?:it|they|the|we|i|our)\b"
    r"|as (?:it|they|this|the (?!answer|response|reply|output))"
    r"|in order (?:to|for|that)|for (?:the sake|reasons|readability|clarity|accessibility|easy|better|consistency)"
    r"|to (?:make|keep|avoid|ensure|allow|help|save|improve|maintain|aid|prevent)"
    r"|which|whose|otherwise|or (?:else|the|it) |even (?:if|when)|no matter|regardless|whatever|they (?:break|are"
    r"|do)|it (?:breaks|is parsed|gets)|thanks?\b|thank you)\b.*$",
    _I,
)
"""Why something is demanded: what follows says nothing about what."""
_THING = r"(?:§|<<[^<>]{1,40}>>|<[^<>]{1,40}>|\[[^\[\]]{1,40}\]|\*[\w ]{1,40}\*|[`\"“']?[\w/.+*#-]{1,30}[`\"”']?)"
SHOWN = re.compile(
    rf"\([^()]*\)|,?\s*\b(?:e\.g\.?|for example|for instance|such as|i\.e\.?|like|as in)[,:]? {_THING}(?:(?:, (?:and "
    rf"|or )?| or | and ){_THING})*",
    _I,
)
"""Examples of the thing that is named."""
OPENING = re.compile(
    r"^(?:(?:important|note|reminder|remember|rules?|requirements?|constraints?|format(?:ting)?|style"
    r"|output(?: format)?|length|tone|structure"
    r"|layout|limits?|critical|warning|crucial|attention|remark|nb|p\.?s\.?|response(?: format)?|answer(?: format)?"
    r"|language|reply|guidelines?)\s*(?::|-|–|—|\|)\s*)+",
    _I,
)
POLITE = re.compile(
    r"\b(?:please|kindly|(?:make|be) (?:very |absolutely )?(?:sure|certain)(?: that| to)?|ensure(?: to\b| that)?"
    r"|see to it that|take care (?:to|that)|remember(?: to)?"
    r"|(?:it is|it's) (?:important|essential|crucial|critical|imperative|mandatory|vital|required|necessary"
    r"|expected)(?: that| to)?"
    r"|(?:i|we) (?:want|need|expect|ask|require|would like|['’]d like|prefer)(?: you)?(?: to| that)?|you(?:['’]re"
    r"| are)? (?:required|expected|asked|supposed|obliged|instructed) to"
    r"|the user (?:wants|expects|prefers|requires)|under no circumstances|at all costs|at any cost|in no case"
    r"|on no account|under any circumstances|by all means"
    r"|at all times|without exception|no exceptions?|if possible|where possible|let['’]s|is to\b|are to\b)",
    _I,
)
