use std::ops::Range;

use super::lexer::{Fault, Lexer};
use super::origin::Origin;
use super::power::{Operator, Power, binary};
use super::token::{Symbol, Token};
use super::{BinaryOperator, Expr, ExprKind, UnaryOperator};
use crate::diagnostic::{Code, Diagnostic};

/// The maximum length of an expression in bytes.
const LONGEST: usize = 16 << 10;
/// The maximum number of nodes in an expression. This limit bounds the time needed to traverse an
/// expression.
const MOST_PARTS: usize = 512;
/// The maximum nesting depth of an expression.
const DEEPEST: usize = 48;

/// A reference to a type, for example `outer::inner(1, _index)`.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeName {
    /// The name, including the names of enclosing types, separated by `::`.
    pub name: String,
    /// The arguments for the parameters of the type.
    pub arguments: Vec<Expr>,
}

/// Parses an expression.
///
/// # Errors
/// Returns a diagnostic if `text` is not a valid expression.
pub fn parse(text: &str, origin: &Origin) -> Result<Expr, Box<Diagnostic>> {
    let run = |parser: &mut Parser<'_>| {
        let expression = parser.expression(Power::Conditional)?;
        parser.end()?;
        Ok(expression)
    };
    Parser::run(text, origin, run)
}

/// Parses the name of a type with optional arguments.
///
/// # Errors
/// Returns a diagnostic if `text` is not a valid type name.
pub fn parse_type_name(text: &str, origin: &Origin) -> Result<TypeName, Box<Diagnostic>> {
    Parser::run(text, origin, |parser| {
        let mut name = parser.name("the name of a type")?;
        while parser.accept(Symbol::DoubleColon)? {
            name.push_str("::");
            name.push_str(&parser.name("the name of a type")?);
        }
        let arguments = if parser.accept(Symbol::OpenParenthesis)? {
            parser.list(Symbol::CloseParenthesis)?
        } else {
            Vec::new()
        };
        parser.end()?;
        Ok(TypeName { name, arguments })
    })
}

struct Parser<'a> {
    lexer: Lexer<'a>,
    origin: &'a Origin,
    /// The token that has been peeked at but not consumed.
    ahead: Option<(Token, Range<usize>)>,
    /// The end of the last consumed token.
    end: usize,
    depth: usize,
    parts: usize,
}

type Parsed<T> = Result<T, Fault>;

impl<'a> Parser<'a> {
    fn run<T>(
        text: &'a str,
        origin: &'a Origin,
        body: impl FnOnce(&mut Self) -> Parsed<T>,
    ) -> Result<T, Box<Diagnostic>> {
        if text.len() > LONGEST {
            let message = format!("the expression is longer than {LONGEST} bytes");
            let diagnostic = Diagnostic::error(Code::TooLarge, origin.whole(), message);
            return Err(Box::new(diagnostic));
        }
        let mut parser = Self {
            lexer: Lexer::new(text),
            origin,
            ahead: None,
            end: 0,
            depth: 0,
            parts: 0,
        };
        body(&mut parser).map_err(|fault| {
            let span = origin.span(fault.range);
            let diagnostic = Diagnostic::error(Code::ExpressionSyntax, span, fault.message);
            Box::new(diagnostic.maybe_help(fault.help.map(str::to_owned)))
        })
    }

    fn peek(&mut self) -> Parsed<&(Token, Range<usize>)> {
        if self.ahead.is_none() {
            self.ahead = Some(self.lexer.next()?);
        }
        let at = self.lexer.at();
        Ok(self.ahead.get_or_insert((Token::End, at..at)))
    }

    fn next(&mut self) -> Parsed<(Token, Range<usize>)> {
        let taken = self.peek()?.clone();
        self.ahead = None;
        self.end = taken.1.end;
        Ok(taken)
    }

    fn accept(&mut self, symbol: Symbol) -> Parsed<bool> {
        let found = self.peek()?.0 == Token::Symbol(symbol);
        if found {
            self.next()?;
        }
        Ok(found)
    }

    fn accept_word(&mut self, word: &str) -> Parsed<bool> {
        let found = matches!(&self.peek()?.0, Token::Name(name) if name == word);
        if found {
            self.next()?;
        }
        Ok(found)
    }

    fn unexpected<T>(&mut self, wanted: &str) -> Parsed<T> {
        let (token, range) = self.peek()?;
        let message = format!("expected {wanted}, found {}", token.describe());
        Err(Fault::new(message, range.clone()))
    }

