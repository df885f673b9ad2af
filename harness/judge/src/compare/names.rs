//! The names of the members in records.

use std::collections::BTreeSet;

use tracegauge_decoder::record::{Record, Value};

use super::tally::{is_empty, is_owed};

/// A member's name as `record.member`, and whether its value is empty, zero or false.
pub type Sighting = (String, bool);

/// Returns the members, including nested ones, that a reader must report for `records`. The names
/// are those used to report missing members.
pub fn sightings(records: &[Record]) -> BTreeSet<Sighting> {
    let mut found = BTreeSet::new();
    for record in records {
        of_members(&record.members, &record.kind, &mut found);
    }
    found
}

fn of_members(members: &[(String, Value)], context: &str, found: &mut BTreeSet<Sighting>) {
    for (name, value) in members.iter().filter(|(_, value)| is_owed(value)) {
        let name = format!("{context}.{name}");
        inside(value, &name, found);
        found.insert((name, is_empty(value)));
    }
}

fn inside(value: &Value, context: &str, found: &mut BTreeSet<Sighting>) {
    match value {
        Value::List(items) => {
            let context = format!("{context}[]");
            items.iter().for_each(|item| inside(item, &context, found));
        }
        Value::Pairs(pairs) => {
            let context = format!("{context}[]");
            let values = pairs.iter().map(|pair| &pair.value);
            values.for_each(|value| inside(value, &context, found));
        }
        Value::Object(members) => of_members(members, context, found),
        _ => {}
    }
}
