"""From a pack to an answer without a model: choose the family by the question's class, compose, check."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from agent.answer.contract import check
from agent.answer.offline.abstain import (
    abstain_absent,
    abstain_thin,
    tell_absent,
    tell_undefined,
    tell_unshown,
    unknown_acronyms,
    unknown_subjects,
    unknown_words,
)
from agent.answer.offline.bearing import ask_of, means_it, say_bearing
from agent.answer.offline.compare import answer_comparison, asks_to_compare
from agent.answer.offline.connect import answer_connect
from agent.answer.offline.context import Context, Draft, make_context, question_terms
from agent.answer.offline.errors import answer_errors, asks_for_handlers
from agent.answer.offline.explain import answer_explain, asks_besides, asks_for_a_spelling
from agent.answer.offline.impact import answer_change, answer_impact, answer_tests
from agent.answer.offline.lineage import answer_subclasses, asks_for_subclasses
from agent.answer.offline.locate import answer_locate
from agent.answer.offline.messages import quotes_a_message, spells_a_message, tells_an_exception
from agent.answer.offline.overview import answer_overview, asks_for_the_whole
from agent.answer.offline.passages import answer_passages
from agent.answer.offline.ports import Graph, Reader
from agent.answer.offline.relations import answer_callees, answer_callers
from agent.answer.offline.renumber import renumber
from agent.answer.offline.settings import answer_settings, lists_environment, spelled_terms, spells_a_flag
from agent.answer.records import Answer
from retrieval.pack_records import GRAPH_CLASSES, ContextPack, QuestionClass

_FAMILIES: Mapping[QuestionClass, Callable[[Context], Draft]] = {
    QuestionClass.LOCATE: answer_locate,
    QuestionClass.EXPLAIN: answer_explain,
    QuestionClass.CALLERS: answer_callers,
    QuestionClass.CALLEES: answer_callees,
    QuestionClass.IMPACT: answer_impact,
    QuestionClass.TESTS: answer_tests,
    QuestionClass.CONNECT: answer_connect,
    QuestionClass.CONFIG: answer_settings,
    QuestionClass.ERROR: answer_errors,
    QuestionClass.ARCHITECTURE: answer_overview,
    QuestionClass.DOCS: answer_passages,
}
_EXACT = GRAPH_CLASSES | {QuestionClass.LOCATE}
_BRIEF = frozenset(QuestionClass) - {QuestionClass.EXPLAIN, QuestionClass.ARCHITECTURE, QuestionClass.DOCS}
_SHORT_ANSWER = 8  # lines: after a longer one nothing is added
_MUCH_BESIDES = 3  # words of the question that the name of its only symbol does not hold
# A change that is only thought of: "if X returned", "X shall raise", "X is to lose", "X gets a further".
_HOW = re.compile(r"\s*(?:how (?:does|do|did|is|are)|why)\b", re.IGNORECASE)
_SUPPOSED = re.compile(
    r"\b(?:if|were|suppose|assume)\b.{1,300}\b(?:would|could|will|might|breaks?|happens?)\b"
    r"|\b(?:would|could|might)\b.{1,300}\bif\b"
    r"|\b(?:shall|is to|are to|should now|gets? an?|has to) \b.{1,300}\b(?:which|what|who|where)\b",
    re.IGNORECASE | re.DOTALL,
)
# What "what would break if I removed X" says beside the name, as stems: whatever depends on X is asked for, no clause.
_BARE_CHANGE = frozenset(
    {"break", "fail", "stop", "work", "chang", "remov", "delet", "drop", "renam", "modifi", "edit", "mov", "replac"}
    | {"refact", "signatur"}
)
_PASSIVE = re.compile(r"\s*(?:how|where|when|why)\s+(?:is|are|was|were)\b", re.IGNORECASE)
_OF_SYMBOLS = frozenset({QuestionClass.IMPACT, QuestionClass.CALLERS})
_WORDED_EXACTLY = frozenset({QuestionClass.ERROR, QuestionClass.DOCS})
_SURE_STRENGTH = 0.62  # below it a subject that no line knows means that the evidence is about something else
_SURE_COVERAGE = 0.45  # of the question's words by the best piece, likewise
_SPELLED = frozenset({QuestionClass.CONFIG, QuestionClass.ERROR})


def answer(pack: ContextPack, reader: Reader, graph: Graph | None) -> Answer:
    """Compose and check an answer. Evidence that the pack does not show is added to the answer's citations.

    Abstains when every identifier that the question names is unknown, or when the pack is not sufficient and the
    question is none about the definition or edges of a known symbol, or about the lines that spell a setting or an
    error (those are exact, whatever the ranking thought).
    """
    draft, context = compose(pack, reader, graph)
    checked = renumber(check(draft.text, context.book.pack()))
    return Answer(
        text=checked.marked,
        statements=checked.statements,
        citations=checked.citations,
        abstained=draft.abstained or checked.abstained,
        missing=tuple(dict.fromkeys((*draft.missing, *_still_missing(context)))),
        notes=tuple(draft.notes),
        answerer="offline",
        question=pack.question,
        looked_up=draft.looked_up,
    )


def _still_missing(context: Context) -> list[str]:
    """What retrieval looked for in vain, but for names that the evidence spells although nothing defines them."""
    spelled = {mention.text for mention in context.pack.plan.mentions} - set(context.absent)
    return [item for item in context.pack.missing if item not in spelled]


def compose(pack: ContextPack, reader: Reader, graph: Graph | None) -> tuple[Draft, Context]:
    """The text before its check, and the context whose ``book.pack()`` it cites."""
    context = make_context(pack, reader, graph)
    return _draft(context), context


def _names_in_passing(context: Context) -> bool:
    """``where is the password hash upgraded on login``: a word that is a symbol's name, and much besides it."""
    if not context.targets or any(each.how != "word" for each in context.pack.plan.mentions if each.symbols):
        return False
    named = frozenset().union(*(question_terms(row.symbol.qualname) for row in context.targets))
    return len(question_terms(context.pack.question) - named) >= _MUCH_BESIDES


