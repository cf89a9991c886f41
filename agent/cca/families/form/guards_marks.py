"""Guards of titles, tables, marks, links, code and the edges of an answer."""

from __future__ import annotations

from agent.cca.families.form.guard_words import (
    BOLD,
    CODE,
    EMOJI,
    FENCE,
    FIRST,
    HEADING,
    ITALIC,
    LAST,
    LINK,
    RULE,
    SECTION,
    TABLE,
    TITLE,
    Guard,
    guard,
)

GUARDS: tuple[tuple[str, Guard], ...] = (
    (r"headings\.none", guard(HEADING + "|section titles", forbids=TABLE + "|level|deeper|http", wanted=False)),
    (r"headings\.some", guard(HEADING, forbids=TABLE + "|level|http", wanted=True)),
    (r"headings\.count", guard(HEADING, forbids=TABLE +
        r"|level|\bwords?\b|character|each heading|every heading|sentence")),
    (r"headings\.(?:level|deepest|not_level|highest|once|first)", guard(HEADING)),
    (r"headings\.first", guard(HEADING, FIRST + "|at the top|first",
        forbids=r"\b(?:no|not|never)\b|n.t\b|start at|starts? with (?:level )?(?:2|two)")),
    (r"headings\.once", guard(HEADING, r"\bonce\b|\bone\b|single|only|\ba second\b")),
    (r"headings\.deepest", guard(HEADING, r"deep|below|beyond|small|lowe[rs]|at most|at least|above|stop|down to"
        r"|levels? (?:h?\d|one|two|three|four)|\blevels\b")),
    (r"headings\.(?:not_first|start)", guard(HEADING, FIRST + "|before|preced|ahead", forbids="level|capital"
        "|number|verb|emoji")),
    (r"headings\.steps", guard(HEADING, r"skip|level|jump|hierarch|gap|nest|order|follow|next|straight to")),
    (r"headings\.sentence_case", guard(HEADING, r"sentence[- ](?:case|style)|like (?:an? )?(?:\w+ )?sentences?"
        r"|first word|title case|every word")),
    (r"headings\.title_case", guard(HEADING, r"title[- ](?:case|style)|headline|major|main word"
        r"|important word|all words")),
    (r"headings\.lower", guard(HEADING, r"lower|small|capital|upper", forbids="first word|first letter")),
    (r"headings\.upper", guard(HEADING, r"capital|\bcaps\b|upper|lower|\bno small letters", forbids=
        "first word|first letter|each word|every word|begins?|starts?")),
    (r"headings\.no_punctuation", guard(HEADING, "punctuation|neither|colon.*(?:period|full stop)|(?:period"
        "|full stop).*colon",
        wanted=False)),
    (r"headings\.no_colon", guard(HEADING, "colon|:", wanted=False)),
    (r"headings\.no_period", guard(HEADING, r"period|full stop|\bdot\b", wanted=False)),
    (r"headings\.(?:question|no_question)", guard(HEADING, r"question|\bask")),
    (r"headings\.question", guard(HEADING, "question|ask")),
    (r"headings\.no_question", guard(HEADING, "question|ask", wanted=False)),
    (r"headings\.(?:numbered|no_numbers)", guard(HEADING + "|sections", r"number|\b\d\.")),
    (r"headings\.(?:no_emoji|emoji)", guard(HEADING, EMOJI)),
    (r"headings\.(?:bold|no_bold)", guard(HEADING + "|titles? of sections", BOLD + r"|asterisk"
        r"|embolden", forbids=TABLE)),
    (r"headings\.no_code", guard(HEADING, "code|backtick", wanted=False)),
    (r"headings\.no_links", guard(HEADING, LINK, wanted=False)),
    (r"headings\.signs", guard(HEADING, BOLD + "|emphasis|asterisk")),
    (r"headings\.blank_\w+", guard(HEADING, r"blank|empty|surround|skip a line")),
    (r"headings\.blank_after", guard(HEADING, r"after|below|beneath|follow|under|between|right|direct")),
    (r"headings\.blank_before", guard(HEADING, r"before|above|ahead|front|preced|between|right|direct|separate"
        r"|after an? (?:blank|empty)")),
    (r"headings\.blank_around", guard(HEADING, r"around|both|surround|before and|above and|and below|before it and"
        r"|preceded and followed|framed|(?:either|each) side|above .{0,30}as well as below")),
    (r"headings\.filled", guard(HEADING + "|section", r"empty|blank|without|text|content|nothing|something|sentence")),
    (r"headings\.apart", guard(HEADING, r"stack|consecutive|row|between|under|straight|direct"
        r"|one after|follow|right (?:below|after)|next|sub-?head|back-to-back|immediate"
            r"|below another", forbids=r"blank|empty|\brule\b")),
    (r"headings\.differ", guard(HEADING + "|section", r"same|unique|repeat|once|twice|differ|duplicate"
        r"|identical|distinct|\balike\b"
        r"|no other|(?:its|their) own|another heading")),
    (r"section\.named", guard(SECTION, wanted=True)),
    (r"sections\.ordered", guard(SECTION + r"|\border\b|^structure\b", forbids=TABLE + r"|\blines\b")),
    (r"sections\.order", guard(r"before|preced|first|ahead|above|earlier|\bthen\b|\border\b|after"
        r"|follow", forbids=TABLE)),
    (r"section\.absent", guard(SECTION + "|conclu", wanted=False)),
    (r"section\.last", guard(LAST + r"|no section|nothing|\bat the end|after all other", forbids=TABLE +
        r"|\bwords?\b|sentence|phrase|\blines?\b")),
    (r"section\.first", guard(FIRST + r"|no section|before|beginning", forbids=TABLE +
        r"|\bwords?\b|sentence|phrase|\blines?\b")),
    (r"sections\.count", guard(r"\bsections?\b", forbids=r"\bwords?\b|sentence|paragraph|each section|per section"
        r"|every section")),
    (r"sections\.rule", guard(r"section", RULE)),
    (r"title\.(?!words|characters)\w+", guard(TITLE, forbids="section titles?|subtitle|book title|job title")),
    (r"title\.some", guard(TITLE, forbids="section titles?|subtitle|capital|case|question|bold|italic", wanted=True)),
    (r"title\.none", guard(TITLE, forbids="section titles?|subtitle|capital|case|question|bold|period"
        "|colon|full stop", wanted=False)),
    (r"title\.case", guard(TITLE, r"title case|capital|sentence case|case")),
    (r"title\.no_period", guard(TITLE, r"period|full stop|\bdot\b", forbids="section titles?", wanted=False)),
    (r"title\.no_colon", guard(TITLE, "colon", wanted=False)),
    (r"title\.(?:question|no_question)", guard(TITLE, r"question|\bask")),
    (r"title\.no_question", guard(TITLE, r"question|\bask", wanted=False)),
    (r"title\.upper", guard(TITLE, r"capital|\bcaps\b|upper|lower|\bno small letters", forbids=
        "first word|first letter|each word|every word|major|main|important")),
    (r"title\.wrapped", guard(TITLE, r"angular|angle|<|bracket|quot|asterisk")),
    (r"table\.none", guard(TABLE, forbids="html|cell|row|column", wanted=False)),
    (r"table\.some", guard(TABLE, forbids="html|cell|sorted|empty|(?:each|every|first|last) (?:row|column)", wanted
        =True)),
    (r"table\.count", guard(r"\btables?\b", forbids="row|column|cell")),
    (r"table\.rows", guard(r"\brows?\b|\btables?\b", r"\brows?\b", forbids=r"\bcolumns?\b")),
    (r"table\.columns", guard(r"\bcolumns?\b", forbids=r"(?<!header )\brows?\b|\bcharacters?\b|wrap")),
    (r"table\.head(?:_ordered)?", guard(r"\bcolumns?\b|header", forbids=
        r"\brows\b|csv|spreadsheet|left out|alphabet|sort")),
    (r"table\.head_ordered", guard(r"\border\b|left to right|sequence|first|order(?:ed)? as|\bordered\b"
        r"|\barrange|from the left|\bin order|exactly")),
    (r"table\.first_column", guard(r"column|table.*header|header.*table", r"first|leftmost|left|start|begin"
        r"|column one")),
    (r"table\.last_row", guard(r"\brow", r"last|bottom|\bfoot\b|final|end|close|finish|conclude")),
    (r"table\.filled", guard(TABLE, r"empty|blank|fill|contain|content|\bvalues?\b|n/a|unknown|missing", forbids=
        r"blank line|empty line")),
    (r"table\.introduced", guard(r"\btables?\b", r"introduc|lead-?in|before|precede|lead into|start")),
    (r"table\.explained", guard(r"\btables?\b", r"after|below|beneath|\bunder|follow|explain")),
    (r"table\.only", guard(r"\btables?\b", r"only|nothing|just|else|alone|solely|no text|no other|no words"
        r"|\bbare\b|without"
        r"|entire|whole|besides")),
    (r"table\.equal_rows", guard(TABLE, r"same|equal|as many|short|missing|more or fewer|one cell for|match|differ")),
    (r"table\.right", guard(r"number|numeric|figure|amount", r"right|align|flush")),
    (r"table\.sorted", guard(TABLE, r"alphabet|a to z|by name")),
    (r"table\.no_html", guard(TABLE, r"html|<table|tags")),
    (r"table\.(?:no_bold|bold_head)", guard(TABLE + "|header", BOLD)),
    (r"table\.no_links", guard(TABLE, LINK)),
    (r"table\.capital", guard(TABLE, r"capital|upper|lower|\b(?:no|not|never)\b.*\bsmall\b")),
    (r"table\.cells_no_period", guard(TABLE, r"period|full stop|\bdot\b", wanted=False)),
    (r"bold\.none", guard(BOLD, forbids=HEADING + "|italic|bullet|list|cell|table|sentence|" + TITLE, wanted=
        False)),
    (r"bold\.some", guard(BOLD, forbids=HEADING + "|bullet|list item|cell|table|first line|last line|" + TITLE,
        wanted=True)),
    (r"bold\.count", guard(BOLD, forbids=HEADING + "|first line|last line")),
    (r"bold\.no_sentences", guard(BOLD, "sentence", wanted=False)),
    (r"italics\.none", guard(ITALIC, forbids="bold|heading", wanted=False)),
    (r"italics\.some", guard(ITALIC, forbids="heading|first line|last line|opening|closing", wanted=True)),
    (r"emphasis\.none", guard(BOLD + "|emphas", wanted=False, forbids="capital|caps")),
    (r"strike\.none", guard(r"str[iu]k(?:e|ing)|struck|crossed|cross out|~~", wanted=False)),
    (r"underline\.none", guard(r"underlin", wanted=False)),
    (r"caps\.none", guard(r"capital|\bcaps\b|upper[- ]?case|shout", forbids=
        r"first|begin|start|heading|title|sentence|bullet|letter(?!s)"
        r"|\bno capital letters|entire\b|whole answer|keyword|sql")),
    (r"caps\.count", guard(r"capital|\bcaps\b|upper", "word")),
    (r"quote\.none", guard(r"block[- ]?quot|>", forbids="marks", wanted=False)),
    (r"quote\.some", guard(r"block-? ?quot|>|set off", wanted=True)),
    (r"quote\.(?:count|named)", guard(r"block[- ]?quot|>")),
    (r"rule\.none", guard(RULE, forbids="section", wanted=False)),
    (r"rule\.some", guard(RULE, forbids="between sections|paragraphs", wanted=True)),
    (r"rule\.count", guard(RULE)),
    (r"emoji\.none", guard(EMOJI, forbids=HEADING + "|bullet|list item|" + TITLE, wanted=False)),
    (r"emoji\.some", guard(EMOJI, forbids=HEADING + "|bullet|list item|" + TITLE, wanted=True)),
    (r"emoji\.count", guard(EMOJI, forbids=HEADING + "|bullet|" + TITLE)),
    (r"emoji\.last", guard(EMOJI, LAST, forbids="heading|bullet|sentence", wanted=True)),
    (r"emoji\.first", guard(EMOJI, FIRST, forbids="heading|bullet|sentence|list", wanted=True)),
    (r"links\.none", guard(LINK, forbids=HEADING + r"|table|text of|link texts?|bare|raw|naked|markdown|\bhttp\b"
        r"|e-?mail|in the text|running text|\bend\b|bottom", wanted=False)),
    (r"links\.some", guard(LINK, forbids=r"bare|raw|naked|link texts?|e-?mail", wanted=True)),
    (r"links\.count", guard(LINK, forbids=r"\bwords?\b|character")),
    (r"links\.https", guard(r"https?")),
    (r"links\.markdown", guard(LINK, r"markdown|bare|raw|naked|\[|syntax|link text|write out|paste"
        r"|syntax|form|label")),
    (r"links\.bare", guard(LINK + r"|\]\(", r"bare|raw|plain|full|spelled|itself|markdown|complete|hid\w+"
        r"|writ\w+|\]\(|words|text")),
    (r"links\.last", guard(LINK, r"\bend\b|bottom|below|after|at the foot|\blast\b")),
    (r"links\.(?:no_text|named)", guard(r"\blink\w*")),
    (r"links\.named", guard(r"\blink", r"text|label|description|\bname\b|brackets")),
    (r"images\.none", guard(r"images?|pictures?", forbids="alt", wanted=False)),
    (r"images\.some", guard(r"images?|pictures?", forbids="alt|describ", wanted=True)),
    (r"images\.alt", guard(r"\balt|alternative")),
    (r"footnotes\.none", guard(r"footnote|\[\^", wanted=False)),
    (r"footnotes\.some", guard("footnote", wanted=True)),
    (r"html\.none", guard(r"html|\btags?\b|</?[a-z]+>", forbids="table|hash", wanted=False)),
    (r"latex\.none", guard("latex", r"\b(?:no|not|never|without|avoid|free|refrain|forbidden|out|skip|unwanted"
        r"|instead of"
        r"|rather than)\b|n.t\b")),
    (r"inline_code\.none", guard(r"inline code|backticks?|code format|as code", forbids="heading|block|fence|triple",
        wanted=False)),
    (r"markdown\.none", guard(r"markdown|plain[- ]?text|format|mark-?up|raw text", forbids=
        r"link|table|heading|code|fence|date|number", wanted=False)),
    (r"markdown\.some", guard(r"markdown", forbids=r"link|table|heading|code|fence|list", wanted=True)),
    (r"fences\.none", guard(FENCE, forbids=r"language|tag|outside|heading|inline", wanted=False)),
    (r"fences\.some", guard(FENCE, forbids=r"language|tagged|heading|inline|only", wanted=True)),
    (r"fences\.count", guard(FENCE, forbids=r"\blines?\b|characters")),
    (r"fences\.(?:named|unnamed)", guard(FENCE, r"language|tag|identifier|```\w")),
    (r"fences\.language", guard(FENCE + r"|\bblock\b")),
    (r"fences\.backticks", guard(r"backtick|tilde|~{3}|`{3}", "tilde|~|backtick")),
    (r"code\.fenced", guard(CODE, r"fenc|block|backtick", forbids=r"\bno code\b|not wrap|unfenced", wanted=None)),
    (r"code\.none", guard(r"\bcode\b|snippets?", forbids=r"fenc|block|inline|heading|comment|duplicat|broken|pseudo"
        r"|start|begin|open with|end|first|outside", wanted=False)),
    (r"code\.only", guard(r"\bcode\b", r"only|nothing|just|else|alone|solely|no text|without|explain"
        r"|besides|exclusiv|commentary|prose|from first to last|not a word")),
    (r"code\.(?:first|not_first)", guard(CODE, FIRST + r"|before|preced|follow|ahead|up front|right away|after"
        r"|straight|jump")),
    (r"code\.explained", guard(CODE, r"after|below|beneath|underneath|follow|expla[in]", forbids=
        r"line by line|\bhow\b|\bwhy\b")),
    (r"code\.introduced", guard(CODE, r"before|introduc|lead|preced|announce|ahead of|in front of|\babove\b"
        r"|comes first")),
    (r"code\.last", guard(CODE, LAST + r"|after|follow|nothing|below|\bstop\b|\bover\b", r"code|snippet|fence", forbids=
        r"\b(?:explanations?|text|prose|notes?|commentary) "
        r"(?:comes?|goes|stands?|follows?|is|are|belongs?)\b(?! not| first| before)"
        r"|\bcode (?:block )?comes first")),
    (r"code\.not_last", guard(CODE, LAST + "|follow")),
    (r"question\.none", guard(r"question|\bask\w*|\bpose", forbids=
        r"\bend\w*(?!.* either)|clos|last|final|begin|start|open|first|heading"
        r"|title|answer (?:the|all|every)|repeat|rephrase" r"|the (?:user's )?question\b", wanted=False)),
    (r"question\.some", guard(r"question|\bask", forbids=r"\bend\w*|clos|last|final|begin|start|open|first|heading"
        r"|title|mark|answer (?:the|all|every)|unclear|vague|ambiguous", wanted=True)),
    (r"question\.count", guard(r"question", forbids=r"heading|title|marks?|answer (?:the|all|every|each)")),
    (r"last\.(?:question|no_question)", guard(r"question|\bask", LAST + r"|\bwind\w* up|\bround\w* off|\bclos\w* by",
        forbids="heading|title")),
    (r"last\.question", guard(r"question|\bask", wanted=True)),
    (r"last\.no_question", guard(r"question|\basking\b", wanted=False)),
    (r"first\.(?:question|no_question)", guard(r"question|\basking\b", FIRST, forbids=
        "heading|title|question marks?|repeat|rephras" "|the (?:user's )?question")),
    (r"first\.no_question", guard(r"question|\basking\b", wanted=False)),
    (r"first\.(?:bold|italic)", guard(BOLD + "|" + ITALIC, FIRST + r"|\bline one\b|\binitial\b|\btopmost\b|\bheads\b",
        forbids="heading|bullet|list|word|term|title")),
    (r"last\.(?:bold|italic)", guard(BOLD + "|" + ITALIC, LAST, forbids="heading|bullet|list|word|term|title")),
    (r"(?:first|last)\.bold", guard(BOLD)),
    (r"(?:first|last)\.italic", guard(ITALIC)),
    (r"postscript\.some", guard(r"postscript|p\.? ?s\b", wanted=True)),
    (r"postscript\.none", guard(r"postscript|p\.? ?s\b", wanted=False)),
    (r"quotes\.whole", guard("quot", r"whole|entire|complete|everything|\bfull\b|(?:the|your) (?:answer"
        r"|reply|response|output|text|message)|begins? and ends?|start and end|ends? with (?:one|another)")),
    (r"paragraphs\.separated", guard(r"paragraph|answers?|responses?|versions?|alternativ|options?",
        r"separat|between|divid|apart|stands", forbids=r"blank|empty")),
    (r"paragraphs\.blank", guard("paragraph", "blank|empty", forbids="no blank|no empty|list|heading")),
    (r"blank\.single", guard(r"blank|empty|\bholes\b", r"two|double|consecutive|single|multiple|several|pairs"
        r"|more than|row|success|\bone\b|\bruns?\b|stack|second")),
    (r"blank\.none", guard(r"blank|empty", forbids=r"paragraph|heading|list|bullet|item|cell|two|double"
        r"|consecutive|single|field|section", wanted=False)),
    (r"paragraphs\.flush", guard(r"indent|flush|spaces", "paragraph")),
    (r"spaces\.single", guard(r"spac", r"after|between|double|two|single|one")),
    (r"spaces\.no_trailing", guard(r"spac|blanks", r"trailing|\bend")),
    (r"tabs\.none", guard(r"\btabs?\b")),
    (r"letters\.lower", guard(r"lower|capital|upper|small letters", forbids=
        r"heading|title|bullet|item|words|cell|keyword|acronym"
        r"|(?<!not even at the )(?<!not even the )(?<!from )(?<!including the )(?<!even at the )(?:first|begin|start)"
        r"|(?:each|every|any) sentence")),
    (r"letters\.upper", guard(r"upper|capital|\bcaps\b|lower", forbids=
        r"heading|title|bullet|item|sentence|first|begin|start|words"
        r"|cell|name|keyword|acronym|(?:no|never|avoid" r"|not) (?:\w+ ){0,2}(?:capital|upper|all caps)")),
    (r"letters\.latin", guard(r"latin|cyrillic|scripts?\b|alphabet|chinese|greek")),
    (r"letters\.ascii", guard(r"ascii|unicode|accented")),
    (r"sentences\.capital", guard("sentence", r"capital|upper|lower|small letter", forbids=
        "sentence case|heading|(?<!even in )bullet")),
    (r"sentences\.full_stop", guard("sentence", r"full stop|period", forbids="bullet|heading|item|space")),
    (r"language\.not", guard(r"\b(?:not|never|no|avoid|refrain|any|anything but|forbidden|banned|n.t)\b|n.t\b")),
)  # fmt: skip
