//! Plants a fault at a node of a valid trace, which is called the *twin* of the malformed trace.

use tracegauge_decoder::tree::NodeId;
use tracegauge_decoder::verdict::Span;
use tracegauge_plan::terms::{FaultClass, FaultKind, ReaderDuty, RuleId};
use tracegauge_plan::{Derived, OpId, Plan};

use super::dialect::tells_another;
use super::evaluate::Value;
use super::no_case::NoCase;
use super::number;
use super::operator::Site;
use super::path::described_path;
use super::splice::{Edit, Splice, Spliced};
use super::twin::Twin;

/// A violation that a reader must find in a malformed trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expected {
    /// The index of the rule in the plan, or `None` if the description names no rule.
    pub rule: Option<RuleId>,
    /// The path of the blamed field.
    pub path: String,
    /// The first byte of the fault.
    pub start: u64,
}

impl Expected {
    fn id<'p>(&self, plan: &'p Plan) -> &'p str {
        let rule = self.rule.and_then(|rule| plan.rules.get(rule));
        rule.map_or("no rule", |rule| rule.id.as_str())
    }

    /// Formats the rule and the location as a human-readable string.
    pub fn shown(&self, plan: &Plan) -> String {
        format!("{} at {} (byte {})", self.id(plan), self.path, self.start)
    }
}

/// A trace with one fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed {
    /// `RULE/operator/path`, which identifies the trace and stays the same in every version of the
    /// suite.
    pub id: String,
    /// The site of the fault: the operation and the operator that violates the rule.
    pub site: Site,
    /// The bytes of the trace.
    pub bytes: Vec<u8>,
    /// The verdict required of a reader.
    pub duty: ReaderDuty,
    /// The violations that a reader may report. The first violation is the one that the operator
    /// planted.
    pub expected: Vec<Expected>,
    /// The name of the operator.
    pub operator: &'static str,
    /// A parameter that distinguishes the case from other cases of the same operator on the same
    /// field.
    pub parameter: Option<String>,
    /// The faulty bytes.
    pub span: Span,
    /// The class of the fault.
    pub class: FaultClass,
}

impl Malformed {
    /// Returns the rules of the expected violations. A reader that names a rule must name one of
    /// these rules.
    pub fn rules(&self) -> Vec<RuleId> {
        self.expected.iter().filter_map(|e| e.rule).collect()
    }

    /// Returns the path of the blamed field.
    pub fn path(&self) -> &str {
        self.expected.first().map_or("", |e| e.path.as_str())
    }
}

/// A position in the bytes of the malformed trace.
#[derive(Clone, Copy, Debug)]
pub(super) enum At {
    /// The given number of bytes after the start of a node.
    Node(NodeId, u64),
    /// The end of a node.
    EndOf(NodeId),
    /// The given number of bytes after the start of the bytes that an edit wrote. The first number is
    /// the index of the edit in the attack.
    Edit(usize, u64),
}

/// A fault that a reader is expected to find in the malformed trace.
#[derive(Clone, Debug)]
pub(super) struct Blame {
    pub rule: Option<RuleId>,
    pub path: String,
    pub at: At,
}

/// The changes to the valid trace, and the faults that a reader must find as a result.
#[derive(Clone, Debug, Default)]
pub(super) struct Attack {
    pub splice: Splice,
    pub blame: Vec<Blame>,
}

impl Attack {
    /// Creates an attack with one edit and one fault.
    pub(super) fn new(edit: Edit, rule: Option<RuleId>, path: String, at: At) -> Self {
        Self {
            splice: Splice {
                edits: vec![edit],
                ..Splice::default()
            },
            blame: vec![Blame { rule, path, at }],
        }
    }

    /// Creates an attack that changes `node`, which is also the faulty field, and violates the rule of
    /// the site.
    pub(super) fn on(twin: &Twin<'_>, site: &Site, node: NodeId, edit: Edit) -> Self {
        Self::new(edit, site.rule, twin.path(node), At::Node(node, 0))
    }

