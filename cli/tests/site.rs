//! Tests the documentation: links must not be dead, the reference must match the code, and the site
//! must build.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use joining::{Place, root};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use crate::joining;

/// Returns the contents of all `.md` files in `folder` and its subfolders, by their path in the
/// repository.
fn pages(folder: &str) -> BTreeMap<PathBuf, String> {
    let mut found = BTreeMap::new();
    let mut open = vec![PathBuf::from(folder)];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(root().join(&folder)).expect("a folder") {
            let entry = entry.expect("an entry");
            let path = folder.join(entry.file_name());
            if entry.path().is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                let text = fs::read_to_string(entry.path()).expect("a page");
                found.insert(path, text);
            }
        }
    }
    found
}

fn parsed(text: &str) -> impl Iterator<Item = Event<'_>> {
    Parser::new_ext(text, Options::ENABLE_TABLES)
}

/// Returns the targets of a page's links, except those on other servers.
fn links(text: &str) -> Vec<String> {
    parsed(text)
        .filter_map(|event| match event {
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                Some(dest_url.into_string())
            }
            _ => None,
        })
        .filter(|link| !link.contains("://"))
        .collect()
}

/// Returns the anchors of a page to which links can refer: its headings, with the names that common
/// renderers give them, and explicit anchors.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut heading: Option<String> = None;
    for event in parsed(text) {
        match event {
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::End(TagEnd::Heading(_)) => {
                let title = heading.take().unwrap_or_default();
                found.insert(tracegauge_spec::page::anchor(&title));
            }
            Event::Text(words) | Event::Code(words) => {
                if let Some(heading) = &mut heading {
                    heading.push_str(&words);
                }
            }
            Event::InlineHtml(html) | Event::Html(html) => {
                let id = html.split("id=\"").nth(1);
                found.extend(id.and_then(|id| id.split('"').next()).map(str::to_owned));
            }
            _ => {}
        }
    }
    found
}

/// Returns the reason why a link on the page at `path` is dead, if it is.
fn dead(path: &Path, text: &str, link: &str) -> Option<String> {
    let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
    let target = path.parent().expect("a folder").join(file);
    let target = if file.is_empty() { path } else { &target };
    let target = root().join(target);
    if !target.exists() {
        return Some(format!("{}: there is no {link}", path.display()));
    }
    let named = match file.is_empty() {
        true => text.to_owned(),
        false if anchor.is_empty() => return None,
        false => fs::read_to_string(target).expect("a page"),
    };
    let is_there = anchor.is_empty() || anchors(&named).contains(anchor);
    (!is_there).then(|| format!("{}: no heading is called {link}", path.display()))
}

