"""Translation of texts of the compiled part from the terms of the command line to those of Python, and wrapping."""

from __future__ import annotations

import contextlib
import shutil
import textwrap
from collections.abc import Iterator

# Terms of the command line and of Python; the first that matches is used.
_WORDS = (
    ("rename or reorder the columns, or use `--transposed` or `--quaternion`",
     "give the attitude that takes the body to space, and say the order of its numbers by `quaternion=`"),
    ("rename the columns (`W1 W2 W3` are body components, `omega_x …` space components, rad/s) or convert",
     "say the frame by `rate_frame=`, and give rad/s"),
    ("body → space after all: without `--transposed`", "body → space after all"),
    ("space → body: `--transposed`", "space → body: give the inverse"),
    ("`--steps H,H,…` for the files in their order", "`steps=` for the histories in their order"),
    ("a solver with --relations only", 'relations="only"'),
    ("--claim order=P", 'claim="order=P"'),
    ("`--columns t=HEADER`", '`columns={"t": HEADER}`'),
    ("`--columns e1=HEADER,…`", '`columns={"e1": HEADER, …}`'),
    ("`--euler SEQUENCE:UNIT`, such as `--euler ZXZ:deg`", '`euler=`, such as "ZXZ:deg"'),
    ("`--euler SEQUENCE:UNIT`", "`euler=SEQUENCE:UNIT`"),
    ("--verbose shows", "`report.text()` shows"),
    ("--steps", "steps"),
    ("--end", "end"),
)
NARROWEST = 40


def translated(text: str) -> str:
    if "--" in text:
        for ours, theirs in _WORDS:
            text = text.replace(ours, theirs)
    return text


@contextlib.contextmanager
def plain_errors() -> Iterator[None]:
    """Removes from errors about arguments what only applies to the command line."""
    try:
        yield
    except ValueError as e:
        lines = [line.removeprefix("error: ") for line in translated(str(e)).splitlines()]
        raise ValueError("\n".join(lines)) from None


def wrapped(text: str) -> str:
    """Wraps long sentences with a hanging indent; rows of tables, recognised by wide gaps, are not wrapped."""
    width = max(shutil.get_terminal_size((100, 24)).columns, NARROWEST)
    lines = []
    for line in text.splitlines():
        words = line.lstrip(" ")
        if len(line) > width and "   " not in words:
            indent = " " * (len(line) - len(words))
            lines += textwrap.wrap(
                words, width, initial_indent=indent, subsequent_indent=indent + "  ",
                break_long_words=False, break_on_hyphens=False,
            )
        else:
            lines.append(line)
    return "\n".join(lines) + ("\n" if text.endswith("\n") else "")