    /// Overwrites some of the bytes that the attack inserts.
    pub(super) fn with_inserted(mut self, at: u64, other: &[u8]) -> Option<Self> {
        let Some(Edit::Insert { bytes, .. }) = self.splice.edits.first_mut() else {
            return None;
        };
        let at = usize::try_from(at).ok()?;
        bytes.get_mut(at..at + other.len())?.copy_from_slice(other);
        Some(self)
    }
}

/// Returns the rule that a fault of `kind` at `op` violates. Returns `Some(None)` if readers must
/// reject the fault although the description names no rule for it, and `None` if readers tolerate
/// the fault.
pub(super) fn fault(plan: &Plan, op: OpId, kind: FaultKind) -> Option<Option<RuleId>> {
    let rule = plan.faults[plan.op(op).faults].of(kind);
    // Without a rule, these faults are tolerated, as in Kaitai Struct, whose descriptions name no
    // rules.
    let tolerated = matches!(
        kind,
        FaultKind::Trailing
            | FaultKind::Rest
            | FaultKind::Enum
            | FaultKind::Flags
            | FaultKind::Empty
            | FaultKind::Overlong
            | FaultKind::Encoding
            | FaultKind::Half
    );
    (rule.is_some() || !tolerated).then_some(rule)
}

/// Returns the verdict required of a reader when `rule` is violated.
pub(super) fn duty(plan: &Plan, rule: Option<RuleId>) -> ReaderDuty {
    rule.map_or(ReaderDuty::Reject, |rule| plan.rules[rule].duty)
}

/// Plants the fault of `site` at `node`.
///
/// # Errors
/// Returns the reason if the operator produces no case at the node.
pub fn apply(twin: &Twin<'_>, site: &Site, node: NodeId) -> Result<Malformed, NoCase> {
    let attack = site.operator.plant(twin, site, node)?;
    finish(twin, site, attack)
}

/// Plants the fault of `site` at `node` as [`apply`] does, and changes the contents that the faulty
/// size or count describes accordingly. Returns `None` if the fault is no size or count, or if the
/// contents cannot be changed.
pub(super) fn consistent(twin: &Twin<'_>, site: &Site, node: NodeId) -> Option<Malformed> {
    let mut attack = site.operator.plant(twin, site, node).ok()?;
    let [Edit::Replace { node: field, bytes }] = attack.splice.edits.as_slice() else {
        return None;
    };
    let (field, kind) = (*field, &twin.op(*field).kind);
    let changed = number::wire(kind, bytes)? - number::wire(kind, twin.bytes_of(field))?;
    let value = twin.integer(field)?.checked_add(changed)?;
    let edits = twin.resized(field, value);
    if edits.is_empty() {
        return None;
    }
    attack.splice.edits.extend(edits);
    finish(twin, site, attack).ok()
}

fn finish(twin: &Twin<'_>, site: &Site, attack: Attack) -> Result<Malformed, NoCase> {
    let plan = twin.plan;
    let spliced = twin.splice(&attack.splice);
    let spliced = spliced.ok_or(NoCase::Inexpressible)?;
    if spliced.bytes == twin.bytes {
        return Err(NoCase::Allowed);
    }
    if tells_another(twin, &spliced) || measures_wrongly(twin, &attack.splice, &spliced) {
        return Err(NoCase::Overtaken);
    }
    let mut expected = Vec::new();
    for blame in &attack.blame {
        expected.push(Expected {
            rule: blame.rule,
            path: blame.path.clone(),
            start: resolve(&spliced, blame.at).ok_or(NoCase::Lacking)?,
        });
    }
    let first = expected.first().ok_or(NoCase::Lacking)?;
    let rule = first.rule;
    let duty = duty(plan, rule);
    let unnamed = rule.is_none() && !plan.rules.is_empty();
    if duty == ReaderDuty::None || unnamed {
        return Err(NoCase::Allowed);
    }
    let described = rule.map(|rule| &plan.rules[rule]);
    let class = described.map_or(FaultClass::Malformed, |rule| rule.class);
    let span = span_of(&attack.splice, &spliced, first.start);
    let (operator, parameter) = (site.operator.name(), site.operator.parameter(plan));
    Ok(Malformed {
        id: identity(plan, site, described.map(|rule| rule.id.as_str())),
        site: site.clone(),
        bytes: spliced.bytes,
        duty,
        expected,
        operator,
        parameter,
        span,
        class,
    })
}

