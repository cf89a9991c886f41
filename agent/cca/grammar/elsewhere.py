"""Sentences that speak of form, but not of the answer's: of one of many things, of what is given or judged."""

from __future__ import annotations

import re

from agent.cca.grammar.beside import is_beside

_I = re.IGNORECASE
_ANSWERS = (
    r"(?:answers?|respons\w+|outputs?|repl(?:y|ies)|messages?|texts?|sentences?|paragraphs?|bullets?"
    r"|bullet[- ]points?"
    r"|list items?|items?|lines?|headings?|headers?|sections?|words?|letters?|tables?|code|fences?|steps?|numbers?"
    r"|points?|claims?|statements?|citations?|links?|facts?|section titles?|summar(?:y|ies)|emojis?|lists?|options?"
    r"|parts?|questions?|explanations?|lower\w*|upper\w*|caps|capitals?|the|your|of|text|content|prose|markdown"
    r"|turns?)"
)
_MODAL = r"(?:must|should|shall|has to|have to|needs? to|can|may|will|is|are|contains?|ha[sv]e?|starts?|ends?)"
_INPUT = (
    r"(?:inputs?|database|source|original|documents?|dataset|prompt|template|tool calls?|arguments?"
    r"|action input|query|queries|production code|repository|context|transcript|conversation|schema|api call"
    r"|function calls?|node|nodes|graph)"
)
_ELSEWHERE = (
    # one thing of many, which the answer is not
    re.compile(rf"^(?:each|every|any) (?!(?:\w+ )?{_ANSWERS}\b)(?:[\w-]+ ){{1,4}}?{_MODAL}\b", _I),
    re.compile(
        r"^(?:[\w ]{1,20}: )?(?:please )?(?:summari[sz]e|describe|explain|translate|rewrite|paraphrase|label|annotate"
        r"|caption|tag) (?:each|every|all)\b(?!.*\b(?:as|json|list|table)\b)",
        _I,
    ),
    re.compile(r"^for (?:each|every|any|all) (?!(?:final )?(?:answer|response|reply|output)\b)", _I),
    # what a search is after, what is taken out of a text
    re.compile(
        r"^(?:please )?(?:extract|find|identify|locate|detect|count|look for|search for|flag|spot|remove|delete|strip"
        r"|replace|fix|correct) (?:all|any|every|the|each)? ?(?:[\w-]+ ){0,2}?(?:that|which|who|whose|with|longer"
        r"|shorter|containing|from the|in the (?:text|input|document)|starting|ending)\b",
        _I,
    ),
    # what is given
    re.compile(
        r"^(?:please )?(?:use|follow|read|consult|see|consider|fill in|complete|check) (?:only )?(?:the|these|this)"
        r" (?:[\w-]+ ){0,3}(?:below|above|given|provided|as (?:a |your |the )?(?:guide|reference|basis|source|input"
        r"|context|example)|to (?:answer|find|decide|determine|guide|help)|of the|in the <|inside|within the <)",
        _I,
    ),
    re.compile(r"\b(?:information|text|content|context|data|facts|material|documents?|passages?|evidence)"
               r" (?:(?:given|provided|found|enclosed|wrapped) )?(?:in|inside|within|between|from) (?:the )?<", _I),
    re.compile(r"^(?:please )?use (?:proper |correct |valid )?markdown(?: syntax| formatting)? (?:for|to format)\b"
               , _I),
    re.compile(rf"\b(?:in|within|inside) (?:the |your |each |every |all |any )?{_INPUT}\b"
               r"(?=[^.]{0,30}\b(?:is|are|must|should)\b| *[.]?$)", _I),
    # what is judged
    re.compile(r"\b(?:should|must|will|is to|are to|can) (?:follow|precede|come (?:right |directly "
               r"|immediately )?after) (?:the|each|every) (?:sentence|claim|paragraph|line|statement)\b"
               r"|\b(?:should|must|will|is to|are to|can) be (?:compared|judged|evaluated|penali[sz]ed|rated|scored"
               r"|graded|rewarded|preferred|considered|treated|checked against|marked as)\b", _I),
    re.compile(r"^(?:an? |the )?(?:good|bad|ideal|great|poor|better|best|perfect|high-quality|typical) "
               r"(?:answers?|responses?|outputs?|repl(?:y|ies)|summar(?:y|ies)|examples?|titles?|questions?)\b", _I),
    re.compile(r"^(?:check|verify|judge|evaluate|determine|assess|decide|test|see|confirm|validate|rate|score)"
               r" (?:whether|if|that the (?:response|answer|output|model|student|assistant)|how)\b", _I),
    re.compile(r"\b(?:usually|typically|normally|in general|as a rule of thumb|often|most of the time)\b", _I),
    # what holds in some cases only
    re.compile(r"\b(?:once|until|as soon as|as long as) (?!and\b)(?:the|all|you|every|each|it|your|everything"
               r"|there)\b"
               r"(?! (?:have|has|are|is|\w+) (?:the |your |a |done )?(?:final |full )?(?:solution|answer"
               r"|reasoning|explanation|analysis))"
               , _I),
    re.compile(r"\bbefore (?:each|every|you|calling|using|any|the (?:game|end|user|call|next)) (?!(?:answer|json"
               r"|response|final|summary|code)\b)"
               r"(?=\w)", _I),
    re.compile(r"^(?:do not|don['’]t|never|avoid)\b.* where (?:it |they |prose |a |the )?\w* ?(?:reads?|is|are"
               r"|would)\b"
               , _I),
    re.compile(r"^(?:do not|don['’]t|never|avoid) .{1,40}? for (?:prose|fewer|less|more|short|simple|small|only"
               r"|single"
               r"|one|two|just|emphasis|lists?|inline|plain|debugging|long|trivial)\b", _I),
    re.compile(r"^for (?!(?:example|instance|the sake|clarity|readability|consistency|brevity|this|your|the final|the"
               r" answer|the output|the response|now|formatting|reference|best|lists|maximum)\b)"
               r"(?:[\w-]+ ){1,4}?(?:questions?|tasks?|requests?|queries|problems?|topics?|cases?|changes?|answers?"
               r"|files?|items?|inputs?|documents?|statements?|code|text|images?|errors?|bugs?|users?|conversations?"
               r"|comparisons?|instructions?)\b,", _I),
    re.compile(r"^(?:in|on|during|within|inside|under|at) (?!(?:the |your |all |every |each |any |this |its )*(?:very"
               r" |final |entire )?(?:answers?|responses?|repl\w+"
               r"|outputs?|messages?|general|short|addition|particular|summary,? you|cases?|prose|code|python|total"
               r"|text|conversation|order|principle|practice"
               r"|english|case|this|that|these|both|end|beginning|start|top|bottom|first|last|final|least|most"
               r"|minimum|maximum|no|fact|json|markdown)\b)"
               r"[^,;.]{3,60}, (?=(?:please |then |you (?:must|should) )?(?:always|never|do not|don['’]t|use|write"
               r"|avoid|no|answer|answers|ask|keep|limit"
               r"|include|start|end|begin|give|list|put|make|be|respond|reply|bold|cite|name)\b)", _I),
    re.compile(r"^(?:please )?(?:answer|respond|reply|say|write|output|return|use) (?:with )?(?:[\"“`'][^\"”`']{1,40}"
               r"[\"”`']) for (?!the (?:final )?(?:answer|response)|your)", _I),
    re.compile(r"(?<!\()(?:\b(?:not|never)|n['’]t) (?:just|only|merely|simply|limit yourself|restrict yourself"
               r"|confine)\b"
               r"(?! (?:\w+ ){0,3}?(?:anything|text))", _I),
    re.compile(r"(?:\b(?:not|never)|n['’]t) (?:\w+ )?(?:answer|respond|reply|say|give|return|output|write)\w*\b"
               r".{1,40}\b(?:alone|by itself|on its own)\W*$", _I),
    re.compile(r"^(?:do not|don['’]t|never|avoid)\b.{1,60}\b(?:as (?:an? )?(?:variable|column|file|function|field"
               r"|key)?"
               r" ?(?:identifiers?|names?|arguments?)|in (?:production|the|your|any) code)\W*$", _I),
    re.compile(r"^(?:the )?[\"“`'][\w -]{1,40}[\"”`'] (?:field |key |value |section |attribute |property |column )?"
               r"(?:must|should|shall|has to|needs to|is|contains|can)\b.*\b(?:words?|sentences?|characters?"
               r"|paragraphs?"
               r"|lines?|bullets?|bullet points|lower-?case|upper-?case|punctuation)\b", _I),
    re.compile(r"^(?:the |your |all |any )?(?:(?:search|sql|sub|follow-?up|tool|web|internal|inner|email|e-mail|tweet"
               r"|function|variable|column|file|branch|field|chain|tag) ?)?(?:tweets?|quer(?:y|ies)|body|thoughts?"
               r"|reasoning|monologue|subject|names?|bod(?:y|ies)|introductions?|conclusions?|abstracts?|captions?"
               r"|docstrings?|functions?|comments?|tests?|variables?|columns?|arguments?|parameters?) (?:must"
               r"|should|shall"
               r"|has to|have to|needs? to|may|can|is|are)\b", _I),
    re.compile(r"^(?:do not|don['’]t|never|avoid) (?:call|calling|invoke|invoking|run|running|execute|executing"
               r"|import"
               r"|importing)\b", _I),
    re.compile(r"\b(?:that|which) (?:is|are|stands?|appears?) in the (?:table|list|text|document|context"
               r"|image)\W*$", _I),
    re.compile(r"^(?:describe|explain|summari[sz]e|define|list) the [\w ]{2,60} in \w+ (?:words?|sentences?"
               r"|lines?) each\W*$", _I),
    re.compile(r"\b(?:json|xml|yaml|html|markdown)(?: \w+)? or (?:as |in )?plain text\b|\bplain text or (?:as |in "
               r"|an? )?(?:json|xml|yaml|html"
               r"|markdown)\b", _I),
    # programs, and what they read or write
    re.compile(r"^(?:write|create|implement|generate|produce|build) (?:an? |the |valid |some )*(?:[\w-]+ ){0,3}?"
               r"(?:code|functions?|scripts?|programs?|class(?:es)?|quer(?:y|ies)|regex\w*|regular expressions?"
               r"|tests?"
               r"|tables? in sql|parsers?|modules?) (?:that|which|to|with exactly|in sql)\b", _I),
    re.compile(r"^(?:create|make|define|drop) (?:an? )?table in sql\b", _I),
)  # fmt: skip
_MAX_CHARS = 600


def is_elsewhere(text: str) -> bool:
    """Whether a demand on form that stands in ``text`` is one on another thing than the answer, or holds at times."""
    text = text[:_MAX_CHARS].strip(" *_-\t")
    return any(form.search(text) for form in _ELSEWHERE) or is_beside(text)
