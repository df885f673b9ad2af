//! Converts values of expressions to JSON.

use serde_json::{Map, Value as Json, json};
use tracegauge_decoder::tree::{NodeId, Payload};
use tracegauge_plan::Kind;

use super::evaluate::{Evaluator, Found};
use super::meaning;

impl Evaluator<'_> {
    /// Converts a value to JSON.
    pub fn json(&self, found: &Found) -> Json {
        match found {
            Found::Absent => Json::Null,
            Found::Int(value) => number(*value),
            Found::Float(value) => float(*value),
            Found::Bool(value) => json!(value),
            Found::Text(text) => json!(text),
            Found::Bytes(bytes) => json!({"hex": hex::encode(bytes)}),
            Found::List(items) => items.iter().map(|item| self.json(item)).collect(),
            Found::Node(id) => self.node_json(*id),
            Found::Stream(start, end) => json!({"start": start, "end": end}),
        }
    }

    fn node_json(&self, id: NodeId) -> Json {
        let node = self.tree.node(id);
        let children = || self.tree.children(id);
        if let Payload::Layout(index) = node.payload {
            let names = self
                .tree
                .layouts
                .get(index as usize)
                .map(|layout| &layout.names);
            let fields = self.tree.described(id);
            let pairs = fields.into_iter().map(|(number, child)| {
                let name = names.and_then(|names| names.get(number));
                let name = name.map(|name| String::from_utf8_lossy(name).into_owned());
                json!([name, self.json(&self.value(child))])
            });
            return pairs.collect();
        }
        if matches!(
            self.plan.op(node.op).kind,
            Kind::Repeat(_) | Kind::Nested(_)
        ) {
            return children()
                .map(|child| self.json(&self.value(child)))
                .collect();
        }
        let mut object = Map::new();
        self.members_json(id, &mut object);
        Json::Object(object)
    }

    fn members_json(&self, id: NodeId, object: &mut Map<String, Json>) {
        for child in self.tree.children(id) {
            let op = self.tree.node(child).op;
            match self.plan.info(op).label {
                None => self.members_json(child, object),
                Some(label) => {
                    let value = match self.value(child) {
                        Found::Int(number) => match meaning(self.plan, op, number) {
                            Some(name) => json!(name),
                            None => self.json(&Found::Int(number)),
                        },
                        other => self.json(&other),
                    };
                    object.insert(self.plan.name(label).to_owned(), value);
                }
            }
        }
    }
}

fn number(value: i128) -> Json {
    match i64::try_from(value) {
        Ok(small) if value.abs() < 1 << 53 => json!(small),
        _ => json!(value.to_string()),
    }
}

/// Converts a float to JSON in the same way as in records. Non-finite numbers become strings,
/// because JSON cannot represent them as numbers.
fn float(value: f64) -> Json {
    match value {
        f64::INFINITY => json!("Infinity"),
        f64::NEG_INFINITY => json!("-Infinity"),
        value if value.is_nan() => json!("NaN"),
        value => json!(value),
    }
}
