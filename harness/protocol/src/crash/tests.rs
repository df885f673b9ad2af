//! Tests with the reports of real programs and with texts that resemble them.

use tracegauge_results::{Access, Severity};

use super::{Sighted, Watch};

fn sighted(text: &str) -> Sighted {
    let mut watch = Watch::default();
    // The result must not depend on how the output is split into pieces.
    for piece in text.as_bytes().chunks(7) {
        watch.push(piece);
    }
    watch.take()
}

const ASAN: &str = "\
=================================================================
==13219==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602000000018 at pc 0x56 bp 0x7 sp 0x7
READ of size 1 at 0x602000000018 thread T0
    #0 0x5606ae6e0390 in rd /code/cr/a.c:6
    #1 0x5606ae6e042f in via /code/cr/a.c:8
    #2 0x7fb5bc045249 in __libc_start_call_main ../sysdeps/nptl/libc_start_call_main.h:58
    #3 0x5606ae6e01c0 in _start (/code/cr/a_asan+0x21c0)

0x602000000018 is located 0 bytes to the right of 8-byte region [0x602000000010,0x602000000018)
allocated by thread T0 here:
    #0 0x7fb5bcab89cf in __interceptor_malloc ../../../../src/libsanitizer/asan/asan_malloc_linux.cpp:69
    #1 0x5606ae6e04e3 in main /code/cr/a.c:9

SUMMARY: AddressSanitizer: heap-buffer-overflow /code/cr/a.c:6 in rd
==13219==ABORTING
";

#[test]
fn a_sanitizer_report_says_what_where_and_how_bad() {
    let crash = sighted(ASAN).crash.expect("a crash");
    assert_eq!(
        crash.to_string(),
        "AddressSanitizer: heap-buffer-overflow (read) in rd, called from via"
    );
    assert_eq!(crash.severity, Severity::NotExploitable);
    let write = ASAN.replace("READ of", "WRITE of");
    let crash = sighted(&write).crash.expect("a crash");
    assert_eq!(
        (crash.access, crash.severity),
        (Some(Access::Write), Severity::Exploitable)
    );
}

#[test]
fn colors_and_the_name_of_the_program_change_nothing() {
    let plain = sighted(ASAN);
    let named = ASAN.replace("==13219==", "==a_asan==13219==");
    assert_eq!(sighted(&named), plain);
    let colored = ASAN
        .replace("==13219==ERROR", "\x1b[1m\x1b[31m==13219==ERROR")
        .replace("sp 0x7\n", "sp 0x7\n\x1b[1m\x1b[0m")
        .replace("READ of size 1", "\x1b[1m\x1b[34mREAD of size 1")
        .replace("T0\n", "T0\x1b[1m\x1b[0m\n");
    assert_eq!(sighted(&colored), plain);
    let python = "Traceback (most recent call last):\n  File \x1b[35m\"p.py\"\x1b[0m, line \
                  \x1b[35m2\x1b[0m, in \x1b[35mf\x1b[0m\n    raise ValueError(\"x\")\n\
                  \x1b[1;35mValueError\x1b[0m: \x1b[35mx\x1b[0m\n";
    let crash = sighted(python).traceback.expect("a traceback");
    assert_eq!(crash.to_string(), "Python: ValueError in p.py:f");
    // Other escape sequences are text.
    assert_eq!(
        sighted(&ASAN.replace("==13219==ERROR", "\x1b[2J==13219==ERROR")),
        Sighted::default()
    );
}

#[test]
fn addresses_near_null_are_told() {
    let report = |address: &str, access: &str| {
        format!(
            "AddressSanitizer:DEADLYSIGNAL\n==1==ERROR: AddressSanitizer: SEGV on unknown address \
             {address} (pc 0x5 bp 0x7 sp 0x7 T0)\n==1==The signal is caused by a {access} memory \
             access.\n    #0 0x5 in rd /a.c:6\n"
        )
    };
    let of = |address, access| {
        let crash = sighted(&report(address, access)).crash.expect("a crash");
        (crash.class(), crash.severity)
    };
    let not = Severity::NotExploitable;
    assert_eq!(
        of("0x000000000010", "READ"),
        ("SEGV (read, near null)".into(), not)
    );
    assert_eq!(of("0x7f0000000010", "READ"), ("SEGV (read)".into(), not));
    let probably = Severity::ProbablyExploitable;
    assert_eq!(
        of("0x00000000ffff", "WRITE"),
        ("SEGV (write, near null)".into(), probably)
    );
    assert_eq!(
        of("0x000000010000", "WRITE"),
        ("SEGV (write)".into(), Severity::Exploitable)
    );
}

