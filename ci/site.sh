#!/bin/sh
# Builds the documentation site into target/site: the pages of docs/ by mdBook, and beside them
# what they link to. With --install, gets mdBook with cargo where it is missing. Ends with 4 where
# there is no mdBook. TRACEGAUGE_SITE names another folder.
set -eu
cd "$(dirname "$0")/.."
version=0.5.4
tools=target/tools
PATH=$PWD/$tools/bin:$PATH

if ! command -v mdbook >/dev/null; then
    if [ "${1-}" != --install ]; then
        echo "skipped: there is no mdbook here; ci/site.sh --install gets it with cargo" >&2
        exit 4
    fi
    # The server and the watcher are for authors, and most of what there is to compile.
    cargo install mdbook --version "$version" --locked --root "$tools" \
        --no-default-features --features search >&2
fi

site=${TRACEGAUGE_SITE:-$PWD/target/site}
rm -rf "$site"
mdbook build --dest-dir "$site/docs" >&2
# What pages link to outside of docs/. Markdown is shown by the page that it belongs to.
for beside in ci/check.sh harness/protocol.schema.json reports/schema/result.schema.json \
    reports/corpus-score.txt reports/corpus-strength.txt reports/published/index.html \
    readers/kits/coverage/coverage.c harness/tests/coverage/main.c \
    fuzz/mutator/examples/dial9.c fuzz/mutator/examples/initialize.c; do
    mkdir -p "$site/$(dirname "$beside")"
    cp "$beside" "$site/$beside"
done
echo '<!doctype html><meta http-equiv="refresh" content="0; url=docs/"><a href="docs/">tracegauge</a>' \
    >"$site/index.html"
echo "$site/index.html"
