//! Locates the values of a record in a trace, so that reports can show where they are stored.
//!
//! To locate a value, the decoder decodes the trace again up to the record and builds a tree of the
//! decoded part. A value can come from several fields. For example, a value that a record takes
//! from the previous record comes from the field that last contained it, and a looked-up string
//! comes from the row that the record refers to. Fields inside the record itself are listed first.

use tracegauge_plan::terms::RuleId;
use tracegauge_plan::{CodeId, Kind, MemberPlan, MemberSource, NestedForm, OpId, Plan};

use crate::machine::Source;
use crate::observe::{Findings, Observer, observe};
use crate::report::{Item, ReadFrom, RecordBuffer, RecordView};
use crate::tree::{NodeId, Payload, Tree};
use crate::verdict::Span;
use crate::visitor::Mark;

/// The maximum number of places reported for one value.
const MOST: usize = 4;

/// A field in a trace: its path, its bytes, and the operation that read it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The path of the field, for example `frames[3].body.length`. The path of the whole trace is
    /// empty.
    pub path: String,
    /// The bytes of the field.
    pub span: Span,
    /// The operation that read the field.
    pub op: OpId,
}

/// The location of a record in a trace, and of one of the record's values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Places {
    /// The location of the record.
    pub record: Place,
    /// The fields that contain the value or, if the value has no bytes, the nearest enclosing value
    /// that has bytes. The list is empty if no enclosing value has bytes. Fields inside the record
    /// come first.
    pub value: Vec<Place>,
    /// The operation that reads the enclosing record member, if any. The operation is set even if
    /// this record omits the member.
    pub member: Option<OpId>,
    /// The expression that computes the enclosing record member, if no single operation reads it.
    pub computed: Option<CodeId>,
    /// The rules exercised by the record, by the bytes between the previous record and this record,
    /// and by the bytes that the value comes from.
    pub shown: Vec<Showing>,
}

/// A rule that a trace exercises, and the bytes that exercise it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Showing {
    /// The index of the rule in the plan.
    pub rule: RuleId,
    /// The bytes that exercise the rule.
    pub span: Span,
}

impl Places {
    /// Returns the rules that are exercised within `span`.
    pub fn shown_in(&self, span: Span) -> Vec<RuleId> {
        self.rules(|it| is_inside(it.span, span))
    }

    /// Returns the rules that are exercised by bytes around `span`, except those exercised by the
    /// whole record.
    pub fn shown_around(&self, span: Span) -> Vec<RuleId> {
        let whole = self.record.span;
        self.rules(|it| is_inside(span, it.span) && !is_inside(whole, it.span))
    }

    /// Returns the rules that are exercised by the bytes between the previous record and this
    /// record.
    pub fn shown_before(&self) -> Vec<RuleId> {
        let start = self.record.span.start;
        self.rules(|it| it.span.end <= start)
    }

    /// Returns all rules in `shown`.
    pub fn shown(&self) -> Vec<RuleId> {
        self.rules(|_| true)
    }

    fn rules(&self, wanted: impl Fn(&Showing) -> bool) -> Vec<RuleId> {
        let mut rules: Vec<RuleId> = Vec::new();
        for showing in self.shown.iter().filter(|it| wanted(it)) {
            if !rules.contains(&showing.rule) {
                rules.push(showing.rule);
            }
        }
        rules
    }
}