#[test]
fn last_words_of_native_programs_are_crashes_whatever_the_answer() {
    for (text, expected) in [
        (
            "a: a.c:15: main: Assertion `c==77' failed.\n",
            "C: assertion failed in a.c:15",
        ),
        (
            "a: /s/a.cc:1123: T& std::vector<T>::operator[](size_t) [with T = int]: Assertion '__n < this->size()' failed.\n",
            "C: assertion failed in s/a.cc:1123",
        ),
        (
            "Assertion failed: c == 77 (a.c: main: 15)\n",
            "C: assertion failed in a.c:15",
        ),
        (
            "Assertion failed: (c == 77), function main, file a.c, line 15.\n",
            "C: assertion failed in a.c:15",
        ),
        (
            "free(): double free detected in tcache 2\n",
            "C library: heap corruption",
        ),
        (
            "*** stack smashing detected ***: terminated\n",
            "C library: stack smashing",
        ),
        (
            "terminate called after throwing an instance of 'std::runtime_error'\n  what():  bad\n",
            "C++: uncaught std::runtime_error",
        ),
        (
            "terminate called without an active exception\n",
            "C++: std::terminate",
        ),
        (
            "libc++abi: terminating due to uncaught exception of type std::logic_error: x\n",
            "C++: uncaught std::logic_error",
        ),
        (
            "a.c:17:53: runtime error: signed integer overflow: 2147483647 + 2 cannot be represented in type 'int'\n",
            "UndefinedBehaviorSanitizer: signed integer overflow in a.c:17:53",
        ),
        (
            "src/a.c:1:2: runtime error: load of value 7, which is not a valid value for type 'bool'\n",
            "UndefinedBehaviorSanitizer: load of value # (read) in src/a.c:1:2",
        ),
        (
            "\nthread 'main' (13514) has overflowed its stack\nfatal runtime error: stack overflow, aborting\n",
            "Rust: stack overflow",
        ),
        (
            "memory allocation of 9223372036854775807 bytes failed\n",
            "Rust: out-of-memory",
        ),
        (
            "==1==WARNING: MemorySanitizer: use-of-uninitialized-value\n    #0 0x5 in rd /a.c:6\n",
            "MemorySanitizer: use-of-uninitialized-value in rd",
        ),
        (
            "==13247==ERROR: LeakSanitizer: detected memory leaks\n\nDirect leak of 8 byte(s) in 1 object(s) allocated from:\n    #0 0x7 in __interceptor_malloc ../libsanitizer/a.cpp:69\n    #1 0x5 in grow /a.c:9\n",
            "LeakSanitizer: memory-leaks in grow",
        ),
        (
            "WARNING: ThreadSanitizer: data race (pid=13289)\n  Read of size 4 at 0x5588 by thread T2:\n    #0 count /t.cc:5 (t+0x2332)\n",
            "ThreadSanitizer: data race (read) in count",
        ),
    ] {
        let found = sighted(text);
        assert_eq!(
            found.crash.map(|it| it.to_string()).as_deref(),
            Some(expected),
            "{text}"
        );
    }
}

