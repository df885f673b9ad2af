//! Steps that add values to a record while they are read. The resulting record must be the same as
//! if it were built from a tree of its values.

use super::fuse::{Fuser, Mode};
use super::pure::asks_only;
use super::{ListShow, Show, Step};
use crate::terms::{Meaning, VariableKind};
use crate::{Code, CodeId, Kind, NameId, OpId, RowSource, flags};

impl Fuser<'_> {
    /// Returns the presentation of a value, or `None` if it cannot be determined before the record
    /// is complete.
    pub(super) fn show(&self, id: OpId) -> Option<Show> {
        let (op, info) = (self.plan.op(id), self.plan.info(id));
        let presentation = &info.presentation;
        let number = match op.kind {
            Kind::Integer(_) if info.carry.is_some() => Show::Unsigned,
            Kind::Integer(integer) if integer.signed => Show::Signed,
            Kind::Integer(_) => Show::Unsigned,
            Kind::Variable(VariableKind::Unsigned, _) => Show::Unsigned,
            Kind::Variable(..) => Show::Signed,
            Kind::Float { width: 4, .. } => Show::Float32,
            Kind::Float { .. } => Show::Float64,
            Kind::Text(..) | Kind::Bytes(_) | Kind::Terminated(_) => return Some(Show::Text),
            Kind::Guid(_) => return Some(Show::Guid),
            _ => return None,
        };
        if let Some(shows) = presentation.shows {
            // Rows do not change before the record is complete, so a lookup already returns the
            // final value.
            let alone = op.flags & flags::SLOT != 0 && asks_only(self.plan, shows, op.slot);
            return alone.then(|| self.row_shown(id, shows));
        }
        Some(match presentation.meaning {
            Some(Meaning::Bool) => Show::Bool,
            Some(Meaning::Time { .. }) => Show::Presented,
            _ if presentation.enumeration.is_some() || presentation.flags.is_some() => {
                Show::Presented
            }
            _ => number,
        })
    }

    /// Chooses the presentation of a lookup. If the lookup uses the same key as the field's
    /// reference, the row that the field refers to is reused.
    fn row_shown(&self, id: OpId, shows: CodeId) -> Show {
        let plan = self.plan;
        let Code::Column(RowSource::Lookup { table, key }, _) = plan.codes[shows.index()] else {
            return Show::Presented;
        };
        let own = plan.codes[key.index()] == Code::Slot(plan.op(id).slot);
        let refs = plan.info(id).refs.map(|refs| &plan.refs[refs]);
        let found = refs.is_some_and(|refs| refs.table == table);
        let only = plan.op(id).flags & flags::CHECKS == 0;
        if own && found && only {
            Show::Row
        } else {
            Show::Presented
        }
    }

    /// Adds the steps that add a structure to a record, either as the field that represents the
    /// structure or as an object.
    pub(super) fn shown_structure(&mut self, id: OpId, out: &mut Vec<Step>) -> Option<()> {
        let plan = self.plan;
        let presentation = &plan.info(id).presentation;
        let meaning = &presentation.meaning;
        let is_odd = matches!(meaning, Some(Meaning::Pair { .. } | Meaning::DateTime));
        if is_odd || presentation.nullable && !presentation.transparent {
            return None;
        }
        let children: Vec<OpId> = plan.children(id).collect();
        let visible = |child: OpId| plan.op(child).flags & flags::VISIBLE != 0;
        if plan.info(id).presentation.transparent {
            let stands = children.iter().copied().find(|child| {
                let info = plan.info(*child);
                visible(*child) && info.name.is_none() && info.label.is_some()
            })?;
            return self.siblings(&children, Mode::Shown, out, |child| {
                (child == stands).then_some(None)
            });
        }
        let mut members = Vec::new();
        let mut rest = children.as_slice();
        while let Some((first, others)) = rest.split_first() {
            let info = plan.info(*first);
            let embeds = visible(*first)
                && info.label.is_none()
                && matches!(plan.op(*first).kind, Kind::Structure);
            if embeds {
                self.embedded(*first, &mut members)?;
                rest = others;
                continue;
            }
            let group = rest
                .iter()
                .position(|child| {
                    let inside = plan.info(*child).label.is_none() && visible(*child);
                    inside && matches!(plan.op(*child).kind, Kind::Structure)
                })
                .unwrap_or(rest.len());
            let (group, others) = rest.split_at(group);
            self.members(group, &mut members)?;
            rest = others;
        }
        let body = self.keep(&members);
        out.push(Step::Object(body));
        Some(())
    }

    /// Adds the steps that add named fields to a record. Records do not contain fields without a
    /// name.
    fn members(&mut self, children: &[OpId], out: &mut Vec<Step>) -> Option<()> {
        let plan = self.plan;
        let needs_tree = children.iter().any(|child| {
            let op = plan.op(*child);
            if plan.info(*child).presentation.embedded {
                return true;
            }
            let leaf = matches!(
                op.kind,
                Kind::Integer(_)
                    | Kind::Float { .. }
                    | Kind::Variable(..)
                    | Kind::Text(..)
                    | Kind::Bytes(_)
                    | Kind::Guid(_)
            );
            plan.info(*child).label.is_none() && op.flags & flags::VISIBLE != 0 && !leaf
        });
        if needs_tree {
            return None;
        }
        self.siblings(children, Mode::Shown, out, |child| {
            let info = plan.info(child);
            let shown = plan.op(child).flags & flags::VISIBLE != 0 && info.derived.is_none();
            info.label.filter(|_| shown).map(Some)
        })
    }

    /// Adds the steps of a structure whose fields are presented as fields of the enclosing
    /// structure.
    fn embedded(&mut self, id: OpId, out: &mut Vec<Step>) -> Option<()> {
        let plan = self.plan;
        let op = plan.op(id);
        const PLAIN: u32 = flags::VISIBLE | flags::OBEYS;
        if op.flags & !PLAIN != 0 {
            return None;
        }
        let children: Vec<OpId> = plan.children(id).collect();
        self.siblings(&children, Mode::Shown, out, |child| {
            let shown = plan.op(child).flags & flags::VISIBLE != 0;
            plan.info(child).label.filter(|_| shown).map(Some)
        })
    }

    /// Adds the steps that add a list element to a record, either as a value or as a name-value
    /// pair.
    pub(super) fn shown_element(&mut self, id: OpId, out: &mut Vec<Step>) -> Option<ListShow> {
        let plan = self.plan;
        let (op, info) = (plan.op(id), plan.info(id));
        if op.flags & flags::VISIBLE == 0 {
            return None;
        }
        let Some(Meaning::Pair { key, value }) = &info.presentation.meaning else {
            self.value(id, Mode::Shown, out)?;
            return Some(ListShow::List);
        };
        const PLAIN: u32 = flags::VISIBLE | flags::OBEYS;
        if !matches!(op.kind, Kind::Structure) || op.flags & !PLAIN != 0 {
            return None;
        }
        let children: Vec<OpId> = plan.children(id).collect();
        let called = |name: &str| {
            let is = |label: NameId| plan.name(label) == name;
            children.iter().position(|child| {
                let visible = plan.op(*child).flags & flags::VISIBLE != 0;
                visible && plan.info(*child).label.is_some_and(is)
            })
        };
        let (key, value) = (called(key)?, called(value)?);
        if key >= value {
            return None;
        }
        let shown = [children[key], children[value]];
        self.siblings(&children, Mode::Shown, out, |child| {
            shown.contains(&child).then_some(None)
        })?;
        Some(ListShow::Pairs)
    }
}
