"""`topsim.adapter`: the program of the README is judged, and a wrong start is refused before a step."""

import os
import pathlib
import re
import subprocess
import sys

README = pathlib.Path(__file__).parent.parent / "README.md"


def program(tmp_path, change=lambda text: text):
    text = next(b for b in re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL) if "adapter.run(" in b)
    file = tmp_path / "engine.py"
    file.write_text("import numpy as np\nimport topsim\n" + change(text), encoding="utf-8")
    return file


def judge(tmp_path, *arguments):
    """The finished `topsim judge judge_top`. `-m` looks in the current folder first, which must not be that of the sources."""
    command = [sys.executable, "-m", "topsim", "judge", "judge_top", *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env={**os.environ, "NO_COLOR": "1"})


def answer(file):
    """The finished program, which was given the problem of `judge_top`."""
    asked = judge(file.parent, "--problem")
    assert asked.returncode == 0, asked.stderr
    return subprocess.run([sys.executable, file], input=asked.stdout, capture_output=True, text=True)


def test_the_program_of_the_readme_is_judged(tmp_path):
    solver = f'"{sys.executable}" "{program(tmp_path)}"'
    done = judge(tmp_path, "--solver", solver, "--claim", "order=1")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "PASSED" in done.stdout


def test_prints_of_the_engine_are_no_rows(tmp_path):
    noisy = program(tmp_path, lambda text: text.replace("    global q, w\n", "    global q, w\n    print('a step', flush=True)\n"))
    done = answer(noisy)
    quiet = answer(program(tmp_path))
    assert quiet.stdout.startswith("t,qw") and done.stdout == quiet.stdout
    assert "a step" in done.stderr


def test_a_wrong_start_is_refused(tmp_path):
    done = answer(program(tmp_path, lambda text: text.replace('frame="body"', 'frame="space"')))
    assert (done.returncode, done.stdout) == (2, "")
    assert "in the other frame" in done.stderr
