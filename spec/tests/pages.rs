//! Pages about descriptions: what a small one says, and that no page leaves a rule out.

use tracegauge_spec::bundled;
use tracegauge_spec::load::{Disk, load};
use tracegauge_spec::page::{Conduct, ledger, page};
use tracegauge_spec::schema::{Level, Schema};

fn small() -> Schema {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/formats/tlv/format.yaml");
    load(&Disk::default(), path)
        .schema
        .expect("a sound description")
}

#[test]
fn the_page_of_a_small_format() {
    insta::assert_snapshot!(page(&small()));
}

#[test]
fn the_open_questions_of_a_small_format() {
    let mut schema = small();
    schema.rules[0].level = Level::Contradicted;
    schema.rules[0].open = Some("one page says 2, another 3.".to_owned());
    schema.rules[0].wording = Some("There are two.".to_owned());
    let conduct = |_: &str| {
        vec![Conduct {
            reader: "mine".to_owned(),
            does: "accepts 2, rejects 1".to_owned(),
        }]
    };
    insta::assert_snapshot!(ledger(&schema, &conduct));
}

#[test]
fn every_rule_of_every_bundled_format_is_on_its_page() {
    for format in bundled::list() {
        let schema = format.load().schema.expect("a sound description");
        let text = page(&schema);
        let open = ledger(&schema, &|_| Vec::new());
        for rule in &schema.rules {
            let anchor = format!("<a id=\"rule-{}\"></a>", rule.id.to_lowercase());
            assert_eq!(
                text.matches(&anchor).count(),
                1,
                "{}: {}",
                format.id,
                rule.id
            );
            let heading = format!("## {}\n", rule.id);
            let asked = usize::from(matches!(rule.level, Level::Silent | Level::Contradicted));
            assert_eq!(
                open.matches(&heading).count(),
                asked,
                "{}: {}",
                format.id,
                rule.id
            );
        }
    }
}

#[test]
fn links_of_a_page_lead_somewhere() {
    for format in bundled::list() {
        let schema = format.load().schema.expect("a sound description");
        let text = page(&schema);
        for link in text.split("](#").skip(1) {
            let target = link.split(')').next().unwrap_or_default();
            let rule = text.contains(&format!("<a id=\"{target}\"></a>"));
            let heading = text.lines().any(|line| {
                line.starts_with("### ") && line[4..].replace([':', ' '], "") == target
            });
            assert!(rule || heading, "{}: nothing is called {target}", format.id);
        }
    }
}
