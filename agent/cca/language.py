"""Which language a text is in, where that can be told beyond doubt: by its script, else by its function words."""

from __future__ import annotations

import re

_SCRIPTS: dict[str, re.Pattern[str]] = {
    "russian": re.compile("[\u0400-\u04ff]"),
    "ukrainian": re.compile("[\u0400-\u04ff]"),
    "bulgarian": re.compile("[\u0400-\u04ff]"),
    "greek": re.compile("[\u0370-\u03ff]"),
    "hebrew": re.compile("[\u0590-\u05ff]"),
    "arabic": re.compile("[\u0600-\u06ff]"),
    "persian": re.compile("[\u0600-\u06ff]"),
    "urdu": re.compile("[\u0600-\u06ff]"),
    "hindi": re.compile("[\u0900-\u097f]"),
    "marathi": re.compile("[\u0900-\u097f]"),
    "nepali": re.compile("[\u0900-\u097f]"),
    "bengali": re.compile("[\u0980-\u09ff]"),
    "punjabi": re.compile("[\u0a00-\u0a7f]"),
    "gujarati": re.compile("[\u0a80-\u0aff]"),
    "tamil": re.compile("[\u0b80-\u0bff]"),
    "telugu": re.compile("[\u0c00-\u0c7f]"),
    "kannada": re.compile("[\u0c80-\u0cff]"),
    "thai": re.compile("[\u0e00-\u0e7f]"),
    "korean": re.compile("[\uac00-\ud7af\u1100-\u11ff]"),
    "japanese": re.compile("[\u3040-\u30ff\u4e00-\u9fff]"),
    "chinese": re.compile("[\u4e00-\u9fff]"),
}
_FUNCTION_WORDS: dict[str, frozenset[str]] = {
    name: frozenset(words.split())
    for name, words in {
        "english": "the of and to is that it for was on are with as at be this have from or by not but what which "
        "their "
        "will there would when who they we you your an has were been if can all its into than then",
        "german": "der die das und ist nicht ein eine einer eines dem den des mit auf für von zu im sich auch es als "
        "wird "
        "werden sind wurde aus bei nach durch oder wenn dass nur noch kann über wir sie ich",
        "french": "le la les des et est un une dans pour que qui sur pas avec du au aux ce cette sont par plus ne se "
        "il elle "
        "nous vous je mais ou comme leur être été a",
        "spanish": "el la los las de y en que un una es por con para no se del al lo como más su sus este esta son "
        "pero o "
        "ha fue está cuando muy sobre también",
        "italian": "il lo la gli le di e che un una è per con non si del della dei delle nel nella al alla sono da "
        "come più "
        "anche questo questa ma o ha essere",
        "portuguese": "o a os as de e que um uma é por com para não se do da dos das no na nos nas em ao como mais "
        "seu sua "
        "este esta são mas ou foi ser também",
        "dutch": "de het een en van is dat niet op te in zijn met voor er aan ook als bij door naar maar om uit dan "
        "nog "
        "wordt werd deze dit hij zij wij ik",
        "polish": "i w na nie się z do to jest że o jak ale po za od przez dla są tak być może tylko także które który",
        "swedish": "och att det i en är som på av för med den till inte om ett har de var kan ska från vi du jag",
        "turkish": "ve bir bu için ile de da çok daha ne gibi olarak var olan kadar sonra değil ama veya en",
    }.items()
}
LANGUAGES = tuple(sorted((*_SCRIPTS, *_FUNCTION_WORDS)))
_WORD = re.compile(r"[^\W\d_]+")
_LETTER = re.compile(r"[^\W\d_]")
_LEAST_LETTERS = 20
_LEAST_WORDS = 5  # function words of another language
_AS_MANY = 3  # times as many as of the language that is wanted


def is_in(text: str, language: str) -> bool | None:
    """Whether ``text`` is in one of LANGUAGES; None where it is too short, or too mixed, to tell."""
    letters = len(_LETTER.findall(text))
    if letters < _LEAST_LETTERS:
        return None
    if language in _SCRIPTS:
        share = len(_SCRIPTS[language].findall(text)) / letters
        return True if share > 0.4 else False if share < 0.1 else None
    foreign = (
        sum(len(pattern.findall(text)) for pattern in {p.pattern: p for p in _SCRIPTS.values()}.values()) / letters
    )
    if foreign > 0.5:
        return False
    words = [word.lower() for word in _WORD.findall(text)]
    counts = {name: sum(word in known for word in words) for name, known in _FUNCTION_WORDS.items()}
    own = counts.pop(language)
    other = max(counts.values())
    if other >= _LEAST_WORDS and other >= _AS_MANY * max(own, 1):
        return False
    return True if own >= other and own > 0 else None
