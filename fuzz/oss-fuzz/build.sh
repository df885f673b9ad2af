#!/usr/bin/env bash
# Writes the files that OSS-Fuzz and ClusterFuzzLite expect to $OUT: for each target, the program TARGET,
# TARGET_seed_corpus.zip, TARGET.dict and TARGET.options. The targets are those of tracegauge itself
# and dial9_reader, a reader in C with the shared library that knows the format.
#   OUT=folder build.sh
set -euo pipefail
[[ -n ${OUT:-} ]] || { sed -n '2,5s/^# \{0,1\}//p' "$0" >&2; exit 2; }
mkdir -p "$OUT"
OUT=$(cd "$OUT" && pwd)
# The Dockerfile for OSS-Fuzz copies this script and runs it in the checkout.
[[ -f fuzz/run.sh ]] || cd "$(dirname "$0")/../.."
repository=$PWD
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$repository/target}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# with_files TARGET DICTIONARY SEEDS: writes the files that accompany a program in $OUT.
with_files() {
  cp "$2" "$OUT/$1.dict"
  rm -f "$OUT/$1_seed_corpus.zip"
  (cd "$3" && python3 -m zipfile -c "$OUT/$1_seed_corpus.zip" ./*)
  printf '[libfuzzer]\nmax_len = 8192\ntimeout = 20\nrss_limit_mb = 2048\ndict = %s.dict\n' "$1" >"$OUT/$1.options"
}

# Runs a command without the compiler flags for targets, to build programs that are not targets.
plain() { env -u RUSTFLAGS -u CFLAGS -u CXXFLAGS "$@"; }

own_targets() {
  local target built
  if cargo fuzz --version >/dev/null 2>&1 && [[ -z ${FUZZ_STABLE:-} ]]; then
    (cd fuzz && cargo fuzz build -O)
    built=$CARGO_TARGET_DIR/$host/release
  else
    fuzz/run.sh build
    built=$CARGO_TARGET_DIR/$host/release
    [[ ${FUZZ_PROFILE:-release} != dev ]] || built=$CARGO_TARGET_DIR/$host/debug
  fi
  for target in fuzz/fuzz_targets/*.rs; do
    target=$(basename "$target" .rs)
    cp "$built/$target" "$OUT/"
    (cd fuzz && plain cargo run --quiet --manifest-path functions/Cargo.toml --bin seeds -- "$target" "$scratch/$target" "$scratch/words.dict")
    with_files "$target" "$scratch/words.dict" "$scratch/$target"
  done
}

reader() {
  local examples=fuzz/mutator/examples
  plain cargo build --release --quiet -p tracegauge-mutator -p tracegauge-cli
  cp "$CARGO_TARGET_DIR/release/libtracegauge_mutator.so" "$OUT/"
  # CFLAGS and LIB_FUZZING_ENGINE are lists of options.
  # shellcheck disable=SC2086
  ${CC:-clang} ${CFLAGS:--O1 -g -fsanitize=address,fuzzer-no-link} \
    "$examples/dial9.c" "$examples/dial9_target.c" "$examples/initialize.c" \
    ${LIB_FUZZING_ENGINE:--fsanitize=address,fuzzer} -Wl,--export-dynamic-symbol=LLVMFuzzerMutate \
    -L"$OUT" -Wl,-rpath,'$ORIGIN' -Wl,--no-as-needed -ltracegauge_mutator -o "$OUT/dial9_reader"
  local tracegauge=$CARGO_TARGET_DIR/release/tracegauge
  "$tracegauge" generate --quiet --format dial9-v1 --dictionary --out "$scratch"
  "$tracegauge" generate --quiet --format dial9-v1 --seed 1 --count 50 --bytes 300 --out "$scratch/reader"
  rm "$scratch"/reader/*.json
  with_files dial9_reader "$scratch/dial9-v1.dict" "$scratch/reader"
}

host=$(rustc -vV | sed -n 's/^host: //p')
own_targets
reader
