"""The command `topsim`, also `python -m topsim`: the same program as the binary."""

import signal
import sys

from . import _topsim


def main() -> None:
    """Runs the program with the arguments of this process, and ends the process with its exit status."""
    # Python would hold back Ctrl-C until the program ends; the program then listens for it where it has something to keep.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(_topsim.command(sys.argv, _topsim.__file__))


if __name__ == "__main__":
    main()
