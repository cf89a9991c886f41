"""E-mails, letters and replies: how the greeting ends, where greeting and sign-off stand, subjects, ticket numbers."""

from __future__ import annotations

import re
from typing import Any

from agent.cca import checks as c
from agent.cca.families.family import Family, Slots
from agent.cca.families.texts.told import CONDITIONS, line_at, needs, speaks
from agent.cca.families.words.kit import bare

_I = re.IGNORECASE
_HELLO = r"\b(?:greetings?|salutations?)\b"
_NAMES = (
    r"(?:,?[ \t]+(?:\p{Lu}[\p{L}\d.'’-]*|or|and|all|both|there|team|everyone|everybody|sir|madam|you"
    r"|[\[{<][^\]}>\n]{1,30}[\]}>])){1,5}"
)
_OPENERS = (
    r"(?i:dear|hi|hello|hey|hiya|greetings|good (?:morning|afternoon|evening|day)|bonjour|hola|hallo|ciao|salut"
    r"|sehr geehrte[rs]?|liebe[rs]?|guten (?:tag|morgen)|ch[eè]re?|estimad[oa]s?)"
)
_GREETING = rf"{_OPENERS}(?:{_NAMES})?"
_START = r"(?:\A|\n[ \t]*\n)[ \t*_>]*"
_SALUTATION = rf"^[ \t*_]*({_OPENERS}{_NAMES}[ \t]*[,:;!?.，：！–—-]*)[ \t*_]*$"
_MARKS: tuple[tuple[str, str], ...] = (
    (r"\bcommas?\b", ",，"),
    (r"(?<!semi)(?<!semi-)\bcolons?\b", ":："),
    (r"\bsemi-?colons?\b", ";"),
    (r"\bexclamation (?:marks?|points?)\b", "!！"),
    (r"\bdash(?:es)?\b|\bhyphens?\b", "–—-"),
)
_DENIES = re.compile(
    r"(?:\b(?:no|not|never|without|avoid|instead of|rather than|omit|drop|nor|skip)\b|n['’]t\b)[^,;:.]{0,40}$", _I
)
_NO_MARK = r"\b(?:no|without(?: any)?|omit|drop|leave off)\b(?: \w+){0,2} (?:punctuation|marks?)\b|\bunpunctuated\b"


def _mark(slots: Slots) -> Any | None:
    """The greeting ends with the one mark that is wanted; else it does not end with those that are refused."""
    text = " ".join(each for each in re.split(r"[.;]\s+", bare(slots.text)) if speaks(each, _HELLO))
    wanted, refused = "", ""
    for words, signs in _MARKS:
        for found in re.finditer(words, text, _I):
            if _DENIES.search(text[: found.start()]):
                refused += signs
            else:
                wanted += "" if signs in wanted else signs
    if len([signs for _, signs in _MARKS if signs in wanted]) > 1 or speaks(text, r"\bsign-?offs?\b|\bclosing\b"):
        return None
    if not wanted and not refused and speaks(text, _NO_MARK):
        refused = ",，:：;!！–—-"
    part = c.Part(kind="match", pattern=_SALUTATION, of=c.Part(kind="paragraph"))
    if wanted:
        return c.Each(part=part, check=c.Matches(pattern=rf"[{wanted}]\s*\z", finds="that mark at the end"))
    if not refused:
        return None
    check = c.Matches(pattern=rf"[{refused}]\s*\z", least=0, most=0, finds="such a mark at the end")
    return c.Each(part=part, check=check)


def _never(pattern: str, finds: str) -> Any:
    return lambda slots: c.Matches(pattern=pattern, least=0, most=0, finds=finds)


_SIGN = (
    r"(?i:(?:kind|best|warm|warmest|kindest)? ?(?:regards|wishes)|yours (?:sincerely|faithfully|truly)"
    r"|sincerely(?: yours)?|cheers|all the best|respectfully|cordially|mit freundlichen grüßen|cordialement)"
)
_SUBJECT = (
    r"(?i)^[\s*_#>`]*(?:subject|betreff|objet|asunto|oggetto|assunto|onderwerp|emne|ämne|temat?|konu|тема|件名|主题|主旨"
    r"|제목|re)(?: line)?[*_ \t]*[:：–—-]"
    r"|\"subject(?:_line)?\"\s*:"
)
_LETTER = rf"^[ \t*_>]*{_GREETING}[ \t]*[,:!.，：][ \t*_]*$|^[ \t*_]*{_SIGN},?[ \t*_]*$"


def _subject(slots: Slots) -> Any:
    """What looks like a letter has a line with its subject."""
    return c.When(
        condition=c.Matches(pattern=_LETTER, finds="a greeting or a sign-off"),
        then=c.Matches(pattern=_SUBJECT, finds="a subject line"),
    )


