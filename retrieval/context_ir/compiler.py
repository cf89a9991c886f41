"""The stage: score, encode, search, publish, and send the smaller request, or else the one that came in.

``compile_request`` never raises and never enlarges. Whatever fails, the untouched request is what goes out.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace

from retrieval.context_ir.attention import Attention, ScoreBatch, Scorer, bind
from retrieval.context_ir.defs import is_all_evidence
from retrieval.context_ir.formats import RECEIPT, Representation, candidates, records_of
from retrieval.context_ir.measure import Size, Tokenizer
from retrieval.context_ir.metrics import IrMetrics
from retrieval.context_ir.protect import prose_veto, records_veto
from retrieval.context_ir.request import (
    Eligible,
    Request,
    eligible,
    message_list,
    recovery_problem,
    with_contents,
)
from retrieval.context_ir.settings import IrSettings
from retrieval.context_ir.vault import Exposure, Vault, expected_id
from retrieval.errors import UserError

_TABLES = ("table", "table-dict")
_LINES = ("template", "spans")


@dataclass(frozen=True, slots=True)
class IrOutcome:
    """``request`` is what to send: the untouched one itself unless ``metrics.status`` is ``applied``."""

    request: Request
    metrics: IrMetrics
    shown: tuple[Representation, ...] = ()


class _UntouchedError(Exception):
    """Carries the reason for leaving the request as it is."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass
class _Run:
    """What has been found out so far; survives a bypass, so that metrics tell it."""

    tokenizer: str = ""
    candidates: int = 0
    evaluations: int = 0
    raw: Size | None = None
    skipped: int = 0
    batch: ScoreBatch | None = None
    chosen: dict[int, tuple[Eligible, Representation]] = field(default_factory=dict)


def compile_request(
    request: Request,
    *,
    settings: IrSettings,
    tokenizer: Tokenizer | Callable[[str], Tokenizer],
    vault: Callable[[], AbstractContextManager[Vault]],
    scorer: Scorer | None = None,
    untouched: Request | None = None,
) -> IrOutcome:
    """The request with its older plain messages re-encoded, if that is provably smaller; else the untouched one.

    Args:
        request: Chat (``messages``) or Responses-style (``input``) request, as it would be sent. Never modified.
        tokenizer: Of the target model, or what finds it by name (it may raise ``UserError``).
        vault: Opens the vault (``lambda: Vault(path)``), which is closed again, or lends an open one
            (``lambda: contextlib.nullcontext(vault)``). Called only when there is something to publish.
        scorer: Attention. With one, only candidates with a valid score are touched.
        untouched: What is sent when nothing is gained, and what savings are measured against; ``request`` by default.
            A caller that adds the recovery tool or moves evidence only for IR's sake gives the request without that.
    """
    started = time.perf_counter()
    run = _Run()
    fallback = request if untouched is None else untouched
    try:
        outcome, final = _compile(request, settings, tokenizer, vault, scorer, fallback, run)
        status, reason = "applied", ""
    except _UntouchedError as why:
        outcome, final, status, reason = IrOutcome(fallback, IrMetrics("")), None, "untouched", why.reason
    except Exception:  # a foreign scorer, tokenizer or request may raise anything; the request must still go out
        outcome, final, status, reason = IrOutcome(fallback, IrMetrics("")), None, "untouched", "internal"
    formats: dict[str, int] = {}
    for one in outcome.shown:
        formats[one.format] = formats.get(one.format, 0) + 1
    metrics = IrMetrics(
        status,
        reason,
        run.tokenizer,
        dict(sorted(formats.items())),
        run.candidates,
        run.evaluations,
        run.raw.tokens if run.raw else None,
        final.tokens if final else None,
        run.raw.chars if run.raw else None,
        final.chars if final else None,
        (time.perf_counter() - started) * 1000,
        run.skipped,
        run.batch.tokens if run.batch else None,
        run.batch.cost_usd if run.batch else None,
    )
    return replace(outcome, metrics=metrics)


def _compile(
    request: Request,
    settings: IrSettings,
    tokenizer: Tokenizer | Callable[[str], Tokenizer],
    vault: Callable[[], AbstractContextManager[Vault]],
    scorer: Scorer | None,
    fallback: Request,
    run: _Run,
) -> tuple[IrOutcome, Size]:
    if not settings.enabled:
        raise _UntouchedError("off")
    shape = message_list(request)
    if shape is None:
        raise _UntouchedError("request-shape")
    name, messages = shape
    problem = recovery_problem(request)
    if problem:
        raise _UntouchedError(problem)
    model = request.get("model")
    found, question, why = eligible(messages)
    if why:
        raise _UntouchedError(why)
    sized = [one for one in found if settings.min_chars <= len(one.text) <= settings.max_chars]
    if not sized:
        raise _UntouchedError("no-candidates")
    counter = _tokenizer(tokenizer, model)
    run.tokenizer = counter.name
    ordered, attention = _attend(sized, question, scorer, run)
    ordered = ordered[: settings.max_messages]
    run.candidates = len(ordered)
    run.raw = _measured(counter, fallback)
    best = run.raw if fallback is request else _measured(counter, request)
    best = _search(request, name, ordered, attention, settings, counter, best, run)
    if not run.chosen or not best.smaller_than(run.raw):
        raise _UntouchedError("no-savings")
    shown = _published(run, vault)
    final_request = with_contents(request, name, {one.ordinal: one.text() for one in shown})
    final = _measured(counter, final_request)
    if request.get("model") != model or final_request.get("model") != model or counter.model not in ("", model):
        raise _UntouchedError("model-changed")
    if not final.smaller_than(run.raw):
        raise _UntouchedError("final-gate")
    return IrOutcome(final_request, IrMetrics("applied"), shown), final


