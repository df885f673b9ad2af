//! Tests that all bundled descriptions load without a mistake and can be found by name.

use tracegauge_spec::bundled::{find, list};
use tracegauge_spec::diagnostic::Colour;

#[test]
fn every_description_loads_without_a_mistake() {
    for format in list() {
        let loaded = format.load();
        let shown = loaded.diagnostics.render(&loaded.sources, Colour::Plain);
        assert!(loaded.schema.is_some(), "{}:\n{shown}", format.id);
        assert!(loaded.diagnostics.is_empty(), "{}:\n{shown}", format.id);
    }
}

#[test]
fn every_description_is_found_by_its_names() {
    for format in list() {
        for name in format.ids().chain([format.id.as_str()]) {
            assert_eq!(find(name), [format], "{name}");
        }
        let family = find(&format.family);
        assert!(
            family.contains(&format),
            "{} is of the family {}",
            format.id,
            format.family
        );
    }
    assert!(find("no-such-format").is_empty());
}

#[test]
fn names_are_the_dialects_of_the_schema() {
    for format in list() {
        let Some(schema) = format.load().schema else {
            continue;
        };
        let mut declared: Vec<_> = schema.dialects.iter().map(|d| d.id.clone()).collect();
        let mut listed: Vec<_> = format.ids().map(str::to_owned).collect();
        declared.sort();
        listed.sort();
        assert_eq!(listed, declared);
        assert_eq!(format.family, schema.meta.family);
    }
}
