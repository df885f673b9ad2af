#!/usr/bin/env bash
# A wrapper for rustc that adds the flags in FUZZ_COVERAGE for the crates of this project only, so that
# the dependencies that were built for the tests of the main workspace are reused.
rustc=$1
shift
for argument; do
  if [[ ${previous:-} == --crate-name ]]; then
    name=$argument
    break
  fi
  previous=$argument
done
if [[ ${CARGO_MANIFEST_DIR:-} == "$FUZZ_ROOT"/* && ${name:-___} != ___ && $name != build_script_* ]]; then
  # shellcheck disable=SC2086 # several flags
  exec "$rustc" "$@" $FUZZ_COVERAGE
fi
exec "$rustc" "$@"
