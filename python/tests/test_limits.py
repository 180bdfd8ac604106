"""Short memory, Ctrl-C, and an interpreter that ends while topsim works."""

import pathlib
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest
import topsim

# Calls whose memory grows with the number n of times, as the body of a function of n.
GROWING = {
    "free_body": "topsim.exact.free_body([1, 2, 2.5], np.eye(3), [1, 1, 1], np.zeros(n))",
    "exact": "topsim.problem('judge_free').exact(np.zeros(n))",
    "integrate": "topsim.integrate('quat_rk4', 'judge_free', 0.001, np.arange(n) * 0.001)",
    "histories": "topsim.judge_histories('judge_free', [(np.arange(n) * 0.001, np.tile([1.0, 0, 0, 0], (n, 1)))])",
}


def run(program, *arguments):
    command = [sys.executable, "-c", textwrap.dedent(program), *map(str, arguments)]
    # In this folder, where no package stands before the installed one.
    here = pathlib.Path(__file__).parent
    return subprocess.run(command, cwd=here, capture_output=True, text=True, timeout=120)


@pytest.mark.skipif(sys.platform != "linux", reason="limits of memory as Linux has them")
@pytest.mark.parametrize("call", GROWING.values(), ids=list(GROWING))
def test_short_memory_is_an_exception(call):
    program = f"""
        import resource
        import numpy as np
        import topsim

        n = 1000
        {call}
        used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
        short = 0
        for room in (30, 60, 100, 150, 220, 300):
            resource.setrlimit(resource.RLIMIT_AS, (used + (room << 20), -1))
            n = 2_000_000
            try:
                {call}
            except MemoryError:
                short += 1
        print(short)
    """
    ended = run(program)
    # A motion may fit into the last of them.
    assert ended.returncode == 0 and int(ended.stdout) >= 4, ended


@pytest.mark.parametrize("call", list(GROWING.values())[:2], ids=list(GROWING)[:2])
def test_ctrl_c_ends_exact_motions_at_once(call, interruptible):
    n = 2_000_000
    call = compile(call, "call", "eval")
    threading.Timer(0.3, signal.raise_signal, [signal.SIGINT]).start()
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        while True:
            eval(call, {"topsim": topsim, "np": np, "n": n})
    # 0.2 s after the signal on a machine that does nothing else.
    assert time.monotonic() - begun < 1.3


def test_the_interpreter_ends_while_a_thread_judges():
    program = """
        import threading, time
        import topsim

        def busy(problem):
            while True:
                pass

        threading.Thread(target=topsim.judge, args=(busy, "judge_free"), daemon=True).start()
        time.sleep(0.5)
    """
    ended = run(program)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_jobs_have_the_bounds_of_the_program():
    for jobs in (0, 1025, 10**9):
        with pytest.raises(ValueError, match="allowed: a number from 1 to 1024"):
            topsim.run("judge_free", jobs=jobs)


def test_a_case_without_schemes_is_judged_by_and_not_run(tmp_path):
    path = tmp_path / "bare.toml"
    path.write_text(
        'title = "bare"\nsummary = "-"\nbody.inertia = [1.0, 2.0, 2.5]\ninitial.angular_velocity = [0.3, 1.0, -0.5]\n'
        "[run]\nend = 1.0\nsteps = [0.02, 0.01]\nsample = 0.1\n[reference]\n"
    )
    assert len(topsim.problems(path)) == 2
    with pytest.raises(ValueError, match="nothing to run"):
        topsim.run(path)