/// Locates the record with the zero-based index `number`, and its value at `path`, for example
/// `fields[2].value`. Returns `None` if the trace has too few records.
pub fn places(plan: &Plan, bytes: &[u8], number: usize, path: &str) -> Option<Places> {
    let steps = steps(path);
    let mut finder = Finder {
        left: number,
        steps: &steps,
        found: None,
        shown: Vec::new(),
        ended: 0,
        done: false,
    };
    let observed = observe(plan, bytes, Findings::Marks, &mut finder);
    let Found {
        whole,
        sources,
        member,
        shown,
    } = finder.found?;
    let named = Named {
        plan,
        tree: &observed.tree,
    };
    // Empty text has a position but no bytes, so it counts only if no other source has bytes.
    let has_bytes = |source: &Source| source.span.start < source.span.end;
    let any = sources.iter().any(has_bytes);
    let (own, other): (Vec<Source>, Vec<Source>) = sources
        .into_iter()
        .filter(|source| has_bytes(source) || !any)
        .partition(|source| is_inside(source.span, whole.span));
    let mut value: Vec<Place> = Vec::new();
    for source in own.into_iter().chain(other) {
        // A source inside a place that is already listed adds no information.
        let is_known = |known: &Place| is_inside(source.span, known.span);
        if !value.iter().any(is_known) && value.len() < MOST {
            value.push(named.place(source));
        }
    }
    let mut shown = shown;
    let elsewhere = value.iter().map(|place| place.span);
    let elsewhere: Vec<Span> = elsewhere
        .filter(|span| !is_inside(*span, whole.span))
        .collect();
    if !elsewhere.is_empty() {
        shown.extend(shown_inside(plan, bytes, (number, elsewhere)));
    }
    Some(Places {
        record: named.place(whole),
        value,
        member: member.and_then(|(_, op)| op),
        computed: member.and_then(|(code, op)| op.is_none().then_some(code)),
        shown,
    })
}

/// Returns the rules that a trace exercises, each with the bytes that exercise it, in decoding
/// order.
pub fn showings(plan: &Plan, bytes: &[u8]) -> Vec<Showing> {
    let whole = Span {
        start: 0,
        end: bytes.len() as u64,
    };
    shown_inside(plan, bytes, (usize::MAX, vec![whole]))
}

/// Returns the rules that bytes inside `spans` exercise, up to the record with the index `number`.
fn shown_inside(plan: &Plan, bytes: &[u8], (number, spans): (usize, Vec<Span>)) -> Vec<Showing> {
    let mut looker = Looker {
        left: number,
        spans,
        shown: Vec::new(),
        done: false,
    };
    observe(plan, bytes, Findings::Marks, &mut looker);
    looker.shown
}

/// An observer that collects the rules that given bytes exercise, up to a given record.
struct Looker {
    left: usize,
    spans: Vec<Span>,
    shown: Vec<Showing>,
    done: bool,
}

impl Observer for Looker {
    fn mark(&mut self, _op: OpId, mark: Mark) {
        if let Mark::Shows(rule, span) = mark
            && self.spans.iter().any(|wanted| is_inside(span, *wanted))
        {
            self.shown.push(Showing { rule, span });
        }
    }

    fn spent(&mut self) -> bool {
        self.done
    }

    fn record(&mut self, _record: &RecordView<'_>) {
        self.done |= self.left == 0;
        self.left = self.left.saturating_sub(1);
    }
}

fn is_inside(inner: Span, outer: Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// One step of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step<'s> {
    Member(&'s str),
    Element(usize),
}

/// Splits a path into its steps, up to the first step that cannot be parsed.
fn steps(path: &str) -> Vec<Step<'_>> {
    let mut steps = Vec::new();
    for part in path.split('.') {
        let (name, elements) = part.split_at(part.find('[').unwrap_or(part.len()));
        if !name.is_empty() {
            steps.push(Step::Member(name));
        }
        let numbers = elements.split(['[', ']']).filter(|text| !text.is_empty());
        let numbers = numbers.map_while(|text| text.parse().ok());
        steps.extend(numbers.map(Step::Element));
    }
    steps
}

/// The location of a record and of one of its values, as collected so far.
struct Found {
    whole: Source,
    sources: Vec<Source>,
    member: Option<(CodeId, Option<OpId>)>,
    shown: Vec<Showing>,
}

/// An observer that waits for a particular record and collects the places where one of its values
/// was read.
struct Finder<'s> {
    left: usize,
    steps: &'s [Step<'s>],
    found: Option<Found>,
    /// The rules that were exercised since the previous record.
    shown: Vec<Showing>,
    /// The end position of the previous record.
    ended: u64,
    done: bool,
}

