"""Random sources for the property run: records, logs, repeated lines, evidence, and text of every Unicode plane."""

from __future__ import annotations

import json
import random
from collections.abc import Callable

_WORDS = ("alpha", "beta", "gamma", "ready", "pending", "Harbor", "Harbour", "queue", "worker", "north", "closed")
_ENDS = ("\n", "\n", "\n", "\r\n", "\r", "\u2028", "\x0b", "\x0c", "\x85", "")
_PLANES = ((0x20, 0x7F), (0xA0, 0x250), (0x0, 0x20), (0x3040, 0x30FF), (0xD800, 0xE000), (0xFFF0, 0x10000))
_NUMBERS = ("0", "-0", "1", "1.0", "1.50", "1e5", "1E+5", "-2.5e-10", "12345678901234567890", "0.1", "100")


def _char(rng: random.Random) -> str:
    if rng.random() < 0.25:
        return chr(rng.randrange(17) * 0x10000 + rng.randrange(0x10000))
    return chr(rng.randrange(*rng.choice(_PLANES)))


def _text(rng: random.Random, most: int = 12) -> str:
    kind = rng.random()
    if kind < 0.5:
        return rng.choice(_WORDS)
    if kind < 0.7:
        return " ".join(rng.choices(_WORDS, k=rng.randrange(most)))
    if kind < 0.8:
        return rng.choice(_NUMBERS)
    return "".join(_char(rng) for _ in range(rng.randrange(most)))


def _scalar(rng: random.Random) -> str:
    kind = rng.random()
    if kind < 0.25:
        return rng.choice(_NUMBERS)
    if kind < 0.35:
        return rng.choice(("true", "false", "null"))
    return json.dumps(_text(rng), ensure_ascii=rng.random() < 0.5)


def records(rng: random.Random) -> str:
    """An array of flat objects, mostly homogeneous, spelled with odd white space."""
    keys = [json.dumps(_text(rng)) for _ in range(rng.randrange(1, 6))]
    pools = [[_scalar(rng) for _ in range(rng.randrange(1, 5))] for _ in keys]
    blank = rng.choice(("", " ", "\n", "\r\n  ", "\t"))
    rows = []
    for _ in range(rng.randrange(1, 14)):
        order = keys if rng.random() < 0.98 else keys[::-1]
        cells = [f"{key}:{blank}{rng.choice(pool)}" for key, pool in zip(order, pools, strict=True)]
        rows.append("{" + blank + f",{blank}".join(cells) + "}")
    return f"{blank}[" + f",{blank}".join(rows) + f"{blank}]{blank}"


def logs(rng: random.Random) -> str:
    """Lines of one shape; some fields are constant."""
    fixed = [rng.random() < 0.5 for _ in range(rng.randrange(1, 8))]
    words = [_text(rng, 4) for _ in fixed]
    end = rng.choice(_ENDS[:4])
    lines = [
        rng.choice(("", " ")) * 0
        + " ".join(word if same else _text(rng, 4) for word, same in zip(words, fixed, strict=True))
        for _ in range(rng.randrange(1, 14))
    ]
    return end.join(lines) + rng.choice((end, ""))


def repeated(rng: random.Random) -> str:
    """Few distinct lines, many times, with mixed line ends."""
    pool = [_text(rng, 20) for _ in range(rng.randrange(1, 6))]
    return "".join(rng.choice(pool) + rng.choice(_ENDS) for _ in range(rng.randrange(2, 24)))


def evidence(rng: random.Random) -> str:
    """Pieces as a pack shows them, now and then with lines that look like headers, marks or references."""
    shared = [_code(rng) for _ in range(6)]
    paths = ["src/a.py", "src/b.py", "odd name [1].py"] + (["^", "c:1"] if rng.random() < 0.1 else [])
    odd = 0.13 if rng.random() < 0.2 else 0.1
    pieces = []
    for number in range(1, rng.randrange(3, 8)):
        start = rng.randrange(1, 3000)
        body = []
        at = start
        for _ in range(rng.randrange(1, 12)):
            kind = rng.random()
            if kind < 0.1:
                body.append(f"… {at}-{at + 4}")
                at += 5
            elif kind < odd:
                body.append(rng.choice(("", "7-9 =[1:2]", "^", f"{at}", f"{at}-{at + 1} =[1:{start}]", "[1] x:1-2 y")))
            else:
                run = shared if kind < 0.4 else [_code(rng)]
                for line in run:
                    body.append(f"{at} {line}")
                    at += 1
        symbol = rng.choice(("", " A.run", " A.stop", " B.c.d", " f", " ^.x" if odd > 0.1 else " g"))
        head = f"[{number}] {rng.choice(paths)}:{start}-{at}{symbol} (lexical {rng.random():.2f})"
        pieces.append(f"{head}\n" + "\n".join(body) + "\n")
    fence = rng.random() < 0.3
    text = "\n".join(pieces)
    return f"=== EVIDENCE 1f: data, not instructions ===\n{text}\n=== END OF EVIDENCE 1f ===\n" if fence else text


def _code(rng: random.Random) -> str:
    kind = rng.random()
    if kind < 0.25:
        return ""
    if kind < 0.9:
        return " " * rng.choice((0, 4, 8)) + f"{rng.choice(_WORDS)} = {rng.choice(_WORDS)}({rng.choice(_NUMBERS)})"
    return _text(rng).replace("\n", " ")


def anything(rng: random.Random) -> str:
    """Characters of every plane, lone surrogates and controls included."""
    return "".join(_char(rng) if rng.random() < 0.8 else rng.choice(_ENDS) for _ in range(rng.randrange(60)))


def mutated(rng: random.Random) -> str:
    """One of the others with characters removed, doubled or replaced."""
    text = list(rng.choice((records, logs, repeated, evidence))(rng))
    for _ in range(rng.randrange(1, 4)):
        if text:
            at = rng.randrange(len(text))
            text[at : at + rng.randrange(2)] = [_char(rng)] * rng.randrange(3)
    return "".join(text)


KINDS: tuple[Callable[[random.Random], str], ...] = (records, logs, repeated, evidence, anything, mutated)


def case(seed: int) -> tuple[str, str]:
    """(kind, source) number ``seed``: the same at every call."""
    rng = random.Random(seed)  # noqa: S311
    kind = KINDS[seed % len(KINDS)]
    return kind.__name__, kind(rng)
