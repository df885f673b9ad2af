//! Landlock rules, which control which files readers may read and write, and which sockets and
//! processes they may reach.

use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd,
    Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetError, RulesetStatus, Scope,
};

use crate::plan::Plan;
use crate::reach::SINKS;

/// The newest Landlock ABI to use. Older kernels enforce the restrictions that they support.
const NEWEST: ABI = ABI::V6;

/// Restricts this process and all processes that it starts.
///
/// # Errors
/// Returns the reason why Landlock is unavailable.
pub(super) fn restrict(plan: &Plan) -> Result<String, String> {
    if plan.without_landlock {
        return Err("disabled".to_owned());
    }
    match lock(plan) {
        Ok(RulesetStatus::FullyEnforced) => Ok("restricted by Landlock".to_owned()),
        Ok(RulesetStatus::PartiallyEnforced) => {
            Ok("restricted by Landlock, as far as this kernel supports it".to_owned())
        }
        Ok(RulesetStatus::NotEnforced) => Err("this kernel does not support Landlock".to_owned()),
        Err(error) => Err(format!("Landlock: {error}")),
    }
}

fn lock(plan: &Plan) -> Result<RulesetStatus, RulesetError> {
    let ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(NEWEST))?
        .handle_access(AccessNet::from_all(NEWEST))?
        .scope(Scope::from_all(NEWEST))?
        .create()?;
    let sinks = SINKS.iter().map(PathBuf::from);
    let ruleset = ruleset
        .add_rules(rules(&plan.read, AccessFs::from_read(NEWEST)))?
        .add_rules(rules(&plan.list, AccessFs::ReadDir.into()))?
        .add_rules(rules(sinks, AccessFs::from_file(NEWEST)))?
        .add_rules(rules(&plan.write, AccessFs::from_file(NEWEST)))?
        .add_rules(rules([&plan.scratch], AccessFs::from_all(NEWEST)))?;
    Ok(ruleset.restrict_self()?.ruleset)
}

/// Creates a rule for each path that exists.
fn rules<P: AsRef<Path>>(
    paths: impl IntoIterator<Item = P>,
    access: BitFlags<AccessFs>,
) -> impl Iterator<Item = Result<PathBeneath<PathFd>, RulesetError>> {
    paths.into_iter().filter_map(move |path| {
        let opened = PathFd::new(path.as_ref()).ok()?;
        let access = match path.as_ref().is_dir() {
            true => access,
            false => access & AccessFs::from_file(NEWEST),
        };
        Some(Ok(PathBeneath::new(opened, access)))
    })
}
