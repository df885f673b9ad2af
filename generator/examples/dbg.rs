//! x
use std::sync::Arc;
use tracegauge_generator::*;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let loaded = tracegauge_spec::load::load(&tracegauge_spec::load::Disk::default(), &args[1]);
    println!("{}", loaded.diagnostics.render(&loaded.sources, tracegauge_spec::diagnostic::Colour::Plain));
    let schema = loaded.schema.unwrap();
    let plan = match tracegauge_spec::plan::lower(&Arc::new(schema), &args[2]) {
        Ok(p) => p,
        Err(e) => { for e in e { println!("{} {:?}", e.message, (loaded.sources.excerpt(e.span), loaded.sources.line_column(e.span))); } return }
    };
    if args.get(4).is_some() { println!("{}", tracegauge_spec::plan::describe(&plan)); }
    let g = Generator::new(Arc::new(plan));
    for file in &args[5.min(args.len())..] {
        let bytes = std::fs::read(file).unwrap();
        let start = std::time::Instant::now();
        let (v, r) = tracegauge_decoder::decode(g.plan(), &bytes);
        println!("{file} {:?} {} records {:?} {:?}", v.judgement, r.len(), start.elapsed(), v.shown.iter().map(|s| (&g.plan().rules[s.rule as usize].id, s.count)).collect::<Vec<_>>());
        for r in r.iter().rev().take(2) { println!("  {}", r.to_string().chars().take(700).collect::<String>()); }
    }
    let n: u64 = args[3].parse().unwrap();
    let mut bad = 0;
    for seed in 0..n {
        let o = Options { bytes: 3000, ..Options::default() };
        let made = match g.from_seed(seed, o) { Ok(m) => m, Err(e) => { println!("seed {seed}: {e}"); bad += 1; continue } };
        if let Err(e) = laws::check_made(&g, &made) {
            bad += 1;
            println!("seed {seed} {e} {}", made.bytes.len());
            if bad == 1 && args.get(4).is_some_and(|a| a == "tree") {
            let (v, tree) = tracegauge_decoder::decode_tree(g.plan(), &made.bytes);
            println!("{:?}", v.judgement);
            for (i, (a, b)) in tree.nodes.iter().zip(&made.tree.nodes).enumerate() {
                let same = a.span == b.span && a.op == b.op && a.end == b.end && (a.payload == b.payload);
                println!("{i} {} {a:?}\n     {}{b:?}", if same {""} else {"XXX"}, "");
            }
            }
        }
    }
    println!("{bad} bad of {n}");
}
