#!/usr/bin/env bash
# Runs build.sh and then each target that it built in the way in which OSS-Fuzz runs targets: in another
# folder, with the target's dictionary, options and seeds, and with an empty environment.
#   check.sh [SECONDS]     runs each target for SECONDS seconds [default: 5]
set -euo pipefail
folder=$(cd "$(dirname "$0")" && pwd)
seconds=${1:-5}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export OUT=$scratch/out
for program in clang python3; do
  command -v $program >/dev/null || { echo "skipped: there is no $program" >&2; exit 4; }
done
"$folder/build.sh"
mv "$OUT" "$scratch/moved"
failed=0
for options in "$scratch"/moved/*.options; do
  target=$(basename "$options" .options)
  mkdir -p "$scratch/run/$target"
  cd "$scratch/run/$target"
  python3 -m zipfile -e "$scratch/moved/${target}_seed_corpus.zip" seeds
  arguments=(-max_total_time="$seconds" -print_funcs=0)
  while IFS=' =' read -r name value; do
    case $name in
      dict) arguments+=("-dict=$scratch/moved/$value") ;;
      '['* | '') ;;
      *) arguments+=("-$name=$value") ;;
    esac
  done <"$options"
  if env -i "$scratch/moved/$target" "${arguments[@]}" seeds >log 2>&1; then
    echo "$target: $(find seeds -type f | wc -l) inputs are kept; $(grep DONE log)"
  else
    echo "$target: failed"
    tail -n 20 log
    failed=1
  fi
done
exit $failed
