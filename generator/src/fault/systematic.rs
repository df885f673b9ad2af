//! Systematic generation: violates each rule in every way that some valid trace allows, with one
//! case for each site (an operation of the plan, and an operator that violates a rule there).

use std::collections::HashSet;

use tracegauge_decoder::tree::{NodeId, Tree};
use tracegauge_decoder::{Judgement, judge};
use tracegauge_plan::source::SourceSpan;
use tracegauge_plan::terms::{ReaderDuty, RuleId};
use tracegauge_plan::{Count, Kind, OpId, Plan};

use super::alone::prefer_alone;
use super::apply::{Malformed, apply};
use super::confirm::{Refusal, confirm};
use super::dialect::OtherFormats;
use super::infeasible::{Infeasibility, Reasons};
use super::mend::Mender;
use super::no_case::NoCase;
use super::operator::Site;
use super::operators::{ForbiddenNumber, ForbiddenText, Missing, Operator};
use super::site::sites;
use super::twin::Twin;
use super::visible::{is_used, is_visible};
use crate::plain::{Answers, observed};

/// The malformed traces of a plan.
#[derive(Clone, Debug, Default)]
pub struct Systematic {
    /// The cases, each preceded by the index of its twin. No two cases have the same identity or
    /// bytes.
    pub cases: Vec<(usize, Malformed)>,
    /// One case, preceded by the index of its twin, for each site where the decoder contradicts
    /// every prediction of the operator.
    pub refusals: Vec<(usize, Refusal)>,
    /// The checks of readers that the cases test.
    pub checks: Vec<TestedCheck>,
    /// The outcome for each site, in the order of [`sites`].
    pub outcomes: Vec<(Site, Outcome)>,
}

/// A check of readers, and how the cases test it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestedCheck {
    /// A name for the check.
    pub name: String,
    /// The index of a case that a reader without this check accepts, because the trace has no other
    /// fault. `None` if no such case was found.
    pub alone: Option<usize>,
    /// The sites of cases that violate the rule of the check.
    pub sites: Vec<Site>,
}

/// A valid trace that can serve as a twin in [`systematic`].
#[derive(Clone, Debug)]
pub struct ValidTrace {
    /// The bytes of the trace.
    pub bytes: Vec<u8>,
    /// The tree of the trace.
    pub tree: Tree,
    /// The number of different departures of the trace from what typical writers produce.
    pub departures: usize,
}

/// Valid traces.
pub type Twins = [ValidTrace];

/// The outcome for a site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The site has a case.
    Case,
    /// Another site yields a case with the same bytes or identity.
    Same,
    /// The site was skipped: another use of the same type yields a case for this operator, and for
    /// this use, a similar operator is enough.
    Alike,
    /// The decoder contradicts every prediction of the operator.
    Refused,
    /// The site is infeasible: the description proves that no trace can violate a rule there.
    Infeasibility(Infeasibility),
    /// The operator produced no case at any of the nodes tried.
    Barren {
        /// The number of nodes tried.
        places: usize,
        /// The reason why these nodes yield no case.
        why: NoCase,
    },
}

/// The maximum number of nodes tried in a twin. Trying a few nodes in many twins is more promising
/// than trying many nodes in a few twins.
const MOST_PLACES: usize = 16;

/// The limit on the number of bytes tried for a site, where each node tried counts as many bytes as
/// its twin has. If the operator produced no case in that many bytes, further twins are unlikely to
/// help.
const MOST_BYTES: usize = 1 << 18;

/// Violates every rule in every way that `twins` allow. Each site uses the plainest twin that
/// yields a case or, among equally plain ones, the smallest. Sites that yield no case in `twins`
/// are tried in `spare`, whose indices follow those of `twins`. No case can be mistaken for a file
/// of one of the formats in `others`.
pub fn systematic(
    plan: &Plan,
    (twins, spare): (&Twins, &Twins),
    others: &OtherFormats,
) -> Systematic {
    at_sites(plan, (twins, spare), others, sites(plan))
}

