//! Decode.
use std::sync::Arc;
fn main() {
    let mut args = std::env::args().skip(1);
    let dialect = args.next().unwrap();
    let format = tracegauge_spec::bundled::find(&dialect)[0];
    let schema = Arc::new(format.load().schema.unwrap());
    let plan = tracegauge_spec::plan::lower(&schema, &dialect).unwrap();
    for file in args {
        let bytes = std::fs::read(&file).unwrap();
        let (verdict, records) = tracegauge_decoder::decode(&plan, &bytes);
        for record in records.iter().take(8) {
            println!("{record}");
        }
        println!("{file}: {} records {verdict:?}", records.len());
        let v = tracegauge_decoder::judge(&plan, &bytes);
        assert_eq!(v, verdict);
    }
}
