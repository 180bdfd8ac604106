#!/bin/sh
# hunt.sh TOPSIM SOLVER [nightly]: hunts for problems on which a solver is wrong. Findings go to findings/, and those that
# are there are tried first. Ends with topsim's exit status.
set -u
topsim=$1
solver=$2
if [ "${3:-}" = nightly ]; then
    # Another seed each day: seconds since 1970 in days.
    set -- --seed "$(($(date +%s) / 86400))" --budget 30min
else
    set -- --seed 1 --problems 1500 --budget 30s
fi
"$topsim" hunt --solver "$solver" "$@" --out findings > hunt.txt
status=$?
cat hunt.txt
case $status in
    0) echo "no new finding" ;;
    1) echo "failed: a finding, see findings/" ;;
    *) echo "topsim could not hunt (exit status $status)" ;;
esac
exit $status
