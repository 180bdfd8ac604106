"""topsim: is my rigid-body rotation integrator right?

An attitude R maps body components to space components, v_space = R v_body. Angular velocities W
and torques are in the body frame. All units are SI.

>>> import topsim
>>> def step(problem, t, h, R, W):
...     W = W + h * problem.acceleration(t, R, W)
...     return R @ topsim.rotation(h * W), W
>>> report = topsim.judge_step(step, cases=["judge_free"])
>>> round(report.order)
1
"""

from . import exact
from ._batch import Batch, BatchFinding, BatchReport, judge_batch
from ._judge import Skip, judge, judge_histories, judge_step, judged
from ._navigation import Drift, Finding, NavigationReport, Sample, judge_attitude, judge_navigation
from ._problem import GivenRate, Motion, Problem, integrate, problem, problems, rotation
from ._report import CaseReport, Cause, Coefficient, Report, SolverError, StepErrors, Verdict
from ._suite import Case, History, RunReport, Scheme, run
from ._topsim import __version__

__all__ = [
    "Batch",
    "BatchFinding",
    "BatchReport",
    "Case",
    "CaseReport",
    "Cause",
    "Coefficient",
    "Drift",
    "Finding",
    "GivenRate",
    "History",
    "Motion",
    "NavigationReport",
    "Problem",
    "Report",
    "RunReport",
    "Sample",
    "Scheme",
    "Skip",
    "SolverError",
    "StepErrors",
    "Verdict",
    "__version__",
    "cases",
    "exact",
    "integrate",
    "judge",
    "judge_attitude",
    "judge_batch",
    "judge_histories",
    "judge_navigation",
    "judge_step",
    "judged",
    "problem",
    "problems",
    "rotation",
    "run",
    "schemes",
]


cases: tuple[Case, ...]
schemes: tuple[Scheme, ...]

# Public names are shown as `topsim.SolverError`, independent of the file that defines them.
for _name in __all__:
    if isinstance(_public := globals().get(_name), type):
        _public.__module__ = __name__
del _name, _public


def __getattr__(name: str) -> tuple[Case, ...] | tuple[Scheme, ...]:
    # These are computed on first use, so that importing topsim stays quick.
    if name == "cases":
        from ._suite import cases

        return cases()
    if name == "schemes":
        from ._suite import schemes

        return schemes()
    raise AttributeError(f"module 'topsim' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), "cases", "schemes"])
