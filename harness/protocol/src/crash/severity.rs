//! Classifies the severity of a crash in the same way as the crash analysis tool CASR.

use tracegauge_results::{Access, Severity};

/// Kinds of crashes in which damage to the heap or the stack was detected late or prevented. Such
/// damage may be exploitable.
const DAMAGE: [&str; 6] = [
    "calloc-overflow",
    "heap corruption",
    "negative-size-param",
    "pvalloc-overflow",
    "reallocarray-overflow",
    "stack smashing",
];

/// Parts of the names of memory errors: accesses outside an object or outside its lifetime.
const MISUSE: [&str; 5] = [
    "-overflow",
    "-underflow",
    "use-after-",
    "-param-overlap",
    "unknown-crash",
];

pub(super) fn severity(kind: &str, access: Option<Access>, near_null: bool) -> Severity {
    use Severity::{Exploitable, NotExploitable, ProbablyExploitable};
    let is_misuse = MISUSE.iter().any(|part| kind.contains(part));
    match (kind, access) {
        ("stack-overflow" | "stack overflow", _) => NotExploitable,
        ("SEGV" | "BUS", Some(Access::Write)) if near_null => ProbablyExploitable,
        ("SEGV" | "BUS", Some(Access::Write)) => Exploitable,
        _ if DAMAGE.contains(&kind) => ProbablyExploitable,
        (_, Some(Access::Write)) if is_misuse => Exploitable,
        (_, None) if is_misuse && kind != "unknown-crash" => ProbablyExploitable,
        _ => NotExploitable,
    }
}