    fn expect(&mut self, symbol: Symbol) -> Parsed<()> {
        if self.accept(symbol)? {
            return Ok(());
        }
        self.unexpected(&format!("`{}`", symbol.text()))
    }

    fn name(&mut self, wanted: &str) -> Parsed<String> {
        if let Token::Name(name) = &self.peek()?.0 {
            let name = name.clone();
            self.next()?;
            return Ok(name);
        }
        self.unexpected(wanted)
    }

    fn end(&mut self) -> Parsed<()> {
        if self.peek()?.0 == Token::End {
            return Ok(());
        }
        self.unexpected("the end of the expression")
    }

    fn node(&mut self, kind: ExprKind, start: usize) -> Parsed<Expr> {
        self.parts += 1;
        let range = start..self.end.max(start);
        if self.parts > MOST_PARTS {
            let message = format!("the expression has more than {MOST_PARTS} parts");
            return Err(
                Fault::new(message, range).help("move parts of the expression to `instances:`")
            );
        }
        Ok(Expr {
            kind,
            span: self.origin.span(range),
        })
    }

    fn expression(&mut self, least: Power) -> Parsed<Expr> {
        self.depth += 1;
        if self.depth > DEEPEST {
            let at = self.lexer.at();
            let message = format!("the expression is nested more than {DEEPEST} levels deep");
            return Err(Fault::new(message, at..at));
        }
        let start = self.peek()?.1.start;
        let mut left = self.prefix(least)?;
        let mut compared = false;
        while let Some(next) = self.operator(least)? {
            let compares = next.power() == Power::Comparison;
            if compares && compared {
                let (_, range) = self.next()?;
                return Err(Fault::new("comparisons cannot be chained", range)
                    .help("join two comparisons with `and`"));
            }
            compared = compares;
            left = self.apply(next, left, start)?;
        }
        self.depth -= 1;
        Ok(left)
    }

    fn prefix(&mut self, least: Power) -> Parsed<Expr> {
        let (token, range) = self.peek()?.clone();
        let (operator, power) = match &token {
            Token::Name(word) if word == "not" => (UnaryOperator::Not, Power::Not),
            Token::Symbol(Symbol::Minus) => (UnaryOperator::Negate, Power::Sign),
            Token::Symbol(Symbol::Tilde) => (UnaryOperator::Invert, Power::Sign),
            _ => return self.postfix(),
        };
        if power < least {
            let fault = Fault::new(format!("unexpected {}", token.describe()), range);
            return Err(fault.help("put it in parentheses"));
        }
        self.next()?;
        let operand = Box::new(self.expression(power)?);
        self.node(ExprKind::Unary { operator, operand }, range.start)
    }

    /// Peeks at the next operator. Returns `None` if the operator binds less tightly than `least`.
    fn operator(&mut self, least: Power) -> Parsed<Option<Operator>> {
        let operator = match &self.peek()?.0 {
            Token::Symbol(Symbol::Question) => Operator::Conditional,
            Token::Symbol(symbol) => match binary(*symbol) {
                Some((operator, power)) => Operator::Binary(operator, power),
                None => return Ok(None),
            },
            Token::Name(word) => match word.as_str() {
                "or" => Operator::Binary(BinaryOperator::Or, Power::Or),
                "and" => Operator::Binary(BinaryOperator::And, Power::And),
                "else" => Operator::Else,
                "is" => Operator::IsPresent,
                _ => return Ok(None),
            },
            _ => return Ok(None),
        };
        Ok((operator.power() >= least).then_some(operator))
    }

    fn apply(&mut self, operator: Operator, left: Expr, start: usize) -> Parsed<Expr> {
        self.next()?;
        let kind = match operator {
            Operator::Binary(operator, power) => {
                let right = Box::new(self.expression(power.tighter())?);
                let left = Box::new(left);
                ExprKind::Binary {
                    operator,
                    left,
                    right,
                }
            }
            Operator::Conditional => {
                let then = Box::new(self.expression(Power::Conditional)?);
                self.expect(Symbol::Colon)?;
                let otherwise = Box::new(self.expression(Power::Conditional)?);
                let condition = Box::new(left);
                ExprKind::Conditional {
                    condition,
                    then,
                    otherwise,
                }
            }
            Operator::Else => {
                let second = Box::new(self.expression(Power::Else.tighter())?);
                let first = Box::new(left);
                ExprKind::Else { first, second }
            }
            Operator::IsPresent => {
                if !self.accept_word("present")? {
                    return self.unexpected("`present`");
                }
                ExprKind::IsPresent(Box::new(left))
            }
        };
        self.node(kind, start)
    }

