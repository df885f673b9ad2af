#!/bin/sh
# Builds the documentation site in target/site: the pages of docs/, rendered by mdBook, and the files
# that they link to. With --install, installs mdBook with cargo if it is missing. Without --install,
# exits with status 4 if there is no mdBook. TRACEGAUGE_SITE names another folder for the site.
set -eu
cd "$(dirname "$0")/.."
version=0.5.4
tools=target/tools
PATH=$PWD/$tools/bin:$PATH

if ! command -v mdbook >/dev/null; then
    if [ "${1-}" != --install ]; then
        echo "skipped: mdbook is not installed; ci/site.sh --install installs it with cargo" >&2
        exit 4
    fi
    # Most of the compile time of mdBook is for its server and watcher, which are not needed here.
    cargo install mdbook --version "$version" --locked --root "$tools" \
        --no-default-features --features search >&2
fi

site=${TRACEGAUGE_SITE:-$PWD/target/site}
rm -rf "$site"
mdbook build --dest-dir "$site/docs" >&2
# Files outside of docs/ that pages link to, except Markdown.
for beside in ci/check.sh harness/protocol/protocol.schema.json reports/results/schema/result.schema.json \
    reports/corpus-score.txt reports/corpus-strength.txt reports/published/index.html \
    readers/kits/coverage/coverage.c cli/tests/coverage/main.c \
    fuzz/mutator/examples/dial9.c fuzz/mutator/examples/initialize.c; do
    mkdir -p "$site/$(dirname "$beside")"
    cp "$beside" "$site/$beside"
done
echo '<!doctype html><meta http-equiv="refresh" content="0; url=docs/"><a href="docs/">tracegauge</a>' \
    >"$site/index.html"
echo "$site/index.html"
