//! Reports the values of a case of `values.json` through the kit.

#[allow(dead_code)]
mod tracegauge;

use std::borrow::Cow;

use tracegauge::{Record, Rejection, Reporter, Value};

struct Case<'a>(&'a [u8]);

impl<'a> Case<'a> {
    fn take(&mut self, size: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(size);
        self.0 = rest;
        taken
    }

    fn number(&mut self) -> i32 {
        i32::from_le_bytes(self.take(4).try_into().expect("four bytes"))
    }

    fn words(&mut self) -> &'a [u8] {
        let units = self.number().max(0) as usize;
        self.take(2 * units);
        let length = self.number() as usize;
        self.take(length)
    }

    fn text(&mut self) -> String {
        String::from_utf8_lossy(self.words()).into_owned()
    }

    fn value(&mut self) -> Value {
        match self.take(1)[0] {
            b'n' => Value::from(None::<bool>),
            b'T' => true.into(),
            b'F' => false.into(),
            b'i' => self.text().parse::<i128>().expect("an integer").into(),
            b'd' => f64::from_le_bytes(self.take(8).try_into().expect("eight")).into(),
            b'g' => f32::from_le_bytes(self.take(4).try_into().expect("four")).into(),
            b's' | b'G' => Value::text(self.words()),
            b'P' => Value::pair(self.value(), self.value()),
            b'V' => self.every(),
            b'b' => {
                let length = self.number() as usize;
                self.take(length).into()
            }
            b'[' => Value::List((0..self.number()).map(|_| self.value()).collect()),
            b'{' => Value::Object((0..self.number()).map(|_| (self.text(), self.value())).collect()),
            b'J' => Value::Json(self.text()),
            _ => {
                let depth = self.number();
                (1..depth).fold(Value::List(vec![]), |inner, _| Value::List(vec![inner]))
            }
        }
    }
}

impl Case<'_> {
    /// Returns a list with the next value, built from each Rust type that the kit can convert to
    /// it.
    fn every(&mut self) -> Value {
        let value = self.value();
        Value::List(match value {
            Value::Integer(number) => vec![
                (number as u8).into(),
                (number as usize).into(),
                (number as isize).into(),
                (number as u128).into(),
                Some(number).into(),
            ],
            Value::Float(number) => vec![(number as f32).into(), Some(number).into()],
            Value::Text(text) => vec![
                text.as_str().into(),
                (&text).into(),
                Cow::Borrowed(text.as_str()).into(),
                text.clone().into_boxed_str().into(),
                text.into(),
            ],
            Value::Bytes(bytes) => match <[u8; 4]>::try_from(bytes.as_slice()) {
                Ok(four) => vec![bytes.into(), four.into(), (&four).into(), Some(four).into()],
                Err(_) => vec![
                    bytes.as_slice().into(),
                    (&bytes).into(),
                    Cow::Borrowed(bytes.as_slice()).into(),
                    bytes.clone().into_boxed_slice().into(),
                    bytes.into(),
                    [].into(),
                    (&[]).into(),
                ],
            },
            Value::Null => vec![None::<u8>.into(), None::<&str>.into(), ().into()],
            Value::List(items) => every_list(items),
            other => vec![other],
        })
    }
}

/// Returns lists that are built from each kind of vector that the kit can convert to this list.
fn every_list(items: Vec<Value>) -> Vec<Value> {
    let numbers = items.iter().map(|item| match item {
        Value::Integer(number) => u16::try_from(*number).ok(),
        _ => None,
    });
    match numbers.collect::<Option<Vec<u16>>>() {
        Some(numbers) => vec![
            numbers.iter().map(|number| i64::from(*number)).collect::<Vec<i64>>().into(),
            numbers.iter().copied().collect(),
            numbers.into(),
            items.into(),
        ],
        None => vec![items.into()],
    }
}

/// Checks the conversions that the table of values cannot express.
fn check_conversions() {
    let is_text = |value: Value, expected: &str| matches!(value, Value::Text(text) if text == expected);
    assert!(is_text(u128::MAX.into(), "340282366920938463463374607431768211455"));
    assert!(is_text('é'.into(), "é"));
    let texts = [vec!["a", "b"].into(), vec!["a".to_owned(), "b".to_owned()].into(), "ab".chars().collect()];
    for list in texts {
        let Value::List(items) = list else { panic!("no list") };
        assert!(items.into_iter().zip(["a", "b"]).all(|(item, text)| is_text(item, text)));
    }
    let Value::List(items) = Value::from(vec![vec![0u8], vec![]]) else { panic!("no list") };
    assert!(items.iter().all(|item| matches!(item, Value::Bytes(_))));
}

fn read(data: &[u8], reporter: &mut Reporter) -> Result<(), Rejection> {
    let mut case = Case(data);
    while !case.0.is_empty() {
        match case.take(1)[0] {
            b'R' => {
                let members = 0..case.number();
                reporter.record(members.fold(Record::new("row"), |record, _| {
                    let name = case.text();
                    record.with(&name, case.value())
                }));
            }
            b'X' => {
                let mut rejection = Rejection::new(case.text());
                let class = case.text();
                if !class.is_empty() {
                    rejection = rejection.class(&class);
                }
                let offset = u64::try_from(case.number());
                return Err(offset.map_or_else(|_| None, Some).into_iter().fold(rejection, Rejection::offset));
            }
            b'U' => return Err(Rejection::unsupported(case.text())),
            _ => {}
        }
    }
    Ok(())
}

fn main() -> std::process::ExitCode {
    check_conversions();
    tracegauge::run("replay", "1.0.0", read)
}
