"""data_analyzer: tables with several delimiters and bad rows, summaries, fits held against numpy."""

from __future__ import annotations

import math
import statistics

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.cca.fits import fits, report, summaries
from agent.cca.tables import find_tables, number_of, profile, split_unit

FLUX = "| T (K) | Flux (W m^-2) |\n|---|---|\n| 300 | {0} |\n| 350 | {1} |\n| oops |\n| 400 | {2} |\n| 450 | {3} |\n"


def flux(noise: float = 0.0) -> str:
    values = [1.2e-7 * t**5 * (1 + noise * (-1) ** i) for i, t in enumerate((300, 350, 400, 450))]
    return FLUX.format(*(f"{value:.8e}" for value in values))


def test_a_power_law_is_found_with_its_units_and_uncertainty() -> None:
    (table,) = find_tables(flux(0.01))
    assert table.malformed == 1
    by_kind = {fit.kind: fit for fit in fits(table)}
    assert by_kind["power"].b == pytest.approx(5, abs=0.1)
    assert 0 < by_kind["power"].b_error < 0.2
    assert by_kind["proportional"].a == pytest.approx(1.2e-7, rel=0.02)
    assert by_kind["proportional"].a_unit == "W m^-2 K^-5"
    assert by_kind["proportional"].a_error > 0


def test_the_report_is_ascii_and_names_the_constant() -> None:
    said = report(flux().replace("Flux", "Flu\u00df"))
    assert said.isascii()
    assert "k=1.2e-07" in said
    assert "1 malformed" in said


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_delimiters(delimiter: str) -> None:
    rows = [delimiter.join(row) for row in (("x", "y"), ("1", "2"), ("2", "4"), ("3", "6"))]
    (table,) = find_tables("```\n" + "\n".join(rows) + "\n```")
    assert table.header == ("x", "y")
    assert [fit.b for fit in fits(table) if fit.kind == "linear"] == [pytest.approx(2)]


def test_prose_with_commas_is_no_table() -> None:
    assert find_tables("First, we read the file, which is large.\nThen, we write it, which is slow.\n") == ()


def test_a_fit_agrees_with_numpy() -> None:
    x = np.array([1.0, 2.0, 3.5, 5.0, 8.0])
    y = np.array([2.1, 4.0, 6.7, 10.3, 15.8])
    text = "x,y\n" + "\n".join(f"{a},{b}" for a, b in zip(x, y, strict=True))
    (table,) = find_tables(f"```csv\n{text}\n```")
    line = next(fit for fit in fits(table) if fit.kind == "linear")
    (b, a), cov = np.polyfit(x, y, 1, cov="unscaled")
    residual = float(((y - a - b * x) ** 2).sum()) / (len(x) - 2)
    assert (line.a, line.b) == (pytest.approx(a), pytest.approx(b))
    assert line.b_error == pytest.approx(math.sqrt(cov[0, 0] * residual))
    assert line.a_error == pytest.approx(math.sqrt(cov[1, 1] * residual))


@given(st.lists(st.floats(-1e6, 1e6).map(lambda value: round(value, 3)), min_size=2, max_size=30))
def test_summaries_agree_with_statistics(values: list[float]) -> None:
    text = "id,v\n" + "\n".join(f"{i},{value!r}" for i, value in enumerate(values))
    (table,) = find_tables(f"```csv\n{text}\n```")
    summary = summaries(table)[1]
    assert summary.mean == pytest.approx(statistics.fmean(values), abs=1e-6)
    assert summary.sd == pytest.approx(statistics.stdev(values), rel=1e-9, abs=1e-6)
    assert (summary.least, summary.most) == (min(values), max(values))


@settings(max_examples=200)
@given(st.text(alphabet="|,;\t \n-+:0123456789.eEx^()[]ab%\u00b1\u2212", max_size=400))
def test_any_text_is_read_without_a_fault(text: str) -> None:
    report(text)
    for table in profile(text):
        assert table.first_line <= table.last_line
        assert table.rows >= 1


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("1,234", 1234.0),
        ("\u22123.5", -3.5),
        ("1.2 x 10^-7", 1.2e-7),
        ("5 \u00b1 1", 5.0),
        ("n/a", None),
        ("1e999", None),
    ],
)
def test_numbers_in_cells(cell: str, value: float | None) -> None:
    assert number_of(cell) == value


@pytest.mark.parametrize(
    ("header", "wanted"),
    [("Flux (W/m^2)", ("Flux", "W/m^2")), ("T [K]", ("T", "K")), ("length / mm", ("length", "mm")), ("n", ("n", ""))],
)
def test_units_in_headers(header: str, wanted: tuple[str, str]) -> None:
    assert split_unit(header) == wanted