    fn postfix(&mut self) -> Parsed<Expr> {
        let start = self.peek()?.1.start;
        let mut base = self.primary()?;
        loop {
            if self.accept(Symbol::Dot)? {
                base = self.member(base, start)?;
            } else if self.accept(Symbol::OpenBracket)? {
                let index = Box::new(self.expression(Power::Conditional)?);
                self.expect(Symbol::CloseBracket)?;
                let kind = ExprKind::Index {
                    base: Box::new(base),
                    index,
                };
                base = self.node(kind, start)?;
            } else {
                return Ok(base);
            }
        }
    }

    fn member(&mut self, base: Expr, start: usize) -> Parsed<Expr> {
        let name = self.name("a name after `.`")?;
        let base = Box::new(base);
        if name == "as"
            && let Some(type_name) = self.lexer.type_argument()
        {
            self.end = self.lexer.at();
            let type_name = type_name.to_owned();
            return self.node(ExprKind::Cast { base, type_name }, start);
        }
        if self.accept(Symbol::OpenParenthesis)? {
            let arguments = self.list(Symbol::CloseParenthesis)?;
            let kind = ExprKind::Method {
                base,
                name,
                arguments,
            };
            return self.node(kind, start);
        }
        self.node(ExprKind::Member { base, name }, start)
    }

    fn list(&mut self, close: Symbol) -> Parsed<Vec<Expr>> {
        let mut items = Vec::new();
        if self.accept(close)? {
            return Ok(items);
        }
        loop {
            items.push(self.expression(Power::Conditional)?);
            if self.accept(Symbol::Comma)? {
                if self.accept(close)? {
                    return Ok(items);
                }
                continue;
            }
            self.expect(close)?;
            return Ok(items);
        }
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let (token, range) = self.peek()?.clone();
        let kind = match token {
            Token::Int(value) => ExprKind::Int(value),
            Token::Float(value) => ExprKind::Float(value),
            Token::Text(text) => ExprKind::Text(text),
            Token::Name(name) => return self.word(name),
            Token::Symbol(Symbol::OpenParenthesis) => {
                self.next()?;
                let inside = self.expression(Power::Conditional)?;
                self.expect(Symbol::CloseParenthesis)?;
                return Ok(inside);
            }
            Token::Symbol(Symbol::OpenBracket) => {
                self.next()?;
                let items = self.list(Symbol::CloseBracket)?;
                return self.node(ExprKind::List(items), range.start);
            }
            _ => return self.unexpected("a value"),
        };
        self.next()?;
        self.node(kind, range.start)
    }

    fn word(&mut self, name: String) -> Parsed<Expr> {
        let (_, range) = self.next()?;
        let start = range.start;
        let simple = match name.as_str() {
            "true" => Some(ExprKind::Bool(true)),
            "false" => Some(ExprKind::Bool(false)),
            "absent" | "none" => Some(ExprKind::Absent),
            "_" => Some(ExprKind::This),
            "and" | "or" | "not" | "else" | "is" => {
                let message = format!("expected a value, found `{name}`");
                return Err(Fault::new(message, range));
            }
            "sizeof" => self
                .type_argument()
                .map(|name| ExprKind::SizeOfType(name.to_owned())),
            "bitsizeof" if self.type_argument().is_some() => {
                return Err(Fault::new("`bitsizeof` is not supported", range)
                    .help("use `sizeof<t>` for a size in bytes"));
            }
            _ => None,
        };
        if let Some(kind) = simple {
            return self.node(kind, start);
        }
        if self.peek()?.0 == Token::Symbol(Symbol::DoubleColon) {
            return self.enum_member(name, start);
        }
        if self.accept(Symbol::OpenParenthesis)? {
            let arguments = self.list(Symbol::CloseParenthesis)?;
            return self.node(ExprKind::Call { name, arguments }, start);
        }
        self.node(ExprKind::Name(name), start)
    }

    fn type_argument(&mut self) -> Option<&'a str> {
        let name = self.lexer.type_argument()?;
        self.end = self.lexer.at();
        Some(name)
    }

    fn enum_member(&mut self, first: String, start: usize) -> Parsed<Expr> {
        let mut path = vec![first];
        while self.accept(Symbol::DoubleColon)? {
            path.push(self.name("a name after `::`")?);
        }
        let member = path.pop().unwrap_or_default();
        self.node(ExprKind::EnumMember { path, member }, start)
    }
}
