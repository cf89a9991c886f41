"""From JSON values to questions; each complaint names the field. ``question.schema.json`` says the same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from harness.questions.patterns import PatternError, compile_bounded
from harness.questions.phrases import PhraseError, compile_phrase
from harness.questions.records import CATEGORIES, DIFFICULTIES, Check, Cite, Fact, Gold, Question, Range

_REQUIRED = ("id", "corpus", "question", "category", "difficulty", "answerable", "gold", "must", "must_not")
_TEXT_LISTS = ("references", "counterexamples", "absent", "leaks")
_KEYS = (*_REQUIRED, *_TEXT_LISTS, "source")


class QuestionError(ValueError):
    """A value is not a question; the message is one line and begins with the field."""


def question_from(value: object) -> Question:
    """The question of a JSON value.

    Raises:
        QuestionError: A field is missing, unknown or has a wrong type or value.
    """
    row = _object(value, "the row", _KEYS, _REQUIRED)
    question = Question(
        id=_text(row["id"], "id"),
        corpus=_text(row["corpus"], "corpus"),
        question=_text(row["question"], "question"),
        category=_one_of(row["category"], "category", CATEGORIES),
        difficulty=_one_of(row["difficulty"], "difficulty", DIFFICULTIES),
        gold=tuple(_gold(each, f"gold[{at}]") for at, each in enumerate(_list(row["gold"], "gold"))),
        must=_facts(row["must"], "must"),
        must_not=_facts(row["must_not"], "must_not"),
        answerable=_bool(row["answerable"], "answerable"),
        source=_text(row["source"], "source") if "source" in row else "",
        **{name: _texts(row[name], name) for name in _TEXT_LISTS if name in row},
    )
    ids = [fact.id for fact in (*question.must, *question.must_not)]
    if len(set(ids)) < len(ids):
        raise QuestionError("must, must_not: two facts have the same id")
    if not question.answerable and question.gold:
        raise QuestionError("gold: an unanswerable question has none")
    if question.answerable and not question.gold:
        raise QuestionError("gold: an answerable question needs at least one place")
    return question


def _facts(value: object, where: str) -> tuple[Fact, ...]:
    facts = []
    for at, each in enumerate(_list(value, where)):
        here = f"{where}[{at}]"
        keys = ("id", "text", "check")
        row = _object(each, here, keys, keys)
        facts.append(
            Fact(_text(row["id"], f"{here}.id"), _text(row["text"], f"{here}.text"), _check(row["check"], here))
        )
    return tuple(facts)


def _check(value: object, where: str) -> Check:
    where = f"{where}.check"
    row = _object(value, where, ("any_of", "all_of", "regex", "cites"), ())
    if not row:
        raise QuestionError(f"{where}: it checks nothing")
    any_of = _texts(row["any_of"], f"{where}.any_of", least=1) if "any_of" in row else ()
    all_of = tuple(
        (_text(each, f"{where}.all_of[{at}]"),)
        if isinstance(each, str)
        else _texts(each, f"{where}.all_of[{at}]", least=1)
        for at, each in enumerate(_list(row.get("all_of", []), f"{where}.all_of"))
    )
    if "all_of" in row and not all_of:
        raise QuestionError(f"{where}.all_of: it is empty")
    regex = _text(row["regex"], f"{where}.regex") if "regex" in row else ""
    try:
        for phrase in (*any_of, *(each for group in all_of for each in group)):
            compile_phrase(phrase)
        if regex:
            compile_bounded(regex)
    except (PhraseError, PatternError) as error:
        raise QuestionError(f"{where}: {error}") from error
    cites = None
    if "cites" in row:
        place = _object(row["cites"], f"{where}.cites", ("path", "symbol"), ("path",))
        symbol = _text(place["symbol"], f"{where}.cites.symbol") if "symbol" in place else None
        cites = Cite(_path(place["path"], f"{where}.cites.path"), symbol)
    return Check(any_of, all_of, regex, cites)


def _gold(value: object, where: str) -> Gold:
    row = _object(value, where, ("path", "symbol", "text", "ranges"), ("path",))
    ranges = tuple(_range(each, f"{where}.ranges[{at}]") for at, each in enumerate(_list(row.get("ranges", []), where)))
    if ranges and ("symbol" in row or "text" in row):
        raise QuestionError(f"{where}: ranges are given instead of a symbol or a text, not beside them")
    return Gold(
        _path(row["path"], f"{where}.path"),
        _text(row["symbol"], f"{where}.symbol") if "symbol" in row else None,
        ranges,
        _text(row["text"], f"{where}.text") if "text" in row else "",
    )


def _range(value: object, where: str) -> Range:
    pair = _list(value, where)
    if len(pair) != 2 or not all(isinstance(each, int) and not isinstance(each, bool) for each in pair):
        raise QuestionError(f"{where}: it has to be [first line, last line]")
    first, last = pair
    if not 1 <= first <= last:
        raise QuestionError(f"{where}: {first} to {last} is no range of lines")
    return first, last


def _object(value: object, where: str, keys: tuple[str, ...], required: tuple[str, ...]) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise QuestionError(f"{where}: it has to be a JSON object")
    for key in value:
        if key not in keys:
            raise QuestionError(f"{where}: unknown field {str(key)[:40]!r}; known ones are {', '.join(keys)}")
    for key in required:
        if key not in value:
            raise QuestionError(f"{where}: field {key!r} is missing")
    return value


def _text(value: object, where: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise QuestionError(f"{where}: it has to be a text that is not empty")
    return value


def _texts(value: object, where: str, least: int = 0) -> tuple[str, ...]:
    texts = tuple(_text(each, f"{where}[{at}]") for at, each in enumerate(_list(value, where)))
    if len(texts) < least:
        raise QuestionError(f"{where}: it is empty")
    return texts


def _list(value: object, where: str) -> list[Any]:
    if not isinstance(value, list):
        raise QuestionError(f"{where}: it has to be a list")
    return value


def _bool(value: object, where: str) -> bool:
    if not isinstance(value, bool):
        raise QuestionError(f"{where}: it has to be true or false")
    return value


def _one_of(value: object, where: str, known: tuple[str, ...]) -> str:
    if value not in known:
        raise QuestionError(f"{where}: {str(value)[:40]!r} is none of {', '.join(known)}")
    return str(value)


def _path(value: object, where: str) -> str:
    path = _text(value, where)
    if path.startswith("/") or "\\" in path or "\0" in path or any(part in ("", ".", "..") for part in path.split("/")):
        raise QuestionError(f"{where}: {path[:80]!r} is no path inside the corpus")
    return path
