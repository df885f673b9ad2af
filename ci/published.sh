#!/usr/bin/env bash
# Checks that the published mutation scores and diagnosis figures are those of the corpus, that large real
# files come back from their trees and tapes, that offsets beyond 32 bits are right, and that the cost of
# commands grows linearly, for which valgrind must be installed. These checks take about an hour on two cores,
# so `.ci/run` leaves them out. Run this script before a release, and after a change to the corpus, to a
# mutant, or to how causes are found. If figures have changed on purpose, reports/publish.sh writes them.
set -uo pipefail
cd "$(dirname "$0")/.."
status=0

# same FILE COMMAND…: compares the output of `tracegauge corpus score` with a published file.
same() {
  local file=$1
  shift
  printf '== %s\n' "$file"
  if cargo run --quiet -- corpus score --misses 0 --no-progress "$@" | diff -u "$file" -; then
    printf 'unchanged\n'
  else
    status=1
  fi
}

same reports/corpus-score.txt
same reports/corpus-strength.txt --mutants
same reports/corpus-diagnosis.txt --diagnosis --format dial9-v1
printf '== large real files\n'
cargo test --quiet --workspace --test all -- --ignored come_back comes_back || status=1
printf '== growth of costs, and offsets beyond 32 bits\n'
cargo test --quiet -p tracegauge-cli --test all -- --ignored --nocapture is_linear are_right || status=1
exit "$status"
