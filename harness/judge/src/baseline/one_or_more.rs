//! A YAML value that is either a single value or a list of values.

use std::marker::PhantomData;
use std::{fmt, slice};

use serde::de::value::SeqAccessDeserializer;
use serde::de::{IntoDeserializer, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A list of at least one value. A list with one element is serialized as that element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OneOrMore<T> {
    first: T,
    others: Vec<T>,
}

impl<T> OneOrMore<T> {
    /// Collects `values` into a list, or returns `None` if there are no values.
    pub fn new(values: impl IntoIterator<Item = T>) -> Option<Self> {
        let mut values = values.into_iter();
        Some(Self {
            first: values.next()?,
            others: values.collect(),
        })
    }

    /// Returns the first value.
    pub fn first(&self) -> &T {
        &self.first
    }

    /// Returns the values after the first.
    pub fn others(&self) -> &[T] {
        &self.others
    }

    /// Iterates over all values in order.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        slice::from_ref(&self.first).iter().chain(&self.others)
    }

    /// Adds the `values` that this list does not contain yet.
    pub fn extend(&mut self, values: Self)
    where
        T: PartialEq,
    {
        for value in std::iter::once(values.first).chain(values.others) {
            if !self.contains(&value) {
                self.others.push(value);
            }
        }
    }

    /// Returns whether the list contains `value`.
    pub fn contains(&self, value: &T) -> bool
    where
        T: PartialEq,
    {
        self.iter().any(|it| it == value)
    }
}

impl<T> From<T> for OneOrMore<T> {
    fn from(first: T) -> Self {
        Self {
            first,
            others: Vec::new(),
        }
    }
}

impl<T: Serialize> Serialize for OneOrMore<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.others.is_empty() {
            self.first.serialize(serializer)
        } else {
            serializer.collect_seq(self.iter())
        }
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for OneOrMore<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Values(PhantomData))
    }
}

/// Deserializes a string as a single value and a sequence as several values. Unlike an untagged
/// enum, this visitor keeps the error message that describes why the value is invalid.
struct Values<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for Values<T> {
    type Value = OneOrMore<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string or a list of strings")
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Self::Value, E> {
        T::deserialize(text.into_deserializer()).map(OneOrMore::from)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, values: A) -> Result<Self::Value, A::Error> {
        let values = Vec::deserialize(SeqAccessDeserializer::new(values))?;
        OneOrMore::new(values).ok_or_else(|| serde::de::Error::custom("the list is empty"))
    }
}

#[cfg(test)]
mod tests {
    use super::OneOrMore;

    fn read(text: &str) -> Result<OneOrMore<String>, String> {
        serde_yaml::from_str(text).map_err(|error| error.to_string())
    }

    #[test]
    fn one_value_and_a_list_come_back_as_they_were_written() {
        for text in ["a\n", "- a\n- b\n"] {
            let values = read(text).unwrap();
            assert_eq!(serde_yaml::to_string(&values).unwrap(), text);
        }
        assert_eq!(read("[a]").unwrap(), OneOrMore::from("a".to_owned()));
    }

    #[test]
    fn nothing_and_other_things_are_refused() {
        let error = read("[]").unwrap_err();
        assert!(error.starts_with("the list is empty"), "{error}");
        let error = read("{a: b}").unwrap_err();
        assert!(error.contains("a string or a list of strings"), "{error}");
        let error = read("[a, [b]]").unwrap_err();
        assert!(error.contains("expected a string"), "{error}");
    }

    #[test]
    fn values_are_added_once() {
        let mut values = read("[a, b]").unwrap();
        values.extend(read("[c, b, a]").unwrap());
        assert_eq!(values, read("[a, b, c]").unwrap());
    }
}
