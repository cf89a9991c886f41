"""Sentences about form that bind something beside the answer: a part, another artefact, a text that is worked on."""

from __future__ import annotations

import re

_I = re.IGNORECASE
_NOT = r"(?:do not|don['’]t|never|avoid|no)"
_MODAL = r"(?:must|should|shall|has to|have to|needs? to|may|can|will|is|are)"
_BESIDE = (
    # a part of the answer, or what stands in one
    re.compile(
        rf"^(?:please )?{_NOT} (?!answer|respond|reply|write|format|present|repeat|duplicat|put).{{1,60}}\b(?:in"
        rf"|inside|within) (?:the |a |your )?(?:commit messages?|abstract"
        r"|explanations?|tables?|lists?|bullets?|bullet points?|conclusion|introduction|summary section|subject"
        r"|reasoning|footnotes?|captions?)\W*$",
        _I,
    ),
    re.compile(rf"^{_NOT}\b.{{1,40}} as (?:a )?(?:headings?|titles?|bullets?|separators?|labels?)\W*$", _I),
    re.compile(
        r"^(?:please )?(?:add|append|insert|attach|include|put)\b (?:only )?(?:a|one|two|three|an|another|a single|\d)"
        r"[- ](?:\w+[- ]){0,2}?(?:sentence|line|word|paragraph)s?\b",
        _I,
    ),
    re.compile(
        r"\b(?:sentences?|words?|lines?|paragraphs?)\b[^.]{0,20}\b(?:after|before|below|above|under|following|beside)"
        r" (?:the|your|each|it|that)\b(?! (?:answer|response)\W*$)",
        _I,
    ),
    re.compile(
        r"\b(?:at the (?:end|beginning|start|top|bottom) of|inside|within) (?:the|your) (?:explanation|analysis"
        r"|reasoning|discussion)\b",
        _I,
    ),
    re.compile(r"\b(?:sections?|examples?|options?|reasons?|items?|points?|parts?)\b.*\bwith\b.*\beach\W*$", _I),
    re.compile(r"\b(?:from|to) (?:each|every) (?:source|document|email|file|page|chunk|author|article|message)\b", _I),
    re.compile(r"^(?:please )?quote (?:at most|up to|no more|only|exactly|one|two|a|the)\b", _I),
    re.compile(r"^(?:please )?cite (?:at most|up to|no more)\b", _I),
    re.compile(r"\bin the (?:subject|title|name|path|body|footer|header) of (?!(?:the|your) (?:answer|response))", _I),
    re.compile(r"\bnested (?!lists?\b|bullets?\b|bullet\b|bulleted\b|items?\b|numbered\b|json\b|objects?\b|keys?\b"
               r"|data\b|fields?\b"
               r"|dict|arrays?\b|structure|format)", _I),
    re.compile(r"\b(?:punctuation|marks?|words?|text|anything|spaces?) (?:inside|within|outside) (?:the |your |any )?"
               r"(?:backticks|quotes"
               r"|quotation marks|parenthes[ei]s|brackets|fences|tables?|links?|headings?)\b", _I),
    re.compile(rf"^(?:please )?{_NOT} (?:quote|quoting|copy|copying|reproduce|excerpt)\b", _I),
    re.compile(
        r"^(?:please )?(?:ask|tell|instruct|remind|teach|encourage|urge|prompt|advise|order|explain to|inform) (?:the"
        r" |an? |your |every |each "
        r"|any |all )?(?:model|agent|assistant|users?|customers?|candidates?|students?|players?|them|him|her|people"
        r"|reviewers?|authors?|callers?"
        r"|team|reader|client)s?\b.{0,40}?\b(?:to|that|never|not to|how|why|whether)\b",
        _I,
    ),
    # only some of the things that are named
    re.compile(
        rf"^(?:please )?{_NOT} (?:\w+ ){{0,3}}?(?:tables?|lists?|bullets|bullet points|headings|links|quotes?"
        r"|questions|code blocks?|comments|numbers|dates|examples|images|emojis?|words?) (?:with(?!out)|longer|which"
        r"|you|than needed|who|already|about|unless|whose)\b",
        _I,
    ),
    re.compile(
        rf"^(?:please )?{_NOT} (?:use |write |include |have |add |give |create |make )?(?:long(?!er)|too many|too much"
        r"|overly|very long|large|deep|deeply|complex|excessive|unnecessary|needless)\b",
        _I,
    ),
    re.compile(rf"^(?:please )?{_NOT} (?:overus\w+|overdo|abuse|mix|more .{{1,30}} than (?:needed|necessary))\b", _I),
    re.compile(r"\bmore (?:\w+ )?than (?:is )?(?:needed|necessary|required)\b", _I),
    # advice, and what is left to whoever answers
    re.compile(
        r"\b(?:(?:as|where|when|if) (?:appropriate|needed|necessary|applicable|helpful|suitable)"
        r"|preferably|where possible|when possible|whenever possible)\b|^prefer\b",
        _I,
    ),
    re.compile(r"\bonly (?:after|once|when|if|where) (?=\w)", _I),
    # what others say, and what becomes of it
    re.compile(r"^(?:please )?(?:reject|ignore|refuse|disregard|accept|penali[sz]e|reward|discard|tolerate)\b", _I),
    re.compile(rf"^{_NOT} (?:follow|obey|accept|trust|execute|react to)\b", _I),
    re.compile(r"^(?:the|an?|any|this|that) (?:instructions?|requests?|commands?|messages? from)\b", _I),
    re.compile(r"^(?:please )?(?:always )?use [`\"'“][^`\"'”]{1,40}[`\"'”] as (?:the|an?) (?!(?:first|last|opening"
               r"|closing|final) )\w+ (?:in|for|of|when)\b", _I),
    # other artefacts
    re.compile(
        r"^(?:the|an?|any|every|each|all|your) (?:\w+ ){0,2}?(?:files?|payloads?|body|config\w*|schemas?|passwords?"
        r"|usernames?|footers?|requests?|parameters?|(?:tool|function|api|server|client)(?:['’]s|s['’])? (?:\w+ )?"
        r"(?:outputs?|inputs?|results?|responses?|calls?)|(?:user|customer|student|author|client|human)(?:['’]s|s['’])"
        rf" \w+|\w+ (?:field|key|column|value|attribute|property)) {_MODAL}\b(?!.*\b(?:json|integer|number|string"
        rf"|boolean"
        r"|list|array|one of|object)\b)",
        _I,
    ),
    re.compile(
        r"^(?:the|an?|any|every|each|all) (?:\w+ )?(?:files?|payloads?|(?:request|response|message) body|config\w*"
        rf"|(?:tool|function|api|server|client)(?:['’]s|s['’])? (?:\w+ )?(?:outputs?|inputs?|results?"
        rf"|calls?)) {_MODAL}\b",
        _I,
    ),
    re.compile(rf"^(?:all |any |every |git )*(?:commit messages?|pull requests?|branches|issues"
               rf"|tests) {_MODAL} (?:start"
               r"|begin|end|include|contain|reference)\b", _I),
    re.compile(r"^(?:please )?(?:send|pass|save|store|upload|post|forward|submit)\b.* (?:to|as) (?:the|an?)? ?(?:other"
               r"|agent|tool|server|file|argument|user|next|csv|json file|database|disk|parameter)", _I),
    re.compile(
        r"^(?:write|create|implement|generate|define|build) (?:an? |the )?(?:\w+ )?(?:functions?|scripts?|programs?"
        r"|class(?:es)?|tests?|methods?|modules?) (?:named|called|with|that|which|to)\b",
        _I,
    ),
    # a text that is worked on
    re.compile(
        r"^(?:please )?(?:split|delete|change|correct|merge|shorten|turn|count|underline|convert|remove|shuffle|swap"
        r"|lowercase|uppercase|capitali[sz]e|strip|trim|reword|fix) (?!(?:the|your) (?:answer|response|output"
        r"|reply)\b)",
        _I,
    ),
    re.compile(
        rf"^(?:please )?{_NOT} (?:translate|translating|change|changing|remove|removing|modify|modifying|alter|convert"
        r"|merge|split|delete|edit|touch|reorder|rename|replace|rewrite|reformat|correct)\b",
        _I,
    ),
    re.compile(
        r"^(?:(?:do not|don['’]t|never|avoid) )?(?:start|begin|stop|close|open|launch|run|end) (?:the|your|a|an) (?!"
        r"(?:\w+ ){0,2}?(?:answers?|respons\w+"
        r"|repl(?:y|ies)|outputs?|messages?|texts?|summary|sentences?|paragraphs?|lines?|bullets?|lists?|titles?|letter"
        r"|email|story|description|explanation|report|essay|post|review|poem|analysis|conversation|article|feedback"
        r"|recommendation|evaluation|assessment|translation|comment|title|question|plan|section|judg\w+|critique"
        r"|verdict|turn|final|caption|document|abstract)\b)",
        _I,
    ),
    re.compile(r"^(?:please )?(?:reply|respond|answer) (?:to )?(?:each|every|all|any) (?!(?:time|sentence)\b)\w+", _I),
    re.compile(r"^(?:please )?answer (?:\w+ )?questions (?:with|of|longer|that|about|in)\b", _I),
    re.compile(r"^(?:use the name|(?:call|name|address|refer to) the (?:user|file|function|variable|column|branch"
               r"|customer|class))\b", _I),
)  # fmt: skip


def is_beside(text: str) -> bool:
    """Whether what is demanded in ``text`` is one of a part, of some cases, or of another artefact."""
    return any(form.search(text) for form in _BESIDE)
