//! Converts results to the data of the HTML page.

use std::collections::{BTreeMap, HashMap};

use tracegauge_results::text::visible;
use tracegauge_results::{
    CaseResult, Difference, Excerpt, Expectation, Grade, LookAt, Outcome, Profile, ReaderResult,
    ReaderState, RuleInfo, RunResult,
};

use super::causes::Causes;
use super::data::{
    CaseDetail, Data, Page, ReadFrom, Reader, Rule, outcome_letter, standing_letter,
};
use super::fixes::Fixes;
use super::texts::Texts;
use crate::account::{look_at, place, read_from};
use crate::casebook::Casebook;
use crate::columns::{Column, columns};
use crate::dump::{around, window};
use crate::headline::{Headline, correct_members, percent, proven};

/// The maximum size of the details in bytes, so that the page can be sent by email.
const ROOM: usize = 2_500_000;

/// For each rule and reader, the details of this many failures take precedence over the details of
/// further failures.
const FIRST: usize = 3;

pub(super) fn build(results: &[RunResult], title: &str, casebook: &dyn Casebook) -> Data {
    let columns = columns(results);
    let cases = Cases::of(&columns);
    let mut details = Details {
        casebook,
        texts: Texts::default(),
        room: ROOM,
        pages: BTreeMap::new(),
        readers: columns.iter().map(|_| BTreeMap::new()).collect(),
        dropped: 0,
    };
    details.fill(&columns, &cases);
    let readers = columns.iter().zip(std::mem::take(&mut details.readers));
    let readers = readers
        .map(|(column, found)| {
            let fixes = Fixes::of(column.reader, |case| cases.place(case), &mut details.texts);
            let place = |case: &CaseResult| cases.place(case).map(|(index, _)| index);
            let causes = Causes::of(column, place, &mut details.texts);
            reader(column, found, (fixes, causes), &cases)
        })
        .collect();
    let mut tool: Vec<String> = results
        .iter()
        .map(|result| visible(&result.run.tool_version).into_owned())
        .collect();
    tool.dedup();
    Data {
        title: visible(title).into_owned(),
        tool,
        selection: results
            .first()
            .map(|result| result.run.selection.clone())
            .unwrap_or_default(),
        ids: front_coded(&cases.ids),
        rule_of: cases.rule_of.clone(),
        expected: cases.expected.clone(),
        versions: cases.versions.clone(),
        rules: cases.rules,
        pages: details.pages,
        readers,
        texts: details.texts.into_list(),
        dropped: details.dropped,
    }
}

/// All cases that at least one reader received, sorted by name.
struct Cases<'r> {
    ids: Vec<&'r str>,
    places: HashMap<&'r str, usize>,
    rules: Vec<Rule>,
    rule_of: Vec<usize>,
    expected: String,
    versions: BTreeMap<usize, u32>,
}

impl<'r> Cases<'r> {
    fn of(columns: &[Column<'r>]) -> Self {
        let mut first: BTreeMap<&str, (&RunResult, &CaseResult)> = BTreeMap::new();
        for column in columns {
            for case in &column.reader.cases {
                let known = first.entry(&case.case).or_insert((column.result, case));
                if known.1.version < case.version {
                    *known = (column.result, case);
                }
            }
        }
        let heads = heads(columns);
        let mut rules = Rules::of(columns, &heads);
        let mut cases = Self {
            ids: Vec::new(),
            places: HashMap::new(),
            rules: Vec::new(),
            rule_of: Vec::new(),
            expected: String::new(),
            versions: BTreeMap::new(),
        };
        for (index, (id, (result, case))) in first.into_iter().enumerate() {
            cases.ids.push(id);
            cases.places.insert(id, index);
            let rule = heads.get(id).copied().unwrap_or_default();
            cases.rule_of.push(rules.place(result, &case.format, rule));
            cases.expected.push(match case.expected {
                Expectation::Accept => 'a',
                Expectation::Reject => 'r',
                Expectation::Either => 'e',
            });
            if case.version != 1 {
                cases.versions.insert(index, case.version);
            }
        }
        cases.rules = rules.list;
        cases
    }

    /// Returns the index of a case, and the index of the rule that the case is listed under.
    fn place(&self, case: &CaseResult) -> Option<(usize, usize)> {
        let index = *self.places.get(case.case.as_str())?;
        Some((index, self.rule_of[index]))
    }

    fn version(&self, index: usize) -> u32 {
        self.versions.get(&index).copied().unwrap_or(1)
    }
}

/// Returns the rule that each case is listed under. If all failures in a case are counted under the
/// same rule, the case is listed under that rule; otherwise, it is listed under the first rule that
/// it tests.
fn heads<'r>(columns: &[Column<'r>]) -> HashMap<&'r str, &'r str> {
    let mut heads: HashMap<&str, (&str, bool)> = HashMap::new();
    for case in columns.iter().flat_map(|column| &column.reader.cases) {
        let own = case.rules.first().map_or("", String::as_str);
        let head = case.rule().unwrap_or_default();
        let failed = case.outcome.is_failure();
        let (known, by_failure) = heads.entry(&case.case).or_insert((own, false));
        match (failed, *by_failure) {
            (true, false) => (*known, *by_failure) = (head, true),
            (true, true) if *known != head => *known = own,
            _ => {}
        }
    }
    heads
        .into_iter()
        .map(|(case, (rule, _))| (case, rule))
        .collect()
}

