//! Tests that plain traces add small numbers to earlier values, as typical writers do.

use std::sync::Arc;

use tracegauge_decoder::decode;
use tracegauge_generator::plain::Allowed;
use tracegauge_generator::{Generator, Options, Target};
use tracegauge_spec::load::{Memory, load};
use tracegauge_spec::lower::lower;

/// Each event has three times, which are stored as differences: from the previous event, from a
/// register, and from the previous event with a sum that wraps around.
const EVENTS: &str = "
meta: { id: sums, endian: le }
faults: { eof: WHOLE, long: WHOLE, wide: WHOLE, overlong: WHOLE, trailing: WHOLE }
state: { clock: { type: u8, initial: 1000 } }
seq: [ { id: events, type: event, repeat: eos } ]
types:
  event:
    seq:
      - { id: previous, type: uleb128, bits: 64, carry: add, overflow: WHOLE }
      - { id: register, type: u8, wire: uleb128, carry: add, carry-from: clock, overflow: WHOLE }
      - { id: wrapped, type: u4, carry: add, wraps: 32 }
records:
  event: { from: event, members: { previous: previous, register: register, wrapped: wrapped } }
rules:
  WHOLE: { level: must, section: 1, says: A trace is complete., reader: reject }
";

#[test]
fn sums_grow_by_small_numbers() {
    let loaded = load(&Memory::new().with("format.yaml", EVENTS), "format.yaml");
    let schema = Arc::new(loaded.schema.expect("the description is valid"));
    let plan = Arc::new(lower(&schema, "sums").expect("the plan is complete"));
    let generator = Generator::new(Arc::clone(&plan));
    for seed in 0..20 {
        let options = Options {
            fill: true,
            ..Options::about(200)
        };
        let made = generator.plain(seed, options, &Target::default(), Allowed::default());
        let made = made.expect("a trace");
        let (verdict, records) = decode(&plan, &made.bytes);
        assert!(verdict.violation().is_none(), "seed {seed}");
        let mut before = [0, 1000, 0];
        for record in records {
            let json: serde_json::Value = serde_json::from_str(&record.to_string()).expect("JSON");
            for (member, before) in ["previous", "register", "wrapped"].iter().zip(&mut before) {
                let number = json[member].as_u64().expect("a number");
                assert!((1..=20_000).contains(&(number - *before)), "{seed}: {json}");
                *before = number;
            }
        }
    }
}
