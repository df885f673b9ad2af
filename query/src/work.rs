//! Limits on the work of evaluating an expression, and the values that have been computed already.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use tracegauge_decoder::tree::NodeId;
use tracegauge_spec::expression::Expr;

use super::evaluate::{Answer, Found, QueryError, Scope, fail};

/// The maximum number of operations in an expression, including those of the instances and
/// parameters that it uses. Each element of a list that a method evaluates an expression for counts
/// separately.
const MOST_OPERATIONS: u32 = 1 << 14;

/// The maximum nesting depth of operations. The limit is necessary because evaluation is recursive.
const DEEPEST: u32 = 1000;

/// The maximum length of a chain of instances and parameters that each depend on the next.
const LONGEST_CHAIN: u32 = 500;

/// The stack in bytes that suffices for operations of the maximum depth, even without optimization.
const STACK: usize = 6 << 20;

/// The maximum size in bytes of the text, bytes and lists that an expression copies. A chain of
/// instances that each concatenate the next one with itself would otherwise fill the memory.
const MOST_COPIED: u64 = 1 << 28;

/// The number of computed values that are kept.
const MOST_KEPT: usize = 1 << 20;

/// An instance or an argument, and the elements that its value depends on.
type Computed = (*const Expr, NodeId, NodeId);

/// The work done for an expression.
#[derive(Debug, Default)]
pub(super) struct Work {
    operations: Cell<u32>,
    depth: Cell<u32>,
    chain: Cell<u32>,
    copied: Cell<u64>,
    /// The values computed so far. A value that is being computed is `None`.
    values: RefCell<HashMap<Computed, Option<Answer>>>,
    /// The limit that was exceeded. Methods treat an error in an element as an absent value, so an
    /// error alone would not end the evaluation.
    exceeded: RefCell<Option<QueryError>>,
}

impl Work {
    /// Evaluates an expression that is not part of another expression.
    pub(super) fn whole(&self, evaluate: impl FnOnce() -> Answer) -> Answer {
        self.values.borrow_mut().clear();
        self.operations.set(0);
        self.copied.set(0);
        let answer = stacker::maybe_grow(STACK, STACK, evaluate);
        self.exceeded.take().map_or(answer, Err)
    }

    /// Returns the error for the limit that was exceeded, if any.
    pub(super) fn within(&self) -> Result<(), QueryError> {
        match &*self.exceeded.borrow() {
            Some(error) => Err(error.clone()),
            None => Ok(()),
        }
    }

    /// Evaluates an operation.
    pub(super) fn operation<T>(
        &self,
        evaluate: impl FnOnce() -> Result<T, QueryError>,
    ) -> Result<T, QueryError> {
        self.within()?;
        let (operations, depth) = (self.operations.get() + 1, self.depth.get() + 1);
        if operations > MOST_OPERATIONS {
            return self.exceeds(format!(
                "evaluating this expression takes more than {MOST_OPERATIONS} operations, including \
                 those of the instances and parameters that it uses"
            ));
        }
        if depth > DEEPEST {
            return self.too_deep();
        }
        self.operations.set(operations);
        self.depth.set(depth);
        let answer = evaluate();
        self.depth.set(depth - 1);
        answer
    }

    /// Evaluates an expression for an element of a list, whose operations are counted separately.
    pub(super) fn element(&self, evaluate: impl FnOnce() -> Answer) -> Answer {
        let operations = self.operations.replace(0);
        let answer = evaluate();
        self.operations.set(operations);
        answer
    }

    /// Returns the value of the instance or argument `name`, which is computed only once.
    pub(super) fn once(
        &self,
        (name, value): (&str, &Expr),
        scope: Scope,
        evaluate: impl FnOnce() -> Answer,
    ) -> Answer {
        let computed = (std::ptr::from_ref(value), scope.node, scope.from);
        let known = self.values.borrow().get(&computed).cloned();
        match known {
            Some(Some(answer)) => return answer.and_then(|found| self.copy(found)),
            Some(None) => return fail(format!("the value of `{name}` depends on itself")),
            None => {}
        }
        let chain = self.chain.get() + 1;
        if chain > LONGEST_CHAIN {
            return self.too_deep();
        }
        self.keep(computed, None);
        self.chain.set(chain);
        let answer = evaluate().and_then(|found| self.copy(found));
        self.chain.set(chain - 1);
        self.keep(computed, Some(answer.clone()));
        answer
    }

    fn keep(&self, computed: Computed, answer: Option<Answer>) {
        let mut values = self.values.borrow_mut();
        if values.len() >= MOST_KEPT {
            values.retain(|_, known| known.is_none());
        }
        values.insert(computed, answer);
    }

    /// Counts the bytes of a value that is about to be copied or kept.
    pub(super) fn copy(&self, found: Found) -> Answer {
        let size = size(&found);
        if size == 0 {
            return Ok(found);
        }
        let copied = self.copied.get().saturating_add(size);
        self.copied.set(copied);
        if copied > MOST_COPIED {
            return self.exceeds(format!(
                "evaluating this expression copies more than {} MiB of text, bytes and lists",
                MOST_COPIED >> 20
            ));
        }
        Ok(found)
    }

    fn too_deep<T>(&self) -> Result<T, QueryError> {
        self.exceeds(format!(
            "evaluating this expression nests operations more than {DEEPEST} levels deep, or \
             instances more than {LONGEST_CHAIN} levels deep"
        ))
    }

    fn exceeds<T>(&self, message: String) -> Result<T, QueryError> {
        let error = QueryError(message);
        *self.exceeded.borrow_mut() = Some(error.clone());
        Err(error)
    }
}

/// Returns the memory in bytes that a value takes outside its [`Found`].
fn size(found: &Found) -> u64 {
    match found {
        Found::Text(text) => text.len() as u64,
        Found::Bytes(bytes) => bytes.len() as u64,
        Found::List(items) => {
            let each = size_of::<Found>() as u64;
            items.iter().map(|item| each + size(item)).sum()
        }
        _ => 0,
    }
}
