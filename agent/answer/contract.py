"""The answer contract: every sentence of fact cites lines that the pack shows and that carry what it names.

A sentence is *evidence* unless it says that it infers (hedges, an ``Inference:`` label, a heading of that name) or
that the evidence falls short. Inference needs no citation, but may name nothing that the pack does not contain.
A sentence that ends with a colon and introduces a list rests on its items' citations when it has none of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agent.answer.citations import Ref, blank_citations, find_refs
from agent.answer.evidence import Evidence, carries, carries_quote, fold
from agent.answer.identifiers import named_in
from agent.answer.records import (
    ABSTENTION,
    EVIDENCE,
    INFERENCE,
    UNCITED_MARK,
    UNSUPPORTED_MARK,
    CheckedAnswer,
    Citation,
    Statement,
)
from agent.answer.sentences import CODE, GAP, HEADING, SENTENCE, Piece, opaque_spans, split
from retrieval.pack_records import ContextPack

_HEDGE = re.compile(
    r"\b(?:probably|presumably|perhaps|possibly|(?<!\()likely|suggests?|suggesting|seems?|seemingly|appears? to|"
    r"apparently|might|implies|implying|i infer|we infer|one can infer|inferred|i assume|i think|my reading)\b",
    re.IGNORECASE,
)
_INFERENCE_LABEL = re.compile(
    r"[*_`#\s]*inference[s]?\b[*_`]*\s*[:(.\-–—]|[*_`#\s]*inference[s]?[*_`\s]*$", re.IGNORECASE
)
_LABEL_ONLY = re.compile(r"[*_`#\s]*[A-Za-z]+(?: [a-z]+){0,3}[*_`]*:[*_`\s]*$")
_EVIDENCE_NOUN = r"(?:evidence|excerpts?|context|pack|lines shown|code shown|provided \w{1,40})"
_LACKS = r"(?:does not|doesn['’]t|do not|don['’]t|is not enough|(?:is|are) insufficient|is too thin|lacks?)"
_ABSTAINS = re.compile(
    rf"\b(?:{_EVIDENCE_NOUN}(?: \w{{1,40}}){{0,3}} {_LACKS}|"
    r"not (?:(?:shown|present|found|contained|mentioned|covered|stated|part) )?(?:(?:in|by|of) )?(?:the )?"
    r"(?:(?:provided|given|shown|cited) )?(?:evidence|excerpts|context)|"
    r"(?:insufficient|not enough|no) evidence|"
    r"(?:cannot|can['’]t) (?:be )?(?:determined?|answer|answered|tell|say|confirm)|"
    r"i (?:do not|don['’]t) know|unable to (?:answer|determine|find)|"
    r"nothing (?:in the (?:evidence|index|indexed tree)|indexed)|i abstain)\b",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"“([^“”]{1,2000})”|\"([^\"]{1,2000})\"")
_MIN_QUOTED_WORDS = 4  # fewer words between straight quotes are emphasis, not a quotation
_MAX_EVIDENCE_NAMED = 6  # how many missing names a reason lists


@dataclass(slots=True)
class _Judged:
    """A piece with its verdict; ``statement`` is None for what states nothing."""

    piece: Piece
    statement: Statement | None
    mark: str = ""


def check(answer_text: str, pack: ContextPack) -> CheckedAnswer:
    """Hold ``answer_text`` against ``pack``.

    Returns:
        The statements with their verdicts, the citations that resolve (each once, in order of appearance), and the
        text with ``[unsupported]`` or ``[uncited]`` behind each sentence that fails.
    """
    evidence = {chunk.number: Evidence(chunk) for chunk in pack.chunks}
    register = _Citations(evidence)
    pieces = split(answer_text)
    borrowed = _borrowed_refs(pieces)
    judged: list[_Judged] = []
    inferring = False
    for index, piece in enumerate(pieces):
        if piece.kind == HEADING or (
            piece.kind == SENTENCE and _LABEL_ONLY.match(piece.text) and not find_refs(piece.text)
        ):
            inferring = bool(_INFERENCE_LABEL.match(piece.text))
            judged.append(_Judged(piece, None))
        elif piece.kind == GAP:
            judged.append(_Judged(piece, None))
        elif piece.kind == CODE:
            judged.append(_judge_code(piece, evidence, inferring))
        else:
            judged.append(_judge_sentence(piece.text, piece, evidence, register, inferring, borrowed.get(index, ())))
    statements = tuple(each.statement for each in judged if each.statement is not None)
    return CheckedAnswer(
        text=answer_text,
        marked="".join(_marked(each) for each in judged),
        statements=statements,
        citations=register.all(),
        abstained=_abstained(statements),
    )


class _Citations:
    """Numbers the places that the answer cites, each once."""

    def __init__(self, evidence: dict[int, Evidence]) -> None:
        self._evidence = evidence
        self._index: dict[tuple[int, int, int], int] = {}
        self._citations: list[Citation] = []

    def add(self, ref: Ref) -> int | str:
        """Index of the citation, or why there is none."""
        piece = self._evidence.get(ref.number)
        if piece is None:
            return f"[{ref.text}] names no evidence"
        chunk = piece.chunk
        first, last = (ref.first, ref.last) if ref.first else (chunk.start_line, chunk.end_line)
        if ref.first and (last < first or not piece.shows(first, last)):
            return f"[{ref.text}] names lines that evidence {ref.number} does not show"
        key = (ref.number, first, last)
        if key not in self._index:
            self._index[key] = len(self._citations)
            origin = "index" if "cited-by-answer" in chunk.actions else "pack"
            text = piece.text_of(first, last)
            self._citations.append(Citation(ref.number, chunk.path, first, last, chunk.symbol, text, origin))
        return self._index[key]

    def all(self) -> tuple[Citation, ...]:
        return tuple(self._citations)


def _judge_sentence(
    text: str,
    piece: Piece,
    evidence: dict[int, Evidence],
    register: _Citations,
    inferring: bool,
    borrowed: Sequence[Ref],
) -> _Judged:
    prose, code_free = _mask(text)
    refs = find_refs(code_free)
    kind = _kind(prose, inferring)
    if not refs and kind == EVIDENCE and _states_nothing(prose):
        return _Judged(piece, None)
    if refs and not any(char.isalnum() for char in blank_citations(text)):
        return _Judged(piece, Statement(text, (), EVIDENCE, False, "cites and states nothing"), UNSUPPORTED_MARK)
    own = bool(refs)
    resolved: list[int] = []
    faults: list[str] = []
    cited: dict[int, Evidence] = {}
    for ref in refs or borrowed:
        outcome = register.add(ref)
        if isinstance(outcome, str):
            faults.append(outcome)
        else:
            if own and outcome not in resolved:
                resolved.append(outcome)
            cited[ref.number] = evidence[ref.number]
    if not own and borrowed:
        faults = []  # the items carry their own faults
    if kind == EVIDENCE and not cited and not faults:
        why = "states a fact and cites nothing"
        return _Judged(piece, Statement(text, (), EVIDENCE, False, why), UNCITED_MARK)
    if kind != ABSTENTION:
        grounds = tuple(cited.values()) if cited and kind == EVIDENCE else tuple(evidence.values())
        faults.extend(_unfounded(text, code_free, grounds, bool(cited) and kind == EVIDENCE))
    why = "; ".join(dict.fromkeys(faults))
    return _Judged(piece, Statement(text, tuple(resolved), kind, not faults, why), UNSUPPORTED_MARK if faults else "")


def _unfounded(text: str, code_free: str, grounds: Sequence[Evidence], cited: bool) -> Iterator[str]:
    """Reasons why the evidence does not carry what the sentence names or quotes."""
    where = "the cited evidence" if cited else "the evidence"
    for match in _QUOTED.finditer(code_free):
        curly = match.group(1) is not None
        quote = text[match.start() + 1 : match.end() - 1]
        if (curly or len(quote.split()) >= _MIN_QUOTED_WORDS) and not carries_quote(grounds, quote):
            yield f"“{fold(quote)[:60]}” is not in {where}"
    unquoted = _QUOTED.sub(lambda match: " " * len(match.group()), blank_citations(code_free))
    spelled = _restore_code(text, unquoted, code_free)
    absent = [named.text for named in named_in(spelled) if not carries(grounds, named)]
    if absent:
        shown = ", ".join(f"`{name[:80]}`" for name in absent[:_MAX_EVIDENCE_NAMED])
        yield f"{shown} {'is' if len(absent) == 1 else 'are'} not in {where}"


def _mask(text: str) -> tuple[str, str]:
    """(prose without inline code, quotes and citations; text with inline code blanked), both as long as ``text``."""
    code_free = list(text)
    prose = list(text)
    for start, end in opaque_spans(text):
        prose[start:end] = " " * (end - start)
        if text[start] == "`":
            code_free[start:end] = " " * (end - start)
    return blank_citations("".join(prose)), "".join(code_free)


def _restore_code(text: str, unquoted: str, code_free: str) -> str:
    """``unquoted`` with the inline code that lies outside quotes put back."""
    restored = list(unquoted)
    quotes = [match.span() for match in _QUOTED.finditer(code_free)]
    at = 0
    for start, end in opaque_spans(text):
        while at < len(quotes) and quotes[at][1] <= start:
            at += 1
        if text[start] == "`" and not (at < len(quotes) and quotes[at][0] < start):
            restored[start:end] = text[start:end]
    return "".join(restored)


def _kind(prose: str, inferring: bool) -> str:
    if _ABSTAINS.search(prose):
        return ABSTENTION
    if inferring or _INFERENCE_LABEL.match(prose) or _HEDGE.search(prose):
        return INFERENCE
    return EVIDENCE


def _states_nothing(prose: str) -> bool:
    """A question, or no words at all."""
    stripped = prose.strip().rstrip('*_"”)')
    return stripped.endswith("?") or not any(char.isalpha() for char in prose)


def _judge_code(piece: Piece, evidence: dict[int, Evidence], inferring: bool) -> _Judged:
    """A code block is a quotation: each line of it must stand in the evidence (white space folded)."""
    body = piece.text.split("\n")[1:]
    wanted = [fold(_without_number(line)) for line in body if not line.lstrip().startswith(("```", "~~~"))]
    wanted = [line for line in wanted if any(char.isalnum() for char in line)]
    if not wanted:
        return _Judged(piece, None)
    shown = {fold(line) for each in evidence.values() for line in each.chunk.source.split("\n")}
    absent = [line for line in wanted if line not in shown]
    kind = INFERENCE if inferring else EVIDENCE
    if not absent:
        return _Judged(piece, Statement(piece.text.strip(), (), kind, True, "quoted from the evidence"))
    why = f"{len(absent)} of {len(wanted)} code lines are not in the evidence"
    return _Judged(piece, Statement(piece.text.strip(), (), kind, False, why), UNSUPPORTED_MARK)


_LINE_NUMBER = re.compile(r"\s{0,8}\d{1,7}[ \t|:]+(?=\S)")


def _without_number(line: str) -> str:
    match = _LINE_NUMBER.match(line)
    return line[match.end() :] if match else line


def _borrowed_refs(pieces: Sequence[Piece]) -> dict[int, tuple[Ref, ...]]:
    """For each sentence that ends with a colon: the references of the list items or code that follow it."""
    borrowed: dict[int, tuple[Ref, ...]] = {}
    for index, piece in enumerate(pieces):
        if piece.kind != SENTENCE or not piece.text.rstrip("*_ ").endswith(":"):
            continue
        refs: list[Ref] = []
        for at in range(index + 1, len(pieces)):  # stops soon: no slice, whose copy would make this quadratic
            later = pieces[at]
            if later.kind == HEADING or (later.kind == SENTENCE and not later.item):
                break
            if later.kind == SENTENCE:
                if later.text.rstrip("*_ ").endswith(":") and piece.item:
                    break
                refs.extend(find_refs(_mask(later.text)[1]))
        if refs:
            borrowed[index] = tuple(dict.fromkeys(refs))
    return borrowed


def _marked(judged: _Judged) -> str:
    if not judged.mark:
        return judged.piece.text
    text = judged.piece.text
    if judged.piece.kind == CODE:
        return text + ("" if text.endswith("\n") else "\n") + judged.mark + "\n"
    core = text.rstrip()
    return f"{core} {judged.mark}{text[len(core) :]}"


def _abstained(statements: Sequence[Statement]) -> bool:
    """It says that the evidence falls short, and no supported sentence of fact stands beside that."""
    holds = any(each.kind == EVIDENCE and each.supported for each in statements)
    return not holds and any(each.kind == ABSTENTION for each in statements)
