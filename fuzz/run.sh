#!/usr/bin/env bash
# Runs a fuzz target for some seconds: run.sh TARGET SECONDS [libFuzzer options…]
#
# With cargo-fuzz and a nightly compiler it uses those, with the address sanitizer. Without
# cargo-fuzz but with nightly it does the same by hand. With a stable compiler only, coverage
# still steers libFuzzer, but there is no sanitizer: since no crate here has unsafe code, what
# is missed is little.
set -euo pipefail
cd "$(dirname "$0")"

target=${1:?usage: run.sh TARGET SECONDS}
seconds=${2:?usage: run.sh TARGET SECONDS}
shift 2
[[ -f fuzz_targets/$target.rs ]] || { echo "there is no target $target" >&2; exit 2; }

corpus=corpus/$target
mkdir -p "$corpus" "artifacts/$target"
# Naming new functions would cost minutes where a symbolizer is installed.
options=(-print_funcs=0 -dict=words.dict -max_total_time="$seconds" -max_len=8192 -timeout=20 -rss_limit_mb=2048)
cargo run --release --quiet --bin seeds -- "$target" "$corpus" words.dict

has_nightly() { cargo +nightly --version >/dev/null 2>&1; }

if has_nightly && cargo fuzz --version >/dev/null 2>&1; then
  echo "fuzzing $target with cargo-fuzz on nightly, with the address sanitizer" >&2
  exec cargo +nightly fuzz run "$target" "$corpus" -- "${options[@]}" "$@"
fi

coverage="--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
-Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
-Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=1"
toolchain=()
if [[ ${FUZZ_STABLE:-} != 1 ]] && has_nightly; then
  toolchain=(+nightly)
  coverage="$coverage -Zsanitizer=address"
  how="on nightly without cargo-fuzz, with the address sanitizer"
else
  how="on stable, with coverage but without a sanitizer"
fi
# With a target given, build scripts and macros are built without these flags.
host=$(rustc -vV | sed -n 's/^host: //p')
RUSTFLAGS="${RUSTFLAGS:-} $coverage" cargo "${toolchain[@]}" build --release --quiet --target "$host" --bin "$target"
echo "fuzzing $target $how" >&2
folder=${CARGO_TARGET_DIR:-target}/$host/release
exec "$folder/$target" "${options[@]}" -artifact_prefix="artifacts/$target/" "$@" "$corpus"