/// Returns whether a size or count violates its own tests after being updated. A reader would find
/// this violation before the planted fault.
fn measures_wrongly(twin: &Twin<'_>, splice: &Splice, spliced: &Spliced) -> bool {
    let edited = |field: NodeId| {
        let mut edits = splice.edits.iter();
        edits.any(|edit| matches!(edit, Edit::Replace { node, .. } if *node == field))
    };
    let nodes = 0..NodeId::try_from(twin.tree.nodes.len()).unwrap_or(NodeId::MAX);
    let mut measuring = nodes.filter(|node| {
        let (op, info) = (twin.op(*node), twin.info(*node));
        let measures = matches!(info.derived, Some(Derived::Measured { .. }));
        op.checks.1 > 0 && measures && !edited(*node)
    });
    measuring.any(|node| {
        let range = spliced.spans.get(node as usize).copied().flatten();
        let range = range.and_then(|span| {
            Some(usize::try_from(span.start).ok()?..usize::try_from(span.end).ok()?)
        });
        let bytes = range.and_then(|range| spliced.bytes.get(range));
        let Some(bytes) = bytes.filter(|bytes| *bytes != twin.bytes_of(node)) else {
            return false;
        };
        let value = number::wire(&twin.op(node).kind, bytes);
        value.is_some_and(|value| !twin.failed_tests(node, &Value::Int(value)).is_empty())
    })
}

/// Returns `RULE/operator/path`.
fn identity(plan: &Plan, site: &Site, rule: Option<&str>) -> String {
    format!("{}/{}", rule.unwrap_or("no-rule"), way(plan, site))
}

/// Returns `operator/path`.
pub(super) fn way(plan: &Plan, site: &Site) -> String {
    let mut operator = site.operator.name().to_owned();
    if let Some(parameter) = site.operator.parameter(plan) {
        operator.push('-');
        operator.push_str(&parameter);
    }
    let path = described_path(plan, site.op);
    format!("{operator}/{path}")
}

fn resolve(spliced: &Spliced, at: At) -> Option<u64> {
    let node = |id: NodeId| spliced.spans.get(id as usize).copied().flatten();
    Some(match at {
        At::Node(id, more) => node(id)?.start + more,
        At::EndOf(id) => node(id)?.end,
        At::Edit(index, more) => spliced.inserted(index, more)?,
    })
}

/// Returns the faulty bytes: the bytes that an edit wrote at the start of the fault, or else the
/// node that starts there, or else the rest of the file.
fn span_of(splice: &Splice, spliced: &Spliced, start: u64) -> Span {
    let put = splice.edits.iter().zip(&spliced.edited).enumerate();
    let end = put
        .filter_map(|(index, (edit, at))| match edit {
            Edit::Replace { bytes, .. } | Edit::Insert { bytes, .. } if *at == start => {
                (at + bytes.len() as u64).checked_add_signed(spliced.stretch_of(index))
            }
            _ => None,
        })
        .next();
    let node = spliced
        .spans
        .iter()
        .flatten()
        .filter(|span| span.start == start && span.end > start)
        .map(|span| span.end)
        .min();
    let length = spliced.bytes.len() as u64;
    let end = end.or(node).unwrap_or(length).min(length).max(start);
    Span { start, end }
}
