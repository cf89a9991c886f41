"""How long an answer and each of its parts are."""

from __future__ import annotations

from typing import Any

from agent.cca import checks as c
from agent.cca.families.family import Family, Slots
from agent.cca.families.form.making import count, each, simple


def _part(kind: str, **fields: Any) -> c.Part:
    return c.Part(kind=kind, **fields)  # type: ignore[arg-type]


def _long_paragraphs(slots: Slots) -> Any:
    if slots.least is None or slots.most is not None:
        return None
    return c.When(condition=c.Count(unit="words", least=slots.least), then=c.Count(unit="paragraphs", least=2))


def _long_headings(slots: Slots) -> Any:
    if slots.least is None or slots.most is not None:
        return None
    return c.When(condition=c.Count(unit="words", least=slots.least), then=c.Count(unit="headings", least=1))


def _named_section(unit: str) -> Any:
    def make(slots: Slots) -> Any:
        if len(slots.terms) != 1 or (slots.least is None and slots.most is None):
            return None
        return c.Each(
            part=_part("section", name=slots.terms[0][:120]),
            check=c.Count(unit=unit, least=slots.least, most=slots.most),  # type: ignore[arg-type]
        )

    return make


FAMILIES: tuple[Family, ...] = (
    count("answer.words", "the answer has {limit} words", "words"),
    count("answer.characters", "the answer has {limit} characters", "characters"),
    count("answer.sentences", "the answer has {limit} sentences", "sentences"),
    count("answer.paragraphs", "the answer has {limit} paragraphs", "paragraphs"),
    count("answer.lines", "the answer has {limit} lines", "lines"),
    each("sentence.words", "each sentence has {limit} words", _part("sentence"), "words"),
    each("paragraph.sentences", "each paragraph has {limit} sentences", _part("paragraph"), "sentences"),
    each("paragraph.words", "each paragraph has {limit} words", _part("paragraph"), "words"),
    each("paragraph.lines", "each paragraph has {limit} lines", _part("paragraph"), "lines"),
    each("item.words", "each list item has {limit} words", _part("list_item"), "words"),
    each("item.sentences", "each list item has {limit} sentences", _part("list_item"), "sentences"),
    each("item.characters", "each list item has {limit} characters", _part("list_item"), "characters"),
    each("heading.words", "each heading has {limit} words", _part("heading"), "words"),
    each("heading.characters", "each heading has {limit} characters", _part("heading"), "characters"),
    each("title.words", "the title has {limit} words", _part("title"), "words"),
    each("title.characters", "the title has {limit} characters", _part("title"), "characters"),
    each("line.characters", "each line has {limit} characters", _part("line"), "characters"),
    each("line.words", "each line has {limit} words", _part("line"), "words"),
    each("quote.words", "each quotation has {limit} words", _part("quote"), "words"),
    each("cell.words", "each table cell has {limit} words", _part("cell"), "words"),
    each("section.words", "each section has {limit} words", _part("section"), "words"),
    each("section.sentences", "each section has {limit} sentences", _part("section"), "sentences"),
    each("section.paragraphs", "each section has {limit} paragraphs", _part("section"), "paragraphs"),
    each("first_paragraph.words", "the first paragraph has {limit} words", _part("paragraph", nth=1), "words"),
    each(
        "first_paragraph.sentences", "the first paragraph has {limit} sentences", _part("paragraph", nth=1), "sentences"
    ),
    each(
        "last_paragraph.sentences", "the last paragraph has {limit} sentences", _part("paragraph", nth=-1), "sentences"
    ),
    each("first_sentence.words", "the first sentence has {limit} words", _part("sentence", nth=1), "words"),
    Family(
        "named_section.words",
        "the section {terms} has {limit} words",
        _named_section("words"),
        bounded=True,
        takes_terms=True,
    ),
    Family(
        "named_section.sentences",
        "the section {terms} has {limit} sentences",
        _named_section("sentences"),
        bounded=True,
        takes_terms=True,
    ),
    Family("long.paragraphs", "an answer of {limit} words has several paragraphs", _long_paragraphs, bounded=True),
    Family("long.headings", "an answer of {limit} words has headings", _long_headings, bounded=True),
    simple(
        "paragraph.one",
        "the answer is one paragraph",
        lambda: c.AllOf(
            checks=(
                c.Count(unit="paragraphs", least=1, most=1),
                c.Count(unit="bullets", most=0),
                c.Count(unit="numbered", most=0),
                c.Count(unit="headings", most=0),
            )
        ),
    ),
    simple("answer.one_line", "the answer is one line", lambda: c.Count(unit="lines", least=1, most=1), r"\\n"),
    simple("answer.one_word", "the answer is one word", lambda: c.Count(unit="words", least=1, most=1)),
)
