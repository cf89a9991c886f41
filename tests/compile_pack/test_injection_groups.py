"""The words that are looked for before a pattern runs never keep it from a match."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from retrieval.compile.rot_injection import _PATTERNS, patterns_for, suspicious_phrases

_PIECES = st.sampled_from(
    ["ignore", "Disregard", "FORGET", "all", "everything", "previous", "the", "your", "instructions", "above", "before", "you",
     "are", "now", "a", "an", "AI", "assistant", "from", "on,", "will", "do not", "tell", "reveal this to", "user", "new",
     "system", "instructions:", "print", "prompt", "dear", "note to", "language model", "agent", "as", "if", "<tool_call x>",
     "</invoke>", "<|im_start|>", "[INST]", "<<SYS>>", "\t", "\n", "ſyſtem", "ıf"]
)  # fmt: skip


@given(st.lists(_PIECES, max_size=14).map(" ".join))
def test_every_match_is_found(text: str) -> None:
    matches = sorted((m.start(), m.group()[:60]) for _, pattern in _PATTERNS for m in pattern.finditer(text))[:20]
    assert [phrase for _, phrase in suspicious_phrases(text)] == [phrase for _, phrase in matches]
    for line in text.split("\n"):
        assert suspicious_phrases(line, patterns_for(text)) == suspicious_phrases(line)
