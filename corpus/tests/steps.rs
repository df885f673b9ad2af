//! Steps are the fast way through what operations say: over every case of every format both
//! find the same records and give the same verdict.

use tracegauge_corpus::formats::Formats;
use tracegauge_corpus::store::Store;
use tracegauge_corpus::suite::Suite;
use tracegauge_generator::laws::check_decode;

#[test]
fn steps_find_the_records_that_operations_find() {
    let (formats, _) = Formats::able(&[]).expect("the bundled descriptions");
    let plans = formats.plans().to_vec();
    let store = Store::Folder(env!("CARGO_MANIFEST_DIR").into());
    let suite = Suite::of(formats, &store).expect("a suite");
    let (mut checked, mut broken) = (0, Vec::new());
    for case in &suite.cases {
        let plan = plans.iter().find(|plan| plan.format == case.format);
        let plan = plan.expect("the plan of the case");
        if let Err(found) = check_decode(plan, &case.bytes) {
            broken.push(format!("{}: {found}", case.id));
        }
        checked += 1;
    }
    assert!(checked > 1000, "{checked} cases");
    let shown = broken.iter().take(20).cloned().collect::<Vec<_>>();
    assert!(broken.is_empty(), "{}: {}", broken.len(), shown.join("\n"));
}