def _supposes_a_change(context: Context, family: QuestionClass) -> bool:
    """``if X returned …, which methods would behave differently``: a change of a symbol that is named, in clauses."""
    asks = family in (QuestionClass.LOCATE, QuestionClass.EXPLAIN, QuestionClass.IMPACT)
    if family is QuestionClass.IMPACT and not asks_besides(context, _BARE_CHANGE):
        return False
    supposed = _SUPPOSED.search(context.pack.question[:2_000])
    return asks and context.names_a_symbol and supposed is not None and asks_besides(context)


def _asks_how_code_works(context: Context) -> bool:
    """``how does load_dotenv set environment variables``: a function explains itself better than its mentions."""
    named = context.names_a_symbol and context.targets[0].symbol.kind in ("function", "method", "property")
    return named and bool(_HOW.match(context.pack.question[:100]))


def _of_a_value(context: Context) -> Draft:
    """``what would break if I change SECRET_KEY``: no definition, so no edges; the lines that spell it tell."""
    draft = answer_settings(context)
    if not draft.lines:
        return abstain_thin(context)
    draft.notes.append("no definition that the call graph knows has the name: these lines spell it")
    return draft


def _unknown(context: Context, family: QuestionClass) -> tuple[list[str], list[str]]:
    """Subjects of the question that no line knows, as names and as words; none where a symbol is asked about, or a
    message, whose words are looked up one by one."""
    if family in _WORDED_EXACTLY or context.names_a_symbol:
        return [], []
    return unknown_subjects(context)


def _is_doubtful(pack: ContextPack) -> bool:
    """Whether a subject that no line knows is enough to decline: the rest may be said of something else."""
    covered = max((chunk.strength for chunk in pack.chunks), default=0.0)  # 0 where nobody measured it
    return pack.strength < _SURE_STRENGTH or 0 < covered < _SURE_COVERAGE


def _asks_what_is_done(question: str, unknown: Sequence[str]) -> bool:
    """``how is the ledger encrypted``, where nothing knows of encryption: what is done to it is what is asked."""
    return bool(_PASSIVE.match(question[:100])) and any(word.lower().endswith("ed") for word in unknown)


