"""The options of ``contextc ask`` that say how rules are compiled, checked and corrected."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from agent.answer.config import AnswerConfig
    from agent.cca.apply import RuleBook
    from agent.cca.compiled import Source
    from agent.session import Session
    from retrieval.pack_records import ContextPack

_VARIANTS = ("full", "v2", "v3", "v4", "v6", "vanilla", "adaptive")

generated_option = click.option(
    "--allow-generated-code",
    is_flag=True,
    help="Let the model write Python for what the check language cannot say; it runs in a sandbox.",
)
_OPTIONS = (
    click.option(
        "--rules",
        multiple=True,
        metavar="auto|none|FILE",
        help="Hold the answer against rules: the tree's own (auto) or those in FILE; may be repeated.",
    ),
    click.option(
        "--rules-compiler",
        type=click.Choice(["deterministic", "model"]),
        default="deterministic",
        show_default=True,
        help="Who reads the rules; model asks the one that answers, too.",
    ),
    generated_option,
    click.option(
        "--rules-variant",
        type=click.Choice(_VARIANTS),
        default="full",
        show_default=True,
        help="Variant of the method; adaptive: as full where a verifier was made, else vanilla.",
    ),
    click.option(
        "--rules-without",
        multiple=True,
        metavar="F1…F7",
        help="Switch a part off: F1 compiler, F2 checklist, F3 CodeGen, F4 verification, F5 data, F6 correction, "
        "F7 truncation.",
    ),
    click.option(
        "--rules-violations",
        type=click.IntRange(1),
        default=2,
        show_default=True,
        help="Violations from which on a correction is asked for.",
    ),
    click.option(
        "--rules-context",
        type=click.IntRange(0),
        default=0,
        metavar="TOKENS",
        help="Longest request; its longest message loses its middle, 70 % of head and 30 % of tail stay (0: no limit).",
    ),
)


@dataclass(frozen=True, slots=True)
class RulesUse:
    """What the options said."""

    names: tuple[str, ...]
    compiler: str
    allow_generated: bool
    variant: str
    without: tuple[str, ...]
    min_violations: int
    context_budget: int

    @property
    def files(self) -> tuple[str, ...]:
        return tuple(name for name in self.names if name not in ("auto", "none"))

    def book(self, sources: list[Source], config: AnswerConfig) -> RuleBook:
        """The rules compiled, ready for the answerer.

        Raises:
            UserError: A model is to compile, but none is configured; an unknown part is to be switched off.
        """
        from agent.cca.apply import RuleBook
        from agent.cca.compile import compile_rules
        from agent.cca.flags import FULL, preset
        from agent.cca.pipeline import Options

        flags = (FULL if self.variant == "adaptive" else preset(self.variant)).without(*self.without)
        options = Options(
            flags=flags,
            min_violations=self.min_violations,
            context_budget=self.context_budget,
            adaptive=self.variant == "adaptive",
            allow_generated=self.allow_generated,
        )
        if self.compiler == "deterministic":
            return RuleBook(compile_rules(sources), options)
        from agent.cca.client import OpenAIClient

        named = f"{config.base_url} {config.model}"
        compiled = compile_rules(sources, OpenAIClient(config), model=named, allow_generated=self.allow_generated)
        return RuleBook(compiled, options)

    def check_config(self, config: AnswerConfig) -> None:
        """Raises UserError where the options ask for what cannot be done, before any work."""
        from retrieval.errors import UserError

        if not self.names and (self.without or self.variant != "full"):
            option = "--rules-without" if self.without else "--rules-variant"
            raise UserError(
                f"{option} says how rules are checked, and no rules are given.", "Add --rules auto or --rules FILE."
            )
        if set(self.names) - {"none"} and self.compiler == "model" and not config.wants_model:
            raise UserError("No model is configured to compile the rules.", "Give --base-url, or set OPENAI_API_KEY.")
        if self.without:
            from agent.cca.flags import FULL

            FULL.without(*self.without)


def rules_options(function: click.decorators.FC) -> click.decorators.FC:
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


def named_rules(files: tuple[str, ...]) -> tuple[Source, ...]:
    """The rule files that were named, read before any other work: a wrong name is told at once."""
    if not files:
        return ()
    from agent.cca.rule_files import read_named

    return read_named(files)


def rule_book(
    use: RulesUse,
    named: tuple[Source, ...],
    session: Session,
    pack: ContextPack,
    config: AnswerConfig,
    warn: Callable[[str], None],
) -> RuleBook | None:
    """The rules compiled: those in the files that were named, and for ``auto`` the tree's own; None for none."""
    sources = list(named)
    if "auto" in use.names:
        from agent.cca.compiled import Source
        from agent.cca.rule_files import find

        found = find(session.reader.paths, [chunk.path for chunk in pack.chunks])
        sources.extend(Source(path, "\n".join(session.reader.file_text(path).lines)) for path in found)
        if not found:
            warn("No rule file (AGENTS.md, CONTRIBUTING.md …) was found in this tree.")
    if not sources:
        return None
    return use.book(sources, config)
