//! Describes kinds in words.

use super::Checker;
use super::kind::Kind;

impl<'s> Checker<'s> {
    /// Returns a phrase for a kind, for example "an integer".
    pub(super) fn describe(&self, kind: &Kind) -> String {
        match kind {
            Kind::Unknown => "a value".to_owned(),
            Kind::Nothing => "no value".to_owned(),
            Kind::Bool => "a boolean".to_owned(),
            Kind::Int(_) | Kind::Flags(..) => "an integer".to_owned(),
            Kind::Enum(id, _) => match self.schema.enums.get(id.index()) {
                Some(described) => format!("a member of `{}`", described.name),
                None => "a member of an enumeration".to_owned(),
            },
            Kind::Float => "a float".to_owned(),
            Kind::Text => "a string".to_owned(),
            Kind::Signature(_) => "a string that describes fields".to_owned(),
            Kind::Bytes => "bytes".to_owned(),
            Kind::Guid => "a GUID".to_owned(),
            Kind::List(_) | Kind::Picked(_) => "a list".to_owned(),
            Kind::Structure(used) => format!("the structure `{}`", self.type_of(*used).name),
            Kind::Union(_) => "the result of a switch".to_owned(),
            Kind::Row(id) => self.of_table("a row", *id),
            Kind::Table(id) => self.of_table("the table", *id),
            Kind::Described => "a described value".to_owned(),
            Kind::Stream => "a stream".to_owned(),
            Kind::State => "the decoder's state".to_owned(),
        }
    }

    fn of_table(&self, what: &str, id: crate::schema::TableId) -> String {
        let Some(table) = self.schema.tables.get(id.index()) else {
            return what.to_owned();
        };
        match what {
            "the table" => format!("the table `{}`", table.name),
            _ => format!("{what} of `{}`", table.name),
        }
    }
}
