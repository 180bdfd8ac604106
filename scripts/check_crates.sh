#!/usr/bin/env bash
# The dependency trees that the design bounds, and the size of what each crate would publish.
set -euo pipefail
cd "$(dirname "$0")/.."

tree() { cargo tree -p "$1" -e normal --prefix none | sed 's/ (\*)$//' | sort -u | wc -l; }
bound() {
  local n
  n=$(tree "$1")
  echo "$1: $n crates, allowed $2"
  [ "$n" -le "$2" ]
}
bound topsim-core 30
bound topsim-judge 50

for manifest in Cargo.toml crates/*/Cargo.toml; do
  dir=$(dirname "$manifest")
  size=$(cd "$dir" && cargo package --list --allow-dirty | while read -r f; do [ -f "$f" ] && stat -L -c %s "$f"; done | awk '{ s += $1 } END { print int(s / 1024) }')
  echo "$dir: $size KiB to publish, allowed 2048"
  [ "$size" -le 2048 ]
done
