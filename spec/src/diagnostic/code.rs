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
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
