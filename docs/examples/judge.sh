#!/bin/sh
# judge.sh TOPSIM SOLVER: judges a solver on the cases made for judging. Writes rotation.xml (JUnit); ends with topsim's
# exit status. With rotation-baseline.toml beside it, the defects that this file accepts do not count.
set -u
topsim=$1
solver=$2
# What you claim of your solver, such as order=4,energy; without a claim only defects fail.
claim=${CLAIM:-order=2}
set -- judge --all --solver "$solver" --claim "$claim" --time-limit 60
if [ -f rotation-baseline.toml ]; then
    set -- "$@" --accepted rotation-baseline.toml
fi
"$topsim" "$@" --format junit > rotation.xml
status=$?
case $status in
    0) echo "passed" ;;
    1) echo "failed: a new defect, see rotation.xml" ;;
    3) echo "failed: a step without a history, see rotation.xml" ;;
    *) echo "topsim could not judge (exit status $status)" ;;
esac
exit $status