/// Rules by format, in the order of the specification.
struct Rules<'r> {
    list: Vec<Rule>,
    places: HashMap<(&'r str, &'r str), usize>,
}

impl<'r> Rules<'r> {
    /// Collects the rules that cases are listed under.
    fn of(columns: &[Column<'r>], heads: &HashMap<&'r str, &'r str>) -> Self {
        let mut rules = Self {
            list: Vec::new(),
            places: HashMap::new(),
        };
        let mut order: HashMap<(&str, &str), usize> = HashMap::new();
        for column in columns {
            for rule in &column.result.run.rules {
                let next = order.len();
                order.entry((&rule.format, &rule.id)).or_insert(next);
            }
        }
        let mut wanted: Vec<(&RunResult, &'r str, &'r str)> = Vec::new();
        for column in columns {
            let cases = column.reader.cases.iter();
            wanted.extend(cases.map(|case| {
                let rule = heads.get(case.case.as_str()).copied().unwrap_or_default();
                (column.result, case.format.as_str(), rule)
            }));
        }
        wanted.sort_by_key(|(_, format, rule)| {
            let base = format.split('@').next().unwrap_or_default();
            let at = order.get(&(*format, *rule));
            let at = at.or_else(|| order.get(&(base, *rule)));
            (*format, at.copied().unwrap_or(usize::MAX))
        });
        for (result, format, rule) in wanted {
            rules.place(result, format, rule);
        }
        rules
    }

    fn place(&mut self, result: &RunResult, format: &'r str, id: &'r str) -> usize {
        let list = &mut self.list;
        *self.places.entry((format, id)).or_insert_with(|| {
            let info = RuleInfo::find(&result.run.rules, id, format);
            let text = |of: fn(&RuleInfo) -> &String| {
                info.map_or_else(String::new, |info| visible(of(info)).into_owned())
            };
            list.push(Rule {
                id: visible(id).into_owned(),
                format: visible(format).into_owned(),
                section: text(|info| &info.section),
                level: info.map(|info| info.level),
                says: text(|info| &info.says),
                duty: info.map(|info| info.reader),
                strict: info.is_some_and(|info| info.profile == Profile::Strict),
            });
            list.len() - 1
        })
    }
}

/// The details of noteworthy cases, as many as fit on the page.
struct Details<'b> {
    casebook: &'b dyn Casebook,
    texts: Texts,
    room: usize,
    pages: BTreeMap<usize, Page>,
    readers: Vec<BTreeMap<usize, CaseDetail>>,
    dropped: usize,
}

