"""data_analyzer: summaries and fits of the tables in a text.

Fits: y = a * x^b by least squares of ln y on ln x, y = a + b x, and y = k * x^n with n the exponent of the power law
rounded to an integer. Standard errors are those of ordinary least squares (Draper and Smith, Applied Regression
Analysis, ch. 1); that of a power law's a by propagation, s(a) = a * s(ln a).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from agent.cca.tables import DataTable, column_kind, find_tables, split_unit

_MIN_FIT_ROWS = 3
_MAX_PAIRS = 12  # column pairs that are fitted


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
