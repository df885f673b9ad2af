#!/bin/sh
# Runs a reader against the corpus in a CI job, and leaves the reports in a folder. The exit status
# is that of `tracegauge run`.
#
#   TRACEGAUGE_READER    the reader file
#   TRACEGAUGE_BASELINE  the list of known failures, instead of the one that the reader file names
#   TRACEGAUGE_FORMATS   formats, separated by spaces [default: all formats that the reader reads]
#   TRACEGAUGE_OUT       the folder for the reports [default: tracegauge-report]
set -eu

out=${TRACEGAUGE_OUT:-tracegauge-report}
mkdir -p "$out"
set -- run --reader "$TRACEGAUGE_READER" --no-progress \
  --json "$out/result.json" --junit "$out/junit.xml" \
  --html "$out/report.html" --markdown "$out/summary.md"
if [ -n "${TRACEGAUGE_BASELINE:-}" ]; then
  set -- "$@" --baseline "$TRACEGAUGE_BASELINE"
fi
for format in ${TRACEGAUGE_FORMATS:-}; do
  set -- "$@" --format "$format"
done

status=0
tracegauge "$@" || status=$?
if [ -n "${GITHUB_STEP_SUMMARY:-}" ] && [ -f "$out/summary.md" ]; then
  cat "$out/summary.md" >>"$GITHUB_STEP_SUMMARY"
fi
exit "$status"
