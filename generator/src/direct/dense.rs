//! Maps and sets whose keys are ids of parts of a plan. Looking up a key is a list access, because
//! the emitter looks up several keys for each number that it writes.

use std::marker::PhantomData;

use tracegauge_plan::Id;

/// A map from ids to values.
#[derive(Clone, Debug)]
pub struct DenseMap<I, V> {
    /// For each id, one more than the index of its value, or 0 if it has none.
    places: Vec<u32>,
    values: Vec<V>,
    id: PhantomData<fn(I)>,
}

impl<I: Id, V> DenseMap<I, V> {
    /// Creates an empty map.
    pub fn new() -> Self {
        Self {
            places: Vec::new(),
            values: Vec::new(),
            id: PhantomData,
        }
    }

    /// Returns the value of an id.
    #[inline]
    pub fn get(&self, id: &I) -> Option<&V> {
        let place = *self.places.get(id.index())?;
        self.values.get((place as usize).wrapping_sub(1))
    }

    /// Returns whether an id has a value.
    #[inline]
    pub fn contains_key(&self, id: &I) -> bool {
        self.get(id).is_some()
    }

    /// Sets the value of an id.
    pub fn insert(&mut self, id: I, value: V) {
        let place = self.place(id);
        match place.checked_sub(1) {
            Some(place) => self.values[place] = value,
            None => self.push(id, value),
        }
    }

    /// Returns the value of an id for modification. If it has none, sets it to `value` first.
    pub fn get_or_insert(&mut self, id: I, value: V) -> &mut V {
        if self.place(id) == 0 {
            self.push(id, value);
        }
        let place = self.place(id) - 1;
        &mut self.values[place]
    }

    fn place(&self, id: I) -> usize {
        self.places
            .get(id.index())
            .map_or(0, |place| *place as usize)
    }

    fn push(&mut self, id: I, value: V) {
        if self.places.len() <= id.index() {
            self.places.resize(id.index() + 1, 0);
        }
        self.values.push(value);
        self.places[id.index()] = u32::try_from(self.values.len()).unwrap_or_default();
    }
}

impl<I: Id, V> Default for DenseMap<I, V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<I: Id, V> Extend<(I, V)> for DenseMap<I, V> {
    fn extend<T: IntoIterator<Item = (I, V)>>(&mut self, entries: T) {
        for (id, value) in entries {
            self.insert(id, value);
        }
    }
}

impl<I: Id, V> FromIterator<(I, V)> for DenseMap<I, V> {
    fn from_iter<T: IntoIterator<Item = (I, V)>>(entries: T) -> Self {
        let mut map = Self::new();
        map.extend(entries);
        map
    }
}

/// A set of ids.
#[derive(Clone, Debug)]
pub struct DenseSet<I>(DenseMap<I, ()>);

impl<I: Id> DenseSet<I> {
    /// Creates an empty set.
    pub fn new() -> Self {
        Self(DenseMap::new())
    }

    /// Returns whether the set contains an id.
    #[inline]
    pub fn contains(&self, id: &I) -> bool {
        self.0.contains_key(id)
    }

    /// Adds an id.
    pub fn insert(&mut self, id: I) {
        self.0.insert(id, ());
    }
}

impl<I: Id> Extend<I> for DenseSet<I> {
    fn extend<T: IntoIterator<Item = I>>(&mut self, ids: T) {
        self.0.extend(ids.into_iter().map(|id| (id, ())));
    }
}

impl<I: Id> FromIterator<I> for DenseSet<I> {
    fn from_iter<T: IntoIterator<Item = I>>(ids: T) -> Self {
        Self(ids.into_iter().map(|id| (id, ())).collect())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use quickcheck::quickcheck;
    use tracegauge_plan::OpId;

    use super::*;

    quickcheck! {
        fn a_map_is_like_a_hash_map(entries: Vec<(u8, u16)>, others: Vec<(u8, u16)>) -> bool {
            let mut dense = DenseMap::new();
            let mut known = HashMap::new();
            for (id, value) in entries {
                dense.insert(OpId(id.into()), value);
                known.insert(id, value);
            }
            for (id, value) in others {
                *dense.get_or_insert(OpId(id.into()), 0) ^= value;
                *known.entry(id).or_insert(0) ^= value;
            }
            let same = |id: u8| dense.get(&OpId(id.into())) == known.get(&id);
            (0..=u8::MAX).all(same)
        }
    }
}
