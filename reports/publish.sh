#!/bin/sh
# Runs every bundled reader that can run on this machine against the whole corpus, and writes the
# results to reports/published. A reader that does not conform is a result, not a failure. Also
# writes the coverage, the mutation scores and the diagnosis figures of the corpus to reports.
set -u
cd "$(dirname "$0")/.." || exit 3
status=0
cargo run --release -- run --quiet \
    --html reports/published/index.html \
    --markdown reports/published/README.md >/dev/null || status=$?
# Messages about crashes contain paths on this machine, which are of no use elsewhere.
sources="${CARGO_HOME:-$HOME/.cargo}/registry/src/[^/\"\\ ]*/"
for page in reports/published/index.html reports/published/README.md; do
    sed -e "s|$sources||g" -e "s|$PWD/||g" -e "s|$HOME/|~/|g" "$page" >"$page.new" &&
        mv "$page.new" "$page" || exit 3
done
target=${CARGO_TARGET_DIR:-target}/release/tracegauge
"$target" corpus score --misses 0 --no-progress >reports/corpus-score.txt || exit 3
"$target" corpus score --mutants --misses 0 --no-progress >reports/corpus-strength.txt || exit 3
"$target" corpus score --diagnosis --format dial9-v1 --misses 0 --no-progress >reports/corpus-diagnosis.txt || exit 3
case $status in
    0 | 1) ls -l reports/published ;;
    *) exit "$status" ;;
esac
