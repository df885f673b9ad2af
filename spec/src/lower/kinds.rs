//! Lowers the kinds of table rows, and predefined rows. The kind of a row selects the type of the
//! fields that refer to the row with `type-of-row`.

use super::effects::path_expression;
use super::faults::FaultContext;
use super::place::Place;
use super::scope::{Inner, ScopeId};
use super::{CodeId, Lowering, NameId, OpId};
use crate::expression::{BinaryOperator, Expr, ExprKind};
use crate::schema::{
    Again, ColumnId, Define, FieldSource, Kind as RowKind, RowComparison, RuleRef, Schema, TableId,
    TypeRef,
};
use tracegauge_plan::source::SourceSpan;
use tracegauge_plan::{
    AgainPlan, Arena, Code, Constant, Extent, InitialPlan, Kind, KindMatch, KindPlan, LayoutSource,
    LayoutUseId, RowKindId, RowSource, SampleRow, flags,
};

/// A field that is read according to the kind of a row.
#[derive(Clone, Debug)]
pub(super) struct OfRow {
    /// The switch operation of the field.
    pub op: OpId,
    table: TableId,
    source: RowSource,
    /// For each kind of the table, the operation that reads the kind's type.
    arms: Vec<OpId>,
    /// The layout that reads rows without a kind, and the column with the field descriptions of
    /// these rows.
    described: Option<(LayoutUseId, ColumnId)>,
}

