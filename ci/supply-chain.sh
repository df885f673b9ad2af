#!/bin/sh
# Checks what tracegauge is built from: the number of packages, the licenses, bans and sources of
# dependencies (deny.toml), the minimum supported version of Rust, and that actions are pinned by
# their hashes. Checks whose tools are missing are skipped with a message. Arguments select checks:
# packages, actions, policy, advisories, rust [default: all except advisories, which need a
# connection].
set -eu
cd "$(dirname "$0")/.."
most=99

failed=0
fail() {
    echo "error: $1" >&2
    failed=1
}

# Counts the packages of others that are built for the command on this machine. Tests and fuzzing
# need more.
packages() {
    count=$(cargo tree --locked --package tracegauge-cli --edges normal,build --prefix none |
        sed 's/ (.*//' | grep -v '^tracegauge-' | sort -u | wc -l)
    if [ "$count" -gt "$most" ]; then
        fail "the command is built from $count packages of others, at most $most are allowed"
    fi
    echo "packages of others: $((count)) of at most $most"
}

# A tag can be moved to a different commit, but a hash cannot.
actions() {
    unpinned=$(grep -rnE '^[[:space:]-]*uses:' action.yml .github |
        grep -vE 'uses: *(\./|[^@ ]+@[0-9a-f]{40} +# v[0-9])' || true)
    if [ -n "$unpinned" ]; then
        fail "actions without a hash and a comment with their version:
$unpinned"
    fi
    echo "actions: all pinned"
}

denied() {
    if ! cargo deny --version >/dev/null 2>&1; then
        echo "skipped: $*: cargo-deny is not installed"
        return
    fi
    cargo deny --locked check "$@" || fail "cargo deny check $*"
}

# The minimum supported compiler must accept everything that is built for users. Tests may need a newer
# compiler.
rust() {
    version=$(sed -n 's/^rust-version = "\(.*\)"$/\1/p' Cargo.toml)
    if ! cargo "+$version" --version >/dev/null 2>&1; then
        echo "skipped: Rust $version is not installed"
        return
    fi
    CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-target}/rust-$version \
        cargo "+$version" check --locked --package tracegauge-cli ||
        fail "tracegauge does not build with Rust $version"
    echo "rust: builds with $version"
}

[ $# -gt 0 ] || set -- packages actions policy rust
for check in "$@"; do
    case $check in
        packages | actions | rust) "$check" ;;
        policy) denied licenses bans sources ;;
        advisories) denied advisories ;;
        *) fail "unknown check $check" ;;
    esac
done
exit "$failed"
