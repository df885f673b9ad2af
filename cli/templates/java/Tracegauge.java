import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Array;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The tracegauge reader protocol. With this class, an adapter is a single method. It requires
 * Java 11 and no libraries.
 *
 * <p>If the last argument is a path, the program reads that file (mode once). Without arguments, it
 * answers requests on standard input (mode serve). Any exception except a {@link Rejection} counts
 * as a crash: it ends the process, so that the harness detects it.
 */
public final class Tracegauge {
    private Tracegauge() {}

    /**
     * The method that an adapter provides. It reads the bytes of a trace, passes the records to the
     * reporter and throws a rejection if the reader rejects the trace.
     */
    public interface Read {
        void read(byte[] data, Reporter reporter) throws Exception;
    }

    /** Thrown if the reader rejects a trace. */
    public static final class Rejection extends RuntimeException {
        private static final long serialVersionUID = 1;
        private final transient Map<String, Object> closing = new LinkedHashMap<>();
        private int status = 65;

        /** Creates a rejection of a faulty trace, with the reason in the reader's own words. */
        public Rejection(String why) {
            super(why);
            closing.put("end", "reject");
            closing.put("why", new Words(String.valueOf(why)));
        }

        /** Creates a rejection because the reader does not support a feature. */
        public static Rejection unsupported(String feature) {
            Rejection rejection = new Rejection(feature);
            rejection.status = 69;
            rejection.closing.clear();
            rejection.closing.put("end", "unsupported");
            rejection.closing.put("feature", new Words(String.valueOf(feature)));
            return rejection;
        }

        /** Adds the class (malformed, incomplete or unsupported), if the reader reports it. */
        public Rejection kind(String kind) {
            closing.put("class", kind);
            return this;
        }

        /** Adds the byte offset of the fault, if the reader reports it. */
        public Rejection offset(long offset) {
            closing.put("offset", offset);
            return this;
        }
    }

    /** Writes the records of one case in the order in which the reader reports them. */
    public static final class Reporter {
        private final String format;
        private final StringBuilder text = new StringBuilder();

        private Reporter(String format) {
            this.format = format;
        }

        /** Returns the tracegauge name of the case's format. */
        public String format() {
            return format;
        }

        /**
         * Reports one record: its kind, followed by alternating names and values. Values are
         * Boolean, numbers, String, char[], enum constants, UUID, byte[], ByteBuffer, Map (a
         * structure or a JSON object), other arrays and collections (lists), Optional, {@link Json}
         * and null. Maps of the format and fields that the file defines must be lists of {@code
         * Arrays.asList(name, value)} or map entries. ({@code List.of} throws an exception if the
         * value is null.) Java has no unsigned long: see {@link #unsigned}.
         */
        public void record(String kind, Object... members) {
            if (members.length % 2 != 0) {
                throw new IllegalArgumentException("a member of " + kind + " has no value");
            }
            Map<String, Object> record = new LinkedHashMap<>();
            for (int at = 0; at < members.length; at += 2) {
                record.put((String) members[at], members[at + 1]);
            }
            record(kind, record);
        }

        /** Reports one record with its kind and members. */
        public void record(String kind, Map<String, ?> members) {
            Map<String, Object> all = new LinkedHashMap<>();
            all.put("record", new Words(kind));
            all.putAll(members);
            line(all);
            if (text.length() > 1 << 16) flush();
        }

        private void line(Map<String, ?> members) {
            Canonical.write(members, text);
            text.append('\n');
        }

        private void close(Map<String, ?> closing) {
            line(closing);
            flush();
        }

        private void flush() {
            try {
                OUT.write(text.toString().getBytes(StandardCharsets.UTF_8));
                OUT.flush();
            } catch (IOException error) {
                die(74, error.toString());
            }
            text.setLength(0);
        }
    }

    /** JSON embedded in the trace, as the raw text of one value. */
    public static final class Json {
        private final String text;

        public Json(String text) {
            this.text = text;
        }
    }

    /** Returns the unsigned number with the same bits as {@code value}. */
    public static BigInteger unsigned(long value) {
        return new BigInteger(Long.toUnsignedString(value));
    }

    /** Returns well-formed text, for places where bytes are not allowed. Replaces invalid parts. */
    private static final class Words {
        private final String text;

        private Words(String text) {
            this.text = text;
        }
    }

    /** A piece of JSON text between values. */
    private static final class Written {
        private final String text;

        private Written(String text) {
            this.text = text;
        }
    }

    /** Renders values as JSON in the protocol's canonical form. */
    private static final class Canonical {
        /** The parts still to be written. They avoid deep recursion for deeply nested values. */
        private final Deque<Object> waiting = new ArrayDeque<>();
        private final StringBuilder out;

        private Canonical(StringBuilder out) {
            this.out = out;
        }

