use std::fmt;

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)*) => {
        /// The kind of a diagnostic. The names are a stable interface, because tools filter
        /// diagnostics by them.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Code {
            $($(#[$doc])* $name,)*
        }

        impl Code {
            /// All codes.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// Returns the stable name in kebab case.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)*
                }
            }
        }
    };
}

codes! {
    /// The text is not valid YAML.
    YamlSyntax = "yaml-syntax",
    /// A value has a YAML tag. An unquoted expression that starts with `!` is parsed as a tag.
    YamlTag = "yaml-tag",
    /// The input exceeds a limit on bytes, nodes, nesting levels or aliases.
    TooLarge = "too-large",
    /// A file contains several YAML documents.
    SeveralDocuments = "several-documents",
    /// A mapping contains the same key twice.
    DuplicateKey = "duplicate-key",
    /// A file cannot be read.
    FileUnreadable = "file-unreadable",
    /// A part includes itself, directly or through other parts.
    PartCycle = "part-cycle",
    /// Imports form a cycle.
    ImportCycle = "import-cycle",
    /// The language does not define this key at this location.
    UnknownKey = "unknown-key",
    /// A required key is missing.
    MissingKey = "missing-key",
    /// A key cannot be combined with another key.
    ConflictingKeys = "conflicting-keys",
    /// A node has the wrong kind, for example a mapping where a list is expected.
    WrongShape = "wrong-shape",
    /// The value is not allowed for its key.
    BadValue = "bad-value",
    /// A name is not a valid identifier.
    BadName = "bad-name",
    /// A name is declared twice.
    DuplicateName = "duplicate-name",
    /// The description uses a type that does not exist.
    UnknownType = "unknown-type",
    /// The description uses an enumeration that does not exist.
    UnknownEnum = "unknown-enum",
    /// The description uses a flag set that does not exist.
    UnknownFlags = "unknown-flags",
    /// The description refers to a rule that does not exist.
    UnknownRule = "unknown-rule",
    /// The description refers to a fault kind that does not exist.
    UnknownFault = "unknown-fault",
    /// The description uses a table that does not exist.
    UnknownTable = "unknown-table",
    /// The description uses a register or column that does not exist.
    UnknownRegister = "unknown-register",
    /// The description uses a layout set that does not exist.
    UnknownLayout = "unknown-layout",
    /// The description refers to a kind of record that does not exist.
    UnknownRecord = "unknown-record",
    /// The description uses a JSON schema that does not exist.
    UnknownJson = "unknown-json",
    /// The root type has no parameter with this name.
    UnknownParameter = "unknown-parameter",
    /// The description refers to a dialect that does not exist.
    UnknownDialect = "unknown-dialect",
    /// A shared part requires a name that the format does not define.
    OpenName = "open-name",
    /// The number of arguments differs from the number of parameters of the type.
    WrongArguments = "wrong-arguments",
    /// The text is not a valid expression.
    ExpressionSyntax = "expression-syntax",
    /// An unquoted expression was truncated or changed because some of its characters have a
    /// special meaning in YAML.
    UnquotedExpression = "unquoted-expression",
    /// No visible field, instance, parameter or other value has this name.
    UnknownName = "unknown-name",
    /// An expression calls a method or function that does not exist.
    UnknownMethod = "unknown-method",
    /// The enumeration has no member with this name.
    UnknownMember = "unknown-member",
    /// A value is needed before it has been read.
    ReadLater = "read-later",
    /// An instance that reads a register is used after its own structure has changed the register.
    ChangedRegister = "changed-register",
    /// An operand has the wrong kind.
    WrongOperand = "wrong-operand",
    /// The result of an arithmetic operation might not fit in 128 bits or in the field or register
    /// that stores it.
    ArithmeticRange = "arithmetic-range",
    /// A divisor is zero or can be zero.
    DivisionByZero = "division-by-zero",
    /// The value of a computed field depends on the field itself.
    CircularValue = "circular-value",
    /// The width of a computed field depends on its value, which in turn depends on an offset after
    /// the field.
    ValuePlace = "value-place",
    /// A requirement does not name the rule that it belongs to.
    MissingRule = "missing-rule",
    /// A possible fault is not mapped to a rule.
    UnmappedFault = "unmapped-fault",
    /// No element enforces or exercises a rule.
    RuleUnused = "rule-unused",
    /// The description declares that no file can exercise a rule, but an element enforces or
    /// exercises it.
    RuleContradicted = "rule-contradicted",
    /// The value of an enumeration member does not fit in any field that uses the enumeration.
    EnumWidth = "enum-width",
    /// A flag uses bits that do not exist in any field that uses the flag set.
    FlagsWidth = "flags-width",
    /// The labels of two cases have the same value.
    DuplicateLabel = "duplicate-label",
    /// The label of a case is a value that the switch expression never has.
    WrongLabel = "wrong-label",
    /// No value satisfies all constraints.
    NoValue = "no-value",
    /// A case can never be selected.
    UnreachableArm = "unreachable-arm",
    /// A possible value has no case.
    MissingArm = "missing-arm",
    /// No row is ever added to a table.
    TableUndefined = "table-undefined",
    /// The rows of a table are never looked up.
    TableUnused = "table-unused",
    /// A lookup key has a value that is never a key of the table.
    WrongKey = "wrong-key",
    /// A row has a type other than the row type of the table.
    WrongRow = "wrong-row",
    /// A type contains itself unconditionally and therefore has no finite size.
    InfiniteType = "infinite-type",
    /// The nesting depth of a recursive type has no limit.
    UnlimitedRecursion = "unlimited-recursion",
    /// A type is never used.
    UnusedType = "unused-type",
    /// The declared size of a type differs from the total size of its fields.
    WrongSizeof = "wrong-sizeof",
    /// A field follows a field that consumes all remaining bytes.
    UnreachableField = "unreachable-field",
    /// A repetition may never end.
    EndlessRepeat = "endless-repeat",
    /// The generator cannot find values that satisfy a predicate.
    Unsolvable = "unsolvable",
    /// A field takes its value from the previous element (`carry`), but no repetition contains the
    /// field.
    CarryOutside = "carry-outside",
    /// A field that is used to detect a dialect is not at a fixed offset.
    DetectMoving = "detect-moving",
    /// No dialect sets a parameter of the root type.
    UnboundParameter = "unbound-parameter",
    /// A type that is reported as a record cannot occur in any trace.
    UnreachedRecord = "unreached-record",
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
