"""Records of candidates say what they said when they were made one by one."""

from __future__ import annotations

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from retrieval.search.candidates import _moved, _to_four_digits

_VALUES = st.floats(-1e4, 1e4, width=32)


@given(st.lists(_VALUES, min_size=1, max_size=20))
@example([0.00005, 0.00015, 0.00025, 1.00005, -0.00005, -0.00001, 0.12345, 8.5, 0.5])
@example([(n + 0.5) / 1e4 for n in range(200)])
def test_four_digits_are_those_of_round(values: list[float]) -> None:
    rounded = _to_four_digits(np.asarray([values], np.float64)).tolist()[0]
    assert [repr(value) for value in rounded] == [repr(round(value, 4)) for value in values]


@given(st.integers(1, 6).flatmap(lambda n: st.lists(st.lists(_VALUES, min_size=n, max_size=n), min_size=3, max_size=3)))
def test_what_features_moved_and_the_first_reason_that_applies(values: list[list[float]]) -> None:
    names = ("name_cover", "phrase", "definition")
    columns = [np.asarray(column, np.float32) for column in values]
    features, reasons = _moved(columns, names, len(values[0]))
    for at in range(len(values[0])):
        own = {name: float(column[at]) for name, column in zip(names, columns, strict=True) if abs(column[at]) > 1e-6}
        assert features[at] == tuple((name, round(value, 4)) for name, value in own.items())
        lifted = [name for name in own if round(own[name], 4) > 0]
        assert ("defines" in reasons[at]) == ("definition" in lifted)
        assert ("quoted" in reasons[at]) == ("phrase" in lifted and "definition" not in lifted)
        assert bool(reasons[at]) == bool({"definition", "phrase"} & set(lifted))
