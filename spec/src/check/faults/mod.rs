//! Walks the description, following its mappings from faults to rules. A fault is the failure of a
//! built-in check of the decoder, for example because the file ends inside a field. The `faults`
//! keys of a description map kinds of faults to rules. The walk finds the faults that can occur at
//! each element and the rule that each of them violates. The same fault can violate a different
//! rule at each use of a type.

mod element;
mod environment;
mod occurs;

use std::collections::BTreeMap;

use hashbrown::HashSet;

use super::Checker;
use crate::diagnostic::{Code, Diagnostic};
use crate::schema::{FaultKind, LayoutId, RuleRef, TypeId};
use environment::{EnvironmentId, Environments};
use tracegauge_plan::source::SourceSpan;

/// The result of the walk for each rule: where the rule is enforced and where it is exercised.
pub(super) struct Marks {
    pub(super) enforced: Vec<Option<SourceSpan>>,
    pub(super) shown: Vec<Option<SourceSpan>>,
}

/// The kind of sized part that contains an element, if any.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Around {
    /// No sized part: the element is directly in the file.
    File,
    /// A part with a given size.
    Part,
    /// A part whose size is exactly the total size of its fields.
    Exact,
}

/// A type or layout to visit, with the fault mappings that apply there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Step {
    what: What,
    environment: EnvironmentId,
    around: Around,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum What {
    Type(TypeId),
    Layout(LayoutId),
}

/// The maximum number of types and layouts to visit, counting each combination of fault mappings
/// separately.
const MOST: usize = 20_000;

/// The faults without a rule, each with the elements at which it can occur.
type Unmapped = BTreeMap<Missing, Vec<SourceSpan>>;

/// A fault without a rule.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Missing {
    Needed(FaultKind),
    Tolerated(FaultKind),
    Own(String),
}

/// The state of the walk over the description.
struct Walk<'c, 's> {
    checker: &'c mut Checker<'s>,
    environments: Environments,
    left: Vec<Step>,
    seen: HashSet<Step>,
    marks: Marks,
    unmapped: Unmapped,
}

impl<'s> Checker<'s> {
    /// Walks from the root and returns where each rule is enforced and exercised.
    pub(super) fn faults(&mut self) -> Marks {
        let schema = self.schema;
        let count = schema.rules.len();
        let mut environments = Environments::default();
        let environment = environments.root(&schema.faults);
        let mut walk = Walk {
            checker: self,
            environments,
            left: Vec::new(),
            seen: HashSet::new(),
            marks: Marks {
                enforced: vec![None; count],
                shown: vec![None; count],
            },
            unmapped: Unmapped::new(),
        };
        if walk.checker.described {
            walk.go(Step {
                what: What::Type(schema.root),
                environment,
                around: Around::File,
            });
            walk.shared(environment);
        }
        let Walk {
            marks, unmapped, ..
        } = walk;
        if self.sound {
            self.unmapped(unmapped);
        }
        marks
    }

    fn unmapped(&mut self, unmapped: Unmapped) {
        for (missing, mut spans) in unmapped {
            spans.sort_unstable();
            spans.dedup();
            let Some((first, rest)) = spans.split_first() else {
                continue;
            };
            let (name, own) = match &missing {
                Missing::Needed(kind) | Missing::Tolerated(kind) => (kind.name().to_owned(), false),
                Missing::Own(name) => (name.clone(), true),
            };
            let what = match own {
                true => format!("the fault `{name}` of a shared part"),
                false => format!("the fault `{name}`"),
            };
            let more = match rest.len() {
                0 => String::new(),
                1 => " (and at one more location)".to_owned(),
                more => format!(" (and at {more} more locations)"),
            };
            let tolerated = matches!(missing, Missing::Tolerated(_));
            let passes = match tolerated {
                true => ", so it is tolerated",
                false => "",
            };
            let message = format!("{what} can occur here but violates no rule{passes}{more}");
            let help = format!(
                "add `faults: {{ {name}: RULE }}` to this element or to an element that contains it"
            );
            let mut diagnostic = Diagnostic::warning(Code::UnmappedFault, *first, message);
            for span in rest.iter().take(2) {
                diagnostic = diagnostic.also(*span, "and here");
            }
            self.push(diagnostic.help(help));
        }
    }
}

impl<'c, 's> Walk<'c, 's> {
    fn go(&mut self, first: Step) {
        self.enqueue(first);
        while let Some(step) = self.left.pop() {
            match step.what {
                What::Type(id) => self.described(id, step),
                What::Layout(id) => self.layout(id, step),
            }
        }
    }

    fn enqueue(&mut self, step: Step) {
        if self.seen.len() < MOST && self.seen.insert(step) {
            self.left.push(step);
        }
        if self.seen.len() >= MOST {
            self.checker.uses.too_many = true;
        }
    }

    /// Records that a fault or failed test at this element violates the given rule.
    fn enforces(&mut self, rule: &RuleRef, environment: EnvironmentId, span: SourceSpan) {
        match self.environments.resolve(environment, rule) {
            Ok(id) => {
                if let Some(mark) = self.marks.enforced.get_mut(id.index()) {
                    mark.get_or_insert(span);
                }
            }
            Err(name) => self.missing(Missing::Own(name), span),
        }
    }

    /// Records that the presence of this element exercises the given rule.
    fn shows(&mut self, rule: &RuleRef, environment: EnvironmentId, span: SourceSpan) {
        match self.environments.resolve(environment, rule) {
            Ok(id) => {
                if let Some(mark) = self.marks.shown.get_mut(id.index()) {
                    mark.get_or_insert(span);
                }
            }
            Err(name) => self.missing(Missing::Own(name), span),
        }
    }

    fn missing(&mut self, missing: Missing, span: SourceSpan) {
        self.unmapped.entry(missing).or_default().push(span);
    }
}
