"""What things are called in demands on form, and what a guard of a family is."""

from __future__ import annotations

from dataclasses import dataclass

HEADING = r"\bhead(?:ing|er)s?\b|sub-?head\w*|\bh[1-6]s?\b|section titles?|titles of (?:the )?sections|#"
ITEM = r"\bbullet(?!in)\w*|\bitems?\b|\blists?\b|entr(?:y|ies)\b|\bpoints?\b|\bsteps?\b|\blist(?:ed|ing)\b"
BULLET = r"\bbullet(?!in)\w*|dash(?:es|ed)? lists?|unordered|dot points?|lists? of dots|\bdashes\b"
NUMBERED = r"\bnumber(?:ed|s|ing)?\b|\bordered\b(?! by)|enumerat\w*|\b1[.)]"
LIST = r"\blists?\b|\bbullet(?!in)\w*|\bitems?\b|entr(?:y|ies)\b|enumerat\w*|\blist(?:ed|ing)\b"
TABLE = r"\btables?\b|tabular|tabulat\w*|\bcells?\b|\bcolumns?\b|\brows?\b|\|"
TITLE = r"\btitles?\b|\bheadlines?\b"
SECTION = r"\bsections?\b|\bhead(?:ing|er|ed)s?\b|\bparts?\b|\btitled\b"
EMOJI = r"emoji|emoticon|smiley|pictograph"
LINK = r"\blink\w*|\burls?\b|hyperlink\w*|web addresses|\baddress(?:es)?\b|https?"
CODE = r"\bcode\b|snippets?|\blistings?\b|\bfenc\w+|```|backticks?|code blocks?|\bquer(?:y|ies)\b"
FENCE = r"code|snippets?|\bfenc\w+|`{3}|~{3}|backticks?"
BOLD = r"\b(?:em|un)?bold\w*|\*\*|double asterisks|highlight\w*"
ITALIC = r"italic\w*"
QUOTE = r"block ?quot\w*|block quot\w*|quot\w+|\">\"|>"
RULE = r"lines? (?:made )?of (?:dashes|hyphens)|horizontal|divider|\brules?\b|thematic|separator|-{3}|\*{3}|_{3}"
FIRST = (
    r"\bfirst\b|\bopen\w*|\bbegin\w*|\bstart\w*|\blead\w*|\btop\b|\bintro\w*"
    r"|\btopmost\b|\binitial\b|\bline one\b|\bbefore any\w*|\bkick\w* off|\bheads (?:each|every|the)\b|\blede\b"
    r"|\bup front\b|\bright away\b|\bstraight into\b|\bahead of (?:any|all)\b"
)
LAST = (
    r"\blast\b|\bend(?:s|ing)?\b|\bclos\w*|\bfinal\w*|\bfinish\w*"
    r"|\bconclu\w*|\bwrap up|\bsign\w* off|\bbottom\b|\bwraps? up"
    r"|\brounds? (?:\w+ ){0,3}off\b|\bwinds? up\b|\bafter all other|\bfoot\b|\band stop\b|\bis over\b"
)
PARTS = (
    r"\bsentences?\b|\bparagraphs?\b|\bbullet(?!in)\w*|\bitems?\b|entr(?:y|ies)\b|\bhead(?:ing|line|er)s?\b|\btitles?\b"
    r"|\bsections?\b|\bcells?\b|\blines?\b|quot(?:e|ation)s?\b"
    r"|\bcaptions?\b|\bsubjects?\b|\bkeywords?\b|\bnames?\b"
    r"|\blabels?\b|\bsteps?\b|\bcolumns?\b|\brows?\b|\bcode\b"
    r"|\bsnippets?\b|\bstanzas?\b|\bverses?\b|\bfootnotes?\b"
    r"|\boptions?\b|\bquestions?\b|\bchoices?\b|\btags?\b|\bsubheads?\b|\bslides?\b"
)
NOT_PART = r"\bhead(?:ing|line|er)s?\b|\btitles?\b|\bcells?\b|\btables?\b|quot(?:e|ation)s?\b"
OF_ITEMS = r"\bnest\w*|\bsub-|level|period|full stop|punctuation|capital|blank|empty|longer|hyphen|twice|duplicate"
"""What is said of the items of a list, not of whether there is one."""


@dataclass(frozen=True, slots=True)
class Guard:
    """``about``: patterns of which each is found, ``forbids``: one that is not. ``wanted``: what the demand wants is
    there (True), is not there (False), either."""

    about: tuple[str, ...]
    forbids: str = ""
    wanted: bool | None = None


def guard(*about: str, forbids: str = "", wanted: bool | None = None) -> Guard:
    return Guard(about, forbids, wanted)
