#!/usr/bin/env python3
"""Measures how many planted bugs the first rows of `tracegauge run` name.

Each pool has bugs of the handwritten readers, and readers with five of these bugs each. A bug replaces
one piece of a reader's source. Whoever planted it named the rules of the format that it
breaks. It counts as named if one of the first seven causes is about one of these rules, and as
listed if one of these causes at least considers such a rule.

    python3 readers/planted/measure.py held-out              all of its readers, about ten minutes
    python3 readers/planted/measure.py held-out e01 e02 -v   two of them, with the causes
    python3 readers/planted/measure.py --check               only: does every bug still apply?

Exit status: 0 measured, or all bugs apply; 1 a bug no longer applies; 2 usage.
"""

import argparse
import json
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
POOLS = ("development", "second", "third", "fourth", "held-out")
ROWS = 7


def bugs_of(pool):
    """Returns the bugs of a pool by their names."""
    files = [file for file in sorted((HERE / pool).glob("*.json")) if file.stem != "readers"]
    return {bug["id"]: bug for file in files for bug in json.loads(file.read_text("utf-8"))}


def readers_of(pool):
    return json.loads((HERE / pool / "readers.json").read_text("utf-8"))


def check():
    """Returns the number of bugs whose piece of source does not occur exactly once."""
    stale = 0
    for pool in POOLS:
        for bug in bugs_of(pool).values():
            text = (HERE.parent / "handwritten" / bug["file"]).read_text("utf-8")
            if text.count(bug["old"]) != 1:
                stale += 1
                print(f"{pool}: {bug['id']} does not apply to {bug['file']}")
        known = bugs_of(pool)
        for reader in readers_of(pool):
            for bug in reader["bugs"]:
                if bug not in known:
                    stale += 1
                    print(f"{pool}: {reader['name']} has the unknown bug {bug}")
    return stale


def run(reader, bugs, program):
    """Runs a reader with bugs and returns its result, or None if there is none."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        copy = folder / "readers" / "handwritten"
        ignored = shutil.ignore_patterns("build", "tests", "__pycache__")
        shutil.copytree(HERE.parent / "handwritten", copy, ignore=ignored)
        kit = pathlib.Path("cli/templates/python")
        shutil.copytree(ROOT / kit, folder / kit)
        for bug in reader["bugs"]:
            file = copy / bugs[bug]["file"]
            text = file.read_text("utf-8")
            file.write_text(text.replace(bugs[bug]["old"], bugs[bug]["new"]), "utf-8")
        out = folder / "result.json"
        command = [program, "run", "--reader", str(copy / reader["reader"] / "reader.yaml")]
        command += ["--format", reader["format"], "--json", str(out)]
        command += ["--no-progress", "--failures", "0"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if not out.exists():
            print(f"{reader['name']}: no result: {done.stderr.strip()[-300:]}")
            return None
        return json.loads(out.read_text("utf-8"))["readers"][0]


def names(cause):
    """Returns the rule that a cause names first, and all names that it considers."""
    confidence = cause["confidence"]
    candidates = confidence.get("one-of", []) if isinstance(confidence, dict) else []
    feature = cause.get("feature") or []
    first = cause.get("rule") or next(iter(candidates + feature), None)
    return first, {first, *candidates, *feature}


def judge(reader, bugs, result, is_verbose):
    """Prints what the causes of a reader name, and returns the counts."""
    causes = result.get("causes") or []
    rows = [names(cause) for cause in causes[:ROWS]]
    firsts = {first for first, _ in rows}
    considered = set().union(*(all_names for _, all_names in rows))
    later = {names(cause)[0] for cause in causes}
    outcomes = [case["outcome"] for case in result["cases"]]
    failures = sum(outcome not in ("pass", "unsupported") for outcome in outcomes)
    count = {"bugs": 0, "named": 0, "listed": 0, "rows": len(rows), "wrong": 0, "certain": 0}
    words = []
    planted = set()
    for bug in reader["bugs"]:
        rules = set(bugs[bug]["rules"])
        planted |= rules
        count["bugs"] += 1
        if rules & firsts:
            word = "named"
        elif rules & considered:
            word = "listed"
        else:
            word = "later" if rules & later else "missed"
        count["named"] += word == "named"
        count["listed"] += word in ("named", "listed")
        words.append(f"{bug} {word}")
    for cause, (first, _) in zip(causes, rows):
        if first not in planted:
            count["wrong"] += 1
            count["certain"] += cause["confidence"] == "proven"
    print(f"{reader['name']} {reader['format']}: {failures} failures, {len(causes)} causes: {', '.join(words)}")
    if is_verbose:
        for bug in reader["bugs"]:
            print(f"    bug {bug}: {', '.join(bugs[bug]['rules'])}: {bugs[bug]['mistake']}")
        for cause in causes[: ROWS + 3]:
            print(f"    row {names(cause)[0]}: {cause['headline']} ({len(cause['cases'])} cases, {cause['simplest']})")
    count["failures"] = failures
    return count


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pool", nargs="?", choices=POOLS)
    parser.add_argument("readers", nargs="*", metavar="READER", help="only these readers, such as r01")
    parser.add_argument("--check", action="store_true", help="only check that every bug applies")
    parser.add_argument("--program", default=str(ROOT / "target/debug/tracegauge"), help="[default: %(default)s]")
    parser.add_argument("-v", "--verbose", action="store_true", help="print bugs and causes")
    options = parser.parse_args()
    if options.check:
        return 1 if check() else 0
    if not options.pool:
        parser.error("name a pool: " + " or ".join(POOLS))
    bugs = bugs_of(options.pool)
    chosen = [it for it in readers_of(options.pool) if not options.readers or it["name"] in options.readers]
    total = {}
    failures = []
    for reader in chosen:
        result = run(reader, bugs, options.program)
        if result is not None:
            count = judge(reader, bugs, result, options.verbose)
            failures.append(count["failures"])
            for key, number in count.items():
                total[key] = total.get(key, 0) + number
            sys.stdout.flush()
    if failures:
        print(
            f"{len(failures)} readers: {total['named']} of {total['bugs']} bugs named in the first {ROWS} rows "
            f"({100 * total['named'] / total['bugs']:.0f} %), {total['listed']} listed; "
            f"{total['wrong']} of {total['rows']} rows about no planted rule, {total['certain']} of them proven; "
            f"{sum(failures) / len(failures):.0f} failures on average, {statistics.median(failures):.0f} in the median"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
