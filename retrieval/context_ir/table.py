"""``table``: keys once, rows by position. ``table-dict``: repeated strings of a column become ids of its dictionary."""

from __future__ import annotations

from retrieval.context_ir.records import (
    NotRecordsError,
    Records,
    Scalar,
    dump_rows,
    dump_string,
    dump_strings,
    load_json,
)

_ID_CHARS = 2  # about what an id costs in a row beside the value it stands for


def encode_table(records: Records) -> str:
    return f'{{"keys":{dump_strings(records.keys)},"rows":{dump_rows(records.rows)}}}'


def decode_table(body: str) -> Records:
    """Raises NotRecordsError when ``body`` is no table."""
    fields = _object(body, ("keys", "rows"))
    return Records(_strings(fields[0]), _rows(fields[1]))


def encode_table_dict(records: Records) -> str | None:
    """None when no column gets shorter. A column with a number in it never has ids, so that an id is never a value."""
    columns = list(zip(*records.rows, strict=True))
    known: dict[int, dict[str, int]] = {}
    for at, column in enumerate(columns):
        if any(isinstance(value, bytes) for value in column):
            continue
        ids: dict[str, int] = {}
        plain = 0
        for value in column:
            if isinstance(value, str):
                plain += len(value) + 2
                ids.setdefault(value, len(ids))
        coded = sum(len(value) + 3 for value in ids) + _ID_CHARS * len(column)
        if ids and coded < plain:
            known[at] = ids
    if not known:
        return None
    for at, ids in known.items():
        columns[at] = tuple(b"%d" % ids[value] if isinstance(value, str) else value for value in columns[at])
    rows = dump_rows(zip(*columns, strict=True))
    tables = ",".join(f"{dump_string(str(at))}:{dump_strings(list(ids))}" for at, ids in known.items())
    return f'{{"keys":{dump_strings(records.keys)},"dict":{{{tables}}},"rows":{rows}}}'


def decode_table_dict(body: str) -> Records:
    """Raises NotRecordsError when ``body`` is no table with dictionaries."""
    fields = _object(body, ("keys", "dict", "rows"))
    keys, rows = _strings(fields[0]), _rows(fields[2])
    if not isinstance(fields[1], tuple):
        raise NotRecordsError("dict")
    columns: list[tuple[Scalar, ...]] = list(zip(*rows, strict=True))
    for name, items in fields[1]:
        words = _strings(items)
        try:
            at = int(name)
            columns[at] = tuple(words[int(value)] if isinstance(value, bytes) else value for value in columns[at])
        except (ValueError, IndexError):
            raise NotRecordsError("dict") from None
    return Records(keys, tuple(zip(*columns, strict=True)))


def _object(body: str, names: tuple[str, ...]) -> list[object]:
    parsed = load_json(body)
    if not isinstance(parsed, tuple) or tuple(pair[0] for pair in parsed) != names:
        raise NotRecordsError("fields")
    return [pair[1] for pair in parsed]


def _strings(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise NotRecordsError("strings")
    return tuple(value)


def _rows(value: object) -> tuple[tuple[Scalar, ...], ...]:
    if not isinstance(value, list) or not all(isinstance(row, list) for row in value):
        raise NotRecordsError("rows")
    if len({len(row) for row in value}) > 1:
        raise NotRecordsError("rows")
    return tuple(map(tuple, value))
