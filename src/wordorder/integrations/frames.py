"""Data frames of pandas, polars, pyarrow and Hugging Face datasets, in and out.

Libraries are recognised by the class of the frame and imported only to make a frame of theirs. Plain Python
counts, too: a dictionary of columns (``dict``), and a list of rows that are dictionaries (``rows``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from wordorder.core.optional import need
from wordorder.errors import UnknownName, WordOrderError
from wordorder.evaluate.evaluation import Evaluation
from wordorder.judge.agreement import Agreement
from wordorder.metrics.base import Score
from wordorder.report.agreement import set_records
from wordorder.report.evaluation import EvaluationReport
from wordorder.report.table import Table

Columns = Mapping[str, Sequence[Any]]


@dataclass(frozen=True, slots=True)
class Library:
    """What is done with the frames of a library."""

    names: Callable[[Any], list[str]]  # of the columns
    values: Callable[[Any, str], list[Any]]  # of a column
    make: Callable[[Columns], Any]
    extend: Callable[[Any, Columns], Any]  # returns a frame with more columns


def _rows(columns: Columns) -> list[dict[str, Any]]:
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _append_arrow(table: Any, columns: Columns) -> Any:
    for name, values in columns.items():
        table = table.append_column(name, need("pyarrow").array(values))
    return table


def _add_columns(dataset: Any, columns: Columns) -> Any:
    for name, values in columns.items():
        dataset = dataset.add_column(name, values)
    return dataset


LIBRARIES = {
    "pandas": Library(
        names=lambda frame: list(frame.columns),
        values=lambda frame, name: frame[name].tolist(),
        make=lambda columns: need("pandas").DataFrame(dict(columns)),
        extend=lambda frame, columns: frame.assign(**columns),
    ),
    "polars": Library(
        names=lambda frame: list(frame.columns),
        values=lambda frame, name: frame[name].to_list(),
        make=lambda columns: need("polars").DataFrame(dict(columns), strict=False),  # numbers of two types
        extend=lambda frame, columns: frame.with_columns(
            *(need("polars").Series(name, values) for name, values in columns.items())
        ),
    ),
    "pyarrow": Library(
        names=lambda table: list(table.column_names),
        values=lambda table, name: table[name].to_pylist(),
        make=lambda columns: need("pyarrow").table(dict(columns)),
        extend=_append_arrow,
    ),
    "datasets": Library(
        names=lambda dataset: list(dataset.column_names),
        values=lambda dataset, name: list(dataset[name]),
        make=lambda columns: need("datasets").Dataset.from_dict(dict(columns)),
        extend=_add_columns,
    ),
    "dict": Library(
        names=list,
        values=lambda columns, name: list(columns[name]),
        make=dict,
        extend=lambda columns, more: {**columns, **more},
    ),
    "rows": Library(
        names=lambda rows: list(dict.fromkeys(name for row in rows for name in row)),
        values=lambda rows, name: [row.get(name) for row in rows],
        make=_rows,
        extend=lambda rows, more: [{**row, **new} for row, new in zip(rows, _rows(more), strict=True)],
    ),
}
_CLASSES = {"pandas": "DataFrame", "polars": "DataFrame", "pyarrow": "Table", "datasets": "Dataset"}
_INSTEAD = {"LazyFrame": "collect it first", "DatasetDict": "choose one of its splits"}


def library_of(frame: Any) -> str:
    """Return the name of the library of a frame.

    >>> library_of({"hypothesis": ["a"]}), library_of([{"hypothesis": "a"}])
    ('dict', 'rows')
    """
    for cls in type(frame).__mro__:
        home = cls.__module__.partition(".")[0]
        if _CLASSES.get(home) == cls.__name__:
            return home
    kind = type(frame).__name__
    if kind not in _INSTEAD and isinstance(frame, Mapping):
        return "dict"
    if isinstance(frame, list | tuple) and frame and all(isinstance(row, Mapping) for row in frame):
        return "rows"
    hint = f": {_INSTEAD[kind]}" if kind in _INSTEAD else ""
    raise WordOrderError(
        f"expected a data frame, found a {kind}{hint}. Frames are those of pandas, polars, pyarrow and"
        " datasets, dictionaries of columns, and lists of dictionaries."
    )


def column(frame: Any, name: str) -> list[Any]:
    """Return the values of a column; an unknown name is an error that lists the columns."""
    library = LIBRARIES[library_of(frame)]
    names = library.names(frame)
    if name not in names:
        raise UnknownName("column", str(name), map(str, names))
    if names.count(name) > 1:
        raise WordOrderError(f"the frame has {names.count(name)} columns called {name!r}; rename them")
    return library.values(frame, name)


def extended(frame: Any, columns: Columns) -> Any:
    """Return the frame with more columns; names that it has already are an error."""
    library = LIBRARIES[library_of(frame)]
    taken = sorted(set(columns) & set(library.names(frame)))
    if taken:
        raise WordOrderError(f"the frame has a column {taken[0]!r} already; rename or drop it")
    return library.extend(frame, columns)


def frame_of(records: Iterable[Mapping[str, Any]], library: str) -> Any:
    """Make a frame of records; what a record does not have is None.

    >>> frame_of([{"a": 1}, {"a": 2, "b": "x"}], "dict")
    {'a': [1, 2], 'b': [None, 'x']}
    """
    if library not in LIBRARIES:
        raise UnknownName("library of data frames", library, LIBRARIES)
    rows = list(records)
    names = dict.fromkeys(name for row in rows for name in row)
    return LIBRARIES[library].make({name: [row.get(name) for row in rows] for name in names})


def to_frame(results: Any, library: str = "pandas") -> Any:
    """Make a data frame of results: scores, evaluations of orders, agreement with people, or tables.

    Several results of one kind, in a list, make one frame. The columns are those of the same results as TSV.

    >>> from wordorder.metrics import metric
    >>> scores = [metric(name).corpus_score(["b a"], [["a b"]]) for name in ("kendall", "ulam")]
    >>> frame = to_frame(scores, "dict")
    >>> frame["score"], frame["segments"]
    ([0.0, 0.0], [1, 1])
    """
    return frame_of(_records(results), library)


def _records(results: Any) -> Iterable[Mapping[str, Any]]:
    if isinstance(results, Score):
        return [results.as_dict()]
    if isinstance(results, Evaluation):
        return EvaluationReport(results).records()
    if isinstance(results, Agreement):
        return set_records(results)
    if isinstance(results, Table):
        return results.records
    if isinstance(results, Mapping):
        return [results]
    if isinstance(results, list | tuple):
        return [record for one in results for record in _records(one)]
    raise WordOrderError(
        f"expected scores, an evaluation, agreement with people or a table, found a {type(results).__name__}"
    )
