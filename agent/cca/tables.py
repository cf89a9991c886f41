"""data_analyzer: tables found in a text, read with several delimiters, summarised, and fitted.

Malformed rows are counted and left out; what can be read is returned. Nothing here raises on content.

Fits: y = a * x^b by least squares of ln y on ln x, y = a + b x, and y = k * x^n with n the exponent of the power law
rounded to an integer. Standard errors are those of ordinary least squares (Draper and Smith, Applied Regression
Analysis, ch. 1); that of a power law's a by propagation, s(a) = a * s(ln a).
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from agent.cca.documents import Block, blocks
from agent.cca.ir import Column, DataProfile

MAX_ROWS = 200_000
MAX_COLUMNS = 100
_MIN_FIT_ROWS = 3
_MAX_PAIRS = 12  # column pairs that are fitted
_UNIT = re.compile(
    r"^(.{1,200}?)\s*[\[(]\s*([^\[\]()]{1,40}?)\s*[\])]\s*$|^(.{1,200}?)\s*/\s*([A-Za-zµ°%][\w^·*/ -]{0,30})$"
)
_RULE_ROW = re.compile(r"^[\s|:+=-]+$")
_NUMBER = re.compile(r"^[-+−]?(?:\d{1,3}(?:,\d{3})+|\d{1,300})?(?:\.\d{0,300})?(?:[eE][-+−]?\d{1,4})?$")
_TIMES_TEN = re.compile(r"^([-+−]?\d{1,30}(?:\.\d{1,30})?)\s?[x×*·]\s?10\^?\{?([-+−]?\d{1,4})\}?$")
_MISSING = frozenset({"", "-", "–", "—", "na", "n/a", "nan", "null", "none", "?", "."})

Delimiter = Literal["|", ",", ";", "\t", " "]


@dataclass(frozen=True, slots=True)
class DataTable:
    """``cells``: rows of strings, header left out, each as wide as ``header``. Lines are those of the text, 1-based."""

    header: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    delimiter: Delimiter
    first_line: int
    last_line: int
    malformed: int = 0

    def numbers(self, column: int) -> list[float | None]:
        return [number_of(row[column]) for row in self.cells]


@dataclass(frozen=True, slots=True)
class Summary:
    """Of one numeric column; ``sd`` is the sample standard deviation (n - 1), 0 for one value."""

    name: str
    unit: str
    n: int
    missing: int
    mean: float
    sd: float
    least: float
    most: float


@dataclass(frozen=True, slots=True)
class Fit:
    """``kind`` power: y = a x^b; linear: y = a + b x; proportional: y = a x^b, b an exact integer."""

    kind: Literal["power", "linear", "proportional"]
    x: str
    y: str
    n: int
    a: float
    a_error: float
    b: float
    b_error: float
    r2: float
    a_unit: str


def number_of(text: str) -> float | None:
    """The number in a cell, thousands commas, ``1.2 x 10^-7`` and a trailing ``± …`` understood; None for none."""
    shown = re.split(r"\s*(?:±|\+/-)", text.strip().strip("*_`$ "), maxsplit=1)[0].strip()
    match = _TIMES_TEN.match(shown)
    if match:
        shown = f"{match[1]}e{match[2]}"
    if not any(char.isdigit() for char in shown) or not _NUMBER.match(shown):
        return None
    try:
        value = float(shown.replace("−", "-").replace(",", ""))
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def find_tables(text: str) -> tuple[DataTable, ...]:
    """The tables of a text, in order: Markdown and grid tables, delimited data in fences and in plain lines."""
    found: list[DataTable] = []
    for block in blocks(text):
        table: DataTable | None = None
        if block.kind == "table":
            table = _piped(block)
        elif block.kind in ("code", "paragraph") and block.text.count("\n") >= 1:
            table = _delimited(block)
        if table is not None and table.cells:
            found.append(table)
    return tuple(found)


def _piped(block: Block) -> DataTable | None:
    rows = [
        [cell.strip() for cell in line.strip().strip("|").split("|")]
        for line in block.text.split("\n")
        if line.strip() and not _RULE_ROW.match(line)
    ]
    return _table(rows, "|", block.first_line, block.last_line)


def _delimited(block: Block) -> DataTable | None:
    lines = [line for line in block.text.split("\n") if line.strip()]
    lead = 1 if block.kind == "code" and block.text and block.last_line - block.first_line >= len(lines) else 0
    for delimiter in ("\t", ";", ",", "|", " "):
        rows = _read(lines, delimiter)
        if rows is None:
            continue
        table = _table(rows, delimiter, block.first_line + lead, block.last_line)
        if table is not None and _is_data(table):
            return table
    return None


def _read(lines: Sequence[str], delimiter: Delimiter) -> list[list[str]] | None:
    """Rows by one delimiter; None when it does not divide most lines into the same number of at least two."""
    if delimiter == " ":
        rows = [re.split(r"\s{2,}|(?<=\d)\s(?=[-+\d])", line.strip()) for line in lines]
    else:
        try:
            rows = [
                [cell.strip() for cell in row] for row in csv.reader(io.StringIO("\n".join(lines)), delimiter=delimiter)
            ]
        except csv.Error:
            return None
    widths = Counter(len(row) for row in rows)
    width, count = max(widths.items(), key=lambda item: (item[1], item[0]), default=(0, 0))
    return rows if width >= 2 and 2 * count > len(rows) else None


def _table(rows: list[list[str]], delimiter: Delimiter, first: int, last: int) -> DataTable | None:
    if len(rows) < 2:
        return None
    rows = rows[: MAX_ROWS + 1]
    widths = Counter(len(row) for row in rows)
    width = max(widths.items(), key=lambda item: (item[1], item[0]))[0]
    if not 1 < width <= MAX_COLUMNS:
        return None
    header = rows[0] if len(rows[0]) == width and not all(number_of(cell) is not None for cell in rows[0]) else None
    body = rows[1:] if header is not None or len(rows[0]) != width else rows
    good = [tuple(row) for row in body if len(row) == width]
    names = tuple(header) if header is not None else tuple(f"column {at + 1}" for at in range(width))
    return DataTable(names, tuple(good), delimiter, first, last, len(body) - len(good))


def _is_data(table: DataTable) -> bool:
    """Prose with commas is no table: a column of it must be numeric, or every cell short."""
    if any(column_kind(table, at) == "number" for at in range(len(table.header))):
        return True
    return (
        table.delimiter != " " and len(table.cells) >= 2 and all(len(cell) <= 40 for row in table.cells for cell in row)
    )


def column_kind(table: DataTable, column: int) -> Literal["number", "text", "empty"]:
    """``number`` when nine in ten of the filled cells are numbers."""
    filled = [row[column] for row in table.cells if row[column].strip().lower() not in _MISSING]
    if not filled:
        return "empty"
    return "number" if 10 * sum(number_of(cell) is not None for cell in filled) >= 9 * len(filled) else "text"


def split_unit(name: str) -> tuple[str, str]:
    """``Flux (W/m^2)``, ``T [K]`` and ``length / mm`` into name and unit."""
    match = _UNIT.match(name.strip().strip("*_`"))
    if match is None:
        return name.strip().strip("*_`"), ""
    return (match[1] or match[3]).strip(), (match[2] or match[4]).strip()


def profile(text: str, source: str = "") -> tuple[DataProfile, ...]:
    """The data profile slot of the IR."""
    profiles = []
    for table in find_tables(text):
        columns = []
        for at, name in enumerate(table.header):
            plain, unit = split_unit(name)
            columns.append(Column(name=plain or f"column {at + 1}", kind=column_kind(table, at), unit=unit))
        profiles.append(
            DataProfile(
                source=source,
                first_line=table.first_line,
                last_line=table.last_line,
                delimiter=table.delimiter,
                columns=tuple(columns),
                rows=len(table.cells),
                malformed=table.malformed,
            )
        )
    return tuple(profiles)


def summaries(table: DataTable) -> tuple[Summary, ...]:
    """One for each numeric column."""
    found = []
    for at, name in enumerate(table.header):
        if column_kind(table, at) != "number":
            continue
        values = [value for value in table.numbers(at) if value is not None]
        n = len(values)
        mean = math.fsum(values) / n
        sd = math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (n - 1)) if n > 1 else 0.0
        plain, unit = split_unit(name)
        found.append(Summary(plain, unit, n, len(table.cells) - n, mean, sd, min(values), max(values)))
    return tuple(found)


def fits(table: DataTable) -> tuple[Fit, ...]:
    """Fits of each later numeric column on each earlier one, at most 12 pairs, three rows or more each."""
    numeric = [at for at in range(len(table.header)) if column_kind(table, at) == "number"]
    pairs = [(x, y) for i, x in enumerate(numeric) for y in numeric[i + 1 :]][:_MAX_PAIRS]
    found: list[Fit] = []
    for x, y in pairs:
        both = [
            (a, b) for a, b in zip(table.numbers(x), table.numbers(y), strict=True) if a is not None and b is not None
        ]
        if len(both) < _MIN_FIT_ROWS:
            continue
        for fit in _fits_of(both, table.header[x], table.header[y]):
            if all(math.isfinite(value) for value in (fit.a, fit.a_error, fit.b, fit.b_error, fit.r2)):
                found.append(fit)
    return tuple(found)


def _fits_of(both: list[tuple[float, float]], x_name: str, y_name: str) -> list[Fit]:
    (x_plain, x_unit), (y_plain, y_unit) = split_unit(x_name), split_unit(y_name)
    found: list[Fit] = []
    line = _line([x for x, _ in both], [y for _, y in both])
    if line:
        a, a_error, b, b_error, r2 = line
        found.append(Fit("linear", x_plain, y_plain, len(both), a, a_error, b, b_error, r2, y_unit))
    if all(x > 0 and y > 0 for x, y in both):
        power = _line([math.log(x) for x, _ in both], [math.log(y) for _, y in both])
        if power and abs(power[0]) < 600:
            ln_a, ln_error, b, b_error, r2 = power
            a = math.exp(ln_a)
            unit = _unit_of(y_unit, x_unit, f"{b:.3g}")
            found.append(Fit("power", x_plain, y_plain, len(both), a, a * ln_error, b, b_error, r2, unit))
            found.extend(_proportional(both, round(b), x_plain, y_plain, x_unit, y_unit))
    return found


def _proportional(
    both: list[tuple[float, float]], n: int, x_name: str, y_name: str, x_unit: str, y_unit: str
) -> list[Fit]:
    """y = k x^n: the mean of y / x^n over the rows and its standard error."""
    if not 0 < abs(n) <= 12:
        return []
    try:
        ratios = [y / x**n for x, y in both]
    except (OverflowError, ZeroDivisionError):
        return []
    k = math.fsum(ratios) / len(ratios)
    spread = math.sqrt(math.fsum((ratio - k) ** 2 for ratio in ratios) / (len(ratios) - 1))
    mean = math.fsum(y for _, y in both) / len(both)
    total = math.fsum((y - mean) ** 2 for _, y in both)
    left = math.fsum((y - k * x**n) ** 2 for x, y in both)
    r2 = 1 - left / total if total else 0.0
    unit = _unit_of(y_unit, x_unit, str(n))
    return [Fit("proportional", x_name, y_name, len(both), k, spread / math.sqrt(len(both)), float(n), 0.0, r2, unit)]


def _line(xs: list[float], ys: list[float]) -> tuple[float, float, float, float, float] | None:
    """(a, s(a), b, s(b), r2) of y = a + b x; None when all x are equal or a sum overflows."""
    n = len(xs)
    try:
        x_mean, y_mean = math.fsum(xs) / n, math.fsum(ys) / n
        sxx = math.fsum((x - x_mean) ** 2 for x in xs)
        if sxx <= 0:
            return None
        b = math.fsum((x - x_mean) * (y - y_mean) for x, y in zip(xs, ys, strict=True)) / sxx
        a = y_mean - b * x_mean
        left = math.fsum((y - a - b * x) ** 2 for x, y in zip(xs, ys, strict=True))
        total = math.fsum((y - y_mean) ** 2 for y in ys)
    except OverflowError:
        return None
    variance = left / (n - 2)
    return (
        a,
        math.sqrt(variance * (1 / n + x_mean**2 / sxx)),
        b,
        math.sqrt(variance / sxx),
        1 - left / total if total else 1.0,
    )


def _unit_of(y_unit: str, x_unit: str, power: str) -> str:
    """Unit of y / x^power, spelled in ASCII; "" when neither has one."""
    if not y_unit and not x_unit:
        return ""
    inverse = power[1:] if power.startswith("-") else f"-{power}"
    x_part = f"({x_unit})^{inverse}" if " " in x_unit or "/" in x_unit or "^" in x_unit else f"{x_unit}^{inverse}"
    return " ".join(part for part in (y_unit or "1", x_part if x_unit else "") if part)


def report(text: str) -> str:
    """What the analysis says, as ASCII lines for a prompt; "" when the text has no numeric table."""
    lines: list[str] = []
    for number, table in enumerate(find_tables(text), start=1):
        own = summaries(table)
        if not own:
            continue
        left_out = f", {table.malformed} malformed rows left out" if table.malformed else ""
        lines.append(f"Table {number} (lines {table.first_line}-{table.last_line}): {len(table.cells)} rows{left_out}")
        for each in own:
            unit = f" {each.unit}" if each.unit else ""
            lines.append(
                f"  {each.name}: n={each.n} mean={each.mean:.6g}{unit} sd={each.sd:.3g}{unit} "
                f"min={each.least:.6g} max={each.most:.6g}"
            )
        lines.extend(f"  {_fit_line(fit)}" for fit in fits(table))
    return "\n".join(lines).encode("ascii", "backslashreplace").decode()


def _fit_line(fit: Fit) -> str:
    unit = f" {fit.a_unit}" if fit.a_unit else ""
    if fit.kind == "linear":
        return (
            f"{fit.y} = a + b * {fit.x}: a={fit.a:.4g} +/- {fit.a_error:.2g}{unit}, "
            f"b={fit.b:.4g} +/- {fit.b_error:.2g}, R2={fit.r2:.4f}, n={fit.n}"
        )
    if fit.kind == "power":
        return (
            f"{fit.y} = a * {fit.x}^b: a={fit.a:.4g} +/- {fit.a_error:.2g}{unit}, "
            f"b={fit.b:.4g} +/- {fit.b_error:.2g}, R2={fit.r2:.4f} (of logs), n={fit.n}"
        )
    return f"{fit.y} = k * {fit.x}^{fit.b:.0f}: k={fit.a:.4g} +/- {fit.a_error:.2g}{unit}, R2={fit.r2:.4f}, n={fit.n}"
