#!/usr/bin/env bash
# Runs fuzz targets:
#   run.sh build                                 makes all of them ready
#   run.sh TARGET SECONDS [libFuzzer options…]   runs one
#   run.sh all SECONDS [libFuzzer options…]      runs one after the other
#
# With cargo-fuzz and a nightly compiler it uses those, with the address sanitizer. Without
# cargo-fuzz but with nightly it does the same by hand. With a stable compiler only, coverage
# still steers libFuzzer, but there is no sanitizer: since no crate here has unsafe code, what
# is missed is little. FUZZ_STABLE=1 asks for that. FUZZ_PROFILE=dev builds in a fraction of the
# time what then runs a few times slower: for some seconds of each target. FUZZ_SEEDS=PROGRAM names
# the program `seeds` if it is built already.
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
# What the main workspace has built for its tests is not built again.
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/../target}

has_nightly() { [[ ${FUZZ_STABLE:-} != 1 ]] && cargo +nightly --version >/dev/null 2>&1; }

profile=${FUZZ_PROFILE:-release}

# Sets `how`, `build`, which is the command that builds targets, and `programs`, the folder in which
# they are then.
choose() {
  # Counters of edges alone: what steers libFuzzer, and no more than that.
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
  # With a target given, build scripts and macros are built without these flags.
  host=$(rustc -vV | sed -n 's/^host: //p')
  programs=$CARGO_TARGET_DIR/$host/${profile/#dev/debug}
  build=(env "RUSTFLAGS=${RUSTFLAGS:-} $coverage" cargo "${toolchain[@]}" build --profile "$profile" --quiet --target "$host")
}

seeds_program=${FUZZ_SEEDS:-$CARGO_TARGET_DIR/debug/seeds}

build_seeds() {
  [[ -n ${FUZZ_SEEDS:-} ]] || cargo build --quiet --manifest-path functions/Cargo.toml --bin seeds
}

# seeds TARGET: writes the inputs that a target starts from, and the dictionary. Each target has its own,
# since targets may be run at once.
seeds() {
  build_seeds
  "$seeds_program" "$1" "corpus/$1" "artifacts/$1/words.dict"
}

# run TARGET SECONDS […]
run() {
  local target=$1 seconds=$2
  shift 2
  mkdir -p "corpus/$target" "artifacts/$target"
  seeds "$target"
  # Naming new functions would cost minutes where a symbolizer is installed.
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