def _tokenizer(tokenizer: Tokenizer | Callable[[str], Tokenizer], model: object) -> Tokenizer:
    if not isinstance(model, str) or not model:
        raise _UntouchedError("unknown-tokenizer")
    if isinstance(tokenizer, Tokenizer):
        if tokenizer.model not in ("", model):
            raise _UntouchedError("model-changed")
        return tokenizer
    try:
        return tokenizer(model)
    except UserError:
        raise _UntouchedError("unknown-tokenizer") from None


def _measured(counter: Tokenizer, request: Request) -> Size:
    try:
        size = counter.measure(request)
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException:  # a panic of the Rust tokenizer is no Exception
        raise _UntouchedError("tokenizer-failed") from None
    if isinstance(size.tokens, bool) or not isinstance(size.tokens, int) or size.tokens <= 0:
        raise _UntouchedError("tokenizer-failed")
    return size


def _attend(
    found: list[Eligible], question: str, scorer: Scorer | None, run: _Run
) -> tuple[list[Eligible], Mapping[int, Attention]]:
    """Candidates in the order of the search: by salience, else by size; then by position."""
    if scorer is None:
        return sorted(found, key=lambda one: (-len(one.text), one.ordinal)), {}
    try:
        run.batch = scorer.score(question, tuple(found))
        attention = bind(found, run.batch)
    except Exception:
        raise _UntouchedError("scorer-failed") from None
    run.skipped = len(found) - len(attention)
    scored = [one for one in found if one.ordinal in attention and attention[one.ordinal].is_about(one)]
    if not scored:
        raise _UntouchedError("no-candidates")
    return sorted(scored, key=lambda one: (-attention[one.ordinal].score.salience, one.ordinal)), attention


def _search(
    request: Request,
    name: str,
    ordered: Sequence[Eligible],
    attention: Mapping[int, Attention],
    settings: IrSettings,
    counter: Tokenizer,
    best: Size,
    run: _Run,
) -> Size:
    """Greedy: each candidate takes the form that makes the whole request smallest, if any makes it smaller."""
    contents: dict[int, str] = {}
    for one in ordered:
        for shown in _forms(one, attention.get(one.ordinal), settings):
            if run.evaluations >= settings.max_evaluations:
                return best
            run.evaluations += 1
            size = _measured(counter, with_contents(request, name, {**contents, one.ordinal: shown.text()}))
            if size.smaller_than(best):
                best = size
                run.chosen[one.ordinal] = (one, shown)
        if one.ordinal in run.chosen:
            contents[one.ordinal] = run.chosen[one.ordinal][1].text()
    return best


def _forms(one: Eligible, attention: Attention | None, settings: IrSettings) -> Iterator[Representation]:
    """What the message may become, shortest first."""
    records = records_of(one.text)
    formats: tuple[str, ...]
    if records is not None:
        veto, formats = records_veto(records), _TABLES
    elif is_all_evidence(one.text):
        veto, formats = "", ("defs",)
    else:
        veto, formats = prose_veto(one.text), _LINES
    if veto:
        return
    source = expected_id(one.text)
    if attention is not None and attention.may_set_aside:
        yield Representation(RECEIPT, one.ordinal, source, "")
        return
    allowed = [name for name in formats if name in settings.formats]
    if attention is not None and attention.explicit_only:
        allowed = [name for name in allowed if name == "table"]
    for name, body in candidates(one.text, allowed, records):
        yield Representation(name, one.ordinal, source, body)


def _published(run: _Run, vault: Callable[[], AbstractContextManager[Vault]]) -> tuple[Representation, ...]:
    """The chosen forms with the ids that their sources really have, after every source was written and read back."""
    chosen = [run.chosen[ordinal] for ordinal in sorted(run.chosen)]
    exposures = [Exposure(one.text, one.ordinal, one.role, shown.format) for one, shown in chosen]
    try:
        with vault() as store:
            names = store.publish(exposures)
    except Exception:
        raise _UntouchedError("vault-failed") from None
    return tuple(replace(shown, source=name) for (_, shown), name in zip(chosen, names, strict=True))