def _draft(context: Context) -> Draft:
    pack = context.pack
    family = pack.plan.question_class
    # ``AssertionError: …`` of an assert statement: nothing spells the exception, a statement spells what it says.
    spelled = family is QuestionClass.ERROR and spells_a_message(context)
    if context.absent and not context.targets and not spelled:
        return abstain_absent(context)
    told = family in (QuestionClass.EXPLAIN, QuestionClass.LOCATE) and quotes_a_message(context)
    if family is not QuestionClass.ERROR and (told or tells_an_exception(context)):
        family = QuestionClass.ERROR
    strangers = unknown_acronyms(context) if family is not QuestionClass.ERROR else []
    if strangers:
        return abstain_absent(context, strangers)
    names, words = _unknown(context, family)
    if names:
        return abstain_absent(context, names)
    if family is QuestionClass.LOCATE and asks_for_handlers(context):
        family = QuestionClass.ERROR
    if family in (QuestionClass.LOCATE, QuestionClass.EXPLAIN) and spells_a_flag(context):
        family = QuestionClass.CONFIG
    if family in _OF_SYMBOLS and not context.targets and context.spells_a_name and spelled_terms(context):
        return _of_a_value(context)
    if family is QuestionClass.EXPLAIN and asks_for_a_spelling(context):
        return _of_a_value(context)
    if family is QuestionClass.CONFIG and _asks_how_code_works(context):
        family = QuestionClass.EXPLAIN
    if family not in (QuestionClass.CALLERS, QuestionClass.ERROR) and asks_for_subclasses(context):
        return answer_subclasses(context)
    exact = context.names_a_symbol if family in _EXACT else family in _SPELLED and context.spells_a_name
    exact = exact or (family is QuestionClass.ARCHITECTURE and asks_for_the_whole(context))
    exact = exact or (family is QuestionClass.CONFIG and lists_environment(context))
    exact = exact or spelled or (family is QuestionClass.ERROR and spells_a_message(context))
    if not pack.sufficient and not exact and not means_it(context):
        return abstain_thin(context)
    if words and not exact and (_is_doubtful(pack) or _asks_what_is_done(pack.question, words)):
        return abstain_thin(context)
    if family is QuestionClass.LOCATE and context.targets and not context.names_a_symbol and unknown_words(context):
        return abstain_thin(context)  # "the docker compose file" is not the function `compose`
    if family in (QuestionClass.EXPLAIN, QuestionClass.LOCATE) and asks_to_compare(context):
        return answer_comparison(context)
    if _supposes_a_change(context, family):
        draft = answer_change(context)
        if draft.lines:
            return draft
    aside = family is QuestionClass.LOCATE and pack.sufficient and _names_in_passing(context)
    draft = (answer_passages if aside else _FAMILIES[family])(context)
    more = _says_more(context)
    draft.looked_up = family in GRAPH_CLASSES and bool(draft.lines) and not (draft.abstained or more)
    # "Which component decides which tests run" names nothing whose relations could be told: it is about passages.
    if not draft.lines and (family not in GRAPH_CLASSES or (pack.sufficient and not pack.plan.mentions)):
        draft = answer_passages(context)
    if not draft.lines:
        return abstain_thin(context)
    if not draft.abstained and family in _BRIEF and len(draft.lines) <= _SHORT_ANSWER and more:
        draft.gap()
        say_bearing(
            context, ask_of(context), draft, lead=context.targets[:1] if context.names_a_symbol else (), others=3
        )
    for name in context.absent if not spelled else ():
        tell_absent(context, name, draft)
    tell_unshown(words, draft)
    if family is QuestionClass.EXPLAIN and context.targets:
        tell_undefined(context, draft)
    return draft


def _says_more(context: Context) -> bool:
    """The question has words besides the names that were looked up, or a part of its own that has some."""
    named = frozenset().union(*(question_terms(mention.text) for mention in context.pack.plan.mentions))
    besides = len(question_terms(context.pack.question) - named)
    return context.pack.sufficient and (
        besides >= _MUCH_BESIDES or (besides > 0 and len(context.pack.plan.aspects) > 1)
    )
