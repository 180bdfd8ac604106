#!/bin/sh
# judge.sh TOPSIM [SOLVER]: judges a solver, and ends with topsim's exit status. Writes into the folder `rotation`:
# report.html, junit.xml, summary.md, results.json, and the errors of each case. Without SOLVER, topsim-judge.toml in this
# folder says what is judged, with the claims and the accepted defects.
# Variables change what is judged:
#   CASES        names of cases or case files, instead of the eight made for judging
#   CLAIM        what you claim of the solver, such as order=4,energy; without a claim only defects fail
#   ACCEPTED     the list of accepted defects; with SOLVER, rotation-baseline.toml if there is such a file
#   TIME_LIMIT   longest time for one step size, s (60)
set -u
topsim=$1
solver=${2:-}
accepted=${ACCEPTED:-}
if [ -n "$solver" ]; then
    # shellcheck disable=SC2086  # several cases are several words
    set -- judge ${CASES:---all} --solver "$solver" --time-limit "${TIME_LIMIT:-60}"
    if [ -z "$accepted" ] && [ -f rotation-baseline.toml ]; then
        accepted=rotation-baseline.toml
    fi
else
    # shellcheck disable=SC2086
    set -- judge ${CASES:-} ${TIME_LIMIT:+--time-limit "$TIME_LIMIT"}
fi
if [ -n "${CLAIM:-}" ]; then
    set -- "$@" --claim "$CLAIM"
fi
if [ -n "$accepted" ]; then
    set -- "$@" --accepted "$accepted"
fi
"$topsim" "$@" --out rotation --report junit=rotation/junit.xml --report markdown=rotation/summary.md
status=$?
case $status in
    0) echo "no new defect" ;;
    1) echo "failed: a new defect, see rotation/report.html" ;;
    3) echo "failed: a step without a history, see rotation/report.html" ;;
    *) echo "topsim could not judge (exit status $status)" ;;
esac
exit $status