        static void write(Object value, StringBuilder out) {
            Canonical canonical = new Canonical(out);
            canonical.push(value);
            while (!canonical.waiting.isEmpty()) canonical.next(canonical.waiting.pop());
        }

        private void push(Object value) {
            // A deque cannot contain null.
            waiting.push(value == null ? new Written("null") : value);
        }

        private void next(Object value) {
            if (value instanceof Written) {
                out.append(((Written) value).text);
            } else if (value instanceof Map) {
                object((Map<?, ?>) value);
            } else if (value instanceof Optional) {
                push(((Optional<?>) value).orElse(null));
            } else if (value instanceof Iterable) {
                List<Object> items = new ArrayList<>();
                ((Iterable<?>) value).forEach(items::add);
                list(items);
            } else if (value instanceof Map.Entry) {
                Map.Entry<?, ?> entry = (Map.Entry<?, ?>) value;
                list(Arrays.asList(entry.getKey(), entry.getValue()));
            } else if (value instanceof byte[]) {
                hex((byte[]) value);
            } else if (value instanceof ByteBuffer) {
                ByteBuffer buffer = ((ByteBuffer) value).duplicate();
                byte[] bytes = new byte[buffer.remaining()];
                buffer.get(bytes);
                hex(bytes);
            } else if (value instanceof char[]) {
                text(new String((char[]) value));
            } else if (value.getClass().isArray()) {
                List<Object> items = new ArrayList<>();
                for (int at = 0; at < Array.getLength(value); at++) items.add(Array.get(value, at));
                list(items);
            } else {
                plain(value);
            }
        }

        private void list(List<Object> items) {
            out.append('[');
            push(new Written("]"));
            for (int at = items.size() - 1; at >= 0; at--) {
                push(items.get(at));
                if (at > 0) push(new Written(","));
            }
        }

        private void object(Map<?, ?> members) {
            out.append('{');
            push(new Written("}"));
            List<Map.Entry<?, ?>> entries = new ArrayList<>(members.entrySet());
            for (int at = entries.size() - 1; at >= 0; at--) {
                push(entries.get(at).getValue());
                push(new Written(":"));
                push(new Words(String.valueOf(entries.get(at).getKey())));
                if (at > 0) push(new Written(","));
            }
        }

        /** Renders a value that contains no other values. */
        private void plain(Object value) {
            if (value instanceof CharSequence || value instanceof Character) {
                text(value.toString());
            } else if (value instanceof Words) {
                quoted(((Words) value).text);
            } else if (value instanceof Json) {
                // Line ends can occur only between tokens, so they can be replaced by spaces.
                out.append(((Json) value).text.replace('\n', ' ').replace('\r', ' '));
            } else if (value instanceof Double || value instanceof Float) {
                real(((Number) value).doubleValue(), value.toString());
            } else if (value instanceof Boolean || value instanceof Number) {
                out.append(value);
            } else if (value instanceof Enum) {
                text(((Enum<?>) value).name());
            } else if (value instanceof java.util.UUID) {
                text(value.toString());
            } else {
                throw new IllegalArgumentException("no JSON form for " + value.getClass().getName());
            }
        }

        private void real(double value, String digits) {
            if (Double.isNaN(value)) out.append("\"NaN\"");
            else if (Double.isInfinite(value)) out.append(value > 0 ? "\"Infinity\"" : "\"-Infinity\"");
            else out.append(digits);
        }

        private void hex(byte[] bytes) {
            out.append("{\"hex\":\"");
            for (byte b : bytes) {
                out.append(Character.forDigit(b >> 4 & 15, 16)).append(Character.forDigit(b & 15, 16));
            }
            out.append("\"}");
        }

        /** Writes a string with lone surrogates as the bytes that UTF-8 would use for it. */
        private void text(String text) {
            if (text.codePoints().anyMatch(Canonical::isLone)) {
                hex(bytesOf(text));
            } else {
                quoted(text);
            }
        }

        private static boolean isLone(int code) {
            return code >= Character.MIN_SURROGATE && code <= Character.MAX_SURROGATE;
        }

        private static byte[] bytesOf(String text) {
            java.io.ByteArrayOutputStream bytes = new java.io.ByteArrayOutputStream();
            text.codePoints().forEach(code -> {
                byte[] of = isLone(code)
                    ? new byte[] {(byte) (0xe0 | code >> 12), (byte) (0x80 | code >> 6 & 63), (byte) (0x80 | code & 63)}
                    : new String(Character.toChars(code)).getBytes(StandardCharsets.UTF_8);
                bytes.write(of, 0, of.length);
            });
            return bytes.toByteArray();
        }

        private void quoted(String text) {
            out.append('"');
            text.codePoints().forEach(code -> {
                if (code == '"' || code == '\\') out.append('\\').append((char) code);
                else if (code < 0x20 || code == 0x7f) out.append(String.format("\\u%04x", code));
                else if (isLone(code)) out.append("\\ufffd");
                else out.appendCodePoint(code);
            });
            out.append('"');
        }
    }

