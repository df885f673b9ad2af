// Written by tracegauge corpus export; changes will be overwritten.
package tracegauge;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;

/** Tests a reader on the cases in {@code cases/}, and judges it as {@code tracegauge run} does. */
final class Cases {
    private static final Path FOLDER = Path.of(System.getProperty("tracegauge.cases", "cases"));
    private static final Path KNOWN = FOLDER.resolveSibling("known-failures.txt");
    private static final Set<String> OUTCOMES =
            Set.of("wrong-records", "wrong-reject", "wrong-accept", "undeclared-gap", "protocol", "crash");

    /** Stack size of a test in bytes. Values may be nested as deeply as their format allows. */
    private static final long STACK = 512L << 20;

    private Cases() {}

    /** The answer of the reader: accept, reject, unsupported or crash. */
    private record Answer(String said, List<?> records, String why) {}

    /** The outcome of a case, and a description of the difference. */
    private record Outcome(String name, List<String> told) {}

    /** A line of known-failures.txt. */
    private record Known(int line, String outcome, Pattern pattern, String reason) {}

    /** Returns tests for the cases of a format whose names begin with one of {@code groups}. */
    static Stream<DynamicTest> of(String format, String... groups) {
        try {
            List<String> lines = Files.readAllLines(FOLDER.resolve(format + ".txt"));
            List<Known> known = known();
            String wanted = System.getenv("TRACEGAUGE_CASES");
            List<DynamicTest> tests = new ArrayList<>();
            for (String line : lines) {
                String[] fields = line.split("\t");
                boolean isWanted = wanted == null || glob(wanted).matcher(fields[0]).matches();
                if (isWanted && isIn(fields[0], groups)) {
                    tests.add(DynamicTest.dynamicTest(fields[0], () -> check(FOLDER.resolve(fields[1]), known)));
                }
            }
            if (tests.isEmpty() && wanted == null) {
                fail("no case of " + List.of(groups) + " is listed in " + format + ".txt; export the tests again");
            }
            return tests.stream();
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }

    private static boolean isIn(String name, String... groups) {
        return Stream.of(groups).anyMatch(group -> name.equals(group) || name.startsWith(group + "/"));
    }

    /** Runs a test with a stack that is large enough for the values that a recursive reader returns. */
    private static void check(Path trace, List<Known> known) throws Throwable {
        Throwable[] thrown = new Throwable[1];
        Runnable test = () -> {
            try {
                examine(trace, known);
            } catch (Throwable error) {
                thrown[0] = error;
            }
        };
        Thread thread = new Thread(null, test, "tracegauge", STACK);
        // If the build stops a reader that hangs, the process must be able to end.
        thread.setDaemon(true);
        thread.start();
        thread.join();
        if (thrown[0] != null) {
            throw thrown[0];
        }
    }

    private static void examine(Path trace, List<Known> known) throws Exception {
        Map<?, ?> wanted = load(trace);
        Answer answer = ask(trace);
        Outcome judged = judge(wanted, answer);
        conclude(wanted, judged.name(), report(wanted, trace, answer, judged), known);
    }

    /** Passes, fails or skips the test. */
    private static void conclude(Map<?, ?> wanted, String outcome, String text, List<Known> known) {
        for (Known entry : known) {
            if (!entry.pattern().matcher((String) wanted.get("case")).matches()) {
                continue;
            }
            if (entry.outcome().equals(outcome)) {
                abort("known failure: " + entry.reason());
            }
            fail("known-failures.txt:" + entry.line() + ": listed as " + entry.outcome() + ", but the outcome is "
                    + outcome + "; correct the entry\n" + text);
        }
        Object level = wanted.get("level");
        boolean isBreakdown = outcome.equals("crash") || outcome.equals("protocol");
        boolean counts = level.equals("must") || isBreakdown || System.getenv("TRACEGAUGE_STRICT") != null;
        if (outcome.equals("pass")) {
            return;
        }
        if (level.equals("disputed") || !counts) {
            abort(outcome + ", which does not count without TRACEGAUGE_STRICT=1: the case is " + level);
        }
        fail(text);
    }

    private static void fail(String text) {
        Assertions.fail(Comparison.printable(text));
    }

    private static void abort(String text) {
        Assumptions.abort(Comparison.printable(text));
    }

    /** Loads the expectation next to a trace, and checks that the trace has not changed. */
    private static Map<?, ?> load(Path trace) throws IOException {
        Path beside = trace.resolveSibling(trace.getFileName() + ".json");
        Map<?, ?> wanted = (Map<?, ?>) new Json(Files.readString(beside)).read();
        byte[] data = Files.readAllBytes(trace);
        CRC32 sum = new CRC32();
        sum.update(data);
        Number length = (Number) wanted.get("length");
        if (data.length != length.longValue() || sum.getValue() != Long.parseLong((String) wanted.get("crc32"), 16)) {
            fail(trace + " is not the trace that was exported (" + data.length + " bytes, expected " + length + ")."
                    + " If git converted its line endings, check it out again with cases/.gitattributes in place;"
                    + " otherwise, export the cases again.");
        }
        return wanted;
    }

    /** Runs the reader on a trace and returns its answer. */
    private static Answer ask(Path trace) throws NoReader {
        try {
            return new Answer("accept", Reader.read(trace), "");
        } catch (NoReader error) {
            throw error;
        } catch (Unsupported error) {
            return new Answer("unsupported", null, String.valueOf(error.getMessage()));
        } catch (Exception | Error error) {
            if (Reader.REJECTIONS.stream().anyMatch(declared -> declared.isInstance(error))) {
                return new Answer("reject", null, error.toString());
            }
            StringWriter text = new StringWriter();
            error.printStackTrace(new PrintWriter(text));
            List<String> lines = text.toString().lines().limit(12).toList();
            return new Answer("crash", null, String.join("\n          ", lines)
                    + "\n          (if this is a rejection, add its class to REJECTIONS in Reader.java)");
        }
    }

    private static Outcome judge(Map<?, ?> wanted, Answer answer) {
        if (answer.said().equals("crash")) {
            return new Outcome("crash", List.of());
        }
        if (!((Collection<?>) wanted.get("allowed")).contains(answer.said())) {
            String name = switch (answer.said()) {
                case "accept" -> "wrong-accept";
                case "reject" -> "wrong-reject";
                default -> "undeclared-gap";
            };
            return new Outcome(name, List.of());
        }
        List<?> records = answer.records();
        if (records == null) {
            return new Outcome("pass", List.of());
        }
        for (int index = 0; index < records.size(); index++) {
            boolean isRecord = records.get(index) instanceof Map<?, ?> map
                    && Comparison.plain(map.get("record")) instanceof String;
            if (!isRecord) {
                var found = new Comparison.Difference(
                        index, "", "a map whose \"record\" names its kind", Comparison.described(records.get(index)));
                return new Outcome("protocol", told(found));
            }
        }
        return wanted.get("compared").equals(true) ? compare(wanted, records) : new Outcome("pass", List.of());
    }

    /** Compares the records with each allowed set, and reports the set with the longest match if none matches. */
    private static Outcome compare(Map<?, ?> wanted, List<?> records) {
        Comparison.Difference furthest = null;
        boolean isOpen = wanted.get("open").equals(true);
        for (Object set : (List<?>) wanted.get("records")) {
            var found = new Comparison(omits()).ofRecords(Row.read((List<?>) set), records, isOpen);
            if (found == null) {
                return new Outcome("pass", List.of());
            }
            furthest = furthest == null || found.record() > furthest.record() ? found : furthest;
        }
        return new Outcome("wrong-records", told(furthest));
    }

    private static Collection<String> omits() {
        return Reader.OMITS;
    }

    private static List<String> told(Comparison.Difference found) {
        String path = found.path().startsWith(".") ? found.path().substring(1) : found.path();
        return List.of(
                "differs   record " + found.record() + (path.isEmpty() ? "" : ": " + path),
                "          expected " + found.expected(),
                "          actual   " + found.actual());
    }

    /** Describes a failure: the case, the rule, the location, the bytes and the difference. */
    private static String report(Map<?, ?> wanted, Path trace, Answer answer, Outcome outcome) {
        List<String> lines = new ArrayList<>();
        lines.add(outcome.name() + ": " + wanted.get("case"));
        ((List<?>) wanted.get("about")).forEach(line -> lines.add((String) line));
        List<String> allowed = ((List<?>) wanted.get("allowed")).stream().map(String::valueOf).toList();
        lines.add("expected  " + String.join(" or ", allowed));
        lines.add("actual    " + answer.said() + (answer.why().isEmpty() ? "" : ": " + answer.why()));
        lines.addAll(outcome.told());
        lines.add("trace     " + trace);
        return String.join("\n", lines);
    }

    /** The list of known failures. */
    private static List<Known> known() throws IOException {
        List<Known> known = new ArrayList<>();
        List<String> lines = Files.exists(KNOWN) ? Files.readAllLines(KNOWN) : List.of();
        for (int number = 1; number <= lines.size(); number++) {
            String line = lines.get(number - 1).strip();
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            String[] words = line.split("\\s+", 3);
            if (words.length < 3 || !OUTCOMES.contains(words[0])) {
                fail("known-failures.txt:" + number + ": expected OUTCOME CASE REASON, found: " + line);
            }
            Pattern pattern = glob(words[1]);
            if (names().stream().noneMatch(name -> pattern.matcher(name).matches())) {
                fail("known-failures.txt:" + number + ": no case matches " + words[1] + "; remove the line");
            }
            known.add(new Known(number, words[0], pattern, words[2]));
        }
        return known;
    }

    /** The names of all cases. */
    private static List<String> names() throws IOException {
        List<String> names = new ArrayList<>();
        try (Stream<Path> files = Files.list(FOLDER)) {
            for (Path list : files.filter(file -> file.toString().endsWith(".txt")).toList()) {
                Files.readAllLines(list).forEach(line -> names.add(line.split("\t")[0]));
            }
        }
        return names;
    }

    /** A pattern for names of cases: * matches any characters and ? matches one. */
    private static Pattern glob(String pattern) {
        StringBuilder text = new StringBuilder();
        for (char c : pattern.toCharArray()) {
            text.append(c == '*' ? ".*" : c == '?' ? "." : Pattern.quote(String.valueOf(c)));
        }
        return Pattern.compile(text.toString(), Pattern.DOTALL);
    }
}