/// Like [`systematic`], but for the given sites only.
pub fn at_sites(
    plan: &Plan,
    (twins, spare): (&Twins, &Twins),
    others: &OtherFormats,
    sites: impl IntoIterator<Item = Site>,
) -> Systematic {
    let read = [
        in_order(plan, (twins, 0)),
        in_order(plan, (spare, twins.len())),
    ];
    let mut done = Systematic::default();
    let (mut ids, mut bytes) = (HashSet::new(), HashSet::new());
    let mut uses = Uses::default();
    let reasons = Reasons::new(plan);
    let mender = Mender::new(plan);
    for site in sites {
        let outcome = if let Some(reason) = reasons.of(&site) {
            Outcome::Infeasibility(reason)
        } else if uses.is_spare(plan, &site) {
            Outcome::Alike
        } else {
            let [twins, spare] = &read;
            let attempt = first_case(plan, twins, (others, &mender), &site);
            let attempt = match attempt {
                Attempt::Case(..) => attempt,
                _ => attempt.or(first_case(plan, spare, (others, &mender), &site)),
            };
            match attempt {
                Attempt::Case(index, case) => {
                    // Another operator may have produced the same bytes; one case is enough.
                    if ids.contains(&case.id) || !bytes.insert(case.bytes.clone()) {
                        Outcome::Same
                    } else {
                        ids.insert(case.id.clone());
                        uses.add(plan, &site);
                        done.cases.push((index, *case));
                        Outcome::Case
                    }
                }
                Attempt::Refused(index, refusal) => {
                    done.refusals.push((index, *refusal));
                    Outcome::Refused
                }
                Attempt::Barren { places, why } => Outcome::Barren { places, why },
            }
        };
        done.outcomes.push((site, outcome));
    }
    prefer_alone(plan, &[&read[0], &read[1]], (others, &mender), &mut done);
    done
}

/// The definitions whose violations have already been generated. If a type is used several times,
/// all operators are applied to one use, and only one of several similar operators is applied to
/// each of the others.
#[derive(Default)]
struct Uses {
    broken: HashSet<(SourceSpan, Operator)>,
    /// Operations for which ill-formed text was tried.
    ill_formed: HashSet<OpId>,
}

impl Uses {
    /// Returns whether the site is redundant: another use of the same type yields a case for this
    /// operator, and for this use, a similar operator is enough.
    fn is_spare(&mut self, plan: &Plan, site: &Site) -> bool {
        let is_minor = match site.operator {
            Operator::IllFormed(_) => !self.ill_formed.insert(site.op),
            _ => site.operator.is_minor(plan, site),
        };
        is_minor && self.broken.contains(&described(plan, site))
    }

    fn add(&mut self, plan: &Plan, site: &Site) {
        self.broken.insert(described(plan, site));
    }
}

/// Returns the location of a site's definition in the description, and the site's operator in a
/// form that is the same for all uses of a type.
pub fn described(plan: &Plan, site: &Site) -> (SourceSpan, Operator) {
    // The owner of a test differs in each use.
    let mut operator = site.operator.clone();
    match &mut operator {
        Operator::Number(ForbiddenNumber { test, .. })
        | Operator::Text(ForbiddenText { test, .. }) => test.owner = OpId(0),
        _ => {}
    }
    (plan.info(site.op).span, operator)
}

/// The result of violating a rule at a site.
enum Attempt {
    /// A case that the operator and the decoder agree on, with the index of its twin.
    Case(usize, Box<Malformed>),
    /// The decoder contradicts every prediction of the operator. Contains the first contradicted
    /// case, with the index of its twin.
    Refused(usize, Box<Refusal>),
    /// The operator produced no case at any of the nodes tried.
    Barren { places: usize, why: NoCase },
}

