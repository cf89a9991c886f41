"""The class of a question, from whole-word phrases. Every gap in a pattern is bounded, so matching is linear.

Rules are tried in order and the first match wins: the narrow relations first (tests, impact, callees, callers), the
broad kinds last. ``"causes"`` is no ``"uses"``: each pattern is anchored at word boundaries.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from retrieval.pack_records import FileHint, Mention, QuestionClass

_X = r"[^?.!\n]{1,80}?"  # the thing asked about: within one sentence, bounded
_GAP = r"[^?.!\n]{0,80}?"
_NAME = r"(?:(?! (?:do|does|and|or|when|mean|work)\b)[^?.!\n]){1,80}?"  # a thing asked about, no clause of its own
_CALL = (
    r"(?:calls?|uses?|invokes?|references?|imports?|instantiates?|subclass(?:es)?|inherits? from|extends?|overrides?)"
)
_CALLED = r"(?:called|used|invoked|referenced|imported|instantiated|subclassed|overridden|triggered)"
_CHANGE = (
    r"(?:chang(?:e|es|ed|ing)|modif(?:y|ies|ied|ying|ications?)|remov(?:e|es|ed|ing|al)|renam(?:e|es|ed|ing)|"
    r"delet(?:e|es|ed|ing)|refactor(?:s|ed|ing)?)"
)
_SETTING = (
    r"(?:settings?|env(?:ironment)? var(?:iable)?s?|config(?:uration)?s?"
    r"(?: (?:keys?|values?|options?|variables?|files?|settings?))?|"
    r"command[- ]line (?:flags?|options?|arguments?)|options?|flags?)"
)
_CONSTANT = r"(?-i:[A-Z][A-Z0-9]{1,30}(?:_[A-Z0-9]{1,30}){1,6})"
_KEY = r"`?(?-i:[A-Z][A-Z0-9_]{2,60})`?"  # beside the word "setting" a name in capitals is a key, with or without "_"
_PROJECT = r"(?:project|code ?base|repo(?:sitory)?|package|library|framework|code|app(?:lication)?|system)"

_INNER_DOT = re.compile(r"(?<=\w)\.(?=\w)")
_TRACEBACK = re.compile(r'Traceback \(most recent call last\)|File "[^"\n]{1,400}", line \d')
_ERROR_LINE = re.compile(r"(?m)^\s{0,8}(?:[A-Za-z_]\w{0,80}\.){0,6}\w{0,80}(?:Error|Exception|Warning): \S")
_ERROR_COLON = re.compile(r"\b[A-Z]\w{0,80}(?:Error|Exception): \S")

# Each phrase stands between word boundaries; they are joined into one pattern per class.
_RULES: tuple[tuple[QuestionClass, tuple[str, ...]], ...] = (
    (
        QuestionClass.TESTS,
        (
            r"(?:which|what|are there(?: any)?|is there an?|find(?: the)?|show(?: me)?(?: the)?|list(?: the)?)"
            r"(?: \w+){0,3} tests?(?!\w)(?! (?:class|method|function|suite|framework|runner|client))",
            r"tests? (?:that )?(?:covers?|covering|exercises?|exercising|for|of)",
            rf"how (?:is|are) {_X} (?:being )?tested",
            rf"where (?:is|are) {_X} tested",
            rf"(?:is|are) {_NAME} (?:unit |ever )?tested",
            rf"(?:does|do) {_NAME} have (?:any |a |unit )*tests?",
            r"covered by (?:an? |the |any )?(?:\w+ )?tests?",
            r"test coverage (?:of|for)",
        ),
    ),
    (
        QuestionClass.IMPACT,
        (
            r"what(?: else)? (?:would |will |could |might |may |can )?(?:breaks?|fails?|stops? working)",
            r"(?:is|are|be|gets?) affected",
            rf"(?:impact|effects?|consequences?|ripple effects?) (?:of|if|when) {_GAP}\b{_CHANGE}",
            r"cascading effects?",
            r"blast radius",
            rf"safe(?:ly)? (?:to )?{_CHANGE}",
            rf"can (?:i|we) (?:safely )?{_CHANGE}",
            r"(?:what|who) depends on",
            r"(?:dependents|reverse dependencies) of",
            rf"what happens (?:if|when) (?:i|we|you) {_CHANGE}",
            rf"if (?:i|we|you|someone) {_CHANGE}",
        ),
    ),
    (
        QuestionClass.CONFIG,  # a key beside its noun: "used" and "read" ask for its places, it has no callers
        (
            rf"(?<!\w){_KEY} (?:{_SETTING})(?!\w)",
            rf"(?:{_SETTING}) (?:called |named )?{_KEY}(?!\w)",
        ),
    ),
    (
        QuestionClass.CALLEES,
        (
            rf"(?:what|which(?: \w+){{0,3}}) (?:does|do|did) {_NAME} "
            r"(?:calls?|uses?|invokes?|depends? (?:up)?on|relies on|rely on|imports?|delegates? to)",
            r"(?:functions?|methods?|helpers?|things) (?:that )?(?:(?:are|is|get) )?called (?:by|from|in|inside)",
            r"callees of",
            r"dependencies of",
        ),
    ),
    (
        QuestionClass.CALLERS,
        (
            r"(?:what|who|which(?: (?!does\b|do\b)\w+){0,4}?)(?: else)? (?!use cases?\b)"
            rf"{_CALL}(?!\w)(?! (?:of|for|cases?)\b)",
            r"callers? of",
            r"call ?sites? (?:of|for)",
            r"(?:usages?|uses|references|subclasses|users) (?:of|to)",
            rf"where (?:is|are|else is|does|do) {_X} (?:get |gets |getting )?{_CALLED}",
            r"where (?:do|does) (?:we|you|it|they) (?:call|use|invoke|import)",
            rf"(?:is|are) {_X} (?:called|used|invoked) (?:anywhere|by|from)",
            r"who(?:'s| is) (?:calling|using)",
        ),
    ),
    (
        QuestionClass.CONNECT,
        (
            rf"how (?:does|do|did|is|are|can) {_X} (?:reach|connect(?:ed)?|get to|end up in|flows? (?:in)?to|"
            r"relate[sd]?|leads? to|linked|interacts?|talks? to|call into)",
            rf"how (?:does|do|did|can) {_X} (?:get|come|travel) from {_X} to",
            r"(?:path|chain|route|connection|link|relationship|relation) (?:from|between)",
        ),
    ),
    (
        QuestionClass.DOCS,
        (
            r"(?:documentation|docs|readme|changelog|change log|release notes|user guide|manual)(?!\w)(?! ?strings?)",
            r"what(?: is| has| was)? (?:changed|new) (?:in|since|with)",
        ),
    ),
    (
        QuestionClass.CONFIG,
        (
            rf"(?:where|how|which|what) (?:is|are|does|do|can|to|should)? ?(?:the |an? |this )?{_X}{_SETTING}(?!\w)"
            rf"{_GAP}\b(?:set|read|handled|parsed|defined|loaded|applied|configured|defaults?|do|used|mean)",
            r"env(?:ironment)? var(?:iable)?s?",
            rf"default (?:value )?(?:of|for) (?:the )?{_KEY}(?!\w)",
            rf"{_CONSTANT}`?(?:['’]s)? defaults?(?: to| value)?",
            r"how (?:do|can|to|would|should) (?:i |you |we |one )?(?:configure|enable|disable|set up)",
            rf"how (?:do|can|to|would|should) (?:i |you |we |one )?(?:set|change|override|use) (?:the )?{_CONSTANT}",
            rf"default (?:value )?(?:of|for) (?:the )?{_X}(?:setting|option|flag|variable)",
            r"config(?:uration)? (?:key|option|setting|file)s?",
            rf"(?:is|are) `?{_CONSTANT}`? (?:set|read|handled|used|defined|loaded)",
        ),
    ),
    (
        QuestionClass.ERROR,
        (
            rf"(?:where|when|what|who) (?:is|are|does|do|can)?\b{_GAP}\b(?:raise[sd]?|throws?|thrown)",
            r"(?:traceback|stack ?trace|error message|crash(?:es|ed|ing)?|segfault)",
            r"(?:raise|throw)s? (?:an? |the )?\w{0,80}(?:Error|Exception|Warning)",
            rf"where (?:is|are|does|do) {_GAP}\w{{0,80}}(?:Error|Exception|Warning)s? "
            r"(?:get |being )?(?:handled|caught)",
            rf"where (?:is|are|does|do) {_NAME} (?:get |being )?caught",
            rf"where (?:is|are|does|do|did) {_GAP}[\"“][^\"“”\n]{{8,200}}[\"”]{_GAP}",
            r"why (?:do|am|did|does) (?:i|we|it) (?:get|getting|see|seeing|got)",
            r"(?:i|we)(?: am|'m| keep| still| just)? (?:get|getting|got|see|seeing|hit) (?:an? |the |this )?"
            r"(?:error|exception|[\w.]{1,160}:(?= ))",
            r"(?:fails?|failed|failing) with",
        ),
    ),
    (
        QuestionClass.ARCHITECTURE,
        (
            r"(?:overall|high[- ]level|general) (?:architecture|structure|design|overview|organi[sz]ation)",
            rf"(?:architecture|overview|outline|layout|structure) of (?:the |this )?{_PROJECT}",
            r"(?:the|its|an?) (?:architecture|overview)",
            r"architecture (?:of|overview)",
            rf"how is (?:the |this |your )?(?:\w{{1,40}} )?{_PROJECT} "
            r"(?:organi[sz]ed|structured|laid out|built|put together)",
            r"how is (?:the |this )?\w{1,40} (?:organi[sz]ed|structured|laid out)",
            rf"(?:what (?:is|does)|explain|describe|summari[sz]e) (?:this|the) {_PROJECT}"
            r"(?: do| about)?[ ?.!]{0,4}\Z",
            rf"(?:walk me through|tour of) (?:this|the) {_PROJECT}",
            r"fits? together",
            r"(?:main|major|key|core) (?:components|modules|packages|parts|layers|building blocks)",
            rf"(?:{_PROJECT}|module|directory|folder) (?:structure|layout|architecture)",
            r"(?:what|which) (?:is|are) (?:the |its )?(?:main )?entry ?points?",
        ),
    ),
    (
        QuestionClass.LOCATE,
        (
            r"where (?:is|are|does|do|can i find|in)",
            r"(?:in )?which (?:files?|modules?|class(?:es)?|functions?|methods?|packages?)",
            r"(?:find|locate|show me) (?:the )?(?:[\w.`]{1,80} )?"
            r"(?:definition|implementation|code|class|function|method)",
            r"definition of",
            r"what file",
        ),
    ),
)
_CONTRACTED = re.compile(r"\b(where|what|who|how)(?:['’]?s)(?= )", re.IGNORECASE)  # "where's", and "wheres" as typed
_ASKS_HOW = re.compile(r"(?:how|why)\b(?!.{0,200}\bwhere (?:is|are|does|do)\b)", re.IGNORECASE | re.DOTALL)
_DEFINED = re.compile(r"\b(?:defined|declared|definition)\b", re.IGNORECASE)
_HANDLED = re.compile(r"\b(?:read|handled|set|used|configured|checked|stored|assigned|passed)\b", re.IGNORECASE)
_SETTING_NOUN = re.compile(rf"\b{_SETTING}(?!\w)", re.IGNORECASE)
_COMPILED = tuple((kind, re.compile(rf"\b(?:{'|'.join(phrases)})(?!\w)", re.IGNORECASE)) for kind, phrases in _RULES)
_TEST_SUBJECT = re.compile(
    r"\b(?:tests?|unit ?tests?|test_\w{1,80}|fixtures?|pytest|unittest|"
    r"test[- ](?:suite|case|class|method|function|file|module|scenario|harness|double)s?)\b",
    re.IGNORECASE,
)
_NOT_TESTS = re.compile(r"\btest(?:s|ing)? (?:whether|if|client|runner|for (?:equality|membership))\b", re.IGNORECASE)
_HOW_TO = re.compile(r"how (?:do|can|should|would) (?:i|you|we|one)\b|how to\b", re.IGNORECASE)
_DOC_WORDS = re.compile(
    r"\b(?:documentation|docs|documented|readme|changelog|release notes?|guides?|faq|manual|tutorials?|quick ?start|"
    r"how to install|installation|examples?)\b",
    re.IGNORECASE,
)


def classify(text: str, mentions: Sequence[Mention], hints: Sequence[FileHint]) -> QuestionClass:
    """Class of ``text``.

    CONNECT needs two names that resolve, CALLERS and CALLEES one name; a bare name or path is a LOCATE.
    """
    text = _CONTRACTED.sub(r"\1 is", _INNER_DOT.sub("_", text))  # the dots of names are no sentence ends
    if _TRACEBACK.search(text) or _ERROR_LINE.search(text) or _ERROR_COLON.search(text):
        return QuestionClass.ERROR
    resolved = [mention for mention in mentions if mention.symbols]
    for kind, pattern in _COMPILED:
        if not pattern.search(text):
            continue
        if kind is QuestionClass.CONNECT and len(resolved) < 2:
            continue
        if kind in {QuestionClass.CALLERS, QuestionClass.CALLEES} and not mentions:
            continue
        if kind is QuestionClass.LOCATE and _ASKS_HOW.match(text.strip()):
            continue  # "how does the walker decide which files to skip" asks how
        if kind is QuestionClass.ARCHITECTURE and any(mention.how != "word" for mention in resolved):
            continue  # "an overview of the `Context` class" is about the class
        if kind is QuestionClass.CONFIG and resolved and _DEFINED.search(text) and not _SETTING_NOUN.search(text):
            return QuestionClass.LOCATE  # a constant of the code, not a key that is handed in
        if kind is QuestionClass.LOCATE and _only_spelled(mentions) and _HANDLED.search(text):
            return QuestionClass.CONFIG  # an attribute or a parameter: the lines that spell it answer
        return kind
    words = len(text.split())
    if words <= 3 and (mentions or hints) and words <= len(mentions) + len(hints):
        return QuestionClass.LOCATE
    return QuestionClass.EXPLAIN


def _only_spelled(mentions: Sequence[Mention]) -> bool:
    """Identifiers are named, and nothing defines any of them."""
    return bool(mentions) and all(not mention.symbols and mention.how != "word" for mention in mentions)


def asks_for_tests(text: str) -> bool:
    """The question is about tests themselves, so that test files must not be demoted."""
    return bool(_TEST_SUBJECT.search(_NOT_TESTS.sub(" ", text)))


def asks_for_docs(text: str) -> bool:
    """The question is about documentation or examples, or asks as a user of the software does ("how do I …")."""
    return bool(_DOC_WORDS.search(text) or _HOW_TO.match(text.strip()))
