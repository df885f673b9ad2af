//! Tests the search for random traces that allow ways to violate rules, and the storage of their
//! seeds.

use std::collections::HashSet;
use std::sync::Arc;

use tracegauge_corpus::seeds::Sown;
use tracegauge_corpus::store::Store;
use tracegauge_corpus::systematic::twins::{keep, seek};
use tracegauge_generator::fault;
use tracegauge_plan::Plan;
use tracegauge_spec::bundled;
use tracegauge_spec::lower::lower;

fn plan() -> Arc<Plan> {
    let format = bundled::find("dial9-v1").into_iter().next();
    let schema = format.and_then(|format| format.load().schema);
    let schema = Arc::new(schema.expect("the format is bundled"));
    Arc::new(lower(&schema, "dial9-v1").expect("it can be lowered"))
}

#[test]
fn each_way_has_a_seed_that_allows_it() {
    let plan = plan();
    let names: Vec<String> = fault::sites(&plan)
        .iter()
        .map(|site| site.name(&plan))
        .collect();
    let ways: HashSet<&str> = names.iter().map(String::as_str).collect();
    let found = seek(&plan, &ways, 30);
    assert!(found.len() > 50, "{}", found.len());
    assert!(found.iter().all(|sown| ways.contains(sown.of.as_str())));
    assert_eq!(seek(&plan, &ways, 30), found);
    // The trace of the largest seed is the plainest for its way, so a search up to that seed finds
    // this trace, and a shorter search finds another trace or none.
    let last = found.iter().max_by_key(|sown| sown.seed).expect("some");
    assert!(!seek(&plan, &ways, last.seed).contains(last));
    assert!(seek(&plan, &ways, last.seed + 1).contains(last));
    assert_eq!(seek(&plan, &HashSet::from(["NO-RULE/zero/x"]), 30), []);
}

#[test]
fn seeds_are_kept_once_for_each_way() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::at(folder.path().to_owned());
    let sown = |way: &str, seed| Sown {
        of: way.to_owned(),
        seed,
    };
    let kept = |more: &[Sown]| keep(&store, "a", more).expect("it can be written");
    assert_eq!(kept(&[sown("R/zero/x", 7)]), 1);
    assert_eq!(kept(&[sown("R/zero/x", 3), sown("R/one-more/x", 3)]), 2);
    let text = std::fs::read_to_string(folder.path().join("twins/a.yaml")).expect("a file");
    assert_eq!(
        text,
        "- of: R/one-more/x\n  seed: 3\n- of: R/zero/x\n  seed: 7\n"
    );
}
