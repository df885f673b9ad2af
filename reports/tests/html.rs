//! Tests the contents and size of the HTML page. `browser.rs` tests the page in a browser.
#![allow(clippy::unwrap_used)]

use crate::common;
use std::time::Instant;

use common::large;
use common::{cases, story};
use serde_json::Value;
use tracegauge_reports::casebook::{CasePage, Casebook, NoCasebook};
use tracegauge_reports::html;
use tracegauge_results::RunResult;

fn page(results: &[RunResult], casebook: &dyn Casebook) -> String {
    let mut out = Vec::new();
    html::render(results, "A <title>", casebook, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn data(page: &str) -> Value {
    let (_, rest) = page.split_once("id=\"data\">").unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

#[test]
fn the_page_holds_what_was_found() {
    let data = data(&page(&[story(&cases(), 14)], &NoCasebook));
    let mut shown = data.clone();
    // The tail of each reader is the same as in the result file.
    for reader in shown["readers"].as_array_mut().unwrap() {
        reader.as_object_mut().unwrap().remove("totals");
        reader.as_object_mut().unwrap().remove("containment");
    }
    insta::assert_snapshot!(serde_json::to_string_pretty(&shown).unwrap());
}

#[test]
fn nothing_breaks_out_of_the_data() {
    let evil = "</script><img src=x onerror=alert(1)><!-- \u{2028} \u{0} \u{9b} \u{202e} {{data}}";
    let mut cases = cases();
    let detail = cases[1].detail.as_mut().unwrap();
    detail.actual = evil.into();
    detail.stderr = Some(evil.into());
    detail.why = evil.into();
    cases[2].case = format!("toy/{evil}");
    cases[2].rules = vec![evil.into()];
    cases[6].known = Some(evil.into());
    let mut result = story(&cases, 14);
    result.readers[0].reader.name = evil.into();
    result.readers[1].reader.version = Some(evil.into());
    result.readers[0].tail.notes.push(evil.into());
    let page = page(&[result], &NoCasebook);
    assert_eq!(page.matches("</script>").count(), 2);
    assert_eq!(page.matches("<script").count(), 2);
    assert!(!page.contains("<img") && !page.contains("<title>A <"));
    assert_eq!(page.matches("<!--").count(), 0);
    let harmless = |c: char| !c.is_control() || c == '\n';
    assert!(page.chars().all(harmless));
    assert!(!page.contains(['\u{2028}', '\u{202e}']));
    let name = data(&page)["readers"][0]["name"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(name.starts_with("</script><img src=x"), "{name}");
}

#[test]
fn readers_of_several_results_stand_side_by_side() {
    let result = story(&cases(), 14);
    let data = data(&page(&[result.clone(), result], &NoCasebook));
    let names: Vec<&str> = data["readers"]
        .as_array()
        .unwrap()
        .iter()
        .map(|reader| reader["name"].as_str().unwrap())
        .collect();
    let wanted = [
        "my-reader",
        "other",
        "broken",
        "my-reader 1.4.0",
        "other 1.4.0",
        "broken 1.4.0",
    ];
    assert_eq!(names, wanted);
}

/// Returns everything before the data and the script, which is shown without JavaScript.
fn plain(page: &str) -> &str {
    let (_, rest) = page.split_once("<main").unwrap();
    rest.split_once("</main>").unwrap().0
}

#[test]
fn failing_rules_are_shown_without_javascript() {
    let whole = page(&[story(&cases(), 14)], &NoCasebook);
    insta::assert_snapshot!(plain(&whole));
}

#[test]
fn without_javascript_a_large_result_is_cut_but_no_reader_is_left_out() {
    let whole = page(&[large(6000, 10)], &NoCasebook);
    let plain = plain(&whole);
    assert!(plain.len() < 200_000, "{}", plain.len());
    assert_eq!(plain.matches("<table>").count(), 10);
    assert!(plain.contains("more failing rules</p>"));
}

struct Shelf;

impl Casebook for Shelf {
    fn page(&self, case: &str, version: u32) -> Option<CasePage> {
        (case == "toy/bad/4" && version == 1).then(|| CasePage {
            why: "known from the corpus".into(),
            operator: Some("bit-flipped".into()),
            twin: Some("toy/valid/1".into()),
            dump: "! 00000000 54 4f 59 31  TOY1      magic".into(),
        })
    }
}

#[test]
fn what_a_result_does_not_hold_is_looked_up() {
    let data = data(&page(&[story(&cases(), 14)], &Shelf));
    let text = |place: &Value| {
        data["texts"][usize::try_from(place.as_u64().unwrap()).unwrap()]
            .as_str()
            .unwrap()
    };
    let pages = data["pages"].as_object().unwrap();
    let known: Vec<&Value> = pages
        .values()
        .filter(|page| page.get("dump").is_some())
        .collect();
    assert_eq!(known.len(), 1);
    assert_eq!(text(&known[0]["why"]), "known from the corpus");
    assert_eq!(text(&known[0]["operator"]), "bit-flipped");
    assert!(text(&known[0]["dump"]).starts_with("! 00000000"));
    assert!(known[0].get("excerpt").is_none());
    let others = pages.values().filter(|page| page.get("excerpt").is_some());
    assert!(others.count() > 2);
}

#[test]
fn a_result_says_itself_what_a_case_was_made_by_and_from() {
    let data = data(&page(&[story(&cases(), 14)], &NoCasebook));
    let texts = data["texts"].as_array().unwrap();
    let named = |text: &str| texts.iter().position(|one| one == text).unwrap();
    let (operator, twin) = (named("bit-flipped"), named("toy/valid/1"));
    let pages = data["pages"].as_object().unwrap().values();
    let made = pages.filter(|page| page["operator"] == operator && page["twin"] == twin);
    assert!(made.count() > 1);
}

/// Checks that a mistake that affects many cases, at any element of a list, is listed first.
#[test]
fn what_most_cases_show_is_to_be_fixed_first() {
    let mut cases = cases();
    let path = |case: &mut tracegauge_results::CaseResult, path: &str| {
        let difference = &mut case.detail.as_mut().unwrap().difference;
        difference.as_mut().unwrap().path = path.into();
    };
    for number in 0..3 {
        let mut case = cases[1].clone();
        case.case = format!("toy/valid/1{number}");
        path(&mut case, &format!("fields[{number}].value"));
        cases.push(case);
    }
    let mut other = cases[1].clone();
    other.case = "toy/valid/20".into();
    path(&mut other, "fields[2].name");
    cases.push(other);
    let data = data(&page(&[story(&cases, 18)], &NoCasebook));
    let texts = data["texts"].as_array().unwrap();
    let number = |value: &Value| usize::try_from(value.as_u64().unwrap()).unwrap();
    let listed = |list: &str| -> Vec<(u64, String, String)> {
        let fixes = data["readers"][0]["fixes"][list].as_array().unwrap();
        let shown = fixes.iter().map(|fix| {
            let rule = fix
                .get("rule")
                .map(|rule| &data["rules"][number(rule)]["id"]);
            let rule = rule.map_or("", |rule| rule.as_str().unwrap());
            let what = fix
                .get("what")
                .map(|what| texts[number(what)].as_str().unwrap());
            let what = what.unwrap_or_default();
            let outcome = fix["outcome"].as_str().unwrap();
            let cases = fix["cases"].as_u64().unwrap();
            (cases, format!("{outcome} {rule}"), what.to_owned())
        });
        shown.collect()
    };
    let told = |cases, rule: &str, what: &str| (cases, rule.to_owned(), what.to_owned());
    assert_eq!(listed("breakdowns"), [told(1, "C ", "died of SIGSEGV")]);
    let answers = listed("answers");
    // Known failures and failures that do not count are not listed.
    let wanted = [
        told(4, "R PADDING", "fields[].value"),
        told(1, "A MAGIC", ""),
        told(1, "R PADDING", "fields[].name"),
    ];
    assert_eq!(answers, wanted);
    assert_eq!(data["readers"][0]["fixes"]["more"], 0);
}

#[test]
fn the_page_asks_for_nothing() {
    let page = page(&[story(&cases(), 14)], &NoCasebook);
    for word in [
        "http://",
        "https://",
        "url(",
        "@import",
        "src=",
        "innerHTML",
        "eval(",
    ] {
        assert!(!page.contains(word), "{word}");
    }
    assert!(page.contains("default-src 'none'"));
}

#[test]
fn a_large_result_makes_a_small_page() {
    let result = large(6000, 10);
    let began = Instant::now();
    let page = page(&[result], &NoCasebook);
    println!("{} bytes in {:?}", page.len(), began.elapsed());
    assert!(page.len() < 5_000_000, "{}", page.len());
    let data = data(&page);
    assert_eq!(data["rule_of"].as_array().unwrap().len(), 6000);
    assert!(data["dropped"].as_u64().unwrap() > 0);
    // The page has the details of at least one case for each rule and reader.
    for reader in data["readers"].as_array().unwrap() {
        let rules: std::collections::HashSet<u64> = reader["details"]
            .as_object()
            .unwrap()
            .keys()
            .map(|index| {
                data["rule_of"][index.parse::<usize>().unwrap()]
                    .as_u64()
                    .unwrap()
            })
            .collect();
        assert_eq!(rules.len(), 120);
    }
}