    private static final OutputStream OUT = new FileOutputStream(FileDescriptor.out);

    /** Runs the adapter and exits. */
    public static void run(String name, String version, String[] arguments, Read read) {
        String last = arguments.length > 0 ? arguments[arguments.length - 1] : "";
        if (last.equals("--help") || last.equals("-h")) {
            System.out.println("usage: " + name + " [TRACE]; without TRACE, answers requests on standard input");
            return;
        }
        // Output that the reader prints must not be mixed with the lines of the protocol.
        System.setOut(new PrintStream(new FileOutputStream(FileDescriptor.err), true));
        try {
            if (arguments.length > 0) {
                String format = System.getenv().getOrDefault("TRACEGAUGE_FORMAT", "");
                System.exit(readCase(arguments[arguments.length - 1], new Reporter(format), read));
            }
            serve(name, version, read);
        } catch (Throwable thrown) {
            // As Java reports an uncaught exception, so that the harness recognizes the report. Java's
            // own exit status is 1, which would mean "rejected, perhaps crashed".
            System.err.print("Exception in thread \"" + Thread.currentThread().getName() + "\" ");
            thrown.printStackTrace();
            die(70, "the reader threw " + thrown);
        }
        System.exit(0);
    }

    private static void serve(String name, String version, Read read) throws Exception {
        InputStreamReader input = new InputStreamReader(System.in, StandardCharsets.UTF_8);
        BufferedReader lines = new BufferedReader(input);
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.trim().isEmpty()) continue;
            Map<String, String> request = request(line);
            if (request.containsKey("tracegauge")) {
                if (!"1".equals(request.get("tracegauge"))) die(76, "unsupported protocol version: " + line);
                Map<String, Object> hello = new LinkedHashMap<>();
                hello.put("tracegauge", 1);
                hello.put("name", new Words(name));
                hello.put("version", new Words(version));
                hello.put("reports", "records");
                new Reporter("").close(hello);
            } else if (request.get("file") != null) {
                readCase(request.get("file"), new Reporter(request.getOrDefault("format", "")), read);
            } else {
                die(76, "the request has no `file`: " + line);
            }
        }
    }

    /** Reads one case and writes its closing line. Returns the exit status for mode {@code once}. */
    private static int readCase(String path, Reporter reporter, Read read) throws Exception {
        byte[] data = load(path);
        try {
            read.read(data, reporter);
        } catch (Rejection rejection) {
            reporter.close(rejection.closing);
            return rejection.status;
        } catch (Throwable thrown) {
            reporter.flush();
            throw thrown;
        }
        reporter.close(Map.of("end", "accept"));
        return 0;
    }

    private static byte[] load(String path) {
        try {
            return Files.readAllBytes(Paths.get(path));
        } catch (IOException error) {
            die(66, error.toString());
            throw new UncheckedIOException(error);
        }
    }

    /** Parses the members of a request, which are strings and numbers. */
    private static Map<String, String> request(String line) {
        Map<String, String> members = new LinkedHashMap<>();
        List<String> tokens = new ArrayList<>();
        for (int at = 0; at < line.length(); ) {
            StringBuilder token = new StringBuilder();
            if (line.charAt(at) == '"') {
                at = unquote(line, at + 1, token);
                tokens.add(token.toString());
            } else if ("{}:, \t".indexOf(line.charAt(at)) >= 0) {
                at++;
            } else {
                while (at < line.length() && "{}:, \t\"".indexOf(line.charAt(at)) < 0) token.append(line.charAt(at++));
                tokens.add(token.toString());
            }
        }
        if (!line.trim().startsWith("{") || tokens.size() % 2 != 0) die(76, "not a request: " + line);
        for (int at = 0; at + 1 < tokens.size(); at += 2) members.put(tokens.get(at), tokens.get(at + 1));
        return members;
    }

    /** Parses a text after its opening quote into {@code out}. Returns the index after the text. */
    private static int unquote(String line, int at, StringBuilder out) {
        for (; at < line.length() && line.charAt(at) != '"'; at++) {
            char c = line.charAt(at);
            if (c == '\\' && at + 1 < line.length()) {
                c = line.charAt(++at);
                int known = "ntrbf".indexOf(c);
                if (known >= 0) {
                    c = "\n\t\r\b\f".charAt(known);
                } else if (c == 'u' && at + 4 < line.length()) {
                    c = (char) Integer.parseInt(line.substring(at + 1, at + 5), 16);
                    at += 4;
                }
            }
            out.append(c);
        }
        return at + 1;
    }

    private static void die(int status, String why) {
        System.err.println(why);
        System.exit(status);
    }
}
