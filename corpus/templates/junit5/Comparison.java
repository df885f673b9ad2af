package tracegauge;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Holds what a reader read against what a case expects. */
final class Comparison {
    private static final String GUID = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}";

    private Comparison() {}

    /** What the reader does wrong with a trace, in words; null where it does nothing wrong. */
    static String problem(Path trace) throws IOException {
        Path beside = trace.resolveSibling(trace.getFileName() + ".json");
        Map<?, ?> wanted = (Map<?, ?>) new Json(Files.readString(beside)).read();
        Object expect = wanted.get("expect");
        List<Map<String, Object>> records;
        try {
            records = Reader.read(trace);
        } catch (Reader.NoReader error) {
            return error.getMessage();
        } catch (Exception error) {
            boolean isWrong = expect.equals("accept");
            return isWrong ? "rejected, and it is valid: " + wanted.get("why") + ": " + error : null;
        }
        if (expect.equals("reject")) {
            Object rules = ((Map<?, ?>) wanted.get("violation")).get("rules");
            return "accepted, and it breaks " + rules + ": " + wanted.get("why");
        }
        if (!expect.equals("accept") || records == null) {
            return null;
        }
        String first = null;
        for (Object set : (List<?>) wanted.get("records")) {
            String found = difference((List<?>) set, records, wanted.get("open").equals(true));
            if (found == null) {
                return null;
            }
            first = first == null ? found + ": " + wanted.get("why") : first;
        }
        return first;
    }

    private static String difference(List<?> wanted, List<Map<String, Object>> records, boolean isOpen) {
        for (int index = 0; index < Math.min(wanted.size(), records.size()); index++) {
            Map<?, ?> expected = (Map<?, ?>) wanted.get(index);
            for (Map.Entry<String, Object> member : records.get(index).entrySet()) {
                Object right = expected.get(member.getKey());
                // A member that has no value is as good as left out.
                if (member.getValue() != null && !isSame(right, member.getValue())) {
                    return "record " + index + ": " + member + " should be " + right;
                }
            }
        }
        boolean fits = records.size() == wanted.size() || isOpen && records.size() > wanted.size();
        return fits ? null : records.size() + " records and not " + wanted.size();
    }

    /** Whether a value is right, in any of the ways in which it may be written. */
    static boolean isSame(Object expected, Object actual) {
        if (expected instanceof Map<?, ?> object && Boolean.TRUE.equals(object.get("free")) && object.size() == 1) {
            return true;
        }
        if (actual == null) {
            return expected == null || isMissing(expected);
        }
        if (isMissing(expected)) {
            return isMissing(actual);
        }
        if (expected instanceof Map<?, ?> object && (object.containsKey("$enum") || object.containsKey("$flags"))) {
            return isSameNumber(object, actual);
        }
        if (actual instanceof byte[] bytes) {
            return Map.of("hex", HexFormat.of().formatHex(bytes)).equals(expected);
        }
        if (expected instanceof Map<?, ?> object) {
            return actual instanceof Map<?, ?> map && areSameMembers(object, map);
        }
        if (expected instanceof List<?> list) {
            return actual instanceof List<?> items && areSameItems(list, items);
        }
        if (actual instanceof Float || actual instanceof Double || actual instanceof BigDecimal) {
            return isSameFloat(expected, ((Number) actual).doubleValue());
        }
        if (expected instanceof BigDecimal || actual instanceof Number) {
            return String.valueOf(expected).equals(actual.toString());
        }
        return actual.equals(expected) || isSameGuid(expected, actual);
    }

    /** A member of an enumeration, or a set of flags: its number, its name or names. */
    private static boolean isSameNumber(Map<?, ?> expected, Object actual) {
        if (actual instanceof List<?> list) {
            return expected.get("$flags") instanceof List<?> flags && words(flags).equals(words(list));
        }
        String text = actual.toString();
        return text.equals(expected.get("number")) || text.equals(expected.get("$enum"));
    }

    private static List<String> words(List<?> values) {
        return values.stream().map(String::valueOf).sorted().toList();
    }

    private static boolean areSameMembers(Map<?, ?> expected, Map<?, ?> actual) {
        return actual.entrySet().stream()
                .filter(member -> member.getValue() != null)
                .allMatch(member -> isSame(expected.get(member.getKey()), member.getValue()));
    }

    /** Pairs whose value is missing may be left out. */
    private static boolean areSameItems(List<?> expected, List<?> actual) {
        int at = 0;
        for (Object item : expected) {
            if (at < actual.size() && isSame(item, actual.get(at))) {
                at++;
            } else if (!(item instanceof List<?> pair) || pair.size() != 2 || !isMissing(pair.get(1))) {
                return false;
            }
        }
        return at == actual.size();
    }

    /** A float of 32 bits may have the shortest digits or all. */
    private static boolean isSameFloat(Object expected, double actual) {
        double wanted;
        try {
            wanted = Double.parseDouble(String.valueOf(expected));
        } catch (NumberFormatException error) {
            return false;
        }
        if (wanted == actual || Double.isNaN(wanted) && Double.isNaN(actual)) {
            return true;
        }
        boolean isShort = expected instanceof BigDecimal number && number.stripTrailingZeros().precision() <= 9;
        return isShort && (float) wanted == (float) actual;
    }

    private static boolean isMissing(Object value) {
        return value instanceof Map<?, ?> object && object.size() == 1 && object.containsKey("missing");
    }

    private static boolean isSameGuid(Object expected, Object actual) {
        String plain = actual.toString().replaceAll("[{}]", "").toLowerCase(Locale.ROOT);
        return expected instanceof String text && text.matches(GUID) && text.equals(plain);
    }
}
