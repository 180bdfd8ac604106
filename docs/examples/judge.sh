#!/bin/sh
# judge.sh TOPSIM SOLVER: judges a solver on the cases made for judging. Writes rotation.xml (JUnit); ends with topsim's
# exit status. With rotation-baseline.toml beside it, the defects that this file accepts do not count.
set -u
topsim=$1
solver=$2
set -- judge --all --solver "$solver" --time-limit 60
# What you claim of your solver, such as CLAIM=order=4,energy; without a claim only defects fail.
if [ -n "${CLAIM:-}" ]; then
    set -- "$@" --claim "$CLAIM"
fi
if [ -f rotation-baseline.toml ]; then
    set -- "$@" --accepted rotation-baseline.toml
fi
"$topsim" "$@" --format junit > rotation.xml
status=$?
case $status in
    0) echo "no new defect" ;;
    1) echo "failed: a new defect, see rotation.xml" ;;
    3) echo "failed: a step without a history, see rotation.xml" ;;
    *) echo "topsim could not judge (exit status $status)" ;;
esac
exit $status
