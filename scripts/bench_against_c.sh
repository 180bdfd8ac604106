#!/bin/sh
# Compares the time per step of rig_pos, rig_neg and rig_imp with the same schemes in plain C.
#
# Builds benches/lean_c/rig.c twice, with `-O3 -march=native` and with `-O2`, each with sine and
# cosine from libm and with the series the Rust uses; builds the example step_times of topsim-core with the default
# release flags; runs all of them in turn ROUNDS times (default 5), so that a noisy machine treats
# them alike; and prints the least times and the ratios Rust/C. Fails if the states after the last
# step differ by more than round-off. It is not part of CI, because timings are not verdicts.
set -eu
cd "$(dirname "$0")/.."
rounds=${ROUNDS:-5}
cc=${CC:-cc}

cargo build --quiet --release -p topsim-core --example step_times
target=${CARGO_TARGET_DIR:-target}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

src=benches/lean_c/rig.c
$cc -O3 -march=native "$src" -o "$out/c_native" -lm
$cc -O2 "$src" -o "$out/c_o2" -lm
$cc -O3 -march=native -DSERIES "$src" -o "$out/c_native_series" -lm
$cc -O2 -DSERIES "$src" -o "$out/c_o2_series" -lm
cp "$target/release/examples/step_times" "$out/rust"

names="rust c_native c_o2 c_native_series c_o2_series"
round=0
while [ "$round" -lt "$rounds" ]; do
    for name in $names; do
        "$out/$name" | sed "s/^/$name /"
    done
    round=$((round + 1))
done >"$out/lines"

# Lines: program scheme/body ns R11 … R33 W1 W2 W3.
awk '
    # W is of order 50. The C carries W, and J (J^-1 p) of the full tensor is p to rounding with a bias: after the steps of rig_neg
    # its states are 8e-12 off those of arithmetic with 40 digits. The Rust carries p, and is 4e-13 off.
    BEGIN { tolerance = 1e-11 }
    {
        key = $1 " " $2
        if (!(key in least) || $3 < least[key]) least[key] = $3
        if (!($2 in seen)) { seen[$2] = 1; order[++cases] = $2 }
        for (i = 4; i <= 15; i++) state[key, i] = $i
    }
    END {
        n = split("c_native c_o2 c_native_series c_o2_series", others, " ")
        printf "%-18s %8s", "least ns a step", "rust"
        for (k = 1; k <= n; k++) printf " %24s", others[k] " (rust/c)"
        printf "\n"
        for (c = 1; c <= cases; c++) {
            rust = "rust " order[c]
            printf "%-18s %8.1f", order[c], least[rust]
            for (k = 1; k <= n; k++) {
                key = others[k] " " order[c]
                printf " %15.1f (%6.3f)", least[key], least[rust] / least[key]
                for (i = 4; i <= 15; i++) {
                    d = state[key, i] - state[rust, i]
                    if (d < 0) d = -d
                    if (i > 12) d /= 50
                    if (!(d <= worst)) worst = d
                }
            }
            printf "\n"
        }
        printf "largest difference of the states (W beside 50 rad/s): %.1e, allowed %.0e\n", worst, tolerance
        if (cases != 6 || !(worst <= tolerance)) { print "the states differ: no fair comparison"; exit 1 }
    }
' "$out/lines"
