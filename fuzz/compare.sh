#!/usr/bin/env bash
# Compares how many edges of a reader in C fuzzers reach in the same time: unmodified, with a
# dictionary, and with the shared library that knows the structure of traces:
#   compare.sh [SECONDS]    prints a table; each run takes SECONDS seconds [default: 10]
#   compare.sh crash        counts executions until a published Rust reader crashes, for at most 20 s
#   compare.sh install      installs clang, its libFuzzer and AFL++ with apt-get
#
# To count edges in the same way for all fuzzers, the plain libFuzzer target runs all saved inputs.
set -euo pipefail
cd "$(dirname "$0")"

format=dial9-v1
target=${CARGO_TARGET_DIR:-$PWD/../target}
examples=$PWD/mutator/examples
library=$target/release/libtracegauge_mutator.so
runs=2

missing() {
  echo "skipped: there is no $1; $0 install gets it where apt-get does" >&2
  exit 4
}

work() {
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  cargo build --release --quiet --manifest-path ../Cargo.toml -p tracegauge-mutator -p tracegauge-cli
  "$target/release/tracegauge" generate --format $format --dictionary --out "$folder" --quiet
  "$target/release/tracegauge" generate --format $format --seed 1 --bytes 200 --out "$folder" --quiet
  mkdir "$folder/empty" "$folder/trace"
  echo >"$folder/empty/seed"
  cp "$folder"/$format-1.trc "$folder/trace/seed"
  words=$folder/$format.dict
}

# libfuzzer SEED KIND NUMBER: runs libFuzzer and leaves the inputs that it saved in $folder/kept.
libfuzzer() {
  local command=("$folder/plain")
  case $2 in
    dictionary) command+=("-dict=$words") ;;
    library) command=("$folder/with") ;;
  esac
  "${command[@]}" -seed="$3" -max_total_time="$seconds" -artifact_prefix="$folder/" \
    "$folder/kept" "$folder/$1" >"$folder/log" 2>&1
}

# afl SEED KIND NUMBER: runs AFL++ and leaves the inputs that it saved in $folder/kept.
afl() {
  local options=(-s "$3" -V "$seconds" -i "$folder/$1" -o "$folder/afl")
  local library_of_run=()
  case $2 in
    dictionary) options+=(-x "$words") ;;
    library) library_of_run=("AFL_CUSTOM_MUTATOR_LIBRARY=$library") ;;
  esac
  rm -rf "$folder/afl"
  env AFL_NO_UI=1 AFL_SKIP_CPUFREQ=1 AFL_NO_AFFINITY=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 \
    "${library_of_run[@]}" afl-fuzz "${options[@]}" -- "$folder/afl_target" >"$folder/log" 2>&1
  cp "$folder"/afl/default/queue/id* "$folder/kept"
}

# edges FUZZER SEED KIND: prints the mean number of edges that the fuzzer reaches.
edges() {
  local sum=0 reached number
  for ((number = 1; number <= runs; number++)); do
    rm -rf "$folder/kept"
    mkdir "$folder/kept"
    "$1" "$2" "$3" "$number" || {
      tail -n 20 "$folder/log" >&2
      exit 3
    }
    reached=$("$folder/plain" -runs=0 "$folder/kept" 2>&1 | sed -n 's/.*INITED cov: \([0-9]*\).*/\1/p')
    sum=$((sum + reached))
  done
  echo $((sum / runs))
}

heading() {
  echo "| $1 | starts from | as it is | with a dictionary | with the library |"
  echo "| --- | --- | --- | --- | --- |"
}

table() {
  command -v clang >/dev/null || missing clang
  command -v afl-fuzz >/dev/null || missing afl++
  work
  local sources=("$examples/dial9.c" "$examples/dial9_target.c")
  clang -O1 -fsanitize=fuzzer "${sources[@]}" -o "$folder/plain" || missing libclang-rt-dev
  # LLVMFuzzerMutate is exported, so that the library can also use libFuzzer's own mutations.
  clang -O1 -fsanitize=fuzzer "${sources[@]}" -Wl,--export-dynamic-symbol=LLVMFuzzerMutate \
    -L"$target/release" -Wl,-rpath,"$target/release" -Wl,--no-as-needed -ltracegauge_mutator -o "$folder/with"
  afl-clang-fast -O1 -fsanitize=fuzzer "${sources[@]}" -o "$folder/afl_target" >"$folder/log" 2>&1
  heading fuzzer
  local fuzzer seed kind row
  for fuzzer in libfuzzer afl; do
    for seed in empty trace; do
      row="| $fuzzer | $seed |"
      for kind in plain dictionary library; do row+=" $(edges $fuzzer $seed $kind) |"; done
      echo "$row"
    done
  done
}

# runs_until_crash SEED KIND NUMBER: prints the number of executions, and whether there was no crash.
runs_until_crash() {
  work
  local host coverage
  host=$(rustc -vV | sed -n 's/^host: //p')
  coverage="--cfg fuzzing -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
-Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
-Cllvm-args=-sanitizer-coverage-trace-compares"
  RUSTFLAGS="$coverage" CARGO_TARGET_DIR=$target cargo build --release --quiet --target "$host" \
    --manifest-path "$examples/rust/Cargo.toml"
  rust=$target/$host/release/dial9-target
  heading seed
  local seed number kind row
  for seed in empty trace; do
    for number in 1 2 3; do
      row="| $number | $seed |"
      for kind in plain dictionary library; do row+=" $(runs_until_crash $seed $kind $number) |"; done
      echo "$row"
    done
  done
}

export TRACEGAUGE_FORMAT=$format
case ${1:-10} in
  install) apt-get update && apt-get install --yes clang libclang-rt-dev afl++ ;;
  crash)
    seconds=20
    crash
    ;;
  *[!0-9]*)
    sed -n '2,6s/^# \{0,1\}//p' compare.sh >&2
    exit 2
    ;;
  *)
    seconds=${1:-10}
    table
    ;;
esac