impl Observer for Finder<'_> {
    fn mark(&mut self, _op: OpId, mark: Mark) {
        // A rule that a whole record exercises is reported only after the record ended. It must not
        // be attributed to the next record.
        if let Mark::Shows(rule, span) = mark
            && !(span.start < self.ended && span.end >= self.ended)
        {
            let showing = Showing { rule, span };
            match &mut self.found {
                None => self.shown.push(showing),
                Some(found) if is_inside(found.whole.span, span) => found.shown.push(showing),
                Some(_) => {}
            }
        }
    }

    fn spent(&mut self) -> bool {
        self.done
    }

    fn wants_sources(&self) -> bool {
        self.left == 0 && self.found.is_none()
    }

    fn record(&mut self, record: &RecordView<'_>) {
        match (&record.read, self.left) {
            (Some(read), 0) => {
                self.found = Some(Found {
                    whole: read.whole,
                    sources: sources(record, read, self.steps),
                    member: shown(&record.record.members, self.steps),
                    shown: std::mem::take(&mut self.shown),
                });
            }
            // The record's structure is complete once another record is reported.
            _ if self.found.is_some() => self.done = true,
            _ => {
                self.left = self.left.saturating_sub(1);
                self.ended = record.end;
                self.shown.clear();
            }
        }
    }
}

/// Returns the sources of the value at the end of a path. If the value has no source of its own,
/// returns the sources of the nearest enclosing value with a source, or the sources of the items
/// inside the value.
fn sources(record: &RecordView<'_>, read: &ReadFrom<'_>, steps: &[Step<'_>]) -> Vec<Source> {
    let buffer = record.buffer;
    let mut starts = buffer.starts.iter().copied();
    let Some((mut at, mut rest)) = member(&record.record.members, steps, &mut starts) else {
        return Vec::new();
    };
    let mut way = vec![at];
    while let Some((step, after)) = rest.split_first() {
        match inside(record, buffer, at, *step) {
            Some(next) => (at, rest) = (next, after),
            None => break,
        }
        way.push(at);
    }
    let of = |from: usize, end: usize| -> Vec<Source> {
        let range = from..end;
        let here = read
            .items
            .iter()
            .filter(|(item, _)| range.contains(&(*item as usize)));
        here.map(|(_, source)| *source).collect()
    };
    let end = after(buffer, at);
    way.iter()
        .rev()
        .map(|at| of(*at, at + 1))
        .chain([of(at, end)])
        .find(|sources| !sources.is_empty())
        .unwrap_or_default()
}

/// Returns the first item of the member at the start of a path, and the remaining steps.
fn member<'s>(
    plans: &[MemberPlan],
    steps: &'s [Step<'s>],
    starts: &mut dyn Iterator<Item = u32>,
) -> Option<(usize, &'s [Step<'s>])> {
    let (first, rest) = steps.split_first()?;
    for plan in plans {
        let wanted = *first == Step::Member(&plan.name);
        match &plan.source {
            MemberSource::Value(..) | MemberSource::Named(..) => {
                let start = starts.next()?;
                if wanted {
                    return Some((start as usize, rest));
                }
            }
            MemberSource::Object(inner) if wanted => return member(inner, rest, starts),
            MemberSource::Object(inner) => {
                // Skip the member, and consume the starts of all members inside it.
                member(inner, &[Step::Element(0)], starts);
            }
        }
    }
    None
}

