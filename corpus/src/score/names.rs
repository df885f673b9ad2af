//! Names operations by their paths in the description.

use tracegauge_plan::terms::RuleId;
use tracegauge_plan::{Kind, OpId, Paths, Plan};

use super::Obligation;

/// The paths of all operations of a plan. For example, `frames[].body:event.type_id` is the field
/// `type_id` in the alternative `event` of the switch `body` in any element of `frames`.
#[derive(Clone, Debug)]
pub struct Names<'p> {
    plan: &'p Plan,
    paths: Paths,
}

impl<'p> Names<'p> {
    /// Computes the paths of `plan`.
    pub fn new(plan: &'p Plan) -> Self {
        let paths = Paths::new(plan);
        Self { plan, paths }
    }

    /// Returns the plan.
    pub fn plan(&self) -> &'p Plan {
        self.plan
    }

    /// Returns the path of an operation. The path of the whole file is `(file)`.
    pub fn path(&self, op: OpId) -> &str {
        self.paths.of(op)
    }

    /// Returns the name of an alternative (arm) within its switch. The label of the arm is added if
    /// other arms have the same name.
    pub(super) fn kind(&self, arm: OpId) -> String {
        let last = |arm: OpId| {
            let path = self.path(arm);
            path.rsplit(':').next().unwrap_or(path)
        };
        let own = last(arm);
        let around = self.plan.info(arm).parent;
        let Some(Kind::Switch(switch)) = around.map(|around| &self.plan.op(around).kind) else {
            return own.to_owned();
        };
        let arms = around.into_iter().flat_map(|op| self.plan.children(op));
        let alike = arms.filter(|other| last(*other) == own).count();
        let mut labels = self.plan.switches[*switch].arms.iter();
        let label = labels.find(|(_, op)| *op == arm);
        match label.and_then(|(labels, _)| labels.first()) {
            Some(label) if alike > 1 => format!("{own}={label}"),
            _ => own.to_owned(),
        }
    }

    /// Returns the name of the first element kind in a sequence, including the path of its switch.
    pub(super) fn first_kind(&self, arm: OpId) -> String {
        let path = self.path(arm);
        match path.rsplit_once(':') {
            Some((switch, _)) => format!("{switch}:{}", self.kind(arm)),
            None => self.kind(arm),
        }
    }

    /// Names an obligation, for example in the id of a case. [`Names::clause`] describes the
    /// obligation in words.
    pub fn obligation(&self, obligation: Obligation) -> String {
        let rule = |rule: RuleId| &self.plan.rules[rule].id;
        match obligation {
            Obligation::Broken(index) => format!("{} broken", rule(index)),
            Obligation::Shown(index) => format!("{} shown", rule(index)),
            Obligation::At(index, op) => format!("{} at {}", rule(index), self.path(op)),
            Obligation::Operation(op) | Obligation::Arm(op) | Obligation::Code(op) => {
                self.path(op).to_owned()
            }
            Obligation::Inside(holder, op) => {
                format!("{} in {}", self.path(op), self.path(holder))
            }
            Obligation::True(op) => format!("{} there", self.path(op)),
            Obligation::False(op) => format!("{} not there", self.path(op)),
            Obligation::Times(op, times) => format!("{} {}", self.path(op), times.name()),
            Obligation::Member(set, member) => {
                let set = &self.plan.enums[set];
                format!("{}::{}", set.name, set.members[member as usize].name)
            }
            Obligation::Value(op, boundary) => {
                format!("{} {}", self.path(op), boundary.name())
            }
            Obligation::Edge(from, to) => format!("{} → {}", self.path(from), self.path(to)),
            Obligation::Next(one, two) => {
                format!("{} then {}", self.first_kind(one), self.kind(two))
            }
            Obligation::Third(one, two, three) => format!(
                "{} then {} then {}",
                self.first_kind(one),
                self.kind(two),
                self.kind(three)
            ),
            Obligation::Row(op, used) => format!("{} {}", self.path(op), used.name()),
            Obligation::Carry(op, step) => format!("{} {}", self.path(op), step.name()),
            Obligation::Pair((one, first), (two, second)) => format!(
                "{} {} with {} {}",
                self.path(one),
                first.name(),
                self.path(two),
                second.name()
            ),
        }
    }

    /// Returns the file and line of the description that an obligation refers to.
    pub fn described(&self, obligation: Obligation) -> String {
        let span = match obligation {
            Obligation::Broken(rule) | Obligation::Shown(rule) => {
                match self.plan.description.rule(rule) {
                    Some(rule) => rule.span,
                    None => return String::new(),
                }
            }
            _ => match obligation.op() {
                Some(op) => self.plan.info(op).span,
                None => return String::new(),
            },
        };
        let sources = &self.plan.description.sources;
        let file = sources.file(span.source).map_or("", |file| &file.name);
        format!("{file}:{}", sources.line_column(span).line)
    }
}
