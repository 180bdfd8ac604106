#!/bin/bash
# Compares an escape map made by a four-task Slurm array and a dependent merge with the same map made by a plain run.
#
# Starts a Slurm of one node on loopback, without systemd, in a scratch folder; submits scripts/slurm/array.sbatch and
# scripts/slurm/merge.sbatch; compares SHA-256 of every grid, table and picture of the two results; stops the daemons and
# removes the folder on exit. It is not part of CI.
#
# Needs Debian's packages (apt-get install --no-install-recommends slurm-wlm munge) and a host name that resolves to
# 127.0.0.1. It ran with Slurm 22.05, as root.
#
# Usage: scripts/slurm_one_node.sh
#   TOPSIM       the program                                (target/release/topsim)
#   CASE         the case                                   (cases/levitron_fig1a.toml)
#   TOPSIM_ARGS  further words for run and merge            (none)
#   TASKS        tasks of the array                         (4)
#   KEEP         1: leave the folder with logs and results  (0)
# Exit status: 0 the same bytes; 1 different bytes or a failed job; 2 something is missing.
set -euo pipefail
cd "$(dirname "$0")/.."

fail() { echo "slurm_one_node: $*" >&2; exit 2; }

topsim=$(realpath "${TOPSIM:-${CARGO_TARGET_DIR:-target}/release/topsim}")
case=${CASE:-cases/levitron_fig1a.toml}
tasks=${TASKS:-4}
[[ -x $topsim ]] || fail "no program $topsim: cargo build --release, or set TOPSIM"
for tool in munged slurmctld slurmd sbatch scancel scontrol sinfo squeue sha256sum; do
    PATH=$PATH:/usr/sbin command -v "$tool" >/dev/null || fail "no $tool: apt-get install --no-install-recommends slurm-wlm munge"
done
PATH=$PATH:/usr/sbin
host=$(hostname -s)
[[ $(getent ahostsv4 "$host" | head -n 1) == 127.* ]] || fail "$host does not resolve to a loopback address"

scratch=$(mktemp -d)

stop() {
    status=$?
    trap - EXIT
    if [[ -n ${merge:-} ]]; then
        scancel --quiet "$array" "$merge" || true
        for _ in $(seq 100); do
            [[ -z $(squeue --noheader 2>/dev/null) ]] && break
            sleep 0.1
        done
    fi
    for daemon in slurmd slurmctld munged; do
        pid=$(cat "$scratch/run/$daemon.pid" 2>/dev/null) || continue
        kill "$pid" 2>/dev/null || continue
        for _ in $(seq 100); do
            kill -0 "$pid" 2>/dev/null || break
            sleep 0.1
        done
        kill -9 "$pid" 2>/dev/null || true
    done
    if [[ ${KEEP:-0} == 1 ]]; then
        echo "kept: $scratch"
    else
        rm -rf "$scratch"
    fi
    exit "$status"
}
trap stop EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

mkdir "$scratch"/{state,spool,log,run,jobs}
chmod 711 "$scratch" # munge's clients must reach its socket
chmod 755 "$scratch/run" "$scratch/log"

# Daemons -------------------------------------------------------------------------------------------
(umask 077 && head -c 1024 /dev/urandom >"$scratch/munge.key")
munged --key-file="$scratch/munge.key" --socket="$scratch/run/munge.socket" --pid-file="$scratch/run/munged.pid" \
    --log-file="$scratch/log/munged.log" --seed-file="$scratch/state/munge.seed"

export SLURM_CONF=$scratch/slurm.conf
cat >"$SLURM_CONF" <<CONF
ClusterName=topsim
SlurmctldHost=$host(127.0.0.1)
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
AuthInfo=socket=$scratch/run/munge.socket
CryptoType=crypto/munge
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
SlurmctldPort=26817
SlurmdPort=26818
StateSaveLocation=$scratch/state
SlurmdSpoolDir=$scratch/spool
SlurmctldPidFile=$scratch/run/slurmctld.pid
SlurmdPidFile=$scratch/run/slurmd.pid
SlurmctldLogFile=$scratch/log/slurmctld.log
SlurmdLogFile=$scratch/log/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
ReturnToService=2
SchedulerParameters=batch_sched_delay=0,sched_min_interval=100000
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
JobCompType=jobcomp/none
KillWait=2
MinJobAge=65533
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=local Nodes=$host Default=YES MaxTime=INFINITE State=UP
CONF
slurmctld -f "$SLURM_CONF"
slurmd -f "$SLURM_CONF"
for _ in $(seq 100); do
    state=$(sinfo --noheader --format=%t 2>/dev/null || true)
    [[ $state == idle ]] && break
    sleep 0.2
done
[[ ${state:-} == idle ]] || { cat "$scratch"/log/slurm*.log >&2; fail "the node did not come up"; }
sbatch --version
sinfo

# The map, both ways --------------------------------------------------------------------------------
read -ra extra <<<"${TOPSIM_ARGS:-}"
export TOPSIM=$topsim CASE=$case OUT=$scratch/sharded
array=$(sbatch --parsable --array="0-$((tasks - 1))" --cpus-per-task=1 --output="$scratch/jobs/array_%a.out" scripts/slurm/array.sbatch)
echo "array job $array, $tasks tasks of one core"
merge=$(sbatch --parsable --dependency="afterok:$array" --kill-on-invalid-dep=yes --output="$scratch/jobs/merge.out" scripts/slurm/merge.sbatch)
echo "merge job $merge, after it"
while [[ -n $(squeue --noheader) ]]; do
    sleep 0.5
done
for log in "$scratch"/jobs/*.out; do
    sed "s|^|$(basename "$log" .out): |" "$log"
done
states=$(scontrol --oneliner show job | sed -E 's/.*JobId=([0-9]+).*JobName=([^ ]+).*JobState=([A-Z_]+).*ExitCode=([0-9:]+).*/job \1 \2 \3 \4/')
if grep -v ' COMPLETED 0:0$' <<<"$states"; then
    echo "slurm_one_node: the array or its merge failed" >&2
    exit 1
fi

"$topsim" run "$case" "${extra[@]}" --out "$scratch/plain" >"$scratch/jobs/plain.log" 2>&1 || {
    cat "$scratch/jobs/plain.log" >&2
    echo "slurm_one_node: the plain run failed" >&2
    exit 1
}

# The same bytes? -----------------------------------------------------------------------------------
sums() { (cd "$1" && find . -type f \( -name '*.npy' -o -name '*.csv' -o -name '*.png' \) -exec sha256sum {} + | sort -k 2); }
sums "$scratch/plain" >"$scratch/plain.sums"
sums "$scratch/sharded" >"$scratch/sharded.sums"
[[ -s $scratch/plain.sums ]] || fail "the plain run wrote no grid"
cat "$scratch/sharded.sums"
if ! diff "$scratch/plain.sums" "$scratch/sharded.sums"; then
    echo "slurm_one_node: the merged map differs from the plain run (< plain, > merged)" >&2
    exit 1
fi
echo "merged from $tasks tasks = plain run: $(wc -l <"$scratch/plain.sums") files, the same SHA-256"
