"""Guards of lengths, lists, headings and sections."""

from __future__ import annotations

from agent.cca.families.form.guard_words import (
    BOLD,
    BULLET,
    EMOJI,
    FIRST,
    HEADING,
    ITEM,
    LAST,
    LIST,
    NOT_PART,
    NUMBERED,
    OF_ITEMS,
    PARTS,
    TABLE,
    TITLE,
    Guard,
    guard,
)

GUARDS: tuple[tuple[str, Guard], ...] = (
    (r"answer\.words", guard(r"\bwords?\b|\b\d+-word\b", forbids=PARTS)),
    ("answer.characters", guard(r"character|\bchars?\b|letters", forbids=PARTS)),
    ("answer.sentences", guard("sentence", forbids=r"\bparagraphs?\b|\bsections?\b|\bbullet(?!in)\w*|\bitems?\b"
        r"|\bhead(?:ing|er)s?\b|\bcode\b|\bsteps?\b")),
    ("answer.paragraphs", guard("paragraph", forbids=r"\bsections?\b|\bhead(?:ing|er)s?\b|\bsentences? (?:each|long"
        r"|per)|(?:first|last|second|opening|closing) paragraph")),
    ("answer.lines", guard(r"\blines?\b|verses?", forbids=r"\bparagraphs?\b|\bbullet(?!in)\w*|\bitems?\b|\bcode\b"
        r"|\bsnippets?\b|\bhead(?:ing|er)s?\b|\btables?\b|blank|empty"
        r"|subject|\blines each\b|\blog output\b|per line|characters|words|columns|horizontal" r""
            r"|\beach line|\bevery line|\bone line each")),
    (r"sentence\.words", guard("sentence", r"\bwords?\b", forbids=
        r"\bbullet(?!in)\w*|\bhead(?:ing|line|er)s?\b|(?:first|last|opening"
        r"|closing|final) sentence|\bparagraphs?\b")),
    (r"paragraph\.(?:sentences)", guard("paragraph", "sentence", forbids=
        r"(?:first|last|opening|closing|final|second|lead|intro\w*" r"|concluding) paragraph|\bsections?\b")),
    (r"paragraph\.words", guard("paragraph", r"\bwords?\b", forbids=
        r"(?:first|last|opening|closing|final|second|lead|intro\w*"
        r"|concluding) paragraph|\bsections?\b|sentence")),
    (r"paragraph\.lines", guard("paragraph", r"\blines?\b", forbids=
        r"(?:first|last|opening|closing|final|second|lead|intro\w*"
        r"|concluding) paragraph|blank|empty|\bsections?\b")),
    (r"item\.words", guard(ITEM, r"\bwords?\b", forbids=NOT_PART)),
    (r"item\.sentences", guard(ITEM, "sentence", forbids=NOT_PART)),
    (r"item\.characters", guard(ITEM, r"character|\bchars?\b", forbids=NOT_PART)),
    (r"heading\.words", guard(HEADING, r"\bwords?\b", forbids=
        r"\btables?\b|\bcolumns?\b|(?:under|below|beneath) (?:a |an " r"|the |each |every |any )?(?:sub-?)?head")),
    (r"heading\.characters", guard(HEADING, r"character|\bchars?\b", forbids=r"\btables?\b|\bcolumns?\b")),
    (r"title\.words", guard(TITLE, r"\bwords?\b", forbids=r"section titles?|subtitles?|\bbooks?\b")),
    (r"title\.characters", guard(TITLE, r"character|\bchars?\b", forbids=r"section titles?|subtitles?|\bbooks?\b")),
    (r"line\.characters", guard(r"\blines?\b|\bwrap", r"character|\bchars?\b", forbids=
        r"\bcode\b|subject|(?:first|last|headline) line|blank|empty")),
    (r"line\.words", guard(r"\blines?\b", r"\bwords?\b", forbids=
        r"\bcode\b|subject|(?:first|last|second|opening|closing) line|bullet")),
    (r"quote\.words", guard(r"quot", r"\bwords?\b", forbids=
        r"quotation marks?|quote marks?|double quotes|single quotes")),
    (r"cell\.words", guard(r"\bcells?\b|table entr|\btables?\b", r"\bwords?\b", forbids=r"\bcaptions?\b|\bhead")),
    (r"section\.words", guard(r"\bsections?\b|heading", r"\bwords?\b", forbids=
        r"section titles?|\b(?:conclu|summary|intro)\w*|title")),
    (r"section\.sentences", guard(r"\bsections?\b|heading", "sentence", forbids=
        r"\b(?:conclu|summary|intro)\w*|first sentence")),
    (r"section\.paragraphs", guard(r"\bsections?\b|heading", "paragraph", forbids=r"\b(?:conclu|summary|intro)\w*")),
    (r"first_paragraph\.words", guard("paragraph", FIRST, r"\bwords?\b", forbids="sentence")),
    (r"first_paragraph\.sentences", guard("paragraph", FIRST, "sentence")),
    (r"last_paragraph\.sentences", guard("paragraph", LAST, "sentence")),
    (r"first_sentence\.words", guard("sentence", FIRST, r"\bwords?\b", forbids=
        r"first words?|\bparagraphs?\b|begins? with (?!an? (?:\w+ )?sentence)")),
    (r"named_section\.words", guard(r"\bwords?\b", forbids="sentence|paragraph")),
    (r"named_section\.sentences", guard("sentence", forbids=r"\bwords\b|paragraph")),
    (r"long\.paragraphs", guard("paragraph", r"\bwords?\b", r"\bover\b|longer|more than|exceed|past|beyond|above",
        forbids=r"sentence|\beach paragraph|\bno paragraph")),
    (r"long\.headings", guard(HEADING, r"\bwords?\b", r"\bover\b|longer|more|at least|\bon\b|exceed|past|beyond|above",
        forbids=r"\beach heading|\bno heading")),
    (r"paragraph\.one", guard(r"paragraph|\bblock of\b", r"\bone\b|single|\bjust\b|\bsolid\b|continuous|one-"
        r"|\bbreaks?\b|split|divided|several", forbids=r"sentence|(?:first|last|opening|closing|final|each"
        r"|every) paragraph|per paragraph|\bover \d|more than \d|longer than \d|long (?:answers|replies|texts)")),
    (r"answer\.one_line", guard(r"\blines?\b|newline|one-liner", forbids=
        r"per line|each line|every line|(?:first|last|opening|closing"
        r"|top|bottom|subject) line|blank|empty|own line|bullet|item" r"|heading|table|summary|code")),
    (r"answer\.one_word", guard(r"\bword\b", r"\bone\b|single|one-word|\blone\b", forbids=
        "letter|line|sentence|bullet|first word|last word")),
    (r"bullets\.none", guard(BULLET + "|" + LIST, forbids=TABLE + "|" + OF_ITEMS, wanted=False)),
    (r"bullets\.some", guard(BULLET, wanted=True)),
    (r"bullets\.count", guard(BULLET + r"|\blist\b|\bpoints?\b", forbids=
        r"\bwords?\b|sentence|character|each bullet|per bullet" r"|every bullet|level")),
    (r"numbered\.none", guard(NUMBERED, LIST + r"|\bnumber", forbids=HEADING + "|" + OF_ITEMS, wanted=False)),
    (r"numbered\.some", guard(NUMBERED, forbids=HEADING, wanted=True)),
    (r"numbered\.count", guard(NUMBERED, forbids=r"\bwords?\b|sentence|character")),
    (r"lists\.none", guard(LIST + r"|numbering", r"\b(?:no|not|never|without|neither|avoid|rather|instead"
        r"|forbidden|free|refrain|out|wrong|banned?|do without|skip|nothing|off limits)\b" r"|n.t\b", forbids=
        r"nested|\bnest\w*|sub-|level")),
    (r"lists\.some", guard(r"\blists?\b", forbids=r"nested|alphabet|sorted", wanted=True)),
    (r"lists\.items", guard(r"\blists?\b", r"\bitems?\b|entr|\bpoints?\b|elements?", forbids=
        r"\bwords?\b|character|\bnest")),
    (r"lists\.count", guard(r"\blists?\b", forbids=r"\bitems?\b|\bwords?\b|entr|level|sentence")),
    (r"lists\.(?:flat|depth)", guard(LIST + r"|sub-", r"\bnest\w*|sub|level|\bflat\b|inside|indent|another list"
        r"|further bullets"
        r"|of their own|second|under other")),
    (r"marker\.dash", guard(r"hyphen|dash|-")),
    (r"marker\.asterisk", guard(r"asterisk|\*|star")),
    (r"marker\.dot", guard("•|round")),
    (r"numbers\.dot", guard(r"\bnumber|\b1|ordered", r"period|full stop|\bdot\b|\.")),
    (r"numbers\.parenthesis", guard(r"\bnumber|\b1|ordered", r"parenthes|bracket|\)")),
    (r"checklist\.some", guard(r"check-?(?:list|box)|\btick\b|\[ ?\]|task list|\[")),
    (r"items\.capital", guard(ITEM, r"capital|upper|lower|\b(?:no|not"
        r"|never)\b.*\bsmall\b", forbids=NOT_PART + "|sentence|all caps|capitals only")),
    (r"items\.lower", guard(ITEM, r"lower|small|capital", forbids=NOT_PART + "|sentence")),
    (r"items\.no_period", guard(ITEM, r"period|full stop|\bdot\b", forbids=NOT_PART, wanted=False)),
    (r"items\.period", guard(ITEM, r"period|full stop|\bdot\b", forbids=NOT_PART)),
    (r"items\.no_punctuation", guard(ITEM, r"punctuation|comma", forbids=NOT_PART, wanted=False)),
    (r"items\.semicolon", guard(ITEM, r"semi-?colon|;")),
    (r"items\.bold_lead", guard(ITEM, BOLD, wanted=True)),
    (r"items\.no_bold", guard(ITEM + r"|\blists\b", BOLD, wanted=False)),
    (r"items\.emoji", guard(ITEM, EMOJI, wanted=True)),
    (r"list\.colon", guard(LIST, "colon|:", forbids=r"semi-?colon")),
    (r"list\.introduced", guard(LIST, r"introduc|lead-?in|before|precede|follow|comes? before|in front|ahead"
        r"|lead into|lead")),
    (r"list\.blank_before", guard(LIST, r"blank|empty", r"before|above|front|ahead|preced|between|right below|after")),
    (r"items\.(?:spaced|tight)", guard(ITEM, r"blank|empty|\btight\b"
        r"|consecutive lines", forbids=r"\btext\b above|paragraph")),
    (r"list\.alphabetical", guard(r"alphabet|a to z|by letter|a-z|\babc\b", forbids=
        r"revers|descend|invers|backward|z to a|\brows?\b|tables?" r"|imports?|keys?\b")),
    (r"list\.reversed", guard(r"alphabet|z (?:down )?to a|backwards", r"revers|descend|invers|backward"
        r"|z (?:down )?to a|last letter")),
    (r"list\.(?:newest_first|oldest_first)", guard(r"newest|latest|recent|oldest|earliest|chronolog|date"
        r"|happened (?:last|first)|backwards|\bpast\b|descending|ascending|\blast\b|\bfirst\b|backwards?|years?")),
    (r"list\.(?:rising|falling)", guard(r"lowest|highest|cheap|expensive|small|large|ascend|descend"
        r"|increas|decreas|rising|falling|high|low|best|biggest|go (?:up|down)", forbids=
        r"\bdates?\b|chronolog|alphabet|newest|important|relevan" r"|column|table|heading")),
    (r"list\.unique", guard(LIST, r"duplicat|twice|repeat|unique|once|identical|differ|same|distinct|\bagain\b")),
    (r"list\.not_first", guard(LIST, FIRST, forbids=r"capital|letter|verb|emoji|bold|\bend")),
    (r"list\.not_last", guard(LIST, LAST + "|after", forbids=r"period|full stop|punctuation|colon")),
    (r"steps\.counted", guard(r"number\w*|count",
        r"consecutiv|sequen|gap|skip|start|begin|\bone\b|\b1\b|continu|go up|count up|1[.)]", forbids=HEADING +
        "|bullet points? per")),
    (r"lines\.bare", guard(r"\blines?\b", forbids=TABLE + r"|sentence")),
)  # fmt: skip