#[test]
fn every_link_leads_somewhere() {
    let mut pages = pages("docs");
    for more in [
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "README.md",
        "readers/README.md",
    ] {
        let text = fs::read_to_string(root().join(more)).expect("a page");
        pages.insert(PathBuf::from(more), text);
    }
    let mut looked_at = 0;
    let mut wrong = Vec::new();
    for (path, text) in &pages {
        for link in links(text) {
            looked_at += 1;
            wrong.extend(dead(path, text, &link));
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
    assert!(looked_at > 100, "{looked_at}");
}

/// Returns the paths for which a code span stands: `a/{b,c}` stands for `a/b` and `a/c`.
fn paths(span: &str) -> Vec<String> {
    let group = span.split_once('{').and_then(|(start, rest)| {
        let (names, end) = rest.split_once('}')?;
        Some((start, names, end))
    });
    match group {
        Some((start, names, end)) => {
            let names = names.split(',');
            names.map(|name| format!("{start}{name}{end}")).collect()
        }
        None => vec![span.to_owned()],
    }
}

#[test]
fn every_place_on_the_map_of_the_code_exists() {
    let mut looked_at = 0;
    for page in ["ARCHITECTURE.md", "CONTRIBUTING.md"] {
        let text = fs::read_to_string(root().join(page)).expect("a page");
        for event in parsed(&text) {
            let Event::Code(span) = event else { continue };
            let folder = span.split('/').next().unwrap_or_default();
            let is_path = span.contains('/') && !span.contains([' ', '…']);
            if !is_path || !root().join(folder).is_dir() {
                continue;
            }
            for path in paths(&span) {
                let path = path.replace("FORMAT/", "");
                assert!(root().join(&path).exists(), "{page}: there is no {path}");
                looked_at += 1;
            }
        }
    }
    assert!(looked_at > 60, "{looked_at}");
}

#[test]
fn a_dead_link_is_seen() {
    let path = Path::new("docs/README.md");
    let text =
        "# A *title* of `two`\n\n[a](#a-title-of-two) [b](#b) [c](none.md) [d](speed.md#none)";
    let links = links(text);
    let wrong: Vec<String> = links
        .iter()
        .filter_map(|link| dead(path, text, link))
        .collect();
    assert_eq!(
        wrong,
        [
            "docs/README.md: no heading is called #b",
            "docs/README.md: there is no none.md",
            "docs/README.md: no heading is called speed.md#none",
        ]
    );
}

#[test]
fn every_page_has_its_line_in_the_table_of_contents() {
    let pages = pages("docs");
    let contents = &pages[Path::new("docs/SUMMARY.md")];
    let named: BTreeSet<PathBuf> = links(contents)
        .iter()
        .map(|link| Path::new("docs").join(link))
        .chain([PathBuf::from("docs/SUMMARY.md")])
        .collect();
    let there: BTreeSet<PathBuf> = pages.into_keys().collect();
    assert_eq!(there, named);
}

#[test]
fn the_reference_is_what_the_code_says() {
    let place = Place::new();
    let made = place.tracegauge(&["reference", "--out", "reference"]);
    assert_eq!(made.status, Some(0), "{}", made.all());
    let kept = pages("docs/reference");
    for (path, text) in &kept {
        let name = path.strip_prefix("docs").expect("a page of the reference");
        let now = fs::read_to_string(place.path().join(name)).unwrap_or_default();
        assert!(
            now == *text,
            "{} is not what the code says; `cargo run --release -- reference --out \
             docs/reference` makes it anew, and what is no longer generated is to be deleted",
            path.display()
        );
    }
    let lines = fs::read_to_string(place.path().join("reference/rules.md")).expect("a page");
    let formats = links(&lines).len();
    // The pages are the table of contents, one page per format, and five others.
    assert_eq!(kept.len(), 7 + formats);
}

/// Kaitai keys that have no meaning in tracegauge.
const NOTES: [&str; 6] = [
    "application",
    "ks-debug",
    "ks-opaque-types",
    "ks-version",
    "license",
    "xref",
];

#[test]
fn every_key_of_the_language_is_explained() {
    let pages = pages("docs");
    let about = |path: &&PathBuf| {
        path.starts_with("docs/language") || path.as_path() == Path::new("docs/language.md")
    };
    let explained: String = pages
        .iter()
        .filter(|(path, _)| about(path))
        .map(|(_, text)| text.as_str())
        .collect();
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let words: BTreeSet<&str> = explained.split(|c| !is_part(c)).collect();
    let keys = &pages[Path::new("docs/reference/language-keys.md")];
    let codes = parsed(keys).filter_map(|event| match event {
        Event::Code(key) => Some(key.into_string()),
        _ => None,
    });
    let missing: BTreeSet<String> = codes
        .filter(|key| !words.contains(key.as_str()) && !NOTES.contains(&key.as_str()))
        .collect();
    assert_eq!(missing, BTreeSet::new());
}

/// Returns the local targets to which a built page refers.
fn references(html: &str) -> impl Iterator<Item = &str> {
    let parts = ["href=\"", "src=\""]
        .into_iter()
        .flat_map(|start| html.split(start).skip(1));
    let named = parts.filter_map(|rest| rest.split('"').next());
    named.filter(|link| !link.contains(':') && !link.starts_with('#') && !link.starts_with('/'))
}

#[test]
fn the_site_is_built_and_whole() {
    let place = Place::new();
    let site = place.path().join("site");
    let built = Command::new("sh")
        .arg(root().join("ci/site.sh"))
        .env("TRACEGAUGE_SITE", &site)
        .output()
        .expect("a shell");
    let said = String::from_utf8_lossy(&built.stderr);
    if built.status.code() == Some(4) {
        return println!("{said}");
    }
    assert!(built.status.success(), "{said}");
    let mut wrong = Vec::new();
    for path in pages("docs").into_keys() {
        let page = match path.file_name().expect("a name").to_str() {
            Some("SUMMARY.md") => continue,
            Some("README.md") => site.join(&path).with_file_name("index.html"),
            _ => site.join(&path).with_extension("html"),
        };
        let html = fs::read_to_string(&page).expect("a built page");
        for link in references(&html) {
            let file = link.split(['#', '?']).next().unwrap_or(link);
            let target = page.parent().expect("a folder").join(file);
            let is_page = !target.is_dir() || target.join("index.html").is_file();
            if !target.exists() || !is_page {
                wrong.push(format!("{}: {link}", page.display()));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}
