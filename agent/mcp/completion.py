"""What a client offers while a user types: names of the tree for a prompt's symbol, paths for a file's address."""

from __future__ import annotations

from retrieval.index.reader import IndexReader

MAX_VALUES = 100  # the protocol's own limit
_MAX_TYPED = 200
_KINDS = "('module', 'class', 'function', 'method', 'property')"


def symbol_names(reader: IndexReader, typed: str) -> tuple[list[str], bool]:
    """(names that begin with what was typed, whether there are more): simple ones, with a dot qualified ones too."""
    wanted = typed.strip()[:_MAX_TYPED]
    column = "qualname" if "." in wanted else "name"
    rows = reader.conn.execute(
        f"SELECT DISTINCT {column} FROM symbols WHERE substr({column}, 1, ?) = ? AND instr({column}, '#') = 0 "
        f"AND kind IN {_KINDS} ORDER BY length({column}), {column} LIMIT ?",
        (len(wanted), wanted, MAX_VALUES + 1),
    ).fetchall()
    return [str(row[0]) for row in rows[:MAX_VALUES]], len(rows) > MAX_VALUES


def file_paths(reader: IndexReader, typed: str) -> tuple[list[str], bool]:
    """(paths that hold what was typed, whether there are more); those that begin with it first."""
    wanted = typed.strip()[:_MAX_TYPED].lower()
    found = [path for path in reader.paths if wanted in path.lower()]
    found.sort(key=lambda path: (not path.lower().startswith(wanted), path))
    return found[:MAX_VALUES], len(found) > MAX_VALUES