_TICKETS = (
    r"\b(?:ticket|case|order|reference (?=number|id|code)|invoice|request|incident|tracking|booking|claim"
    r"|support)\b"
)
_TICKET = (
    r"#\s?[A-Z]{0,6}-?\d{2,}|\b[A-Z]{2,10}[-_ ]?\d{2,}\b"
    r"|(?i:\b(?:ticket|case|order|reference|invoice|request|incident|tracking|booking|claim|number|no|id|ref)\b)"
    r"[^\n\d]{0,20}\d+|[\[{<][^\]}>\n]{0,30}(?i:ticket|case|order|number|id|ref)[^\]}>\n]{0,30}[\]}>]"
)


def _ticket(slots: Slots) -> Any | None:
    at = line_at(bare(slots.text))
    if speaks(slots.text, r"\b(?:subject|title|commit|branch|heading|file ?name)\b"):
        return None
    check = c.Matches(pattern=_TICKET, finds="a ticket number")
    return c.Each(part=c.Part(kind="line", nth=at), check=check) if at else check


_OWN_LINE = (
    r"\bown lines?\b|\blines? (?:of|to|by|for) (?:its|their|it)(?: own|self|selves)?\b|\bseparate lines?\b"
    r"|\balone on (?:a|its|the) line\b|\bnothing else on (?:its|that|the|the same) line\b|\bline break\b"
    r"|\b(?:new|next|following) line\b"
)
FAMILIES: tuple[Family, ...] = (
    needs("greeting.mark", "the greeting ends with such a mark, or without it", _mark, about=(_HELLO,), denied=None,
          unless=r"\bblank\b|\b(?:customer|user|client)['’]s (?:greeting|salutation)|\btaste\b|\b(?:exactly"
                 r"|precisely|only|just) one\b|\bat most\b|\bnames?\b.*\bcomma between\b|" + CONDITIONS),
    needs("greeting.own_line", "the greeting stands on a line of its own",
          _never(rf"{_START}{_OPENERS}{_NAMES}[ \t]*(?:[!:–—]+[*_]*[ \t]+\S|,[*_]*[ \t]+(?:\p{{Ll}}{{2,}}|I"
                 rf"|Thank)\b)", "text behind the greeting"),
          about=(_HELLO, _OWN_LINE), unless=r"\bsame line\b|\bblank\b|\bempty\b|" + CONDITIONS, denied=None),
    needs("greeting.blank_after", "a blank line behind the greeting",
          _never(rf"{_START}{_GREETING}[ \t]*[,!:.，：–—-]*[*_]*[ \t]*\n[ \t]*\S", "no blank line behind the greeting"),
          about=(_HELLO, r"\b(?:blank|empty) lines?\b|\bline of white ?space\b"),
          unless=r"\bbefore the (?:greeting|salutation)|\babove the (?:greeting|salutation)|" + CONDITIONS),
    needs("signoff.own_line", "sign-off and name stand on lines of their own",
          _never(rf"(?:^|\n)[ \t*_]*{_SIGN}[,.!]?[*_]*[ \t]+\p{{Lu}}[\p{{L}} .'’-]{{1,40}}[*_]*\s*\z",
                 "a name beside the sign-off"),
          about=(r"\bsign-?offs?\b|\bclosing (?:phrase|formula|line)\b|\bregards\b|\bvaledictions?\b"
                 r"|\bcomplimentary close\b",
                 _OWN_LINE, r"\bnames?\b|\bsignatures?\b|\bsender\b"), unless=r"\bsame line\b|" + CONDITIONS),
    needs("subject.line", "a letter has a subject line", _subject,
          about=(r"\bsubjects?(?: lines?)?\b", r"\be?-?mails?\b|\bletters?\b|\bmessages?\b|\bdrafts?\b"
                                               r"|\bnewsletters?\b",
                 r"\b(?:include|has|have|starts?|begins?|opens?|needs?|with|carr(?:y|ies)|gets?|give|add|write|put"
                 r"|lead|comes?)\b"),
          unless=r"\b(?:in|of|from|into) the subject|\bcommits?\b|\b(?:words?|characters?)\b|\bsubject lines? (?:is"
                 r"|are|must"
                 r"|should|does|do|has|have|ends?|names?|states?|never|of|that|makes?)\b|\bsubject (?:starts?"
                 r"|begins?|is|are|has|have|ends?|matter|area|pronoun)"
                 r"|" + CONDITIONS),
    needs("ticket.named", "the number of the ticket", _ticket,
          about=(_TICKETS, r"\b(?:numbers?|ids?|identifiers?)\b",
                 r"\b(?:repl(?:y|ies)|answers?|responses?|e?-?mails?|messages?|lines?|end|close|always|letters?)\b"),
          unless=r"\bpull request|\bchangelog\b|\bcsv\b|\bform(?:at)?\b|\bask|\bonly\b|\binvent|\bpage numbers?\b"
                 r"|\bone of\b|\beach (?:item|bullet|row)|\blinks?\b"
                 r"|" + CONDITIONS),
)  # fmt: skip
