"""The words that make a sentence a rule, as tables of phrases; ``recognise.py`` reads them.

Each pattern is anchored or bounded, so that a sentence costs time linear in its length.
"""

from __future__ import annotations

import re

_I = re.IGNORECASE


def _any_of(*parts: str) -> re.Pattern[str]:
    """One of the phrases, as whole words, case aside."""
    return re.compile(r"\b(?:" + "|".join(parts) + r")", _I)


FORBIDS = _any_of(
    r"must(?: \w+)? (?:not|never)\b",
    r"mustn['’]t\b",
    r"shall (?:not|never)\b",
    r"shan['’]t\b",
    r"should(?: \w+)? (?:not|never)\b",
    r"shouldn['’]t\b",
    r"may not\b(?! (?:always|be (?:clear|possible|obvious|necessary|needed|enough)))",
    r"do not\b",
    r"don['’]t\b",
    r"never\b",
    r"(?<!to )(?<!help )avoid(?:ed)?\b",
    r"refrain from\b",
    r"(?:is|are|be) (?:strictly |explicitly |generally )?(?:forbidden|prohibited|disallowed|banned|discouraged)\b",
    r"(?:is|are|be) (?:strictly |explicitly )?not (?:allowed|permitted|acceptable|accepted|appropriate|welcome)\b",
    r"(?:will|can) not be (?:accepted|merged|tolerated|considered)\b",
    r"won['’]t be (?:accepted|merged|tolerated|considered)\b",
    r"no \w+(?: \w+){0,4} (?:is|are|may be|should be) (?:allowed|permitted|accepted)\b",
)
LEADING_NO = re.compile(
    r"[*_\s]{0,4}no (?!need\b|matter\b|one\b|longer\b|problem\b|worries\b|such\b|heading is nec)\w", _I
)
DEMANDS = _any_of(
    r"must\b",
    r"shall\b",
    r"should\b",
    r"ought to\b",
    r"always\b",
    r"(?:is|are|be) (?:strictly |always )?\**(?:required|mandatory|expected|obliged|encouraged|recommended)\b",
    r"ha(?:ve|s) to\b",
    r"needs? to\b(?! know)",
    r"need(?:s|ed)? (?:a|an|tests?|documentation)\b",
    r"make sure\b",
    r"be sure to\b",
    r"ensure\b",
    r"remember to\b",
    r"take care to\b",
    r"we (?:require|expect|ask|recommend|prefer)\b",
    r"it is (?:required|mandatory|important|recommended)\b",
    r"please\b",
    r"only ever\b",
    r"at all times\b",
    r"(?:is|are) preferred\b",
    r"strongly (?:encouraged|recommended)\b",
)
STRONG = _any_of(
    r"must\b",
    r"shall\b",
    r"always\b",
    r"never\b",
    r"required\b",
    r"mandatory\b",
    r"forbidden\b",
    r"prohibited\b",
    r"not allowed\b",
    r"not permitted\b",
    r"do not\b",
    r"don['’]t\b",
    r"ensure\b",
    r"make sure\b",
    r"ha(?:ve|s) to\b",
)
IDLE = _any_of(
    r"should (?:now )?(?:be able|be fine|be good|be enough|be ready|see|work|look|have (?:been|a working))\b",
    r"should (?:get|give|help|print|output|return|fail|pass)\b(?! a test)",
    r"you should (?:now )?(?:have|find|know|get|then see|be)\b",
    r"th(?:is|at) should\b(?! (?:be|only|not|never|always|include|contain|use|section))",
    r"it should (?:be (?:easy|possible|safe)|work|now)\b",
    r"must have (?:been|seen)\b",
    r"(?:do not|don['’]t) (?:worry|hesitate|be (?:afraid|shy|discouraged)|need|have to|know|want|forget you)\b",
    r"do(?:es)?(?: not|n['’]t) (?:need|have) to\b",
    r"did not (?:need|have) to\b",
    r"need not\b",
    r"no need to\b",
    r"not (?:all |strictly |always )?(?:required|mandatory|necessary)\b",
    r"if you (?:have to|need to|must)\b(?! not)",
    r"you(?:['’]ll| will) need to (?:install|have|know)\b",
    r"feel free\b",
    r"(?:you )?(?:may|might) want to\b",
    r"(?:we|i|they|people|who|that) don['’]t\b",
    r"(?:what|how|why|when) (?:you |it |one )?should\b",
    r"whether \w+ should\b",
    r"thank\b",
    r"please (?:see|refer|read|visit|check out|contact|feel)\b",
    r"(?:is|are) always (?:welcome|happy|appreciated)\b",
    r"(?:as|almost) always\b",
    r"never (?:been|seen|had|contributed|used)\b",
)
"""Modal words that demand nothing: expectations, permissions, politeness, reported speech."""

