fn main() {
    for format in tracegauge_spec::bundled::list() {
        let loaded = format.load();
        eprintln!(
            "{}: {} diagnostics, schema {}",
            format.id,
            loaded.diagnostics.len(),
            loaded.schema.is_some()
        );
        if std::env::args().nth(1).as_deref() == Some(&format.id) {
            for d in loaded.diagnostics.iter() {
                eprintln!("{d:?}");
            }
            let Some(schema) = loaded.schema else {
                continue;
            };
            let schema = std::sync::Arc::new(schema);
            for dialect in &schema.dialects {
                match tracegauge_spec::plan::lower(&schema, &dialect.id) {
                    Ok(plan) => println!("{}", tracegauge_spec::plan::describe(&plan)),
                    Err(errors) => {
                        for e in errors {
                            println!(
                                "{}: {} at {:?} {}",
                                dialect.id,
                                e.message,
                                schema.sources.line_column(e.span),
                                schema.sources.excerpt(e.span)
                            )
                        }
                    }
                }
            }
        }
    }
}