impl Attempt {
    /// Combines two attempts. Returns a case if there is one, and otherwise the first attempt that
    /// is not [`Barren`](Self::Barren).
    fn or(self, other: Self) -> Self {
        match (self, other) {
            (_, case @ Self::Case(..)) => case,
            (
                Self::Barren { places, why },
                Self::Barren {
                    places: more,
                    why: other,
                },
            ) => Self::Barren {
                places: places + more,
                why: why.max(other),
            },
            (Self::Barren { .. }, refused) => refused,
            (first, _) => first,
        }
    }
}

/// Indexes traces: the plainest first and, among equally plain ones, the smallest first. Each trace
/// is numbered by its original position plus `first`.
fn in_order<'t>(plan: &'t Plan, (traces, first): (&'t Twins, usize)) -> Vec<(usize, Twin<'t>)> {
    let mut order: Vec<(usize, &ValidTrace)> = traces.iter().enumerate().collect();
    order.sort_by_key(|(index, trace)| (trace.departures, trace.bytes.len(), *index));
    let read = order
        .into_iter()
        .map(|(index, trace)| (first + index, Twin::new(plan, &trace.bytes, &trace.tree)));
    read.collect()
}

/// The number of further faults tried after a fault that a reader's answer would not reveal.
const MOST_HIDDEN: usize = 48;