/// Returns the expression of a member, and the operation whose value the member contains.
fn shown(plans: &[MemberPlan], steps: &[Step<'_>]) -> Option<(CodeId, Option<OpId>)> {
    let (first, rest) = steps.split_first()?;
    let mut plans = plans.iter();
    let plan = plans.find(|plan| *first == Step::Member(&plan.name))?;
    match &plan.source {
        MemberSource::Value(code, op) => Some((*code, *op)),
        MemberSource::Named(code, _) => Some((*code, None)),
        MemberSource::Object(inner) => shown(inner, rest),
    }
}

/// Returns the index of the item that `step` selects inside the item at `at`.
fn inside(
    record: &RecordView<'_>,
    buffer: &RecordBuffer,
    at: usize,
    step: Step<'_>,
) -> Option<usize> {
    let is_code = |at: usize| matches!(buffer.items.get(at), Some(Item::Code(..)));
    match (buffer.items.get(at)?, step) {
        (Item::List(end), Step::Element(number)) => {
            let mut next = at + 1;
            for _ in 0..number {
                next = after(buffer, next);
            }
            (next < *end as usize).then_some(next)
        }
        (Item::Pairs(end), Step::Element(number)) => {
            let mut next = at + 1;
            for _ in 0..number {
                next = after(buffer, next + usize::from(is_code(next)));
                next = after(buffer, next);
            }
            (next < *end as usize).then_some(next)
        }
        // `at` is the first item of a pair.
        (_, Step::Member("name")) => Some(at + usize::from(is_code(at))),
        (Item::Object(end), Step::Member(wanted)) => {
            let mut next = at + 1;
            while next < *end as usize {
                let Item::Name(name) = buffer.items[next] else {
                    return None;
                };
                if record.plan.names.get(name as usize).map(String::as_str) == Some(wanted) {
                    return Some(next + 1);
                }
                next = after(buffer, next + 1);
            }
            None
        }
        (_, Step::Member("value")) => Some(after(buffer, at + usize::from(is_code(at)))),
        _ => None,
    }
}

/// Returns the index after an item and its contents.
fn after(buffer: &RecordBuffer, at: usize) -> usize {
    match buffer.items.get(at) {
        Some(Item::List(end) | Item::Object(end) | Item::Pairs(end)) => *end as usize,
        _ => at + 1,
    }
}

/// A tree and its plan, used to compute the paths of nodes.
struct Named<'t> {
    plan: &'t Plan,
    tree: &'t Tree,
}

impl Named<'_> {
    fn place(&self, source: Source) -> Place {
        let nodes = (0..).zip(&self.tree.nodes);
        let found = |(_, node): &(NodeId, &crate::tree::Node)| {
            node.op == source.op && node.span == source.span
        };
        let node = nodes.into_iter().find(found).map(|(id, _)| id);
        Place {
            path: node.map_or_else(|| self.described(source), |node| self.path(node)),
            span: source.span,
            op: source.op,
        }
    }

    /// Returns the name that the description gives to a field that the tree does not contain.
    fn described(&self, source: Source) -> String {
        let info = self.plan.info(source.op);
        let name = info.label.or(info.type_name);
        name.map_or_else(String::new, |name| self.plan.name(name).to_owned())
    }

    /// Returns the path of a node, in the same form as the paths of violations.
    fn path(&self, wanted: NodeId) -> String {
        let mut path = String::new();
        let mut at = 0;
        while at != wanted {
            let holds = |(_, child): &(usize, NodeId)| wanted < self.tree.node(*child).end;
            let Some((number, child)) = self.tree.children(at).enumerate().find(holds) else {
                break;
            };
            if let Some(number) = self.element(at, number, child) {
                path.push_str(&format!("[{number}]"));
            }
            let called = matches!(self.plan.op(self.tree.node(at).op).kind, Kind::Call(_));
            let name = self.plan.info(self.tree.node(child).op).name;
            if let (false, Some(name)) = (called, name) {
                if !path.is_empty() {
                    path.push('.');
                }
                path.push_str(self.plan.name(name));
            }
            at = child;
        }
        path
    }

    /// Returns the index of a child in its list, or `None` if the child is not an element.
    fn element(&self, list: NodeId, number: usize, child: NodeId) -> Option<usize> {
        let node = self.tree.node(list);
        if let Payload::Layout(_) = node.payload {
            let fields = self.tree.described(list);
            let field = fields.into_iter().find(|(_, field)| *field == child);
            return field.map(|(number, _)| number);
        }
        match self.plan.op(node.op).kind {
            Kind::Repeat(_) => Some(number),
            Kind::Nested(nested) => match self.plan.nested[nested].form {
                // The count precedes the elements, as the first child.
                NestedForm::Counted(_) if !self.tree.is_view(list) => number.checked_sub(1),
                _ => Some(number),
            },
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_read_step_by_step() {
        let read = steps("fields[2][0].value.end");
        let wanted = [
            Step::Member("fields"),
            Step::Element(2),
            Step::Element(0),
            Step::Member("value"),
            Step::Member("end"),
        ];
        assert_eq!(read, wanted);
        assert_eq!(steps(""), []);
    }
}
