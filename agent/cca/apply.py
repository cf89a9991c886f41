"""Rules in the product: which of a repository's rules bear on an answer, and answering a pack under them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import lru_cache

from agent.answer.config import AnswerConfig
from agent.answer.model_text import answer_of
from agent.answer.openai_client import MIN_ANSWER_TOKENS
from agent.answer.prompt import build_messages
from agent.answer.records import Answer, RulesReport
from agent.cca.client import OpenAIClient, Usage
from agent.cca.compiled import Compiled
from agent.cca.deterministic import by_kind
from agent.cca.ir import Rule
from agent.cca.pipeline import Options, Outcome, solve
from agent.cca.render import render_verification
from agent.cca.verify import Verification
from agent.guard import strip_controls
from retrieval.pack_records import ContextPack
from retrieval.text.stopwords import BOILERPLATE_WEIGHT
from retrieval.text.terms import index_terms, query_terms

MAX_APPLICABLE = 40
_MIN_SHARED = 2  # terms that a rule shares with the question to bear on it
_ABOUT_ANSWERS = frozenset(index_terms("answer answers response reply cite citation"))


@lru_cache(maxsize=4096)  # rules stay the same from question to question
def _telling(text: str) -> frozenset[str]:
    """The terms that carry meaning: no words of questions, none that every text about code holds."""
    return frozenset(term for term, weight in query_terms(text).items() if weight > BOILERPLATE_WEIGHT)


@lru_cache(maxsize=4096)
def _terms(text: str) -> frozenset[str]:
    return frozenset(index_terms(text))


def applicable(compiled: Compiled, question: str) -> Compiled:
    """The compilation narrowed to what bears on an answer: rules with a verifier, rules about answers, rules of a
    document that is no contributor's guide, rules that share terms with the question; at most 40, in the order of their
    ids."""
    asked = _telling(question)
    checked = {each.rule.id for each in compiled.verifiers}

    def bears(rule: Rule) -> bool:
        if rule.id in checked or rule.quote.source not in compiled.guides:
            return True
        return bool(_terms(rule.text) & _ABOUT_ANSWERS) or len(_telling(rule.text) & asked) >= _MIN_SHARED

    kept = [rule for rule in compiled.ir.rules.all() if bears(rule)]
    kept.sort(key=lambda rule: (rule.id not in checked, int(rule.id[1:])))
    chosen = sorted(kept[:MAX_APPLICABLE], key=lambda rule: int(rule.id[1:]))
    ids = {rule.id for rule in chosen}
    ir = compiled.ir.model_copy(update={"rules": by_kind(chosen), "exact_terms": (), "available_tools": ()})
    return replace(compiled, ir=ir, verifiers=tuple(each for each in compiled.verifiers if each.rule.id in ids))


@dataclass(frozen=True, slots=True)
class RuleBook:
    """Compiled rules as the answerer uses them, and how: which parts run, when an answer is corrected."""

    compiled: Compiled
    options: Options = field(default_factory=Options)

    def answer(self, pack: ContextPack, config: AnswerConfig, sleep: Callable[[float], None]) -> Answer:
        """Draft, verify and correct a model's answer to ``pack``, then hold it against the citation contract."""
        narrowed = applicable(self.compiled, pack.question)
        limit = max(MIN_ANSWER_TOKENS, config.max_answer_tokens or pack.reserve)
        options = replace(self.options, max_tokens=limit, question=pack.question, quotable=quotable_lines(pack))
        outcome = solve(build_messages(pack), narrowed, OpenAIClient(config, sleep), options)
        spent = sum((usage for usage in outcome.usage.values()), Usage())
        return answer_of(
            strip_controls(outcome.answer),
            pack,
            model=f"{config.provider}/{outcome.model}",
            usage={
                "prompt_tokens": spent.prompt_tokens,
                "completion_tokens": spent.completion_tokens,
                "total_tokens": spent.tokens,
            },
            interrupted=outcome.interrupted,
            rules=report_on(narrowed, outcome.answer, options, outcome),
        )

    def report(self, pack: ContextPack, text: str) -> RulesReport:
        options = replace(self.options, question=pack.question, quotable=quotable_lines(pack))
        return report_on(applicable(self.compiled, pack.question), text, options)


def quotable_lines(pack: ContextPack) -> frozenset[str]:
    """The lines of the evidence, stripped: an answer that quotes them did not write them."""
    lines = (line.strip() for chunk in pack.chunks for line in f"{chunk.source}\n{chunk.text}".split("\n"))
    return frozenset(line for line in lines if line)


def report_on(compiled: Compiled, answer: str, options: Options, outcome: Outcome | None = None) -> RulesReport:
    """How ``answer`` fares against the rules, for programs and for people."""
    if not (options.flags.f1_compiler and options.flags.f3_codegen and options.flags.f4_verify):
        compiled = replace(compiled, verifiers=())  # nothing was checked while answering: nothing is claimed afterwards
    found: Verification = options.verified(compiled, answer)
    data = {"sources": [source.name for source in compiled.sources], **found.to_dict()}
    text = render_verification(found, answer)
    if outcome is not None:
        data["cca"] = outcome.meta()
        if outcome.tried:
            before = len(outcome.before.violations) if outcome.before else 0
            said = (
                f"corrected: {before} violations became {len(found.violations)}"
                if outcome.corrected
                else ("a correction was asked for and was no better; the draft stands")
            )
            text = text.replace("\n", f"; {said}\n", 1)
    return RulesReport(data, text)
