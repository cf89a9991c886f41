"""Random requests through the whole stage: none enlarged, nothing protected changed, every source exactly recovered."""

from __future__ import annotations

import copy
import random
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from harness.ir.bench import TOKENIZERS
from harness.ir.cases import case
from harness.ir.reader import read
from retrieval.context_ir.compiler import compile_request
from retrieval.context_ir.inspection import expand_ir
from retrieval.context_ir.measure import tiktoken_tokenizer
from retrieval.context_ir.request import canonical_json
from retrieval.context_ir.settings import IrSettings
from retrieval.context_ir.tools import GET_TOOL
from retrieval.context_ir.vault import Vault
from retrieval.tokens.vocabulary import encoding

_ROLES = ("user", "assistant", "assistant", "user", "system", "tool", "developer")


@dataclass
class RequestTally:
    """Requests by what became of them, messages re-encoded, tokens saved, and what went wrong (at most 20)."""

    requests: Counter[str] = field(default_factory=Counter)
    messages: int = 0
    saved_tokens: int = 0
    problems: list[str] = field(default_factory=list)


def random_request(seed: int) -> dict[str, Any]:
    """A conversation of generated sources in random roles, some structured, before a plain question."""
    rng = random.Random(seed)  # noqa: S311
    messages: list[dict[str, Any]] = []
    for _ in range(rng.randrange(1, 6)):
        text = case(rng.randrange(10**9))[1] * rng.choice((1, 1, 2, 4))
        content: Any = text if rng.random() < 0.95 else [{"type": "text", "text": text}]
        messages.append({"role": rng.choice(_ROLES), "content": content})
    messages.append({"role": "user", "content": case(rng.randrange(10**9))[1]})
    return {"model": "", "messages": messages, "tools": [GET_TOOL], "temperature": 0}


def check_request(request: dict[str, Any], encoding_name: str, vault_path: Path, tally: RequestTally) -> None:
    """Compile ``request`` (its model is set here) and hold every promise against the result.

    Tokens are counted here in one piece, not as the stage counts them.
    """
    request = {**request, "model": TOKENIZERS[encoding_name]}
    before = copy.deepcopy(request)
    opener = partial(Vault, vault_path)
    counter = tiktoken_tokenizer(encoding_name, request["model"])
    settings = IrSettings(enabled=True, min_chars=1)
    out = compile_request(request, settings=settings, tokenizer=counter, vault=opener)
    encode = encoding(encoding_name).encode_ordinary
    raw, final = (len(encode(canonical_json(each))) for each in (request, out.request))
    found: list[str] = []
    if request != before:
        found.append("the request was modified in place")
    if out.metrics.status == "untouched" and out.request is not request:
        found.append("an untouched request is another object")
    if out.metrics.reason in ("internal", "vault-failed", "tokenizer-failed"):
        found.append(f"the stage failed: {out.metrics.reason}")
    if out.metrics.status == "applied":
        if not (final < raw and len(canonical_json(out.request)) < len(canonical_json(request))):
            found.append(f"not smaller: {raw} -> {final}")
        if (out.metrics.raw_tokens, out.metrics.final_tokens) != (raw, final):
            found.append("the metrics tell other counts")
        found += _changes(request, out.request, opener)
    if {**out.request, "messages": 0} != {**request, "messages": 0}:
        found.append("fields beside the messages changed")
    tally.requests[out.metrics.status] += 1
    tally.messages += len(out.shown)
    tally.saved_tokens += raw - final
    tally.problems += found[: 20 - len(tally.problems)]


def _changes(old_request: Any, new_request: Any, opener: partial[Vault]) -> list[str]:
    found: list[str] = []
    pairs = list(zip(old_request["messages"], new_request["messages"], strict=True))
    with opener() as vault:
        for at, (old, new) in enumerate(pairs):
            if new == old:
                continue
            plain = old["role"] in ("user", "assistant") and isinstance(old["content"], str) and at < len(pairs) - 1
            if not plain or {**new, "content": 0} != {**old, "content": 0}:
                found.append(f"a protected message changed: {old['role']}")
                continue
            if expand_ir(new["content"], vault, limit=10**6).text != old["content"]:
                found.append("a source was not recovered exactly")
            seen, source = read(new["content"]), read(old["content"])
            if seen.records != source.records if source.records else seen.text != old["content"]:
                found.append("what is seen differs from the source")
    return found


def check_requests(seeds: Iterable[int], folder: Path) -> RequestTally:
    """Random requests with both tokenizers in turn."""
    tally = RequestTally()
    names = sorted(TOKENIZERS)
    for seed in seeds:
        check_request(random_request(seed), names[seed % len(names)], folder / "requests.sqlite", tally)
    return tally
