"""The module `topsim.adapter` of the Python package, read from its file: the adapters here run without the package installed."""

import importlib.util
import pathlib
import sys

_file = pathlib.Path(__file__).resolve().parents[2] / "python/topsim/adapter.py"
_spec = importlib.util.spec_from_file_location(__name__, _file)
sys.modules[__name__] = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(sys.modules[__name__])