impl Details<'_> {
    /// Adds the details of a few cases for each rule and reader first, so that the page covers
    /// every rule and reader even if not all details fit.
    fn fill(&mut self, columns: &[Column<'_>], cases: &Cases<'_>) {
        let mut early = Vec::new();
        let mut late = Vec::new();
        for (number, column) in columns.iter().enumerate() {
            let mut seen: HashMap<usize, usize> = HashMap::new();
            for case in column
                .reader
                .cases
                .iter()
                .filter(|case| is_noteworthy(case))
            {
                let Some(index) = cases.places.get(case.case.as_str()).copied() else {
                    continue;
                };
                let before = seen.entry(cases.rule_of[index]).or_default();
                *before += 1;
                let queue = if *before > FIRST {
                    &mut late
                } else {
                    &mut early
                };
                queue.push((index, number, case));
            }
        }
        early.sort_by_key(|(index, number, _)| (*index, *number));
        late.sort_by_key(|(index, number, _)| (*index, *number));
        for (index, number, case) in early.into_iter().chain(late) {
            self.add(index, number, case, cases);
        }
    }

    fn add(&mut self, index: usize, number: usize, case: &CaseResult, cases: &Cases<'_>) {
        if self.used() > self.room {
            self.dropped += 1;
            return;
        }
        if case.version == cases.version(index)
            && case.detail.is_some()
            && !self.pages.contains_key(&index)
        {
            let head = &cases.rules[cases.rule_of[index]].id;
            let page = self.page(case, head);
            self.room = self
                .room
                .saturating_sub(100 + page.excerpt.as_ref().map_or(0, |e| e.1.len()));
            self.pages.insert(index, page);
        }
        let detail = self.detail(case, cases.version(index));
        self.room = self.room.saturating_sub(100);
        self.readers[number].insert(index, detail);
    }

    fn used(&self) -> usize {
        self.texts.bytes()
    }

    fn page(&mut self, case: &CaseResult, head: &str) -> Page {
        let held = case.detail.as_deref().cloned().unwrap_or_default();
        let known = self
            .casebook
            .page(&case.case, case.version)
            .unwrap_or_default();
        let why = if known.why.is_empty() {
            &held.why
        } else {
            &known.why
        };
        let texts = &mut self.texts;
        let dump = (!known.dump.is_empty()).then(|| texts.add(&window(&known.dump)));
        Page {
            why: texts.add(why),
            expected: texts.add(&held.expected),
            operator: texts.maybe(case.operator.as_deref().or(known.operator.as_deref())),
            twin: texts.maybe(case.twin.as_deref().or(known.twin.as_deref())),
            fault: held
                .fault
                .map(|fault| (texts.add(&fault.path), fault.start, fault.end)),
            excerpt: match dump {
                Some(_) => None,
                None => held.excerpt.map(|excerpt| (excerpt.offset, excerpt.hex)),
            },
            dump,
            unusual: case.departures.iter().map(|name| texts.add(name)).collect(),
            also: case
                .rules
                .iter()
                .filter(|rule| *rule != head)
                .map(|rule| texts.add(rule))
                .collect(),
        }
    }

    /// Returns the bytes that the expected value was read from.
    fn read_from(&mut self, case: &CaseResult, differs: &Difference) -> Option<ReadFrom> {
        let origins = &differs.origins;
        let excerpt = &origins.first()?.excerpt;
        let ranges = origins.iter().map(|origin| (origin.offset, origin.end()));
        let places = origins.iter().map(read_from).collect();
        Some(self.bytes(case, ranges.collect(), places, excerpt))
    }

    /// Returns the bytes that the reader probably misreads.
    fn look_at(&mut self, case: &CaseResult, place: &LookAt) -> ReadFrom {
        let ranges = vec![(place.offset, place.end())];
        self.bytes(case, ranges, vec![look_at(place)], &place.excerpt)
    }

    /// Returns `ranges` together with their descriptions, `places`.
    fn bytes(
        &mut self,
        case: &CaseResult,
        ranges: Vec<(u64, u64)>,
        places: Vec<String>,
        excerpt: &Excerpt,
    ) -> ReadFrom {
        let known = self.casebook.page(&case.case, case.version);
        let dump = known.map(|page| around(&page.dump, &ranges));
        let dump = dump.filter(|dump| !dump.is_empty());
        let texts = &mut self.texts;
        let shown = ReadFrom {
            places: places.iter().map(|place| texts.add(place)).collect(),
            excerpt: match dump {
                Some(_) => None,
                None => Some((excerpt.offset, excerpt.hex.clone())),
            },
            dump: dump.map(|dump| texts.add(&dump)),
            ranges,
        };
        let hex = shown.excerpt.as_ref().map_or(0, |excerpt| excerpt.1.len());
        self.room = self.room.saturating_sub(60 * places.len() + hex);
        shown
    }

    fn detail(&mut self, case: &CaseResult, version: u32) -> CaseDetail {
        let differs = case.detail.as_deref();
        let differs = differs.and_then(|held| held.difference.as_ref());
        let read_from = differs.and_then(|differs| self.read_from(case, differs));
        let missed = case.detail.as_deref().and_then(|it| it.look_at.as_ref());
        let look_at = missed.map(|place| self.look_at(case, place));
        let texts = &mut self.texts;
        let held = case.detail.as_deref();
        CaseDetail {
            actual: held.map(|held| texts.add(&held.actual)),
            hint: texts.maybe(held.and_then(|held| held.hint.as_deref())),
            differs: held
                .and_then(|held| held.difference.as_ref())
                .map(|differs| {
                    (
                        texts.add(&place(differs)),
                        texts.add(&differs.expected),
                        texts.add(&differs.actual),
                    )
                }),
            read_from,
            look_at,
            about: case
                .about_difference()
                .iter()
                .map(|rule| texts.add(rule))
                .collect(),
            stderr: texts.maybe(held.and_then(|held| held.stderr.as_deref())),
            known: texts.maybe(case.known.as_deref()),
            unsteady: texts.maybe(case.unsteady.as_deref()),
            grade: case.grade.filter(|grade| *grade != Grade::default()),
            version: (case.version != version).then_some(case.version),
        }
    }
}

