"""Bags of pieces and bigrams against a plain count, and what position and word order do to a vector."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retrieval.embed.bags import SEGMENTS, ZONES, bags, segments_of
from retrieval.embed.static import StaticEmbedder

_PIECES = 7
_EDGES = (4, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384)
_SEGMENT = st.lists(st.integers(0, _PIECES - 1), max_size=12)
_BODY = st.lists(st.integers(0, _PIECES - 1), max_size=500)
_TEXTS = st.lists(st.tuples(_SEGMENT, _SEGMENT, _SEGMENT, _BODY), min_size=1, max_size=5)


def plain(text: tuple[list[int], ...], bigrams: list[int]) -> dict[int, tuple[int, int]]:
    """Row -> (count, first zone) of one text, one piece at a time."""
    counts: Counter[int] = Counter()
    zones: dict[int, int] = {}
    for number, segment in enumerate(text):
        for at, piece in enumerate(segment):
            zone = number if number < SEGMENTS - 1 else SEGMENTS - 1 + sum(at >= edge for edge in _EDGES)
            rows = [piece]
            if at + 1 < len(segment) and piece * _PIECES + segment[at + 1] in bigrams:
                rows.append(_PIECES + bigrams.index(piece * _PIECES + segment[at + 1]))
            for row in rows:
                counts[row] += 1
                zones[row] = min(zone, zones.get(row, ZONES))
    return {row: (counts[row], zones[row]) for row in counts}


@settings(max_examples=150, deadline=None)
@given(_TEXTS, st.sets(st.integers(0, _PIECES**2 - 1), max_size=20))
def test_bags_are_what_counting_by_hand_gives(texts: list[tuple[list[int], ...]], known: set[int]) -> None:
    bigrams = sorted(known)
    ids = np.array([piece for text in texts for segment in text for piece in segment], dtype=np.int64)
    sizes = np.array([[len(segment) for segment in text] for text in texts], dtype=np.int64)
    found = bags(ids, sizes, np.array(bigrams, dtype=np.int64), _PIECES)
    by_text: list[dict[int, tuple[int, int]]] = [{} for _ in texts]
    for row, count, zone, owner in zip(found.rows, found.counts, found.zones, found.owners, strict=True):
        by_text[owner][int(row)] = (int(count), int(zone))
    assert by_text == [plain(text, bigrams) for text in texts]
    assert (np.diff(found.owners) >= 0).all()


@pytest.mark.parametrize(
    ("text", "segments"),
    [
        ("", ["", "", "", ""]),
        ("a.py", ["a.py", "", "", ""]),
        ("a.py\nf\nclass C:\n", ["a.py", "f", "class C:", ""]),
        ("a.py\nf\n\ndef f():\n    pass", ["a.py", "f", "", "def f():\n    pass"]),
        ("\r\n\x0c\n\n\u2028x", ["\r", "\x0c", "", "\u2028x"]),
    ],
)
def test_only_a_newline_ends_a_segment(text: str, segments: list[str]) -> None:
    assert segments_of(text) == segments


def indexed(symbol: str, body: str) -> str:
    return f"pkg/module.py\n{symbol}\n\n{body}"


def test_a_name_counts_more_than_a_mention_far_down() -> None:
    embedder = StaticEmbedder()
    body = "def run(self):\n" + "    total = add(total, other)\n" * 60
    question = embedder.embed_query("serialize the payload")
    named, mentioned = embedder.embed_documents(
        [indexed("serialize_payload", body), indexed("", body + "    serialize_payload\n")]
    )
    assert named @ question > mentioned @ question + 0.02


def test_the_order_of_words_counts() -> None:
    """A bag of words alone could not tell these apart."""
    embedder = StaticEmbedder()
    one, other = (embedder.embed_query(text) for text in ("the file name", "the name file"))
    assert one @ other < 0.999
    assert one @ other > 0.6


def test_a_question_has_no_head_lines() -> None:
    embedder = StaticEmbedder()
    assert embedder.embed_query("close\nthe\nfile").tobytes() == embedder.embed_query("close the file").tobytes()
