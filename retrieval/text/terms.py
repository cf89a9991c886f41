"""From text to index terms: one tokenizer for both sides.

A token is a word, an identifier or a dotted name. Its terms are

* the parts, lower-cased and stemmed: ``getHTTPResponse`` -> ``get``, ``http``, ``respons``;
* the whole, when there is more than one part: lower-cased, underscores dropped, not stemmed, so that
  ``url_for``, ``urlFor`` and ``URLFor`` share ``urlfor``; a dunder keeps its underscores besides (``__call__``);
* for a dotted name, each adjacent pair besides: ``flask.app.Flask`` -> ``flask.app``, ``app.flask``. Pairs instead of
  the whole name, because a question rarely knows the full path and ``Flask.run`` must meet ``flask.app.Flask.run``.

Everything here is linear in the input and memoised per token.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from functools import lru_cache
from itertools import pairwise

from retrieval.text.stem import singular, stem
from retrieval.text.stopwords import BOILERPLATE, BOILERPLATE_WEIGHT, QUESTION_WORDS

MAX_QUERY_TERMS = 64
MAX_QUERY_CHARS = 16_384  # of a longer question the first and the last half of this many are read

WHOLE_WEIGHT = 1.0
PART_WEIGHT = 0.5  # of a compound: the whole form says more
JOIN_WEIGHT = 0.35  # two adjacent words written as one
REPEAT_BONUS = 0.25  # for each further occurrence in the question, two at most

_MAX_WORD = 64  # a longer run without an underscore is data, not a name
_MAX_NAME = 256
_MAX_DOTTED_PARTS = 16
_MAX_CJK_RUN = 64
_MEMO_SIZE = 1 << 18

_TOKEN = re.compile(r"\w+(?:\.\w+)*")
_ASCII_TOKEN = re.compile(_TOKEN.pattern, re.ASCII)  # finds the same in ASCII text, in two thirds of the time
_ASCII_PART = re.compile(r"[A-Z]{2,}s(?![a-z])|[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_CJK = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]+")
_SELF = frozenset({"self", "cls"})

_memo: dict[str, tuple[str, ...]] = {}


def split_identifier(name: str) -> tuple[str, ...]:
    """The parts of an identifier or dotted name, lower-cased, unstemmed, in order: by dot, underscore, case, digits."""
    return tuple(part for word in _TOKEN.findall(_normal(name)) for piece in word.split(".") for part in _parts(piece))


def tokens_of(text: str) -> list[str]:
    """The words, identifiers and dotted names of ``text`` in order; ``terms_of`` gives the terms of each."""
    return _ASCII_TOKEN.findall(text) if text.isascii() else _TOKEN.findall(_normal(text))


def folded(text: str) -> str:
    """``text`` with its letters as terms spell them, line by line; not stemmed, not split."""
    return _fold(_normal(text))


def index_terms(text: str) -> list[str]:
    """The terms of ``text`` in order, with repetitions."""
    terms: list[str] = []
    known = _memo.get
    for token in tokens_of(text):
        found = known(token)
        terms.extend(_remember(token) if found is None else found)
    return terms


def term_frequencies(text: str) -> dict[str, int]:
    """Term -> number of occurrences in ``text``; the same as counting ``index_terms(text)``, several times faster."""
    counts: dict[str, int] = {}
    known = _memo.get
    have = counts.get
    for token, times in Counter(tokens_of(text)).items():
        found = known(token)
        for term in _remember(token) if found is None else found:
            counts[term] = have(term, 0) + times
    return counts


def query_terms(text: str) -> dict[str, float]:
    """The terms of a question with their weights (about 1 for a content word), at most ``MAX_QUERY_TERMS``.

    Question words are dropped and code-question boilerplate is kept at ``BOILERPLATE_WEIGHT``, unless the question
    quotes them in backticks or holds nothing else. Adjacent words are tried as one compound at ``JOIN_WEIGHT``
    (``url for`` finds ``url_for``). Heaviest first, then in the order of the question.
    """
    if len(text) > MAX_QUERY_CHARS:
        half = MAX_QUERY_CHARS // 2
        text = f"{text[:half]} {text[-half:]}"
    return dict(_ranked_terms(text))


@lru_cache(maxsize=32)  # several stages ask for the same question
def _ranked_terms(text: str) -> tuple[tuple[str, float], ...]:
    weights = _weigh(text, keep_all=False) or _weigh(text, keep_all=True)
    ranked = sorted(weights.items(), key=lambda item: -item[1])  # stable: ties stay in the order of the question
    return tuple(ranked[:MAX_QUERY_TERMS])


def _weigh(text: str, *, keep_all: bool) -> dict[str, float]:
    best: dict[str, float] = {}
    seen: Counter[str] = Counter()
    for is_code, segment in _segments(_normal(text)):
        previous, previous_end = "", -1
        for match in _TOKEN.finditer(segment):
            token = match.group()
            for term, weight in _token_weights(token, is_code or keep_all):
                best[term] = max(best.get(term, 0.0), weight)
                seen[term] += 1
            plain = token.lower() if token.isalpha() or token.isdigit() else ""
            if plain and previous and segment[previous_end : match.start()] in (" ", "-", "/"):
                for joined in _joins(previous, plain):
                    best.setdefault(joined, JOIN_WEIGHT)
            previous, previous_end = plain, match.end()
    return {term: weight * (1.0 + REPEAT_BONUS * min(max(seen[term] - 1, 0), 2)) for term, weight in best.items()}


def _segments(text: str) -> list[tuple[bool, str]]:
    """(is quoted in backticks, piece) in order. A last backtick without a partner quotes nothing."""
    pieces = text.split("`")
    last = len(pieces) - 1
    return [(i % 2 == 1 and i < last, piece) for i, piece in enumerate(pieces)]


def _token_weights(token: str, is_code: bool) -> list[tuple[str, float]]:
    terms = terms_of(token)
    if len(terms) == 1:
        lowered = token.lower()
        if not is_code and lowered in QUESTION_WORDS:
            return []
        weight = BOILERPLATE_WEIGHT if not is_code and lowered in BOILERPLATE else WHOLE_WEIGHT
        # "bigquery" is stemmed as a word, "BigQuery" in the code is not, being a compound: both forms are asked for.
        as_written = lowered != terms[0] and token.isascii() and token.isalpha()
        return [(terms[0], weight), (lowered, weight)] if as_written else [(terms[0], weight)]
    words = [piece for piece in token.split(".") if piece]
    wholes = {_whole(piece) for piece in words} | {stem(_whole(piece)) for piece in words if len(_parts(piece)) <= 1}
    weights = [(term, WHOLE_WEIGHT if term in wholes or not term.isalnum() else PART_WEIGHT) for term in terms]
    # And the other way round: "BigQuery" in a question, "bigquery" in the code, stemmed there.
    return weights + [
        (other, WHOLE_WEIGHT) for term in sorted(wholes) if term.isascii() and (other := stem(term)) not in terms
    ]


def _joins(left: str, right: str) -> tuple[str, ...]:
    """Compounds that two adjacent words may be written as; none when both are question words."""
    if (left in QUESTION_WORDS and right in QUESTION_WORDS) or len(left) + len(right) > _MAX_WORD:
        return ()
    joined = left + right
    single = left + singular(right)
    return (joined,) if single == joined else (joined, single)


def terms_of(token: str) -> tuple[str, ...]:
    """The terms of one token (a match of the token pattern), memoised."""
    found = _memo.get(token)
    return _remember(token) if found is None else found


def _remember(token: str) -> tuple[str, ...]:
    terms = _dotted(token) if "." in token else _word(token)
    if len(token) <= _MAX_WORD:
        if len(_memo) >= _MEMO_SIZE:
            _memo.clear()
        _memo[token] = terms
    return terms


def _dotted(token: str) -> tuple[str, ...]:
    words = token.split(".")
    terms = [term for word in words for term in terms_of(word)]
    if len(words) <= _MAX_DOTTED_PARTS:
        names = [_whole(word) for word in words]
        terms += [
            f"{left}.{right}"
            for left, right in pairwise(names)
            if left not in _SELF and left and right and not (left[0].isdigit() or right[0].isdigit())
        ]
    return tuple(terms)


def _word(word: str) -> tuple[str, ...]:
    if len(word) > _MAX_WORD and ("_" not in word or len(word) > _MAX_NAME):
        return _cjk_pairs(word[:_MAX_NAME]) if not word.isascii() else ()
    if not word.isascii() and _CJK.search(word):
        return _cjk_pairs(word)
    parts = _parts(word)
    if len(parts) == 1 and not word.startswith("__"):
        return (stem(parts[0]),)
    whole = _whole(word)
    terms = [whole] if whole and len(whole) <= _MAX_WORD else []
    # A lone digit or letter of a compound (``x1``, ``IPv4``) says nothing apart from the whole.
    terms += [stem(part) for part in parts if len(part) > 1 and part != whole]
    if word.startswith("__") and word.endswith("__") and whole:
        terms = [stem(whole), *terms[1:]] if len(parts) == 1 else terms
        terms.append(word.lower())
    return tuple(terms)


def _whole(word: str) -> str:
    return _fold(word.replace("_", ""))


def _parts(word: str) -> list[str]:
    if word.isascii():
        if "_" not in word and (word.islower() or len(word) > _MAX_WORD) and word.isalpha():
            return [word.lower()]
        parts = [part.lower() for part in _ASCII_PART.findall(word)]
    else:
        parts = [_fold(part) for piece in word.split("_") if piece for part in _unicode_parts(piece)]
    # Hexadecimal noise (hashes, colours, UUIDs) falls into many tiny pieces: only its whole form is worth keeping.
    if len(parts) > 2 and sum([part.isdigit() for part in parts]) > 2:
        return [_whole(word)]
    return parts


def _unicode_parts(piece: str) -> list[str]:
    """Case and digit boundaries of a non-ASCII word, by the same rules as ``_ASCII_PART`` without its plural rule."""
    parts: list[str] = []
    start = 0
    for i in range(1, len(piece)):
        before, here = piece[i - 1], piece[i]
        digit_edge = before.isdigit() != here.isdigit()
        rise = here.isupper() and not before.isupper()
        acronym_end = before.isupper() and here.isupper() and i + 1 < len(piece) and piece[i + 1].islower()
        if digit_edge or rise or acronym_end:
            parts.append(piece[start:i])
            start = i
    parts.append(piece[start:])
    return parts


def _cjk_pairs(word: str) -> tuple[str, ...]:
    """Character pairs of the runs that are written without spaces, and the words between them."""
    terms: list[str] = []
    position = 0
    for match in _CJK.finditer(word):
        terms += _word(word[position : match.start()]) if match.start() > position else ()
        run = match.group()[:_MAX_CJK_RUN]
        terms += [run[i : i + 2] for i in range(len(run) - 1)] or [run]
        position = match.end()
    rest = word[position:]
    if rest and position:
        terms += _word(rest)
    return tuple(terms)


def _fold(word: str) -> str:
    return word.lower() if word.isascii() else unicodedata.normalize("NFKC", word.casefold())


def _normal(text: str) -> str:
    return text if text.isascii() else unicodedata.normalize("NFKC", text)
