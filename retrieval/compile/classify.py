"""The class of a question, from whole-word phrases. Every gap in a pattern is bounded, so matching is linear.

Rules are tried in order and the first match wins: the narrow relations first (tests, impact, callees, callers), the
broad kinds last. ``"causes"`` is no ``"uses"``: each pattern is anchored at word boundaries.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from retrieval.records import FileHint, Mention, QuestionClass

_X = r"[^?.!\n]{1,80}?"  # the thing asked about: within one sentence, bounded
_CALL = r"(?:calls?|uses?|invokes?|references?|imports?|instantiates?|subclass(?:es)?|inherits? from|extends?|overrides?)"
_CALLED = r"(?:called|used|invoked|referenced|imported|instantiated|subclassed|overridden|triggered)"
_CHANGE = r"(?:chang(?:e|es|ed|ing)|modif(?:y|ies|ied|ying|ications?)|remov(?:e|es|ed|ing|al)|renam(?:e|es|ed|ing)|delet(?:e|es|ed|ing)|refactor(?:s|ed|ing)?)"
_SETTING = (
    r"(?:settings?|environment variables?|env(?:ironment)? vars?|config(?:uration)?s?(?: (?:keys?|values?|options?|"
    r"variables?|files?|settings?))?|command[- ]line (?:flags?|options?|arguments?)|options?|flags?)"
)

_INNER_DOT = re.compile(r"(?<=\w)\.(?=\w)")
_TRACEBACK = re.compile(r'Traceback \(most recent call last\)|File "[^"\n]{1,400}", line \d')
_ERROR_LINE = re.compile(r"(?m)^\s{0,8}(?:[A-Za-z_]\w{0,80}\.){0,6}\w{0,80}(?:Error|Exception|Warning): \S")
_ERROR_COLON = re.compile(r"\b[A-Z]\w{0,80}(?:Error|Exception): \S")

_RULES: tuple[tuple[QuestionClass, str], ...] = (
    (
        QuestionClass.TESTS,
        r"\b(?:which|what|are there(?: any)?|is there an?|find(?: the)?|show(?: me)?(?: the)?|list(?: the)?)"
        r"(?: \w+){0,3} tests?\b(?! (?:class|method|function|function's|class's|suite|framework|runner|client)\b)"
        rf"|\btests? (?:that )?(?:covers?|covering|exercises?|exercising|for|of) "
        rf"|\bhow (?:is|are) {_X} (?:being )?tested\b|\bwhere (?:is|are) {_X} tested\b|\bcovered by (?:an? |the |any )?(?:\w+ )?tests?\b"
        r"|\btest coverage (?:of|for)\b",
    ),
    (
        QuestionClass.IMPACT,
        r"\bwhat(?: else)? (?:would |will |could |might |may |can )?(?:breaks?|fails?|stops? working)\b"
        rf"|\b(?:is|are|be|gets?) affected\b|\b(?:impact|effects?|consequences?|ripple effects?) (?:of|if|when) {_X}{_CHANGE}\b"
        rf"|\bcascading effects?\b|\bblast radius\b|\bsafe(?:ly)? (?:to )?{_CHANGE}\b|\bcan (?:i|we) (?:safely )?{_CHANGE}\b"
        rf"|\bwhat depends on\b|\bwho depends on\b|\b(?:dependents|reverse dependencies) of\b|\bwhat happens (?:if|when) (?:i|we|you) {_CHANGE}\b"
        rf"|\bif (?:i|we|you|someone) {_CHANGE}\b",
    ),
    (
        QuestionClass.CALLEES,
        rf"\b(?:what|which(?: \w+){{0,3}}) (?:does|do|did) {_X} (?:calls?|uses?|invokes?|depends? (?:up)?on|relies on|rely on|imports?|delegates? to)\b"
        rf"|\b(?:functions?|methods?|helpers?|things) (?:that (?:are|is) )?called (?:by|from|in|inside)\b|\bcallees of\b|\bdependencies of\b",
    ),
    (
        QuestionClass.CALLERS,
        rf"\b(?:what|who|which(?: (?!does\b|do\b)\w+){{0,4}}?)(?: else)? (?!use cases?\b){_CALL}\b(?! (?:of|for|cases?)\b)"
        rf"|\bcallers? of\b|\bcall ?sites? (?:of|for)\b|\b(?:usages?|uses|references|subclasses|users) (?:of|to)\b"
        rf"|\bwhere (?:is|are|else is|does|do) {_X} (?:get |gets |getting )?{_CALLED}\b|\bwhere (?:do|does) (?:we|you|it|they) (?:call|use|invoke|import)\b"
        rf"|\b(?:is|are) {_X} (?:called|used|invoked) (?:anywhere|by|from)\b|\bwho(?:'s| is) (?:calling|using)\b",
    ),
    (
        QuestionClass.CONNECT,
        rf"\bhow (?:does|do|did|is|are|can) {_X} (?:reach|connect(?:ed)?|get to|end up in|flows? (?:in)?to|relate[sd]?|leads? to|linked|interacts?|talks? to|call into)\b"
        rf"|\b(?:path|chain|route|connection|link|relationship|relation) (?:from|between)\b",
    ),
    (
        QuestionClass.DOCS,
        r"\b(?:documentation|docs|readme|changelog|change log|release notes|user guide|manual)\b(?! ?strings?)",
    ),
    (
        QuestionClass.CONFIG,
        rf"\b(?:where|how|which|what) (?:is|are|does|do|can|to|should)? ?(?:the |an? |this )?{_X}{_SETTING}\b[^?.!\n]{0,80}?\b(?:set|read|handled|parsed|defined|loaded|applied|configured|default|defaults|do|used|mean)\b"
        rf"|\b(?:environment variable|env var)s?\b|\bhow (?:do|can|to|would|should) (?:i |you |we |one )?(?:configure|enable|disable|set up)\b"
        rf"|\bdefault (?:value )?(?:of|for) (?:the )?{_X}(?:setting|option|flag|variable)\b|\bconfig(?:uration)? (?:key|option|setting|file)s?\b"
        r"|\b(?:is|are) (?-i:[A-Z][A-Z0-9]{1,30}(?:_[A-Z0-9]{1,30}){1,6}) (?:set|read|handled|used|defined|loaded)\b",
    ),
    (
        QuestionClass.ERROR,
        r"\b(?:where|when|what|who) (?:is|are|does|do|can)?\b[^?.!\n]{0,80}?\b(?:raise[sd]?|throws?|thrown)\b"
        r"|\b(?:traceback|stack ?trace|error message|crash(?:es|ed|ing)?|segfault)\b"
        r"|\bwhy (?:do|am|did) (?:i|we) (?:get|getting|see|seeing|got)\b|\b(?:fails?|failed|failing) with\b",
    ),
    (
        QuestionClass.ARCHITECTURE,
        r"\b(?:overall|high[- ]level|general) (?:architecture|structure|design|overview|organi[sz]ation)\b|\barchitecture of\b"
        r"|\bhow is (?:the |this )?(?:project|code ?base|repo(?:sitory)?|package|library|code) (?:organi[sz]ed|structured|laid out)\b"
        r"|\b(?:main|major|key|core) (?:components|modules|packages|parts|layers|building blocks)\b|\b(?:module|package|directory|folder) structure\b",
    ),
    (
        QuestionClass.LOCATE,
        r"^\s{0,20}(?:in )?where\b|\bwhere (?:is|are|does|do|can i find|in the (?:code|repo))\b"
        r"|\b(?:in )?which (?:files?|modules?|class(?:es)?|functions?|methods?|packages?)\b|\b(?:find|locate|show me) (?:the )?(?:definition|implementation|code)\b"
        r"|\bdefinition of\b|\b(?:what|which) file\b",
    ),
)
_COMPILED = tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in _RULES)
_TEST_SUBJECT = re.compile(
    r"\b(?:tests?|unit ?tests?|test_\w{1,80}|fixtures?|pytest|unittest|test[- ](?:suite|case|class|method|function|file|module|"
    r"scenario|harness|double)s?)\b",
    re.IGNORECASE,
)
_NOT_TESTS = re.compile(r"\btest(?:s|ing)? (?:whether|if|client|runner|for (?:equality|membership))\b", re.IGNORECASE)
_DOC_WORDS = re.compile(
    r"\b(?:documentation|docs|documented|readme|changelog|release notes?|user guide|manual|tutorials?|quick ?start|"
    r"how to install|installation|examples?)\b",
    re.IGNORECASE,
)


def classify(text: str, mentions: Sequence[Mention], hints: Sequence[FileHint]) -> QuestionClass:
    """Class of ``text``. CONNECT needs two names that resolve, CALLERS and CALLEES one name; a bare name or path is a LOCATE."""
    text = _INNER_DOT.sub("_", text)  # the dots of names are no sentence ends
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
        return kind
    words = len(text.split())
    if words <= 3 and (mentions or hints) and words <= len(mentions) + len(hints):
        return QuestionClass.LOCATE
    return QuestionClass.EXPLAIN


def asks_for_tests(text: str) -> bool:
    """The question is about tests themselves, so that test files must not be demoted."""
    return bool(_TEST_SUBJECT.search(_NOT_TESTS.sub(" ", text)))


def asks_for_docs(text: str) -> bool:
    """The question is about documentation or examples."""
    return bool(_DOC_WORDS.search(text))
