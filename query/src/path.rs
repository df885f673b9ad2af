//! Paths of fields in a tree, such as `frames[4].body.values[0]`.

use std::str::FromStr;

use super::walk::Met;

/// The path of a field. `[]` stands for every element of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreePath(Vec<Step>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    Field(String),
    /// An element with this index, or every element.
    Element(Option<u64>),
}

/// The position of a node relative to a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Follow {
    /// The path continues below the node. The field is the number of path steps that lead to the
    /// node.
    Toward(usize),
    /// The path ends at the node or at one of its ancestors.
    Reached,
    /// The node is not on the path.
    Elsewhere,
}

/// The position of a node relative to a path, which may consist of the names in the tree or of the
/// names in the paths of violations.
#[derive(Clone, Copy, Debug)]
pub struct Position {
    in_tree: Follow,
    in_messages: Follow,
}

impl Position {
    /// The position of the root.
    pub const ROOT: Self = Self {
        in_tree: Follow::Toward(0),
        in_messages: Follow::Toward(0),
    };

    /// Returns whether the node is on the path, in one of the two forms.
    pub fn follow(self) -> Follow {
        match (self.in_tree, self.in_messages) {
            (Follow::Reached, _) | (_, Follow::Reached) => Follow::Reached,
            (Follow::Elsewhere, other) => other,
            (found, _) => found,
        }
    }
}

impl TreePath {
    /// Returns the position of the node `met`, whose parent has the position `around`.
    pub fn position(&self, around: Position, met: &Met<'_>) -> Position {
        let in_tree = met.name.as_ref();
        let index = met.path_index.map(|index| format!("[{index}]"));
        let in_messages = index.as_deref().into_iter().chain(met.path_name);
        Position {
            in_tree: in_tree.map_or(around.in_tree, |name| self.follow(around.in_tree, name)),
            in_messages: in_messages.fold(around.in_messages, |at, name| self.follow(at, name)),
        }
    }

    /// Returns the position of a node called `name`, whose parent has the position `around`. `name`
    /// is a name as in [`Met::name`].
    fn follow(&self, around: Follow, name: &str) -> Follow {
        let Follow::Toward(before) = around else {
            return around;
        };
        match self.0.get(before) {
            Some(step) if step.leads_to(name) => match before + 1 == self.0.len() {
                true => Follow::Reached,
                false => Follow::Toward(before + 1),
            },
            _ => Follow::Elsewhere,
        }
    }
}

impl Step {
    fn leads_to(&self, name: &str) -> bool {
        match self {
            // A field that the trace itself defines is named with its type code in parentheses.
            Self::Field(field) => {
                name == field
                    || name
                        .strip_prefix(field.as_str())
                        .is_some_and(|rest| rest.starts_with(" (") && rest.ends_with(')'))
            }
            Self::Element(wanted) => {
                let number = name
                    .strip_prefix('[')
                    .and_then(|rest| rest.strip_suffix(']'));
                let number = number.and_then(|digits| digits.parse().ok());
                number.is_some_and(|number: u64| wanted.is_none_or(|wanted| wanted == number))
            }
        }
    }
}

impl FromStr for TreePath {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut steps = Vec::new();
        for part in text.split('.') {
            let (field, mut elements) = part.split_at(part.find('[').unwrap_or(part.len()));
            if !field.is_empty() {
                steps.push(Step::Field(field.to_owned()));
            } else if elements.is_empty() {
                return Err("a name is missing".to_owned());
            }
            while let Some(rest) = elements.strip_prefix('[') {
                let (number, rest) = rest.split_once(']').ok_or("a `]` is missing")?;
                steps.push(Step::Element(match number {
                    "" => None,
                    digits => Some(
                        digits
                            .parse()
                            .map_err(|_| format!("`{digits}` is not an element number"))?,
                    ),
                }));
                elements = rest;
            }
            if !elements.is_empty() {
                return Err(format!("unexpected `{elements}`"));
            }
        }
        Ok(Self(steps))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reached(path: &str, names: &[&str]) -> Follow {
        let path: TreePath = path.parse().expect("a path");
        let around = Follow::Toward(0);
        names
            .iter()
            .fold(around, |around, name| path.follow(around, name))
    }

    #[test]
    fn a_path_leads_to_its_field_and_all_inside() {
        assert_eq!(reached("a.b[2].c", &["a", "b"]), Follow::Toward(2));
        assert_eq!(
            reached("a.b[2].c", &["a", "b", "[2]", "c"]),
            Follow::Reached
        );
        assert_eq!(reached("a.b", &["a", "b", "[2]", "c"]), Follow::Reached);
        assert_eq!(reached("a.b[2]", &["a", "b", "[3]"]), Follow::Elsewhere);
        assert_eq!(reached("a.b[]", &["a", "b", "[3]"]), Follow::Reached);
        assert_eq!(reached("a.b", &["x", "b"]), Follow::Elsewhere);
        assert_eq!(reached("[1][0]", &["[1]", "[0]"]), Follow::Reached);
    }

    #[test]
    fn fields_named_by_the_trace_may_have_their_type_code() {
        assert_eq!(
            reached("values.size", &["values", "size (u4)"]),
            Follow::Reached
        );
        assert_eq!(
            reached("values.si", &["values", "size (u4)"]),
            Follow::Elsewhere
        );
    }

    #[test]
    fn mistakes_are_told() {
        for (path, why) in [
            ("", "a name is missing"),
            ("a..b", "a name is missing"),
            ("a[1", "a `]` is missing"),
            ("a[x]", "`x` is not an element number"),
            ("a[1]b", "unexpected `b`"),
        ] {
            assert_eq!(path.parse::<TreePath>(), Err(why.to_owned()), "{path}");
        }
    }
}
