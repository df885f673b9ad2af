#!/usr/bin/env bash
# Runs fuzz targets:
#   run.sh build                                 builds all targets
#   run.sh TARGET SECONDS [libFuzzer options…]   runs one target
#   run.sh all SECONDS [libFuzzer options…]      runs all targets, one after another
#
# With a nightly compiler, targets are built with the address sanitizer, by cargo-fuzz if it is
# installed. With only a stable compiler, or with FUZZ_STABLE=1, libFuzzer is still guided by coverage,
# but there is no sanitizer. Little is missed, because no crate here has unsafe code. FUZZ_PROFILE=dev
# makes the build much faster but the targets a few times slower, which suits runs of a few seconds.
# FUZZ_SEEDS=PROGRAM names the program `seeds` if it has already been built.
set -euo pipefail
cd "$(dirname "$0")"

usage() {
  sed -n '2,5s/^# \{0,1\}//p' run.sh >&2
  echo "targets: ${targets[*]}" >&2
  exit 2
}

targets=()
for file in fuzz_targets/*.rs; do
  file=${file##*/}
  targets+=("${file%.rs}")
done
# Sharing the target folder with the main workspace avoids building the same crates again.
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/../target}

has_nightly() { [[ ${FUZZ_STABLE:-} != 1 ]] && cargo +nightly --version >/dev/null 2>&1; }

profile=${FUZZ_PROFILE:-release}

# Sets `how`, a description of the build; `build`, the command that builds targets; and `programs`, the
# folder for the built targets.
choose() {
  # Only the instrumentation that guides libFuzzer: edge counters and comparisons.
  local coverage="--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
-Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
-Cllvm-args=-sanitizer-coverage-trace-compares"
  local toolchain=()
  if has_nightly; then
    toolchain=(+nightly)
    coverage="$coverage -Zsanitizer=address"
    how="on nightly without cargo-fuzz, with the address sanitizer"
  else
    how="on stable, with coverage but without a sanitizer"
  fi
  if [[ $profile == dev && ${#toolchain[@]} == 0 ]]; then
    programs=$CARGO_TARGET_DIR/debug
    build=(env "RUSTC_WRAPPER=$PWD/instrument.sh" "FUZZ_COVERAGE=$coverage" "FUZZ_ROOT=${PWD%/fuzz}" cargo build --quiet)
    return
  fi
  # With --target, cargo builds build scripts and procedural macros without these flags.
  host=$(rustc -vV | sed -n 's/^host: //p')
  programs=$CARGO_TARGET_DIR/$host/${profile/#dev/debug}
  build=(env "RUSTFLAGS=${RUSTFLAGS:-} $coverage" cargo "${toolchain[@]}" build --profile "$profile" --quiet --target "$host")
}

seeds_program=${FUZZ_SEEDS:-$CARGO_TARGET_DIR/debug/seeds}

build_seeds() {
  [[ -n ${FUZZ_SEEDS:-} ]] || cargo build --quiet --manifest-path functions/Cargo.toml --bin seeds
}

# seeds TARGET: writes the initial inputs and the dictionary of a target. Each target has its own files,
# because several targets may run at the same time.
seeds() {
  build_seeds
  "$seeds_program" "$1" "corpus/$1" "artifacts/$1/words.dict"
}

# run TARGET SECONDS [libFuzzer options…]
run() {
  local target=$1 seconds=$2
  shift 2
  mkdir -p "corpus/$target" "artifacts/$target"
  seeds "$target"
  # Printing the names of new functions would take minutes if a symbolizer is installed.
  local options=(-print_funcs=0 -dict="artifacts/$target/words.dict" -max_total_time="$seconds" -max_len=8192 -timeout=20 -rss_limit_mb=2048)
  if [[ $profile == release ]] && has_nightly && cargo fuzz --version >/dev/null 2>&1; then
    echo "fuzzing $target with cargo-fuzz on nightly, with the address sanitizer" >&2
    cargo +nightly fuzz run "$target" "corpus/$target" -- "${options[@]}" "$@"
    return
  fi
  "${build[@]}" --bin "$target"
  echo "fuzzing $target $how" >&2
  "$programs/$target" "${options[@]}" -artifact_prefix="artifacts/$target/" "$@" "corpus/$target"
}

[[ $# -ge 1 ]] || usage
choose
case $1 in
  build)
    build_seeds
    "${build[@]}" "${targets[@]/#/--bin=}"
    ;;
  all)
    [[ $# -ge 2 ]] || usage
    shift
    for target in "${targets[@]}"; do run "$target" "$@"; done
    ;;
  *)
    [[ $# -ge 2 && -f fuzz_targets/$1.rs ]] || usage
    run "$@"
    ;;
esac
