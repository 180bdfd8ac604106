"""The command `topsim` that comes with the package."""

import json
import pathlib
import signal
import subprocess
import sys
import sysconfig
import time

import pytest
import topsim

MODULE = [sys.executable, "-m", "topsim"]
SCRIPT = [str(pathlib.Path(sysconfig.get_path("scripts")) / "topsim")]


def run(command, folder, *arguments):
    return subprocess.run([*command, *arguments], cwd=folder, capture_output=True, text=True)


@pytest.mark.parametrize("command", [MODULE, SCRIPT])
def test_it_is_the_program(command, tmp_path):
    done = run(command, tmp_path, "--version")
    assert (done.returncode, done.stdout.split()[:2]) == (0, ["topsim", topsim.__version__]), done.stderr
    done = run(command, tmp_path, "run", "pinned_bar", "--no-figures")
    assert done.returncode == 0 and "PASSED" in done.stdout, done.stderr
    # The report names the command without what starts Python.
    page = (tmp_path / "results/report.html").read_text()
    assert "topsim run pinned_bar --no-figures" in page


def test_a_solver_is_written_and_judged(tmp_path):
    done = run(SCRIPT, tmp_path, "init", "--solver", "python")
    assert done.returncode == 0, done.stderr
    judged = run(SCRIPT, tmp_path, "judge", "judge_top", "--format", "json")
    assert judged.returncode == 0 and json.loads(judged.stdout)["passed"], judged.stderr
    solver = tmp_path / "solver.py"
    text = solver.read_text()
    assert text.count("h/2, k2") == 1
    solver.write_text(text.replace("h/2, k2", "h*0.45, k2"))
    judged = run(SCRIPT, tmp_path, "judge", "judge_top")
    assert judged.returncode == 1 and "a32 should be 1/2" in judged.stdout


def test_exit_statuses_are_passed_on(tmp_path):
    done = run(MODULE, tmp_path, "judge")
    assert done.returncode == 2 and "topsim init --solver" in done.stderr
    done = run(MODULE, tmp_path, "runn")
    assert done.returncode == 2 and "run" in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has other signals")
def test_ctrl_c_ends_it(tmp_path):
    # A build that never ends: nothing listens for the signal yet. Then a solver that never answers, when topsim does.
    wait = f"{sys.executable} -c 'import pathlib, time; pathlib.Path(\"begun\").touch(); time.sleep(1000)'"
    for options in [["--build", wait, "--solver", "true"], ["--solver", wait]]:
        begun = tmp_path / "begun"
        begun.unlink(missing_ok=True)
        judge = subprocess.Popen([*SCRIPT, "judge", "judge_top", *options], cwd=tmp_path, stderr=subprocess.PIPE)
        while not begun.exists():
            assert judge.poll() is None, judge.stderr.read()
            time.sleep(0.01)
        judge.send_signal(signal.SIGINT)
        assert judge.wait() in (130, -signal.SIGINT)