/// Counts, by outcome, the failures that do not fail the run, for example because they are known.
fn uncounted(cases: &[CaseResult]) -> BTreeMap<Outcome, usize> {
    let excused = |case: &&CaseResult| case.outcome.is_failure() && !case.fails_the_run();
    let mut found = BTreeMap::new();
    for case in cases.iter().filter(excused) {
        *found.entry(case.outcome).or_default() += 1;
    }
    found
}

fn is_noteworthy(case: &CaseResult) -> bool {
    case.detail.is_some() || case.unsteady.is_some()
}

fn reader(
    column: &Column<'_>,
    details: BTreeMap<usize, CaseDetail>,
    (fixes, causes): (Fixes, Causes),
    cases: &Cases<'_>,
) -> Reader {
    let ReaderResult {
        reader,
        state,
        totals,
        tail,
        ..
    } = column.reader;
    let headline = Headline::of(column.reader);
    let mut outcomes = vec![' '; cases.ids.len()];
    let mut standings = outcomes.clone();
    for case in &column.reader.cases {
        if let Some(index) = cases.places.get(case.case.as_str()).copied() {
            outcomes[index] = outcome_letter(case);
            standings[index] = standing_letter(case);
        }
    }
    let all = |texts: &[String]| {
        texts
            .iter()
            .map(|text| visible(text).into_owned())
            .collect()
    };
    let mut containment = tail.containment.clone();
    for measure in &mut containment {
        measure.note = visible(&measure.note).into_owned();
    }
    Reader {
        name: column.name.clone(),
        version: reader
            .version
            .as_deref()
            .map(|text| visible(text).into_owned()),
        mode: visible(&reader.mode).into_owned(),
        reports: reader
            .reports
            .as_deref()
            .map(|text| visible(text).into_owned()),
        tone: headline.tone().name(),
        mark: headline.tone().mark(),
        headline: headline.to_string(),
        absent: match state {
            ReaderState::Ran => None,
            ReaderState::Skipped(why) | ReaderState::Failed(why) => Some(visible(why).into_owned()),
        },
        totals: totals.clone(),
        uncounted: uncounted(&column.reader.cases),
        proven: proven(totals).map(percent),
        by_chance: column.reader.by_chance(),
        observed: correct_members(&tail.observed),
        left_out: all(&tail.observed.left_out),
        containment,
        not_run: tail
            .not_run
            .why
            .as_deref()
            .map(|text| visible(text).into_owned()),
        problems: tail
            .baseline_problems
            .iter()
            .map(|problem| visible(&problem.to_string()).into_owned())
            .collect(),
        notes: {
            let crashes = tail.crashes.iter();
            let crashes = crashes.map(|crash| format!("crash that no case alone causes: {crash}"));
            let crashes: Vec<String> = crashes.collect();
            let mut notes = all(&crashes);
            notes.extend(all(&tail.not_repeatable()));
            notes.extend(all(&tail.notes));
            notes
        },
        seed: tail.seed,
        seconds: tail.seconds,
        outcomes: outcomes.into_iter().collect(),
        standings: standings.into_iter().collect(),
        details,
        fixes,
        causes,
    }
}

/// Front-codes sorted names, because each name shares a long prefix with the previous one.
fn front_coded(ids: &[&str]) -> String {
    let mut lines = Vec::with_capacity(ids.len());
    let mut before = String::new();
    for id in ids {
        let id = visible(id);
        let common = before.chars().zip(id.chars()).take_while(|(a, b)| a == b);
        let shared = common.count();
        let rest: String = id.chars().skip(shared).collect();
        lines.push(format!("{shared} {rest}"));
        before = id.into_owned();
    }
    lines.join("\n")
}
