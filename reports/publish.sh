#!/bin/sh
# Runs every bundled reader that can run here against the whole corpus, and writes what was
# found to reports/published. A reader that does not conform is a result, not a failure. Writes, too,
# what the corpus covers of each description, which wrong readers it tells from right ones, and how
# well their failures lead to their bugs.
set -u
cd "$(dirname "$0")/.." || exit 3
status=0
cargo run --release -- run --quiet \
    --html reports/published/index.html \
    --markdown reports/published/README.md >/dev/null || status=$?
# What readers say of their crashes names places of this machine, which tell others nothing.
sources="${CARGO_HOME:-$HOME/.cargo}/registry/src/[^/\"\\ ]*/"
for page in reports/published/index.html reports/published/README.md; do
    sed -e "s|$sources||g" -e "s|$PWD/||g" -e "s|$HOME/|~/|g" "$page" >"$page.new" &&
        mv "$page.new" "$page" || exit 3
done
target=${CARGO_TARGET_DIR:-target}/release/tracegauge
"$target" corpus score --misses 0 --no-progress >reports/corpus-score.txt || exit 3
"$target" corpus score --mutants --misses 0 --no-progress >reports/corpus-strength.txt || exit 3
"$target" corpus score --diagnosis --misses 0 --no-progress >reports/corpus-diagnosis.txt || exit 3
case $status in
    0 | 1) ls -l reports/published ;;
    *) exit "$status" ;;
esac
