//! The format of `spec/tests/formats/tlv`.

use std::path::Path;

use tracegauge_generator::Generator;
use tracegauge_spec::load::{Disk, load};

use crate::support;

/// Returns a generator for the format.
pub fn generator() -> Generator {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let path = root.join("../spec/tests/formats/tlv/format.yaml");
    let schema = support::schema(load(&Disk::default(), &path.to_string_lossy()));
    let plan = support::plan(&schema, "tlv-v1");
    Generator::new(plan.unwrap_or_else(|errors| panic!("{errors}")))
}
