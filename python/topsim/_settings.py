"""Settings of the file topsim-judge.toml, in which a project defines how its solver is judged."""

from __future__ import annotations

import difflib
import importlib
import os
import pathlib
from typing import Any

from ._judge import RELATIONS, accepted_file, one_of
from ._problem import posed

NAME = "topsim-judge.toml"
# Keys that tests use, and keys that only the program `topsim judge` needs.
TAKEN = ("cases", "claim", "accepted", "relations", "only_step")
OTHERS = ("command", "protocol", "time_limit")


def _known(table: dict[str, Any], allowed: tuple[str, ...], where: str) -> None:
    __tracebackhide__ = True
    for key in table:
        if key not in allowed:
            near = difflib.get_close_matches(key, allowed, 1, 0.7)
            meant = f" (did you mean `{near[0]}`?)" if near else ""
            raise ValueError(f"{where}{key}: no such key{meant}; allowed: {', '.join(allowed)}")


def _value(key: str, value: Any, folder: pathlib.Path) -> Any:
    if key == "cases":
        if not isinstance(value, list) or not all(isinstance(case, str) for case in value):
            raise ValueError(f"found {value!r}; allowed: a list of names and of case files")
        cases = [str(folder / case) if case.endswith(".toml") else case for case in value]
        for case in cases:
            posed(case, [], None)
        return cases or "all"
    if key == "only_step":
        if not isinstance(value, (int, float)) or not 0 < value <= 1e9:
            raise ValueError(f"found {value!r}; allowed: a number of seconds greater than 0")
        return float(value)
    if not isinstance(value, str):
        raise ValueError(f"found {value!r}; allowed: a text")
    if key == "relations":
        return one_of(key, value, [choice for choice in RELATIONS if isinstance(choice, str)])
    return accepted_file(folder / value) if key == "accepted" else value


def settings(folder: pathlib.Path) -> dict[str, Any]:
    """Returns the options of `judge` in the table [solver]; none if the file does not exist."""
    __tracebackhide__ = True
    path = folder / NAME
    if not path.is_file():
        return {}
    try:
        # tomllib came with Python 3.11; pytest brings tomli to older ones.
        toml: Any = importlib.import_module("tomllib")
    except ImportError:
        toml = importlib.import_module("tomli")
    try:
        file = toml.loads(path.read_text(encoding="utf-8"))
        _known(file, ("solver",), "")
        table = file.get("solver", {})
        if not isinstance(table, dict):
            raise ValueError(f"solver: found {table!r}; allowed: a table")
        _known(table, TAKEN + OTHERS, "solver.")
        given = {}
        for key in TAKEN:
            if key in table:
                try:
                    given[key] = _value(key, table[key], folder)
                except (ValueError, OSError) as e:
                    raise ValueError(f"solver.{key}: {str(e).removeprefix(f'{key}: ')}") from None
        return given
    except (ValueError, OSError) as e:
        raise ValueError(f"{os.path.relpath(path)}: {e}") from None
