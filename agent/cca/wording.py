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
    r"(?:must|should|shall|try to|please) avoid\b",
    r"remember (?:to not|not to)\b",
    r"may not\b(?! (?:\w+ly )?(?:work|have|know|exist|support|apply|need|want|get|make|fit|always|even|yet|match"
    r"|contain|happen|matter|see|find|help|notice|realize|show|appear|understand|be)\b)",
    r"may not be (?:used|changed|modified|merged|shared|copied|reused|edited|called|imported|distributed|removed)\b",
    r"(?:is|are|be) (?:strictly |explicitly |generally )?(?:forbidden|prohibited|disallowed|banned|discouraged)\b",
    r"(?:is|are|be) (?:strictly |explicitly )?not (?:allowed|permitted|acceptable|accepted|appropriate|welcome)\b",
    r"(?:is|are) not an? (?:acceptable|appropriate|valid)\b",
    r"(?:will|can) ?not be (?:accepted|merged|tolerated|considered)\b",
    r"(?:won|can)['’]t be (?:accepted|merged|tolerated|considered)\b",
    r"no \w+(?: \w+){0,4} (?:is|are|may be|should be|will be) (?:allowed|permitted|accepted)\b",
    r"(?:ensure|make sure|be sure)(?: that)? [^.,]{1,60}? (?:do|does|is|are|has|have|contains?|uses?) (?:not"
    r"|no|never)\b",
    r"(?:ensure|make sure|be sure)(?: that)? (?:there (?:is|are) )?no\b",
    r"(?:nobody|no one|none) (?:is|are|may|should|can|must)\b",
    r"we (?:do not|don['’]t|never) (?:use|allow|accept|write|import|call|commit|want)\b",
)
"""Negations that forbid wherever they stand."""

FORBIDS_AT_START = _any_of(
    r"do not\b",
    r"don['’]t\b",
    r"never\b",
    r"avoid(?:ing)?\b",
    r"refrain from\b",
    r"beware of\b",
    r"stop\b(?= \w+ing\b)",
)
"""Negated imperatives: they forbid at the start of a clause only ("you don't have …" forbids nothing)."""

LEADING_NO = re.compile(
    r"[*_\s]{0,4}(?:absolutely |strictly )?no "
    r"(?!need\b|matter\b|one\b|longer\b|problem\b|worries\b|such\b|doubt\b|idea\b|\w+ (?:is|are) (?:too|ever)\b"
    r"|(?:\w+ ){1,5}(?:is|are) (?:required|needed|necessary)\b)\w",
    _I,
)
DEMANDS = _any_of(
    r"must\b",
    r"shall\b",
    r"should\b",
    r"ought to\b",
    r"(?:is|are|be) (?:strictly |always |strongly |highly )?"
    r"(?:required|mandatory|expected|obliged|encouraged|recommended)\b"
    r"(?! (?:for (?:it|them|this) to|to (?:run|use|work|function|build|compile|install|enable|be able)\b))"
    r"(?! (?:by|that (?:it|they|the \w+) (?:will|is|are)))",
    r"ha(?:ve|s) to\b",
    r"needs? to\b(?! know)",
    r"needs? (?:tests?|documentation|an? (?:test|changelog|entry|docstring|review|comment)\w*)\b",
    r"we (?:(?:\w+ly|also|would|do|always) )?(?:require|expect|ask|recommend(?:ed)?|prefer|encourage|insist"
    r"|follow)\b",
    r"it is (?:required|mandatory|important|recommended)\b",
    r"it(?:['’]s| is) (?:a )?(?:good|best|recommended|important|better) (?:practice |idea |form )?(?:to|that)\b",
    r"please\b",
    r"only ever\b",
    r"at all times\b",
    r"(?:is|are) (?:strongly )?preferred\b",
    r"strongly (?:encouraged|recommended)\b",
    r"your (?:own )?responsibility to\b",
    r"your (?:task|job) is to\b",
)
FIRM = _any_of(r"must\b", r"shall\b", r"should\b(?! (?:you|your|it|they|the|an?|this|any|there)\b)", r"please\b")
"""Demands even where no comma ends the condition before them ("When in doubt you should …")."""