impl<'s> Lowering<'s> {
    /// Adds a field that is read according to the kind of a row.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn of_row(
        &mut self,
        row: &'s Expr,
        otherwise: Option<&'s TypeRef>,
        source: Option<&'s FieldSource>,
        (name, label): (Option<NameId>, Option<NameId>),
        scope: ScopeId,
        context: &FaultContext,
        span: SourceSpan,
    ) -> (OpId, Inner) {
        let (from, table) = match self.place(row, scope, None) {
            Ok(Place::Row {
                source,
                table,
                path,
            }) if path.is_empty() => (source, table),
            Err(error) => {
                self.report(error);
                return self.nothing(name, context, span);
            }
            Ok(_) => {
                self.error(
                    row.span,
                    "`type-of-row` requires a reference to a table row",
                );
                return self.nothing(name, context, span);
            }
        };
        let on = self.code(Code::RowKind(table, from));
        let index = self.new_switch(on, None);
        let faults = self.fault_rules(context);
        let op = self.open(Kind::Switch(index), name, label, faults, span);
        self.plan.ops[op.index()].flags |= flags::VISIBLE;
        let (mut inners, mut ops) = (Vec::new(), Vec::new());
        let schema: &'s Schema = self.schema;
        for (number, kind) in schema.tables[table.index()].kinds.iter().enumerate() {
            let (arm, inner) = self.named_type(kind.target, &[], scope, None, context);
            let number = number as i128;
            self.plan.switches[index].arms.push((vec![number], arm));
            inners.push(inner);
            ops.push(arm);
        }
        let arms = ops.clone();
        let mut described = None;
        let layout = source.and_then(|source| source.layout.as_ref());
        if let (Some(layout), Some(source)) = (layout, source) {
            let used = self.plan.layouts.next_id();
            let (arm, inner) = self.layout(layout, source, None, label, scope, context, span);
            self.plan.switches[index].default = Some(arm);
            if let Some(LayoutSource::Row(source, column)) =
                self.plan.layouts.get(used).map(|layout| layout.source)
            {
                described = Some((used, column.column));
                self.plan.switches[index].described = Some((source, column, used));
            }
            inners.push(inner);
            ops.push(arm);
        } else if let Some(otherwise) = otherwise {
            let (arm, inner) = self.target(otherwise, None, label, scope, context, span);
            self.plan.switches[index].default = Some(arm);
            inners.push(inner);
            ops.push(arm);
        }
        self.close(op);
        self.make_dense(index);
        self.of_rows.push(OfRow {
            op,
            table,
            source: from,
            arms,
            described,
        });
        (op, Inner::Arms(inners, ops))
    }

    /// Returns the condition under which a structure is reported as a record, or `None` if it is
    /// always reported. A structure is not reported if one of its fields is read according to a
    /// kind of row that readers use only internally.
    pub(super) fn reported(&mut self, structure: OpId) -> Option<CodeId> {
        let schema: &'s Schema = self.schema;
        let mut reported: Option<CodeId> = None;
        for used in self.of_rows.clone() {
            if self.plan.infos[used.op.index()].parent != Some(structure) {
                continue;
            }
            let kinds = schema.tables[used.table.index()].kinds.iter().enumerate();
            for (number, _) in kinds.filter(|(_, kind)| kind.reader_only) {
                let kind = self.code(Code::RowKind(used.table, used.source));
                let number = self.code(Code::Int(number as i128));
                let other = self.code(Code::Binary(BinaryOperator::NotEqual, kind, number));
                reported = Some(match reported {
                    None => other,
                    Some(before) => self.code(Code::Binary(BinaryOperator::And, before, other)),
                });
            }
        }
        reported
    }

    /// Returns the kinds that a row can have, each with the condition under which the row has this
    /// kind.
    pub(super) fn kind_matches(&mut self, define: &Define, scope: ScopeId) -> Vec<KindMatch> {
        let schema: &'s Schema = self.schema;
        let mut matches = Vec::new();
        for (number, kind) in schema.tables[define.table.index()].kinds.iter().enumerate() {
            let mut when = self.code(Code::Bool(true));
            for (path, wanted) in &kind.matches {
                let path = path_expression(path, wanted.span);
                let value = self.compile(&path, scope, None);
                let wanted = self.compile(wanted, scope, None);
                let (value, wanted) = self.compared(value, wanted);
                let equal = self.code(Code::Binary(BinaryOperator::Equal, value, wanted));
                when = self.fold(Code::Binary(BinaryOperator::And, when, equal));
            }
            matches.push(KindMatch {
                kind: RowKindId::from(number),
                when,
            });
        }
        matches
    }

    /// Returns the kinds of a table's rows.
    pub(super) fn kinds(&mut self, table: TableId) -> Arena<RowKindId, KindPlan> {
        let schema: &'s Schema = self.schema;
        let mut uses = self.of_rows.iter().filter(|used| used.table == table);
        let used = uses.find(|used| used.described.is_some()).cloned();
        let described = used.as_ref().and_then(|used| used.described);
        let kinds = schema.tables[table.index()].kinds.iter().enumerate();
        kinds
            .map(|(number, kind)| {
                let arm = used
                    .as_ref()
                    .and_then(|used| used.arms.get(number).copied());
                KindPlan {
                    name: kind.name.clone(),
                    reader_only: kind.reader_only,
                    signature: match &kind.signature {
                        Some(RuleRef::Rule(rule)) => Some(*rule),
                        _ => None,
                    },
                    described: described.map(|(layout, column)| (column, layout)),
                    codes: arm
                        .zip(described)
                        .and_then(|(arm, (layout, _))| self.describing_codes(kind, arm, layout)),
                }
            })
            .collect()
    }

    /// Returns, for each field of a kind's type, the type codes that describe such a field. Returns
    /// `None` if the type has a field that no row can describe. If the kind also has a `signature`
    /// rule, reports an error, because every row of the kind would violate this rule.
    fn describing_codes(
        &mut self,
        kind: &RowKind,
        arm: OpId,
        layout: LayoutUseId,
    ) -> Option<Vec<Vec<i128>>> {
        let reason = match self.wire_ops(arm) {
            Err(reason) => reason,
            Ok(fields) => {
                let codes = fields.iter().map(|field| self.codes_like(*field, layout));
                let codes: Vec<_> = codes.collect();
                let missing = codes.iter().position(Vec::is_empty);
                match missing.map(|missing| self.field_name(fields[missing])) {
                    None => return Some(codes),
                    Some(name) => format!("no type code of the layout reads the field `{name}`"),
                }
            }
        };
        if kind.signature.is_some() {
            let message = format!(
                "every row of the kind `{}` would violate its `signature`, because {reason}",
                kind.name
            );
            self.error(kind.span, message);
        }
        None
    }

    /// Returns the operations that read the fields of a structure, or the reason why no row can
    /// describe the structure.
    fn wire_ops(&self, structure: OpId) -> Result<Vec<OpId>, String> {
        if self.plan.ops[structure.index()].kind != Kind::Structure {
            return Err("its type is not a structure, or contains itself".to_owned());
        }
        let mut fields = Vec::new();
        for id in self.plan.children(structure) {
            let op = &self.plan.ops[id.index()];
            let what = match op.kind {
                // These operations read nothing from the sequence of values.
                Kind::Check | Kind::Bind(_) | Kind::At(_) => continue,
                _ if op.flags & flags::GUARD != 0 => "is conditional",
                _ if op.flags & flags::OPTIONAL_REST != 0 => "is optional",
                Kind::Repeat(_) => "is a list",
                Kind::Align { .. } => "is padding",
                Kind::BitRun { .. } => "is a bit field",
                _ => {
                    fields.push(id);
                    continue;
                }
            };
            return Err(format!("its field `{}` {what}", self.field_name(id)));
        }
        Ok(fields)
    }

    /// Returns the name of a field, or of the first bit field in a run of bit fields.
    fn field_name(&self, op: OpId) -> &str {
        let info = &self.plan.infos[op.index()];
        let inner = || {
            let first = self.plan.children(op).next()?;
            self.plan.infos[first.index()].label
        };
        let label = info.label.or_else(inner);
        label.map_or("", |label| self.plan.name(label))
    }

    /// Returns the type codes of a layout that describe a field like the one that `field` reads.
    fn codes_like(&self, field: OpId, layout: LayoutUseId) -> Vec<i128> {
        let codes = self.plan.layouts[layout].codes.iter();
        codes
            .filter(|code| self.reads_same(field, code.op) && self.means_same(field, code.op))
            .map(|code| code.code)
            .collect()
    }

    /// Returns whether two operations read the same bytes as the same values.
    fn reads_same(&self, a: OpId, b: OpId) -> bool {
        let (first, second) = (&self.plan.ops[a.index()], &self.plan.ops[b.index()]);
        match (&first.kind, &second.kind) {
            (Kind::Structure, Kind::Structure) => self.same_type(a, b),
            (Kind::Sized(one), Kind::Sized(other)) => {
                let inner = |op| self.plan.children(op).next();
                one == other
                    && !matches!(one, Extent::Computed(_))
                    && inner(a)
                        .zip(inner(b))
                        .is_some_and(|(a, b)| self.reads_same(a, b))
            }
            (
                Kind::Integer(_)
                | Kind::Float { .. }
                | Kind::Variable(..)
                | Kind::Guid(_)
                | Kind::Contents(_)
                | Kind::Terminated(_)
                | Kind::Bytes(Extent::Fixed(_) | Extent::ToEnd)
                | Kind::Text(Extent::Fixed(_) | Extent::ToEnd, _),
                other,
            ) => first.kind == *other,
            _ => false,
        }
    }

    /// Returns whether two structures are uses of the same type. Uses of a type with parameters can
    /// read different fields.
    fn same_type(&self, a: OpId, b: OpId) -> bool {
        let name = |op: OpId| self.plan.infos[op.index()].type_name;
        let found = name(a).filter(|found| name(b) == Some(*found));
        found.is_some_and(|found| {
            let found = self.plan.name(found);
            let mut types = self.schema.types.iter();
            types.any(|known| known.name == found && known.params.is_empty())
        })
    }

    /// Returns whether a field can have the type that a type code denotes. A number without a
    /// meaning can be described with a plain type code even if the kind's type says what the number
    /// means.
    fn means_same(&self, field: OpId, code: OpId) -> bool {
        let meaning = |op: OpId| self.plan.infos[op.index()].presentation.meaning.as_ref();
        meaning(code).is_none_or(|wanted| meaning(field) == Some(wanted))
    }

    /// Adds the columns used to compare predefined rows. The rows themselves are lowered last, when
    /// no more columns can be added.
    pub(super) fn initial_columns(&mut self) {
        let schema: &'s Schema = self.schema;
        for (index, table) in schema.tables.iter().enumerate() {
            for row in &table.initial {
                if let Some(RowComparison::Fields(fields)) = row.again.as_ref().map(|a| &a.compare)
                {
                    fields.iter().for_each(|field| {
                        self.column(TableId::from(index), field);
                    });
                }
            }
        }
    }

    /// Returns the predefined rows of a table.
    pub(super) fn initial_rows(&mut self, table: TableId) -> Vec<InitialPlan> {
        let schema: &'s Schema = self.schema;
        let mut rows = Vec::new();
        for row in &schema.tables[table.index()].initial {
            let given = self.constants(&row.fields);
            let value = |path: &str| {
                let found = given.iter().find(|(name, _)| name == path);
                found.map_or(Constant::Absent, |(_, value)| value.clone())
            };
            let Some(key) = self.initial_key(table, row.span, &value) else {
                continue;
            };
            let columns = self.columns[table].clone();
            let cells = columns.iter().map(|path| {
                let column = self.initial_column(table, path, row.span);
                column.unwrap_or_else(|| value(path))
            });
            let cells = cells.collect();
            let kind = schema.tables[table.index()].kinds.iter().position(|kind| {
                let mut matches = kind.matches.iter();
                matches.all(|(path, wanted)| {
                    let wanted = self.constant_of(wanted);
                    wanted != Constant::Absent && value(path) == wanted
                })
            });
            let again = row
                .again
                .as_ref()
                .map(|again| self.initial_again(table, again));
            rows.push(InitialPlan {
                key,
                cells,
                kind: kind.map(RowKindId::from),
                again,
            });
        }
        rows
    }

    /// Returns the initial value of a column that effects change, or `None` if the column is a field
    /// of the row. Reports an error if the initial value is not known before the file is read.
    fn initial_column(&mut self, table: TableId, path: &str, span: SourceSpan) -> Option<Constant> {
        let schema: &'s Schema = self.schema;
        let mut declared = schema.tables[table.index()].columns.iter();
        let column = declared.find(|column| column.name == path)?;
        let initial = self.constant_of(&column.initial);
        if initial == Constant::Absent && column.initial.kind != ExprKind::Absent {
            let message = format!(
                "the initial value of the column `{path}` must be a constant, because the table \
                 has initial rows"
            );
            self.error(span, message);
        }
        Some(initial)
    }

    /// Returns the key of a predefined row. Reports an error if the row does not set the key field.
    fn initial_key(
        &mut self,
        table: TableId,
        span: SourceSpan,
        value: &impl Fn(&str) -> Constant,
    ) -> Option<u64> {
        let schema: &'s Schema = self.schema;
        let row = &schema.types[schema.tables[table.index()].row.index()];
        let key = row.defines.as_ref().and_then(|define| define.key.as_ref());
        let found = match key.map(|key| &key.kind) {
            Some(ExprKind::Name(name)) => value(name),
            _ => Constant::Absent,
        };
        match found {
            Constant::Int(key) => u64::try_from(key).ok(),
            _ => {
                let message = "an initial row of a table must set its key field";
                self.error(span, message);
                None
            }
        }
    }

    fn initial_again(&mut self, table: TableId, again: &Again) -> AgainPlan {
        let context = FaultContext::default();
        let resolve = |rule: &Option<RuleRef>| rule.as_ref().and_then(|r| context.resolve(r));
        let columns = match &again.compare {
            RowComparison::Bytes => {
                self.error(
                    again.span,
                    "an initial row of a table has no bytes to compare",
                );
                Vec::new()
            }
            RowComparison::Fields(fields) => {
                let columns = fields.iter().map(|field| self.column(table, field));
                columns.collect()
            }
        };
        if again.alike.is_some() {
            let message = "`alike` for an initial row of a table is not supported yet";
            self.error(again.span, message);
        }
        AgainPlan {
            bytes: false,
            columns,
            alike: None,
            same: resolve(&again.same),
            other: resolve(&again.other),
            keeps: again.keeps,
        }
    }

    /// Returns the rows of a table that typical writers define.
    pub(super) fn sample_rows(&mut self, table: TableId) -> Vec<SampleRow> {
        let schema: &'s Schema = self.schema;
        let samples = schema.tables[table.index()].samples.iter();
        samples
            .map(|fields| SampleRow {
                fields: self.constants(fields),
            })
            .collect()
    }

    fn constants(&mut self, fields: &[(String, Expr)]) -> Vec<(String, Constant)> {
        let fields = fields.iter();
        fields
            .map(|(name, value)| (name.clone(), self.constant_of(value)))
            .collect()
    }

    /// Returns the value of an expression that reads nothing from the file.
    pub(super) fn constant_of(&mut self, value: &Expr) -> Constant {
        let scope = self.root_scope();
        let code = self.compile(value, scope, None);
        match &self.plan.codes[code.index()] {
            Code::Text(constant) => Constant::Text(self.plan.constants[*constant].clone()),
            Code::Bool(value) => Constant::Bool(*value),
            _ => self.known_int(code).map_or(Constant::Absent, Constant::Int),
        }
    }

    /// Returns the column for a key that must be unique, if the key is a single field of the row.
    pub(super) fn unique_column(&mut self, table: TableId, by: &Expr) -> Option<ColumnId> {
        match &by.kind {
            ExprKind::Name(name) => Some(self.column(table, name)),
            _ => None,
        }
    }

    /// Compiles the value to assign to a register that refers to a row.
    pub(super) fn row_code(&mut self, value: &Expr, scope: ScopeId) -> CodeId {
        match self.placed(value, scope) {
            Some(Place::Row { source, path, .. }) if path.is_empty() => {
                self.code(Code::Row(source))
            }
            Some(place) => self.value_or_absent(place, value),
            None => self.absent(),
        }
    }
}
