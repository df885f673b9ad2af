//! Lists that are indexed by ids of their own type, so that the index of one list cannot be used
//! for another.

use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// An index into a list of type [`Arena`].
pub trait Id: Copy {
    /// Converts an index to an id.
    fn from_index(index: usize) -> Self;

    /// Converts the id to an index.
    fn index(self) -> usize;
}

/// Declares a type of ids.
macro_rules! id {
    ($(#[$about:meta])* $name:ident) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);

        impl $name {
            /// Converts the id to an index into the list that it refers to.
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl From<usize> for $name {
            /// Converts an index to an id.
            ///
            /// # Panics
            ///
            /// Panics if the index is larger than the largest id. A list with that many elements
            /// would not fit into memory.
            fn from(index: usize) -> Self {
                Self(u32::try_from(index).expect("fewer than 2^32 elements"))
            }
        }

        impl $crate::arena::Id for $name {
            fn from_index(index: usize) -> Self {
                Self::from(index)
            }

            fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}
pub(crate) use id;

/// A list that is indexed by ids.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arena<I, T> {
    items: Vec<T>,
    id: PhantomData<fn(I)>,
}

impl<I: Id, T> Arena<I, T> {
    /// Creates an empty list.
    pub const fn new() -> Self {
        Self {
            items: Vec::new(),
            id: PhantomData,
        }
    }

    /// Adds an element and returns its id.
    pub fn push(&mut self, item: T) -> I {
        let id = self.next_id();
        self.items.push(item);
        id
    }

    /// Returns the id of the next element to be added.
    pub fn next_id(&self) -> I {
        I::from_index(self.items.len())
    }

    /// Returns the element with this id, or `None` if there is no such element.
    pub fn get(&self, id: I) -> Option<&T> {
        self.items.get(id.index())
    }

    /// Returns the element with this id for modification, or `None` if there is no such element.
    pub fn get_mut(&mut self, id: I) -> Option<&mut T> {
        self.items.get_mut(id.index())
    }

    /// Iterates over the ids of the elements.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator + use<I, T> {
        (0..self.items.len()).map(I::from_index)
    }

    /// Removes the elements after the first `length`.
    pub fn truncate(&mut self, length: usize) {
        self.items.truncate(length);
    }

    /// Returns the number of elements.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Returns whether the list has no elements.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Iterates over the elements.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.items.iter()
    }

    /// Iterates over the elements and allows their modification.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.items.iter_mut()
    }

    /// Iterates over the elements together with their ids.
    pub fn entries(&self) -> impl DoubleEndedIterator<Item = (I, &T)> + ExactSizeIterator {
        let items = self.items.iter().enumerate();
        items.map(|(index, item)| (I::from_index(index), item))
    }

    /// Returns the id of the first element that satisfies a condition.
    pub fn position(&self, is_wanted: impl FnMut(&T) -> bool) -> Option<I> {
        self.items.iter().position(is_wanted).map(I::from_index)
    }
}

impl<I: Id, T> Default for Arena<I, T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<I: Id, T> Index<I> for Arena<I, T> {
    type Output = T;

    #[inline]
    fn index(&self, id: I) -> &T {
        &self.items[id.index()]
    }
}

impl<I: Id, T> IndexMut<I> for Arena<I, T> {
    #[inline]
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.items[id.index()]
    }
}

impl<I: Id, T> From<Vec<T>> for Arena<I, T> {
    fn from(items: Vec<T>) -> Self {
        Self {
            items,
            id: PhantomData,
        }
    }
}

impl<I: Id, T> FromIterator<T> for Arena<I, T> {
    fn from_iter<Items: IntoIterator<Item = T>>(items: Items) -> Self {
        Self::from(Vec::from_iter(items))
    }
}

impl<'a, I: Id, T> IntoIterator for &'a Arena<I, T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'a, I: Id, T> IntoIterator for &'a mut Arena<I, T> {
    type Item = &'a mut T;
    type IntoIter = std::slice::IterMut<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter_mut()
    }
}