DEMANDS_AT_START = _any_of(
    r"make sure\b",
    r"be sure to\b",
    r"ensure\b",
    r"remember to\b",
    r"take care\b",
    r"always\b",
    r"try (?:very hard )?to\b",
)
"""Demands at the start of a clause only: "to ensure" states a purpose, "is always" a fact."""

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
    r"should (?:now )?(?:be able|be fine|be good|be enough|be ready|see|work|look(?! (?:like|as follows|exactly))"
    r"|have (?:been|a working)|succeed"
    r"|suffice)\b",
    r"(?<!you )should (?:get|give|help|print|output|return|fail|pass)\b(?! (?:a test|all|the test))",
    r"you should (?:now )?(?:have|find|know|get|then see|be)\b",
    r"th(?:is|at) should\b(?! (?:be|only|not|never|always|include|contain|use|section))",
    r"it should (?:be (?:easy|possible|safe)|work|now)\b",
    r"must have (?:been|seen)\b",
    r"(?:do not|don['’]t) (?:worry|hesitate|be (?:afraid|shy|discouraged)|fret|need|have to|know|want|forget you)\b",
    r"do(?:es)?(?: not|n['’]t) (?:\w+ )?(?:need|have) to\b",
    r"(?:may|might|will|could|can) (?:also |not )?be required\b",
    r"should (?:then |now )?automatically\b",
    r"you (?:\w+ ){0,2}(?:need|have) to (?:install|know)\b",
    r"(?:if|whether) (?:the |an? |this |that |your )?\w+ should\b",
    r"(?:did|will|would) not (?:need|have) to\b|(?:did|wo|would)n['’]t (?:need|have) to\b",
    r"need not\b",
    r"no need to\b",
    r"not (?:all |strictly |always )?(?:required|mandatory|necessary)\b",
    r"if (?:you|it|they) (?:absolutely )?(?:have to|need to|must)\b(?! not)",
    r"you(?:['’]ll| will| may| might)(?: then| also| probably| likely)? need to\b",
    r"(?:may|might|will|could) (?:also |then |still |likely )?(?:need|have) to\b",
    r"(?:we|i)(?:['’]ll| will)?(?: \w+)? (?:have|need) to\b",
    r"(?:requires?|in order) to\b",
    r"feel free\b",
    r"(?:you )?(?:may|might) want to\b",
    r"(?:what|how|why|when|where) (?:you |it |one |they |we |the \w+ )?should\b",
    r"whether \w+ should\b",
    r"thank\b",
    r"please (?:see|refer|visit|check out|contact us|feel|consult|note|understand|be aware"
    r"|keep in mind that|don['’]t hesitate)\b",
    r"(?:is|are) always (?:welcome|happy|appreciated)\b",
    r"(?:as|almost|is|are) always\b",
    r"never (?:been|seen|had|contributed|used)\b",
    r"to ensure\b",
    r"is (?:to be )?expected behaviou?r\b",
    r"(?:is|are) supposed to\b",
)
"""Modal words that demand nothing: expectations, permissions, politeness, reported speech, what a tutorial needs."""

_STATED_SUBJECT = (
    r"(?:answers?|answer text|responses?|repl(?:y|ies)|outputs?|messages?|summar(?:y|ies)|reports?|headings?"
    r"|bullets?|bullet points"
    r"|lists?|tables?|citations?|dates?|times?|numbers?|percentages?|code blocks?|code|sentences?|paragraphs?"
    r"|(?:first|last|final) (?:line|sentence|word)(?: of (?:the|an?|each|every) \w+)?|line length|lines?"
    r"|imports?|functions?"
    r"|methods?|class(?:es)?|constants?|variables?|(?:function|method|class|variable|constant)s? names?"
    r"|strings?|string literals"
    r"|arguments?|`x+` fields?|\w+ fields?)"
)
STATED = re.compile(
    rf"(?:(?:the|your|our|an?|all|each|every|any|only|maximum|max\.?|no) )?(?:final |whole |entire |public "
    rf"|single |maximum )?"
    rf"(?:\w+ )?{_STATED_SUBJECT}(?: in (?:the|an?|each|every) \w+)? (?:always |never )?"
    r"(?:is|are|has|have|uses?|looks?|needs?|contains?|includes?|starts?|begins?|ends?|comes?|stays?|gets?"
    r"|takes?|fits?|carr(?:y|ies)|names?|states?|lists?|gives?|shows?|follows?|do not|does not)\b",
    _I,
)
"""Facts about what an answer or its code is made of; ``declared`` reads them."""
FRAGMENT = re.compile(
    r"(?:plain|only|at most|at least|exactly|no more than|maximum|max\.?|minimum|up to|between|without|ascii"
    r"|utf-8|markdown|json|yaml|csv"
    r"|lower ?case|one|two|three|four|five|six|ten|a single|\d+)\b",
    _I,
)

