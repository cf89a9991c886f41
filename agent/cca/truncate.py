"""F7: a context that is too long keeps 70 % of the budget from its head and 30 % from its tail, exact in tokens.

Rules tend to stand at the front and the latest request at the end (the paper's appendix A.6).
"""

from __future__ import annotations

from dataclasses import dataclass

from retrieval.tokens.vocabulary import DEFAULT_ENCODING, encoding

HEAD_SHARE = 0.7
_MARK = "\n\n[… {cut} tokens of the context are left out here …]\n\n"


@dataclass(frozen=True, slots=True)
class Truncated:
    """``text`` has at most the budget's tokens; ``cut`` tokens were left out (0: nothing was)."""

    text: str
    tokens: int
    cut: int


def truncate(text: str, budget: int, encoding_name: str = DEFAULT_ENCODING) -> Truncated:
    """``text`` within ``budget`` tokens of an encoding.

    A cut never falls inside a character. A budget too small for the mark keeps the head alone.
    """
    codec = encoding(encoding_name)
    tokens = codec.encode_ordinary(text)
    if len(tokens) <= budget:
        return Truncated(text, len(tokens), 0)
    if budget <= 0:
        return Truncated("", 0, len(tokens))
    mark_tokens = len(codec.encode_ordinary(_MARK.format(cut=len(tokens))))
    room = budget - mark_tokens
    slack = 0
    while room - slack > 1:
        head = round((room - slack) * HEAD_SHARE)
        tail = room - slack - head
        cut = len(tokens) - head - tail
        shown = _text(codec, tokens[:head]) + _MARK.format(cut=cut) + (_text(codec, tokens[-tail:]) if tail else "")
        count = len(codec.encode_ordinary(shown))
        if count <= budget:
            return Truncated(shown, count, cut)
        slack += count - budget  # the borders may merge into other tokens
    shown = _text(codec, tokens[:budget])
    while len(codec.encode_ordinary(shown)) > budget:
        shown = shown[:-1]
    return Truncated(shown, len(codec.encode_ordinary(shown)), len(tokens) - budget)


def _text(codec: object, tokens: list[int]) -> str:
    data: bytes = codec.decode_bytes(tokens)  # type: ignore[attr-defined]
    return data.decode("utf-8", "ignore")  # the halves of a character that was cut go