_STARTERS = """
    use add write keep include follow prefer limit name document test update put place provide give cite quote state
    list format indent wrap end begin start return respond answer reply output mark label separate align sort order
    group split combine merge omit exclude remove drop preserve maintain retain match mention specify describe
    explain summarize summarise report assign verify confirm validate check round express convert capitalize
    capitalise lowercase uppercase spell abbreviate restrict escalate notify refuse decline ask cover handle raise
    catch log annotate type import define declare reference link squash rebase sign adhere comply respect structure
    organise organize stick choose pick treat consider call refer break leave do pass make only supply attach enclose
    acknowledge address focus strive aim apply conform base reuse expose hide pin bump credit discuss rename replace
    present close reply commit submit be reserve alphabetize systematically inside review prefix
    append redirect double-check run
"""
STARTER = re.compile(
    r"(?:"
    + "|".join(sorted(set(_STARTERS.split()), key=lambda word: (-len(word), word)))
    + r")\b(?!['’\-_(.]|\s*[:=(])",
    _I,
)
NO_IMPERATIVE = re.compile(
    "(?:"
    + "|".join(
        (
            r"use cases?",
            r"test (?:suites?|cases?|files?|coverage|data|environment)",
            r"type (?:hints?|checking|annotations?) (?:are|is|can|help)",
            r"check (?:out|the )",
            r"make (?:check|test|install|docs|html)\b",
            r"name (?:of|is)",
            r"list of",
            r"order (?:of|is)",
            r"format (?:is|of)",
            r"only (?:a|an|the) ",
            r"link to",
            r"log (?:in|into|files?)",
            r"import (?:os|sys|re)\b",
            r"break down",
            r"start (?:here|hacking|a virtual)",
            r"add (?:yourself|the upstream|a remote)",
            r"be (?:aware|warned)",
            r"give it",
            r"close (?!.{0,40}\bwith\b)",
            r"do (?:you|it|this)\b",
            r"pass(?:es|ing)",
            r"ask (?:us|for help|questions?)",
            r"bas(?:ed|e class)",
            r"call(?:s|ed|ing)\b",
            r"report (?:a|an|bugs?|issues?|security)",
            r"discussions?\b",
            r"references?\b",
            r"refer to",
            r"run (?:the|this|your|it|all|a|`|make|pip|python|tox|pytest|git|these)",
            r"test(?:s|ing)\b",
            r"consider (?:a|the)",
        )
    )
    + ")",
    _I,
)
_CLAUSE_WORDS = (
    r"if|when(?:ever)?|unless|where(?:ver)?|once|in case|in the case|"
    r"for (?:any|each|every|all) \w+ (?:that|which|with)|"
    r"before|after|as soon as|provided(?: that)?|until|while|except|depending on"
)
_CLAUSE = rf"(?:{_CLAUSE_WORDS})\b[^,;:]{{2,200}}"
CONDITION = re.compile(rf"(?:^|[,;(]\s{{0,3}}|\b(?:and|but) )({_CLAUSE})", _I)
TRAILING_CONDITION = re.compile(
    r"\s((?:if|when|unless|whenever|in case|only if|provided that|except (?:when|if|for))\b[^,;:]{2,200})[.!]?$", _I
)
TEMPORAL = re.compile(r"^(.{2,200}?)\b(before|after|prior to|until|once)\b\s(.{2,200}?)[.!]?$", _I)
_AMOUNT = r"\d{1,6}|an?|one|two|three|five|ten|twelve|twenty-four"
_PERIOD = r"seconds?|minutes?|hours?|days?|weeks?|months?|years?|turns?|rounds?|steps?"
WITHIN = re.compile(
    rf"\bwithin (?:the (?:first|next|last) )?((?:{_AMOUNT}) (?:business |working )?(?:{_PERIOD}))\b", _I
)
_SPACES = r"(\d{1,2}|two|four|eight)[- ]spaces?"
INDENT = re.compile(rf"\b{_SPACES}\b.{{0,40}}\bindent|\bindent\w*\b.{{0,60}}?\b{_SPACES}", _I)
LINE_LENGTH = re.compile(r"\b(\d{2,3})[- ](?:characters?|columns?|chars)\b", _I)
LABEL = re.compile(r"^(?:\*\*|__|\*|`)?[\w /&'’-]{1,60}(?:\*\*|__|\*|`)?\s{0,2}[:–—-]{1,2}(?:\*\*|__)?\s{1,3}(?=\S)")
MARKS = re.compile(r"^(?:[*_`>\s\"“]|\[[ xX]\]|\d{1,3}[.)]\s)+")
QUOTED = re.compile(r"`[^`\n]{0,400}`|“[^”\n]{0,400}”|\"[^\"\n]{0,400}\"")
SETTING = re.compile(r"((?:in|for|on|within|under|with|inside|at) [^,;:.]{2,120})(?=,)", _I)
"""Where a rule applies ("In docstrings, …"): no condition, but not its main clause either."""
RULE_SECTION = re.compile(
    r"\b(?:style|guidelines?|rules?|conventions?|requirements?|standards?|polic(?:y|ies)|principles)\b", _I
)
RULE_LEAD = _any_of(
    r"must\b",
    r"should\b",
    r"shall\b",
    r"always\b",
    r"required\b",
    r"ensure\b",
    r"make sure\b",
    r"rules?\b",
    r"requirements?\b",
    r"guidelines\b",
    r"conventions?\b",
)
