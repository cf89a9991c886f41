"""Demands on prose in set phrases: contractions, persons, apologies, closings, questions, sources, language."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.grammar.forms import ALWAYS, ANSWER, END, MUST, NO, NUMBER, Form, form, never, none_of, read_form, some
from agent.cca.grammar.limits import number_of
from agent.cca.language import LANGUAGES
from agent.cca.quoted import Quoted

_I = re.IGNORECASE
_ASKED = r"\?(?:[\s\"”')*]|$)"
_ENDS_ASKING = r"\?[\s\"”'’)*_]*\z"
_QUESTION = (
    r"(?:(?:a|an|one|any|single|short|brief|open|open-ended|follow-up|follow up|clarifying|further|relevant|thoughtful"
    r"|friendly|questions? like|questions? such as) )*questions?"
)
_CLOSE = r"(?:end|close|finish|conclude|wrap up|sign off)"
_PAIR = (
    r"(?:\s?[:(,–—-]\s?(?:(?:always |please )?(?:write|use|say|so|e\.g\.?,?|i\.e\.?,?) )?§,? (?:not|instead of"
    r"|rather than|never|over) §\)?)?"
)
_AI = (
    r"(?i)\bas an? (?:large )?(?:ai|artificial intelligence|language model|chat ?bot)\b|\bi(?:['’]m| am) (?:just |only "
    r"|merely )?an? (?:large )?(?:ai|artificial intelligence|language model|chat ?bot|bot)\b"
)
_SECOND = r"(?i)\b(?:you|your|yours|yourself|yourselves)\b"
_SPOKEN = "|".join(LANGUAGES)


def _counted_questions(found: re.Match[str], _: tuple[str, ...]) -> Any:
    number = number_of(found["n"]) if found["n"] else 1
    least = (
        number
        if not found.groupdict().get("most") and re.search(r"\b(?:exactly|precisely|no more)\b", found[0], _I)
        else 0
    )
    return c.Matches(pattern=_ASKED, least=least, most=number, within="prose", finds="questions")


def _cited(found: re.Match[str], _: tuple[str, ...]) -> Any:
    return some("citations", number_of(found["n"]) if found["n"] else 1)


def _language(found: re.Match[str]) -> Any:
    return c.Language(language=found["l"].lower())


def _first_of(terms: tuple[str, ...]) -> Any:
    words = "|".join(re.escape(term) for term in terms or ("yes", "no"))
    return c.Matches(pattern=rf"(?i)\A\W*(?:{words})\b", finds="such a first word")


def _unnamed(names: str) -> Any:
    found = re.split(r",? (?:or|nor|and) |, ", names)
    return c.Absent(terms=tuple(found), case=True, within="prose")


_BRITISH = (
    r"colou?rs?|coloured|colouring|favourites?|behaviours?|honours?|labour|neighbours?|flavours?|centres?|litres?"
    r"|fibres?|grey|analyse[sd]?"
    r"|analysing|travell(?:ed|ing|er|ers)|modell(?:ed|ing)|labell(?:ed|ing)|fulfil|enrol|skilful|defence|offence"
    r"|organis(?:e|es|ed|ing|ation|ations)"
    r"|recognis(?:e|es|ed|ing)|realis(?:e|es|ed|ing)|apologis(?:e|es|ed|ing)|aluminium|aeroplanes?|cosy|tyres?"
    r"|pyjamas|moulds?|catalogues?|humour|rumours?"
).replace("colou?rs?", "colours?")
_AMERICAN = (
    r"colors?|colored|coloring|favorites?|behaviors?|honors?|labor|neighbors?|flavors?|centers?|liters?|fibers?|gray"
    r"|analyze[sd]?|analyzing"
    r"|travel(?:ed|ing|er|ers)|model(?:ed|ing)|label(?:ed|ing)|fulfill|enroll|skillful|defense|offense|aluminum"
    r"|airplanes?|cozy|pajamas|molds?|humor|rumors?"
)


def _spelling(variety: str) -> Any:
    """Words that the other variety spells so; of those that both allow ("organize") none."""
    other = _AMERICAN if variety in ("british", "uk") else _BRITISH
    return never(rf"(?i)\b(?:{other})\b", f"words not in {variety.capitalize()} spelling")


def _never_last(terms: tuple[str, ...]) -> Any:
    """The last sentence does not start so: it may go on behind the words that are quoted."""
    said = "|".join(re.escape(term.rstrip(".!…?")) for term in terms)
    return never(rf"(?i)\b(?:{said})[^.!?\n]*[.!?]*\s*\z", "such a closing", "answer")


_HELLO = r"(?i)\A\W*(?:hi|hello|hey|dear|greetings|welcome|good (?:morning|afternoon|evening|day))\b"
_GREETED = c.Matches(pattern=_HELLO, finds="a greeting at the start")
_DOUBLE_SPACED = never(r"[.!?] {2,}\S", "double spaces")
_BARE_URLS = never(r"(?:^|[^(\[<\"'=/\w])https?://\S", "bare addresses")
_EVERY_CITED = c.Every(scope="sentence", check=some("citations"))
_FORMS: tuple[Form, ...] = (
    # contractions, persons
    form(rf"^(?:no|{NO}(?: us(?:e|ing))?) (?:any )?contractions?{_PAIR}{END}", none_of("contractions")),
    form(rf"^{ALWAYS}(?:write|spell) (?:out )?(?:all |any )?contractions(?: out)?(?: in full)?{_PAIR}{END}",
          none_of("contractions")),
    form(rf"^{NO} (?:refer to|call|speak of|talk about|describe) yourself as (?:§|i)(?: or §)?{END}",
          lambda found, terms: c.Absent(terms=terms or ("I",), case=True, within="prose")),
    form(rf"^{NO} (?:address|speak to|refer to) (?:the )?(?:readers?|users?|customers?) (?:directly )?(?:as|with"
          rf"|using) §{END}",
          never(_SECOND, "second person")),
    form(rf"^{ALWAYS}(?:address|speak to) (?:the |your )?(?:readers?|users?|customers?|audience)(?: directly)?,? "
          rf"(?:as|with|using"
          rf"|in)(?: the)? (?:§|second person)(?: throughout)?{END}",
          c.Matches(pattern=_SECOND, within="prose", finds="second person")),
    form(rf"^{ALWAYS}(?:use|write in|keep to|stick to) the second person(?: \(?§\)?)?(?: throughout)?{END}",
          c.Matches(pattern=_SECOND, within="prose", finds="second person")),
    form(rf"^{NO} (?:refer(?:ring)? to yourself as|call(?:ing)? yourself|describe yourself as|mention(?:ing)?"
          rf"|mention that you are"
          rf"|say(?:ing)? (?:that )?you are|disclos\w+ (?:that )?you are|(?:mention(?:ing)? )?being) an? (?:large )?"
          rf"(?:ai|language model"
          rf"|chat ?bot|bot)(?: (?:model|language model|assistant))?{END}", never(_AI, "talk of being an AI")),
    # apologies, closings
    form(rf"^{NO} (?:start|begin|open|lead)(?:ing)?(?: {ANSWER})? with (?:an? |any )?apolog(?:y|ies){END}",
          never(r"(?i)\A\W*(?:i(?:['’]m| am) (?:so |very |really )?sorry|sorry|(?:i|we) apologi[sz]e|(?:my |our"
                 r" )?apologies)\b",
                 "an apology")),
    form(rf"^(?:{NO} (?:offer(?:ing)?|{_CLOSE}(?:ing)?(?: {ANSWER})? (?:with|by) (?:an? |any )?(?:offers?|offering))"
          rf"(?: (?:to|of"
          rf"|for))?|no (?:closing |final )?offers? (?:to|of)) (?:any )?(?:further |more |additional )?(?:help|assist"
          rf"|assistance)(?: the user"
          rf"| further)?(?: at the end)?{END}", none_of("closing")),
    form(rf"^{NO} {_CLOSE}(?:ing)?(?: {ANSWER})? (?:with|by) (?:saying |writing |adding )?(?:(?:an? |any )?"
          rf"(?:offers?|phrases?|lines?"
          r"|sentences?|formulas?|pleasantries|closings?|sign-offs?)(?: (?:such as|like|of the kind))? )?(?P<t>§(?:,?"
          r" (?:or )?§)*)"
          rf"{END}", lambda found, terms: _never_last(terms)),
    form(rf"^{NO} thank(?:ing)? (?:the |your )?(?:user|customer|reader|client|person|them)s?(?: for [\w"
         rf" ]{{2,40}})?{END}",
         never(r"(?i)\b(?:thank you|thanks|many thanks)\b", "thanks")),
    form(rf"^{NO} (?:start|begin|open|lead)(?:ing)?(?: {ANSWER})? with (?:an? |the )?(?:\w+ )?(?:code fence|code"
         rf" block|fence)s?{END}",
         never(r"\A\s*```", "a fence at the start", "answer")),
    form(rf"^{ALWAYS}(?:(?:start|begin|open|lead)s?(?: {ANSWER})? with an? (?:(?:short|friendly|warm|polite|brief"
         rf"|personal|formal) )*(?:greeting|salutation)"
         rf"|greet (?:the |your )?(?:user|customer|reader|client|person|caller)s?(?: (?:first|at the start|warmly"
         rf"|politely))?){END}", _GREETED),
    form(rf"^(?:{ALWAYS}(?:start|begin|open)s?(?: {ANSWER})? with (?:an? )?(?:clear |simple )?|(?:the )?first word(?:"
         rf" of {ANSWER})? {MUST}(?:is|be) (?:either )?)"
         rf"(?:§ or §|yes or (?:a )?no){END}",
         lambda found, terms: _first_of(terms)),
    form(rf"^(?:{NO} (?:use|write|using|writing)|no|avoid) (?:latin )?abbreviations?(?: ?(?:such as|like|\(|:))? ?"
         rf"(?:e\.g\.?,? )?\(?"
         rf"(?:(?:§|e\.g\.|i\.e\.|etc\.|viz\.|cf\.)(?:,? (?:and |or )?)?){{1,5}}\)?{END}",
         never(r"(?i)\b(?:e\.g\.|i\.e\.|etc\.|viz\.|cf\.)", "Latin abbreviations")),
    form(rf"^(?:no|{NO} (?:use|put|leave|type|using))? ?(?:double spaces?|(?:two|more than one) spaces? (?:after"
         rf"|between|behind) (?:a |an |the |each |every )?"
         rf"(?:period|full stop|sentence|sentences)s?){END}", _DOUBLE_SPACED),
    form(rf"^{ALWAYS}(?:use|put|leave) (?:only |exactly |just )?(?:one|a single) space (?:after|between|behind) (?:a "
         rf"|an |the |each |every )?"
         rf"(?:period|full stop|sentence|sentences)s?{END}", _DOUBLE_SPACED),
    form(rf"^{NO} (?:mention|name|say|naming|mentioning)(?:ing)? (?:the (?:name|company|competitor|brand)s? )?"
         rf"(?P<names>(?-i:[A-Z][\w-]+(?: [A-Z][\w-]+)*"
         rf"(?:(?:,| or| nor| and|, or) [A-Z][\w-]+(?: [A-Z][\w-]+)*)*)){END}",
         lambda found, terms: _unnamed(found["names"])),
    form(rf"^{ALWAYS}(?:use|write in|write with|follow|stick to) (?P<v>british|american|uk|us) (?:english)?(?:(?: "
         rf"|-)?(?:spellings?|orthography|conventions?))?"
         rf"(?: throughout)?{END}|^(?:use )?(?P<v2>british|american|uk|us) (?:english |english-)?spellings?(?: only|"
         rf" throughout)?{END}",
         lambda found, terms: _spelling((found["v"] or found["v2"]).lower())),
    # questions
    form(rf"^{ALWAYS}{_CLOSE}(?: off)?(?: {ANSWER})? (?:with|in|by (?:asking|posing)(?: (?:the |your )?(?:users?"
          rf"|readers?|customers?))?)"
          rf" {_QUESTION}(?: (?:to|that|for|about|which) [\w ]{{2,50}})?{END}",
          c.Matches(pattern=_ENDS_ASKING, finds="a last question")),
    form(rf"^(?:the |your )?(?:very )?(?:last|final|closing) sentence {MUST}(?:be|is) {_QUESTION}{END}",
          c.Matches(pattern=_ENDS_ASKING, finds="a last question")),
    form(rf"^{NO} {_CLOSE}(?:ing)?(?: {ANSWER})? (?:with|in|by (?:asking|posing)) {_QUESTION}(?: (?:like |such as"
          rf" )?§)?{END}",
          never(_ENDS_ASKING, "a last question", "answer")),
    form(rf"^{ALWAYS}(?:ask|pose|include|contain)s?(?: the user| the reader)? (?:(?P<most>at most|no more than|up to"
          rf"|not more than)"
          rf"|exactly|precisely|only|just) ?(?P<n>{NUMBER}) (?:\w+ )?questions?(?:,? (?:and )?(?:no more|not more"
          rf"|only))?(?: (?:at a time|in the answer))?{END}", _counted_questions),
    form(rf"^{ANSWER} {MUST}(?:ask|pose|include|contain|ha[sv]e)s? (?:(?P<most>at most|no more than|up to)|exactly"
          rf"|precisely"
          rf"|only|just) (?P<n>{NUMBER}) questions?{END}", _counted_questions),
    form(rf"^(?:only |just )?(?P<n>one|1|two|2) questions? (?:in the answer|at a time){END}", _counted_questions),
    form(rf"^{NO} (?:ask|pose)(?:ing)?(?: the user)? (?:two|several|multiple|many) questions(?: (?:at once|at a time"
         rf"|in (?:the same|one|a single|the) "
         rf"(?:message|answer|reply|turn|response)))?{END}",
         c.Matches(pattern=_ASKED, least=0, most=1, within="prose", finds="questions")),
    form(rf"^{NO} (?:ask|pose)(?:ing)?(?: the user)? (?P<most>more than) (?P<n>{NUMBER}) questions?(?: (?:at a time"
          rf"|in the answer"
          rf"|at once))?{END}", _counted_questions),
    # links, sources, language, the rest
    form(rf"^{NO} link(?:ing)? (?:out )?to (?:(?:any|external|outside|third-party|other) )*(?:websites?|sites?"
          rf"|pages?|web pages?|urls?"
          rf"|sources?|resources?){END}", none_of("links")),
    form(rf"^{ALWAYS}(?:cite|give|name|include|provide|list|support (?:your|the) answer with|back (?:up )?your"
          rf" answer (?:up )?with) at least"
          rf" (?P<n>{NUMBER}) (?:sources?|citations?|references?)(?: in the answer)?(?:,? (?:e\.g\.?|such as|like),?"
          rf" \S+)?{END}", _cited),
    form(rf"^{ANSWER} {MUST}(?:cites?|ha[sv]e?|contains?|includes?|gives?) at least (?P<n>{NUMBER}) (?:sources?"
          rf"|citations?|references?)"
          rf"(?:,? (?:e\.g\.?|such as|like),? \S+)?{END}", _cited),
    form(r"^(?:every|each) sentence (?:(?:must|should|has to|needs to) )?(?:end|carr(?:y|ies)|ha[sv]e?|contain"
          r"|include|need|get)s?(?: with)? "
          r"(?:a|at least one|one) (?:source )?(?:citation|reference)(?: marker)?(?: in (?:square )?brackets)?(?:,? "
          r"(?:e\.g\.?|such as|like),? \S+)?"
          rf"{END}", _EVERY_CITED),
    form(rf"^{ALWAYS}(?:put|add|place|include|give) (?:a|at least one) citation (?:in|to|after|at the end of|for) "
          rf"(?:every|each) sentence{END}",
          _EVERY_CITED),
    form(rf"^no sentence (?:may |should |must )?(?:be |stand |go )?without (?:a|its) citation{END}", _EVERY_CITED),
    form(rf"^(?:(?:output |answer |response |reply )?language(?: of (?:the|your) (?:answer|response|reply"
          rf"|output))?\s?[:=-] ?|{ALWAYS}use )"
          rf"(?P<l>{_SPOKEN})(?: (?:in|for) (?:the answer|all (?:of )?(?:your )?(?:answers|responses|replies|output)"
          rf"|everything"
          rf"|your (?:answers?|responses?|repl(?:y|ies))))?{END}", lambda found, terms: _language(found)),
    form(rf"^{ALWAYS}(?:only )?(?:return|write|respond|reply|answer|give|provide|produce|generate|output)(?: (?:the"
         rf"|your|all|everything|it))*"
         rf"(?: (?:final )?(?:outputs?|answers?|responses?|repl(?:y|ies)|results?|text|everything|it))? in "
         rf"(?P<l>{_SPOKEN})"
         r"(?: only)?(?:,? (?:as|with|using|and|in the form of|for) (?!(?:[\w,-]+ )*?(?:or|if|when|unless|except|not"
         r"|then)\b)[^.;()]{2,100})?[ .!]*$",
         lambda found, terms: _language(found)),
    form(rf"^(?:{ALWAYS}(?:format|write|give|present|render|provide|include|show) (?:all |the |any |your )*(?:links"
         rf"|urls|hyperlinks) (?:as|in|with|using)"
         r"|(?:all |the |any |your )*(?:links|urls|hyperlinks) (?:(?:must|should|shall|are|is|to|have to|need to"
         r"|always|be|go) )*(?:(?:formatted|written|given"
         rf"|presented|rendered|shown|provided|in) )?(?:as|in|with|using|be)?) ?(?:the )?(?:proper |valid |standard"
         rf" )?(?:markdown|md|§|\[[\w ]+\]\([\w ]+\))"
         rf"(?: (?:links?|format|syntax|style|form|hyperlinks?))?(?: ?\(?(?:§|\[[\w ]+\]\([\w ]+\))\)?)?{END}",
         lambda found, terms: _BARE_URLS if all("](" in term for term in terms) else None),
    form(rf"^(?:no|{NO} (?:use|include|paste|write|give|show|put|insert|post)(?:ing)?) (?:any )?(?:bare|raw|naked"
         rf"|plain) (?:urls?|links?|addresses){END}",
         _BARE_URLS),
    form(rf"^{ALWAYS}(?:(?:start|open|begin|lead)s?(?: {ANSWER})? with|the first line {MUST}(?:is|be)) a (?:short "
          rf"|brief |one-sentence |one-line )?"
          rf"(?:tl;? ?dr)(?: (?:line|summary|sentence))?{END}",
          c.Matches(pattern=r"(?i)\A\W*tl;? ?dr\b", finds="a TL;DR at the start")),
    form(rf"^(?:{NO} (?:use|write|using|writing)|no) (?:§|a\.?m\.?)(?: (?:or|and|nor|/) |/)(?:§|p\.?m\.?){END}",
          lambda found, terms: never(r"(?i)\b\d{1,2}(?::\d\d)? ?[ap]\.?m\b", "am or pm") if all(
              term.lower().strip(".").replace(".", "") in ("am", "pm") for term in terms) else None),
    form(rf"^(?:leave (?:off|out|away)|omit|drop|skip) the (?:final |last |trailing |closing )?(?:period|full stop)"
          rf"(?: at the (?:very )?end)?"
          rf"(?: of (?:the|your) (?:answer|response|reply))?{END}", none_of("punctuation at the end")),
    form(rf"^{NO} (?:put|place|write|use|add)(?:ing)? (?:asides?|remarks?|comments?|text|anything|words) in "
          rf"(?:parentheses|round brackets|brackets)"
          rf"{END}", none_of("parentheses")),
)  # fmt: skip


def of_manners(masked: str, terms: tuple[Quoted, ...]) -> Any | None:
    """The check of a sentence in one of these phrases; None where it is none of them.

    Args:
        masked: The sentence with each quoted term replaced by "§".
    """
    return read_form(_FORMS, masked, tuple(each.text for each in terms))
