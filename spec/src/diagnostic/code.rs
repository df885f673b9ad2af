use std::fmt;

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)*) => {
        /// Kinds of mistakes. The names are an interface: tools filter by them.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Code {
            $($(#[$doc])* $name,)*
        }

        impl Code {
            /// Every kind.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// The stable name, in kebab case.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)*
                }
            }
        }
    };
}

codes! {
    /// The text is no YAML.
    YamlSyntax = "yaml-syntax",
    /// A YAML tag, which YAML makes of an expression that starts with `!`.
    YamlTag = "yaml-tag",
    /// More bytes, nodes, levels or aliases than any description has.
    TooLarge = "too-large",
    /// A file holds several YAML documents.
    SeveralDocuments = "several-documents",
    /// A mapping has a key twice.
    DuplicateKey = "duplicate-key",
    /// A file cannot be read.
    FileUnreadable = "file-unreadable",
    /// A part names itself, directly or through others.
    PartCycle = "part-cycle",
    /// An import leads back to its importer.
    ImportCycle = "import-cycle",
    /// A key that the language does not have there.
    UnknownKey = "unknown-key",
    /// A key that must be there.
    MissingKey = "missing-key",
    /// A key that does not go with another.
    ConflictingKeys = "conflicting-keys",
    /// A mapping where a list is wanted, and the like.
    WrongShape = "wrong-shape",
    /// A value that the key does not take.
    BadValue = "bad-value",
    /// A name that is no name.
    BadName = "bad-name",
    /// A name given twice.
    DuplicateName = "duplicate-name",
    /// No such type.
    UnknownType = "unknown-type",
    /// No such enumeration.
    UnknownEnum = "unknown-enum",
    /// No such flag set.
    UnknownFlags = "unknown-flags",
    /// No such rule.
    UnknownRule = "unknown-rule",
    /// No such fault kind.
    UnknownFault = "unknown-fault",
    /// No such table.
    UnknownTable = "unknown-table",
    /// No such register or column.
    UnknownRegister = "unknown-register",
    /// No such layout set.
    UnknownLayout = "unknown-layout",
    /// No such kind of record.
    UnknownRecord = "unknown-record",
    /// No such schema for JSON.
    UnknownJson = "unknown-json",
    /// No such parameter of the root.
    UnknownParameter = "unknown-parameter",
    /// No such dialect.
    UnknownDialect = "unknown-dialect",
    /// A shared part leaves a name open that the format does not define.
    OpenName = "open-name",
    /// Too few or too many arguments for the parameters of a type.
    WrongArguments = "wrong-arguments",
    /// The text is no expression.
    ExpressionSyntax = "expression-syntax",
    /// YAML has cut or changed an expression.
    UnquotedExpression = "unquoted-expression",
    /// Nothing that can be read has the name.
    UnknownName = "unknown-name",
    /// No such method or function.
    UnknownMethod = "unknown-method",
    /// The enumeration has no such member.
    UnknownMember = "unknown-member",
    /// Something is read later than it is needed.
    ReadLater = "read-later",
    /// A value of a kind that is not wanted there.
    WrongOperand = "wrong-operand",
    /// Arithmetic leaves 128 bits, or what holds its result.
    ArithmeticRange = "arithmetic-range",
    /// A divisor is zero, or can be.
    DivisionByZero = "division-by-zero",
    /// Something is computed from itself.
    CircularValue = "circular-value",
    /// A value of variable width decides where what it is computed from stands.
    ValuePlace = "value-place",
    /// Something is required, and no rule says so.
    MissingRule = "missing-rule",
    /// A fault can happen and breaks no rule.
    UnmappedFault = "unmapped-fault",
    /// Nothing enforces or shows a rule.
    RuleUnused = "rule-unused",
    /// A rule that no file can show, it says, is enforced or shown.
    RuleContradicted = "rule-contradicted",
    /// A member of an enumeration that no field can hold.
    EnumWidth = "enum-width",
    /// Bits that no field has.
    FlagsWidth = "flags-width",
    /// Two cases for one value.
    DuplicateLabel = "duplicate-label",
    /// A case for what the value never is.
    WrongLabel = "wrong-label",
    /// Constraints that no value meets.
    NoValue = "no-value",
    /// A case that is never taken.
    UnreachableArm = "unreachable-arm",
    /// A value for which there is no case.
    MissingArm = "missing-arm",
    /// A table of which nothing defines rows.
    TableUndefined = "table-undefined",
    /// A table of which nothing asks for rows.
    TableUnused = "table-unused",
    /// A value that is never a key of the table.
    WrongKey = "wrong-key",
    /// A row of another type than the table's.
    WrongRow = "wrong-row",
    /// A type that holds itself without end.
    InfiniteType = "infinite-type",
    /// A type that nests in itself without a limit.
    UnlimitedRecursion = "unlimited-recursion",
    /// A type that nothing uses.
    UnusedType = "unused-type",
    /// A total that does not add up.
    WrongSizeof = "wrong-sizeof",
    /// A field after one that takes all bytes.
    UnreachableField = "unreachable-field",
    /// A repetition that need not end.
    EndlessRepeat = "endless-repeat",
    /// A predicate that no value can be generated from.
    Unsolvable = "unsolvable",
    /// A field that carries from a row, where there are no rows.
    CarryOutside = "carry-outside",
    /// A field that tells dialects apart and is at no fixed place.
    DetectMoving = "detect-moving",
    /// A parameter of the root that no dialect binds.
    UnboundParameter = "unbound-parameter",
    /// A record of a type that no trace has.
    UnreachedRecord = "unreached-record",
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