#[test]
fn tracebacks_of_languages_count_only_without_an_answer() {
    for (text, expected) in [
        (
            "\nthread 'main' (13500) panicked at src/r.rs:1:27:\nindex out of bounds: the len is 1 but the index is 7\n",
            "Rust: index out of bounds: the len is # but the index is # in src/r.rs:1:27",
        ),
        (
            "thread '<unnamed>' panicked at 'no', r.rs:1:27\n",
            "Rust: no in r.rs:1:27",
        ),
        (
            "panic: runtime error: index out of range [5] with length 1\n\ngoroutine 1 [running]:\nmain.f(...)\n\t/code/main.go:3\nmain.main()\n\t/code/main.go:4 +0x1ac\n",
            "Go: runtime error: index out of range [#] with length # in main.f, called from main.main",
        ),
        (
            "fatal error: concurrent map writes\n\ngoroutine 8 [running]:\ninternal/runtime/maps.fatal({0x4acdeb?, 0x0?})\n\t/go/panic.go:1181 +0x18\nmain.main.func1()\n\t/m.go:4 +0x28\ncreated by main.main in goroutine 1\n",
            "Go: concurrent map writes in main.main.func1",
        ),
        (
            "Traceback (most recent call last):\n  File \"/code/p.py\", line 5, in <module>\n    f()\n  File \"/code/p.py\", line 4, in f\n    raise x\n          ^\nValueError: oops\nTraceback (most recent call last):\n",
            "Python: ValueError in p.py:f, called from p.py:<module>",
        ),
        (
            "/code/n.js:1\nfunction f(){ throw new TypeError('bad') } f()\n              ^\n\nTypeError: bad\n    at f (/code/n.js:1:21)\n    at Object.<anonymous> (/code/n.js:1:44)\n    at Module._compile (node:internal/modules/cjs/loader:1521:14)\n\nNode.js v20.20.2\n",
            "Node.js: TypeError in f, called from code/n.js:1:44",
        ),
        (
            "node:internal/modules/run_main:123\n    triggerUncaughtException(\n    ^\ntext\n(Use `node --trace-uncaught ...` to show where the exception was thrown)\n\nNode.js v20.20.2\n",
            "Node.js: uncaught value",
        ),
        (
            "Exception in thread \"main\" java.lang.IllegalStateException: x\n\tat java.base/java.util.Objects.x(Objects.java:1)\n\tat J.f(J.java:1)\n\tat J.main(J.java:1)\nCaused by: java.lang.RuntimeException: y\n\t... 2 more\n",
            "Java: java.lang.IllegalStateException in J.f, called from J.main",
        ),
        (
            "Unhandled exception. System.InvalidOperationException: x\n   at System.Linq.First()\n   at P.R.Read(Byte[] x) in /p/r.cs:line 5\n",
            ".NET: System.InvalidOperationException in P.R.Read",
        ),
    ] {
        let found = sighted(text);
        assert_eq!(found.crash, None, "{text}");
        assert_eq!(
            found.traceback.map(|it| it.to_string()).as_deref(),
            Some(expected),
            "{text}"
        );
    }
}

#[test]
fn an_echo_is_no_report() {
    let echoes = [
        "==1==ERROR: AddressSanitizer\n",
        "==1==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x1\nand no more\n",
        "bad name: ==1==ERROR: AddressSanitizer: SEGV on x\n    #0 0x5 in rd /a.c:6\n",
        "panicked at\nthread 'main' panicked at\nsrc/main.rs panicked at src/r.rs:1:2:\n",
        "Traceback (most recent call last):\nno frames\n",
        "panic: it says\nfatal error: it says\nNode.js v20.20.2\n",
        "Exception in thread \"main\" java.lang.IllegalStateException: x\n",
        "Unhandled exception. System.X: y\n",
        "trace.bin:3:4: runtime error: unexpected end\n",
        "a.c: Assertion `x' failed.\nAssertion failed: so it is\n",
        "free(): I am free\nterminate called\ncorrupted input\n",
        "==7==WARNING: AddressSanitizer failed to allocate 0xfff bytes\n    #0 0x5 in rd /a.c:6\n",
        "==7==LeakSanitizer has encountered a fatal error.\n",
        "WARNING: ThreadSanitizer: \n    #0 f /a.c:6 (t+0x1)\n",
    ];
    for text in echoes {
        assert_eq!(sighted(text), Sighted::default(), "{text}");
    }
    let indented: String = ASAN.lines().map(|line| format!("  {line}\n")).collect();
    assert_eq!(sighted(&indented), Sighted::default());
}

#[test]
fn the_report_that_tells_most_stays() {
    let text = format!("a.c:1:2: runtime error: division by zero\n{ASAN}{ASAN}");
    let crash = sighted(&text.replacen("heap-buffer", "first", 1))
        .crash
        .expect("a crash");
    assert_eq!(crash.kind, "first-overflow");
}

#[test]
fn a_stack_of_thousands_of_frames_is_read_at_both_ends() {
    let mut text = "Traceback (most recent call last):\n".to_owned();
    for _ in 0..3000 {
        text += "  File \"/p.py\", line 4, in deep\n    deep()\n";
    }
    text += "  File \"/p.py\", line 9, in last\n    x\nRecursionError: too deep\n";
    let traceback = sighted(&text).traceback.expect("a traceback");
    assert_eq!(
        traceback.to_string(),
        "Python: RecursionError in p.py:last, called from p.py:deep"
    );
}

#[test]
fn a_reader_may_have_reports_of_its_own() {
    let mut watch = Watch::new(
        ["FATAL: *".into()]
            .map(|it: String| tracegauge_corpus::pattern::Pattern::new(it))
            .into(),
    );
    watch.push(b"not FATAL: so\nFATAL: in block 17 at 0x5f\n");
    let crash = watch.take().crash.expect("a crash");
    assert_eq!(crash.to_string(), "reader: FATAL: in block # at #");
    assert_eq!(watch.take(), Sighted::default());
}