PERMITS = re.compile(r"(?:\S+ ){0,6}?(?:can|may|might|could)\b(?! not\b)", _I)
"""The main clause permits: "You can …", "A maintainer may …"."""
DECLARES = re.compile(
    r"(?:(?!that\b|which\b|who\b|if\b|when\b|where\b)\S+ ){1,10}?"
    r"(?:is|are|was|were|will|does|has|can|may|might|could)\b",
    _I,
)
"""A sentence of its own among the items of a list, not something that its introduction demands."""
POINTS = re.compile(
    r"(?:for (?:more|further) \w+, )?(?:please )?(?:see\b|read\b(?! and follow)|consult\b|refer to the\b"
    r"|check out\b)",
    _I,
)
LINK_ALONE = re.compile(r"\[[^\[\]]{1,300}\](?:\([^()\s]{0,500}\)|\[[^\[\]]{0,100}\])\W*|`[^`]{1,300}`__?\W*")
INVITED = re.compile(
    r"if you(?:['’]d| would)? (?:like|want|wish|feel like|are interested)\b[^,]{0,30}"
    r"\b(?:join|work|help|contribut\w*|get involved|learn)\b",
    _I,
)
PURPOSE = re.compile(r"(?:in order )?to (?!avoid\b|keep\b|prevent\b|ensure\b|help\b|make\b)\w+ [^,]{2,120},\s", _I)
CONNECTIVE = re.compile(
    r"(?:also|additionally|finally|instead|otherwise|then|thus|so|therefore|however|but|and|or|really|in addition|"
    r"for (?:instance|example)|e\.g\.?|in (?:general|particular|any case|short|practice)|similarly|first(?:ly| off)?|"
    r"second(?:ly)?|next|lastly|further(?:more)?|again|generally|usually|ideally|preferably|wherever possible|"
    r"where(?:ver)? possible|when(?:ever)? possible|if possible|just|please|either|always|only|at least|do|very "
    r"relatedly|"
    r"most importantly|of course|obviously|this means|subsequently|afterwards|this way|that is|note|really)\b[,:]?\s+"
    r"|\((?=[A-Za-z])|for [\w -]{2,40}? (?=(?:consider|prefer|use|please)\b)",
    _I,
)
SETUP_SECTION = re.compile(
    r"\b(?:set(?:ting)?[ -]?up|install\w*|environments?|quick ?start|getting started|releas(?:e|ing)"
    r"|publish\w*|running"
    r"|building|deploy\w*|prerequisites|usage)\b",
    _I,
)
INVITES = re.compile(r"\b(?:ways?|options?|things you can|ideas|you can check|can contribute|looking for help)\b", _I)

_CLAUSE_WORDS = (
    r"should (?:you|your|it|they|the|an?|this|any|there)|if|when(?:ever)?|unless|where(?:ver)?|once|"
    r"in case|in the case|"
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
MARKS = re.compile(
    r"^(?:[*_>\s]|`(?![^`\n]{1,80}`[\s:,(])|[\"“](?![^\"”\n]{1,80}[\"”][\s:,(])|\[[ xX]\]|\d{1,3}[.)]\s)+"
)
"""Not the quote that opens a term ("`name` must be …")."""
QUOTED = re.compile(r"`[^`\n]{0,400}`|“[^”\n]{0,400}”|\"[^\"\n]{0,400}\"")
SETTING = re.compile(r"((?:in|for|on|within|under|with|inside|at) [^,;:.]{2,120})(?=,)", _I)
"""Where a rule applies ("In docstrings, …"): no condition, but not its main clause either."""
RULE_SECTION = re.compile(
    r"\b(?:style|guidelines?|rules?|conventions?|requirements?|standards?|polic(?:y|ies)|principles)\b", _I
)
ANSWER_HEADING = re.compile(
    r"[\W\d]{0,8}(?:\b(?:your|the|how to|rules? (?:for|of)|(?:style|form|format) of|writing|answer|response) ){0,3}"
    r"(?:answers?|answering|responses?|responding|replies|reply(?:ing)?|respond)"
    r"(?: (?:style|formats?|rules|guidelines|form|questions|to questions|to users))?\W{0,4}",
    _I,
)
"""Headings such as "Answers", "How to answer questions", "Response format"; not "API responses"."""
ANSWER_LEAD = re.compile(
    r"\b(?:you (?:answer|reply|respond)|(?:your|every|each|all) (?:answers?|repl(?:y|ies)|responses?))\b", _I
)
RULE_LEAD = re.compile(r"\b(?:rules?|requirements?|guidelines|conventions?|principles)\b", _I)
"""What a lead names makes rules of its list's items."""
LEAD_ONLY = re.compile(
    r"\b(?:following|these|below|guidelines|rules|conventions|principles)\b"
    r"|\b(?:includ\w+|contain|with|in|must|should|not|to|please|that|against|as|be)\s{0,2}:$",
    _I,
)
"""A lead that says nothing without its list."""
ROLE = re.compile(r":[A-Za-z:]{1,30}:(?=`)")
RST_LINK = re.compile(r"`([^`<>]{1,200})\s<[^<>`\s]{1,500}>`__?")
RST_REFERENCE = re.compile(r"(?<!`)`([^`]{1,200})`__?(?!\w)")
MD_LINK = re.compile(r"\[([^\[\]]{1,300})\](?:\([^()\s]{0,500}\)|\[[^\[\]]{0,100}\])")
EMPHASIS = re.compile(r"(?<![\w*])[*_]{1,3}(?=\S)|(?<=[\S])[*_]{1,3}(?![\w*])")


def of_answers(section: str) -> bool:
    """Whether a section is about answers by its heading: its rules need not say so one by one."""
    return any(ANSWER_HEADING.fullmatch(heading.strip()) for heading in section.split(" > "))
