"""What the README shows is what comes out."""

import os
import pathlib
import re
import subprocess
import sys

README = pathlib.Path(__file__).parent.parent / "README.md"


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)


def test_the_first_program_prints_what_stands_below_it(tmp_path):
    program = tmp_path / "first.py"
    program.write_text(blocks("python")[0], encoding="utf-8")
    wide = {**os.environ, "COLUMNS": "100"}
    done = subprocess.run([sys.executable, program], capture_output=True, text=True, check=True, env=wide)
    # `…` stands for what is left out.
    first, *others = blocks("text")[0].split("…")
    assert done.stdout.startswith(first), done.stdout
    rest = done.stdout[len(first) :]
    for part in filter(None, (part.rstrip("\n") for part in others)):
        assert part in rest, (part, done.stdout)
        rest = rest.partition(part)[2]


def test_the_program_passes_once_it_is_mended(tmp_path):
    text = blocks("python")[0]
    wrong, right = "R + h/2*c, W + h/2*C", "R + h*c, W + h*C"
    assert wrong in text and f"`{right}`" in README.read_text(encoding="utf-8")
    program = tmp_path / "mended.py"
    program.write_text(text.replace(wrong, right), encoding="utf-8")
    done = subprocess.run([sys.executable, program], capture_output=True, text=True, check=True)
    assert "PASSED  order 4.02 measured" in done.stdout
    lines = [line for line in text.splitlines() if line and '"""' not in line]
    assert len(lines) <= 12


def test_the_lines_on_exact_motions_run():
    names = {}
    exec("import numpy as np\nimport topsim\n" + blocks("python")[2], names)
    assert names["motion"].matrix.shape == (1001, 3, 3)
