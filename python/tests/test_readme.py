"""What the README shows is what comes out."""

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
    done = subprocess.run([sys.executable, program], capture_output=True, text=True, check=True)
    shown = blocks("text")[0].rstrip("\n").removesuffix("…").rstrip("\n")
    assert done.stdout.startswith(shown), done.stdout


def test_the_lines_on_exact_motions_run():
    names = {}
    exec("import numpy as np\nimport topsim\n" + blocks("python")[2], names)
    assert names["motion"].matrix.shape == (1001, 3, 3)