/// Tries the twins in order, and the nodes of each twin from last to first, and returns the first
/// case. Nodes in a list that forms a single value come last, because readers differ in how much of
/// a malformed list they report. A fault that a reader's answer would not reveal is used only if no
/// other fault is available.
fn first_case(
    plan: &Plan,
    twins: &[(usize, Twin<'_>)],
    (others, mender): (&OtherFormats, &Mender<'_>),
    site: &Site,
) -> Attempt {
    let whole = case_among(plan, twins, (others, mender), site, false);
    match whole {
        Attempt::Case(..) => whole,
        _ => whole.or(case_among(plan, twins, (others, mender), site, true)),
    }
}

fn case_among(
    plan: &Plan,
    twins: &[(usize, Twin<'_>)],
    (others, mender): (&OtherFormats, &Mender<'_>),
    site: &Site,
    in_lists: bool,
) -> Attempt {
    let (mut looked, mut places) = (0, 0);
    let (mut refused, mut why) = (None, NoCase::Lacking);
    let (mut hidden, mut tried_since): (Option<(usize, Malformed)>, _) = (None, 0);
    'twins: for (index, twin) in twins {
        // Try the last occurrences first: little follows them that a reader could continue with.
        let nodes = twin.nodes_of(site.op).iter().rev();
        let nodes = nodes.filter(|node| is_in_list_value(twin, **node) == in_lists);
        for node in nodes.take(MOST_PLACES) {
            looked += twin.bytes.len();
            if looked >= MOST_BYTES {
                break 'twins;
            }
            if let Some((_, first)) = &hidden {
                if first.duty != ReaderDuty::Reject && !is_used(twin, *node) {
                    continue;
                }
                tried_since += 1;
                if tried_since > MOST_HIDDEN {
                    break 'twins;
                }
            }
            places += 1;
            let case = match apply(twin, site, *node) {
                Ok(case) if others.claim(&case.bytes) => Err(NoCase::Overtaken),
                case => case,
            };
            let case = match case {
                Ok(case) => case,
                Err(no_case) => {
                    why = why.max(no_case);
                    continue;
                }
            };
            let case = mended(plan, mender, case);
            match confirm(plan, &case) {
                Ok(()) if is_visible(twin, site, *node, &case) => {
                    return Attempt::Case(*index, Box::new(case));
                }
                Ok(()) => {
                    hidden.get_or_insert((*index, case));
                }
                // The element that clears the table may clear other tables too, such as those that
                // determine how the following bytes are read.
                Err(_) if site.operator == Operator::Dangling(Missing::Cleared) => {
                    why = why.max(NoCase::Overtaken);
                }
                // A reference to the changed row may violate another rule.
                Err(_) if case.duty != ReaderDuty::Reject && twin.used_later(*node) => {
                    why = why.max(NoCase::Overtaken);
                }
                // At another node, the fault may have fewer side effects.
                Err(refusal) => {
                    refused.get_or_insert((*index, refusal));
                }
            }
        }
    }
    match (hidden, refused) {
        (Some((index, case)), _) => Attempt::Case(index, Box::new(case)),
        (None, Some((index, refusal))) => Attempt::Refused(index, refusal),
        (None, None) => Attempt::Barren { places, why },
    }
}

/// Returns the malformed trace with correct computed fields, if the decoder still finds the fault.
pub(super) fn mended(plan: &Plan, mender: &Mender<'_>, case: Malformed) -> Malformed {
    let mended = mender.mended(&case);
    let mended = mended.filter(|mended| confirm(plan, mended).is_ok());
    mended.unwrap_or(case)
}

/// Returns whether a node belongs to a list or another value of a layout that itself consists of
/// several values.
fn is_in_list_value(twin: &Twin<'_>, node: NodeId) -> bool {
    let mut holds_several = false;
    for around in twin.outward(node).skip(1) {
        match twin.op(around).kind {
            Kind::Nested(_) | Kind::Repeat(_) => holds_several = true,
            Kind::Layout(_) => return holds_several,
            _ => {}
        }
    }
    false
}

/// Returns the prefixes of a trace that are valid traces themselves, cut before the elements of
/// lists that extend to the end of the file. Only prefixes that exercise no rules beyond those of
/// the whole trace are returned.
pub fn prefixes(plan: &Plan, bytes: &[u8], tree: &Tree) -> Vec<Vec<u8>> {
    let shown = |bytes: &[u8]| -> HashSet<RuleId> {
        judge(plan, bytes)
            .shown
            .iter()
            .map(|shown| shown.rule)
            .collect()
    };
    let whole = shown(bytes);
    let mut found = Vec::new();
    for end in ends(plan, tree) {
        let Some(prefix) = usize::try_from(end).ok().and_then(|end| bytes.get(..end)) else {
            continue;
        };
        let verdict = judge(plan, prefix);
        let known = verdict
            .shown
            .iter()
            .all(|shown| whole.contains(&shown.rule));
        let accepted = verdict.judgement == Judgement::Accepted;
        if accepted && known && prefix.len() < bytes.len() {
            found.push(prefix.to_vec());
        }
    }
    found
}

/// Returns the start positions of the elements of the outermost lists that extend to the end of the
/// file.
fn ends(plan: &Plan, tree: &Tree) -> Vec<u64> {
    let Some(root) = tree.nodes.first() else {
        return Vec::new();
    };
    let children = tree.children(0);
    let lists = children.filter(|child| match plan.op(tree.node(*child).op).kind {
        Kind::Repeat(index) => plan.repeats[index].count == Count::ToEnd,
        _ => false,
    });
    let elements = lists.flat_map(|list: NodeId| tree.children(list));
    let starts = elements.map(|element| tree.node(element).span.start);
    starts.filter(|start| *start < root.span.end).collect()
}

/// Decodes traces for use as twins in [`systematic`] and omits those that some reader may reject:
/// only an accepted twin proves that a reader rejects the fault and nothing else.
pub fn decoded(plan: &Plan, traces: impl IntoIterator<Item = Vec<u8>>) -> Vec<ValidTrace> {
    let answers = Answers::new(plan);
    let traces = traces.into_iter();
    traces
        .filter_map(|bytes| valid_trace(plan, &answers, bytes))
        .collect()
}

/// Decodes one trace like [`decoded`]. Departures are counted relative to `answers`, the plain
/// answers of the plan.
pub fn valid_trace(plan: &Plan, answers: &Answers, bytes: Vec<u8>) -> Option<ValidTrace> {
    let (observed, departures) = observed(plan, answers, &bytes);
    let is_accepted = observed.verdict.judgement == Judgement::Accepted;
    is_accepted.then_some(ValidTrace {
        bytes,
        tree: observed.tree,
        departures: departures.len(),
    })
}
