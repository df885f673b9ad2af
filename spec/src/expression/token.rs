/// A token of an expression.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Int(i128),
    Float(f64),
    Text(String),
    Name(String),
    Symbol(Symbol),
    End,
}

macro_rules! symbols {
    ($($name:ident = $text:literal,)*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(super) enum Symbol {
            $($name,)*
        }

        impl Symbol {
            /// All symbols. In this list, a symbol comes before its prefixes, so that the longest
            /// match is found first.
            pub(super) const ALL: &'static [(Self, &'static str)] = &[$((Self::$name, $text),)*];

            pub(super) fn text(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)*
                }
            }
        }
    };
}

symbols! {
    DoubleColon = "::",
    ShiftLeft = "<<",
    ShiftRight = ">>",
    Equal = "==",
    NotEqual = "!=",
    LessOrEqual = "<=",
    GreaterOrEqual = ">=",
    Less = "<",
    Greater = ">",
    Plus = "+",
    Minus = "-",
    Star = "*",
    Slash = "/",
    Percent = "%",
    Ampersand = "&",
    Pipe = "|",
    Caret = "^",
    Tilde = "~",
    Question = "?",
    Colon = ":",
    Comma = ",",
    Dot = ".",
    OpenParenthesis = "(",
    CloseParenthesis = ")",
    OpenBracket = "[",
    CloseBracket = "]",
}

impl Token {
    /// Returns a phrase that describes the token in messages.
    pub(super) fn describe(&self) -> String {
        match self {
            Self::Int(value) => format!("`{value}`"),
            Self::Float(value) => format!("`{value}`"),
            Self::Text(_) => "a string".to_owned(),
            Self::Name(name) => format!("`{name}`"),
            Self::Symbol(symbol) => format!("`{}`", symbol.text()),
            Self::End => "the end of the expression".to_owned(),
        }
    }
}
