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

for dir in . crates/*; do
  name=topsim
  [ "$dir" = . ] || name=$(basename "$dir")
  files=$(cargo package --list --allow-dirty -p "$name" 2>/dev/null)
  size=0
  for file in $files; do
    if [ -f "$dir/$file" ]; then
      size=$((size + $(stat -L -c %s "$dir/$file")))
    fi
  done
  echo "$name: $((size / 1024)) KiB to publish, allowed 2048"
  [ "$size" -le $((2048 * 1024)) ]
done
