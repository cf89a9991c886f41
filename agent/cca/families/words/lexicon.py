"""Closed lists of words of a kind, as RE2. A word that often stands for something else is left out of them."""

from __future__ import annotations

_A = r"['’]"
SORRY = r"(?i)\b(?:sorry|apologi[sz]e[sd]?|apologi[sz]ing|apolog(?:y|ies)|regret to|regrettably|forgive (?:me|us))\b"
HEDGE = (
    r"(?i)\b(?:maybe|perhaps|possibly|probably|presumably|arguably|seemingly|supposedly|i (?:think|believe|guess"
    r"|suppose|feel)|it (?:seems|appears|would seem)|might be|could be|kind of|sort of|in my opinion|more or less)\b"
)
FILLER = (
    r"(?i)\b(?:basically|actually|literally|simply|honestly|essentially|obviously|clearly|you know|i mean|in order to"
    r"|as a matter of fact|at the end of the day|needless to say|it is (?:important|worth) (?:to note|noting"
    r"|mentioning)"
    rf"|it{_A}s (?:important|worth) (?:to note|noting|mentioning)|the fact of the matter|frankly)\b"
)
INTENSIFIER = (
    r"(?i)\b(?:very|really|extremely|incredibly|absolutely|totally|utterly|hugely|super|highly|quite|remarkably|deeply"
    r"|completely|insanely|so (?:much|very))\b"
)
BUZZ = (
    r"(?i)\b(?:leverag(?:e[sd]?|ing)|synerg(?:y|ies|istic)|game[- ]?chang(?:er|ers|ing)|cutting[- ]edge"
    r"|best[- ]in[- ]class"
    r"|world[- ]class|disrupt(?:ive|ion)|paradigm shift|low[- ]hanging fruit|move the needle|circle back|deep dive"
    r"|think outside the box|seamless(?:ly)?|robust|holistic(?:ally)?|state[- ]of[- ]the[- ]art|next[- ]gen(?:eration)?"
    r"|revolutionary|empower(?:s|ed|ing)?|utili[sz](?:e[sd]?|ing)|bleeding[- ]edge|value[- ]add(?:ed)?|streamline[sd]?"
    r"|turnkey|mission[- ]critical|thought leader(?:s|ship)?|unlock(?:s|ing)? the|innovative|scalable)\b"
)
CLICHE = (
    r"(?i)\b(?:at the end of the day|think outside the box|low[- ]hanging fruit|only time will tell"
    r"|the tip of the iceberg"
    r"|in today['’]s (?:fast[- ]paced )?world|a (?:double|two)[- ]edged sword|last but not least|easier said than done"
    r"|avoid (?:it )?like the plague|when all is said and done|the calm before the storm|better late than never"
    r"|every cloud has a silver lining|hit the nail on the head|the bottom line|a perfect storm|game[- ]changer"
    r"|back to the drawing board|the elephant in the room|in this day and age|crystal clear)\b"
)
SUPERLATIVE = (
    r"(?i)\b(?:best|greatest|finest|largest|biggest|smallest|fastest|cheapest|easiest|strongest|smartest|newest|safest"
    r"|highest|lowest|worst|perfect|unbeatable|unrivall?ed|unmatched|ultimate|number one|world['’]s leading"
    r"|most [a-z]{5,}(?:ive|ful|ous|able|ible|ed|ing|ant|ent|al|ar))\b"
)
ABSOLUTE = r"(?i)\b(?:always|never|everyone|nobody|no one|everybody|guarantee[ds]?|guaranteed|100 ?%|all of the time)\b"
PROFANE = (
    r"(?i)\b(?:damn(?:ed|it)?|goddamn|hell|crap(?:py)?|shit(?:ty|s)?|bullshit|fuck\w{0,4}|ass(?:hole)?s?|bastards?"
    r"|bitch(?:es|y)?|bloody|piss(?:ed)?|bollocks|dick(?:head)?s?|arse(?:hole)?s?)\b"
)
SLANG = (
    r"(?i)\b(?:gonna|wanna|gotta|kinda|sorta|dunno|ain['’]t|y['’]all|lemme|gimme|cuz|nope|yep|yeah|yup|dude|bro|guys"
    r"|awesome|legit|no biggie|lol|omg|cool beans|epic|sucks|bucks|freaking|super cool)\b"
)
CHAT = (
    r"(?i)\b(?:lol|lmao|rofl|omg|btw|imo|imho|tbh|idk|brb|ttyl|thx|pls|plz|fyi|asap|afaik|iirc|irl|smh|ikr|tl;?dr"
    r"|np|u r"
    r"|rn|ngl|ofc)\b"
)
LATIN = r"(?i)\b(?:e\.\s?g\b\.?|i\.\s?e\b\.?|etc\b\.?|viz\.|cf\.|et al\b\.?|ibid\.?|n\.b\.|vs\.)"
WOW = (
    r"(?i)(?:^|[.!?,;:—]\s+|[\"“(])(?:wow|oh|ah|aha|hey|ouch|oops|yay|hooray|ugh|phew|gosh|yikes|hmm+|huh|whoa"
    r"|hurrah|aw+)\b"
)
DISCLAIMER = (
    r"(?i)\b(?:as an? (?:large )?(?:ai|language model|ai language model|assistant)|i(?:['’]m| am) (?:not|no) (?:an? )?"
    r"(?:doctor|lawyer|attorney|physician|financial|medical|licensed|qualified|expert|professional)"
    r"|(?:this is|is|are|does|do|should) not (?:be (?:taken|considered|construed) as |constitute "
    r"|intended as )?(?:a |any )?"
    r"(?:substitute|legal|medical|financial|professional|investment|tax)"
    r"|not (?:legal|medical|financial|professional|investment) advice|for (?:informational|educational|information)"
    r" purposes|consult (?:a|an|your|with) (?:[a-z]+ ){0,2}(?:professional|doctor|physician|lawyer|attorney|advis[eo]r"
    r"|expert|specialist)|results may vary|no (?:warranty|guarantee) (?:is|of)|disclaimer)\b"
)
AI = (
    r"(?i)\b(?:as an? (?:large |helpful |virtual )?(?:ai\b|artificial intelligence|language model|chat ?bot|machine"
    rf"|virtual assistant|digital assistant)|i(?:{_A}m| am|{_A}m) (?:just |only |merely |simply )?an? (?:large "
    rf"|helpful |virtual )?"
    r"(?:ai\b|artificial intelligence|language model|chat ?bot|bot\b|machine|virtual assistant|computer program"
    r"|digital assistant)|my training data|my knowledge cut[- ]?off|i was trained (?:on|by))"
)
GIVEN = (
    r"(?i)\b(?:(?:based on|according to|from|in|per|as (?:stated|mentioned|described) in|looking at) (?:the|your|this)"
    r" (?:(?:provided|given|supplied|above|attached|retrieved|available) )?(?:context|documents?|passages?|excerpts?"
    r"|snippets?|search results|knowledge base|source material|provided (?:text|information|material|data))"
    r"|the (?:provided |given |retrieved )?(?:context|documents?|passages?|excerpts?|snippets?) (?:says?|states?"
    r"|mentions?"
    r"|does not|doesn['’]t|do not|indicates?|shows?)|the (?:provided|given) (?:information|text|data))\b"
)
META = (
    r"(?i)\b(?:in this (?:answer|response|reply|section|article|post|email|message)|below(?:,)? (?:i|we"
    r"|you)['’ ]?(?:ll|will)?"
    r"|i will (?:now )?(?:explain|describe|discuss|outline|walk|summari[sz]e|go (?:over|through))"
    rf"|i{_A}ll (?:now )?(?:explain|describe|discuss|outline|walk|summari[sz]e|go (?:over|through))"
    r"|let me (?:explain|walk|break|start|go|summari[sz]e|think)|let['’]s (?:dive|break|take a look|look at|walk"
    r"|explore)"
    r"|this (?:answer|response|reply|summary) (?:will|explains|describes|covers|outlines)|the following (?:answer"
    r"|response"
    r"|summary)|as (?:requested|you requested|asked)|here (?:is|are) (?:the|a|an|your|my|some))\b"
)
_LINKS = (
    r"however|therefore|moreover|furthermore|in addition|additionally|consequently|nevertheless|nonetheless|thus|hence"
    r"|meanwhile|as a result|for example|for instance|in contrast|on the other hand|similarly|finally|first(?:ly)?"
    r"|second(?:ly)?|third(?:ly)?|next|then|in conclusion|because of this|instead|otherwise|likewise|besides|still"
    r"|accordingly|afterwards?|overall|in short|on top of that|that said|by contrast"
)
LINK = rf"(?i)\b(?:{_LINKS})\b"
LINK_START = (
    r"(?:^|[.!?]\s+)(?:However|Therefore|Moreover|Furthermore|In addition|Additionally|Consequently|Nevertheless"
    r"|Nonetheless|Thus|Hence|Similarly|Likewise|Accordingly),? [a-zA-Z]"
)
CONTRACTION = (
    rf"(?i)\b(?:\w+n{_A}t|\w+{_A}(?:re|ve|ll)|(?:i|you|he|she|we|they|it|who|there|that){_A}d|(?:it|that|there|he"
    rf"|she|what"
    rf"|who|here|where|how|let|this){_A}s|i{_A}m|y{_A}all)\b"
)
_DONE = (
    r"(?:[a-z]{3,}ed|made|done|written|given|taken|seen|sold|sent|built|held|kept|led|won|lost|found|told|paid"
    r"|chosen|run"
    r"|put|read|set|cut|brought|bought|thought|taught|caught|known|shown|drawn|grown|thrown|driven|broken|spoken|begun)"
)
PASSIVE_BY = (
    rf"(?i)\b(?:am|is|are|was|were|be|been|being|gets?|got)\b(?: (?:not|also|[a-z]+ly|first|then|still|often))? {_DONE}"
    r"(?: [a-z]+ly)? by (?:the|an?|his|her|their|its|our|my|your|many|all|(?-i:[A-Z][a-z]+)"
    r"|him|them|us|me|whom|who)\b"
)
THERE = r"(?:^|[.!?]\s+)There(?:['’]s|['’]re| is| are| was| were| has been| have been)\b"
LY = (
    r"(?i)\b(?:[a-z]{2,}(?:ally|ingly|edly|ously|ively|antly|ently|fully|lessly|ately|arly|rely|ckly|ibly|ably"
    r"|mply|ghtly|ftly|ongly|wly|kly|tly))\b"
)
TITLES = r"\b(?:Mr|Mrs|Ms|Mx|Dr|Prof|Sir|Madam)\b\.?"
NO_ACRONYMS = (
    "OK",
    "II",
    "III",
    "IV",
    "VI",
    "VII",
    "VIII",
    "IX",
    "XI",
    "XII",
    "AM",
    "PM",
    "TV",
    "US",
    "UK",
    "EU",
    "USA",
)
I_WORD = (
    r"(?:^|[.!?\"“”(,;:—–*_-]\s*|\b[a-z]+['’]?[a-z]* |\b(?:When|If|As|While|Then|But|And|So|Because|Since|Where"
    r"|What|That|Now"
    r"|Today|Here|How|Why|Yes|No|Can|May|Should|Do|Did|Am|Was|Have|Could|Would|Shall|Before|After|Until|Once"
    r"|Though|Although"
    r"|Or|Perhaps|Maybe|Well|Yesterday|Last|First|Not|Nor|Unless|Whenever|Which|Who|Sometimes) )"
    r"I(?:['’](?:m|ve|ll|d))?(?:[\s,;:!?)]|$)"
)
"""Not of ``World War I``: behind a small word, a mark, or a usual first word of a sentence."""
