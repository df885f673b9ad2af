//! Frames of stack traces, without the parts of their names that vary between runs, and without
//! frames of the runtime.

/// Prefixes of the names of functions in the C, C++ and Rust runtimes.
const RUNTIME: [&str; 36] = [
    "__GI_",
    "___interceptor_",
    "__asan_",
    "__assert",
    "__cxa_",
    "__cxxabiv1::",
    "__fortify_fail",
    "__gnu_cxx::",
    "__interceptor_",
    "__interception::",
    "__libc_",
    "__lsan",
    "__msan",
    "__pthread_kill",
    "__rust",
    "__sanitizer",
    "__stack_chk_fail",
    "__tsan",
    "__ubsan",
    "_start",
    "abort",
    "alloc::",
    "clone",
    "core::",
    "gsignal",
    "malloc_printerr",
    "operator delete",
    "operator new",
    "pthread_kill",
    "raise",
    "rust_begin_unwind",
    "rust_panic",
    "start_thread",
    "std::__terminate",
    "std::panicking::",
    "std::terminate",
];

/// Parts of paths that identify the runtimes' own sources and libraries.
const RUNTIME_PLACES: [&str; 8] = [
    "/compiler-rt/",
    "/libsanitizer/",
    "/sysdeps/",
    "libasan.so",
    "liblsan.so",
    "libtsan.so",
    "libubsan.so",
    "/rustc/",
];

/// A frame of a stack trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Frame {
    /// The name of the function, or of the module if the function is unknown.
    pub(super) name: String,
    /// Whether the frame belongs to the runtime.
    pub(super) is_runtime: bool,
}

/// Returns the names of the frames without duplicates, so that the depth of a recursion does not
/// change the result. Frames of the runtime are omitted unless there are no others.
pub(super) fn told(frames: &[Frame]) -> Vec<String> {
    let own: Vec<&Frame> = frames.iter().filter(|frame| !frame.is_runtime).collect();
    let shown = if own.is_empty() {
        frames.iter().collect()
    } else {
        own
    };
    let mut names: Vec<String> = Vec::new();
    for frame in shown {
        if !names.contains(&frame.name) {
            names.push(frame.name.clone());
        }
    }
    names
}

/// Parses a frame of a sanitizer: `    #0 0x55d1 in parse src/a.c:6`, `    #0 parse src/a.c:6
/// (a+0x23)`, `    #0 0x7f1c  (/lib/libb.so+0x1139)`.
pub(super) fn sanitizer_frame(line: &str) -> Option<Frame> {
    let rest = line.strip_prefix("    #")?;
    let (number, rest) = rest.split_once(' ')?;
    if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let rest = match rest.strip_prefix("0x") {
        Some(rest) => rest.split_once(' ').map_or("", |(_, rest)| rest),
        None => rest,
    };
    let rest = rest.trim_start();
    let rest = rest.strip_prefix("in ").unwrap_or(rest).trim_start();
    let (text, module) = split_module(rest);
    let name = function(text);
    let is_runtime = RUNTIME.iter().any(|own| name.starts_with(own))
        || RUNTIME_PLACES.iter().any(|place| rest.contains(place));
    let is_named = !matches!(name, "" | "<null>" | "??");
    Some(Frame {
        name: match module {
            Some(module) if !is_named => last_part(module).to_owned(),
            _ => without_hash(name).to_owned(),
        },
        is_runtime,
    })
}

/// Splits `text (module+0x12)` into the text and the module.
fn split_module(text: &str) -> (&str, Option<&str>) {
    let text = text.split(" (BuildId: ").next().unwrap_or(text).trim_end();
    let module = text
        .strip_suffix(')')
        .and_then(|text| text.rsplit_once('('))
        .filter(|(_, module)| module.contains("+0x"));
    match module {
        Some((before, module)) => (before.trim_end(), Some(module)),
        None => (text, None),
    }
}

/// Returns the function in `function file:line`.
fn function(text: &str) -> &str {
    let text = text.strip_suffix(" <null>").unwrap_or(text);
    if let Some(at) = text.find(" /") {
        return &text[..at];
    }
    let is_place = |last: &str| {
        let number = last.rsplit(':').next().unwrap_or_default();
        last.contains(':') && !number.is_empty() && number.bytes().all(|it| it.is_ascii_digit())
    };
    match text.rsplit_once(' ') {
        Some((function, last)) if is_place(last) => function,
        _ => text,
    }
}

/// Returns the name of a Rust function without the hash at its end.
fn without_hash(name: &str) -> &str {
    match name.rsplit_once("::h") {
        Some((name, hash)) if hash.len() == 16 && hash.bytes().all(|it| it.is_ascii_hexdigit()) => {
            name
        }
        _ => name,
    }
}

fn last_part(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Returns a file and line without the parts of the path that vary between machines: only the last
/// two components remain.
pub(super) fn place(path: &str) -> String {
    let mut parts = path.rsplitn(3, ['/', '\\']);
    let file = parts.next().unwrap_or_default();
    match parts.next() {
        Some(folder) if !folder.is_empty() => format!("{folder}/{file}"),
        _ => file.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_named_in_all_of_their_forms() {
        for (line, name, is_runtime) in [
            ("    #0 0x5606ae6e0390 in rd /src/my dir/a.c:6", "rd", false),
            ("    #1 0x5606ae in rd a.c:6:12", "rd", false),
            (
                "    #2 0x7f1c  (/lib/x/libb.so+0x1139)",
                "libb.so+0x1139",
                false,
            ),
            (
                "    #2 0x7f1c in  (libb.so+0x1139) (BuildId: 0a1b)",
                "libb.so+0x1139",
                false,
            ),
            (
                "    #6 <null> <null> (libstdc++.so.6+0xd44a2)",
                "libstdc++.so.6+0xd44a2",
                false,
            ),
            (
                "    #0 operator() /src/t.cc:5 (t+0x2332)",
                "operator()",
                false,
            ),
            (
                "    #3 0x1 in a::b(int, char*) (/x/bin+0x21c0)",
                "a::b(int, char*)",
                false,
            ),
            (
                "    #3 0x1 in m::f::h0123456789abcdef /m.rs:1",
                "m::f",
                false,
            ),
            (
                "    #0 0x7f in __interceptor_free ../libsanitizer/a.cpp:5",
                "__interceptor_free",
                true,
            ),
            (
                "    #4 0x7f in __libc_start_main_impl ../csu/libc-start.c:360",
                "__libc_start_main_impl",
                true,
            ),
        ] {
            let frame = sanitizer_frame(line).expect(line);
            assert_eq!((frame.name.as_str(), frame.is_runtime), (name, is_runtime));
        }
        for line in ["#0 0x1 in f", "    # 0x1", "    #x 0x1 in f", ""] {
            assert_eq!(sanitizer_frame(line), None, "{line}");
        }
    }

    #[test]
    fn recursion_shows_once_and_the_runtime_not_at_all() {
        let frame = |name: &str| Frame {
            name: name.to_owned(),
            is_runtime: name == "abort",
        };
        assert_eq!(
            told(&["abort", "a", "b", "a", "b", "c"].map(frame)),
            ["a", "b", "c"]
        );
        assert_eq!(told(&["abort"].map(frame)), ["abort"]);
    }

    #[test]
    fn places_have_two_parts() {
        assert_eq!(place("/build/x/src/lib.rs:1:2"), "src/lib.rs:1:2");
        assert_eq!(place("a.c:1"), "a.c:1");
        assert_eq!(place("/a.c:1"), "a.c:1");
    }
}
