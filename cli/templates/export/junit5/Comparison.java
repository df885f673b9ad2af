// Written by tracegauge corpus export; changes will be overwritten.
package tracegauge;

import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;

/** Compares what a reader returned with what a case expects. */
final class Comparison {
    /** A description of how a value differs from the expected one. */
    record Difference(int record, String path, String expected, String actual) {
        Difference(String path, String expected, String actual) {
            this(0, path, expected, actual);
        }

        Difference in(int number) {
            return new Difference(number, path, expected, actual);
        }

        Difference within(String step) {
            return new Difference(record, step + path, expected, actual);
        }
    }

    private static final Pattern DECIMAL = Pattern.compile("-?(0|[1-9][0-9]{0,39})");
    private static final Pattern BRACES = Pattern.compile("\\{(.*)\\}", Pattern.DOTALL);
    private static final Set<String> NAMED = Set.of("NaN", "Infinity", "-Infinity");
    private static final BigInteger BITS = BigInteger.ONE.shiftLeft(64);
    private static final String END = "the end of the list";

    /** Suffix of a declared member that the reader omits only if the value is empty, zero or false. */
    private static final String WHEN_EMPTY = " when empty";

    private final Collection<String> omits;

    /** The undeclared omissions of the reader. */
    private final List<Difference> leftOut = new ArrayList<>();

    Comparison() {
        this(List.of());
    }

    /** Creates a comparison for a reader that cannot report some members and kinds of records. */
    Comparison(Collection<String> omits) {
        this.omits = omits;
    }

    /**
     * Returns the first difference between two lists of records, or null if there is none. A wrong value
     * takes precedence over an omitted member.
     */
    Difference ofRecords(List<Row> expected, List<?> records, boolean isOpen) {
        Difference lacking = null;
        int at = 0;
        for (int index = 0; index < records.size(); index++) {
            Map<?, ?> actual = (Map<?, ?>) records.get(index);
            Object kind = plain(actual.get("record"));
            while (at < expected.size() && omits.contains(expected.get(at).label()) && !expected.get(at).label().equals(kind)) {
                at++;
            }
            if (at == expected.size()) {
                return isOpen ? lacking : new Difference(index, "", "no further record", described(actual));
            }
            Difference found = ofRecord(expected.get(at), actual, kind);
            if (found != null) {
                return found.in(index);
            }
            if (lacking == null && !leftOut.isEmpty()) {
                lacking = leftOut.get(0).in(index);
            }
            at++;
        }
        for (Row owed : expected.subList(at, expected.size())) {
            if (!omits.contains(owed.label())) {
                return new Difference(records.size(), "", "a record " + owed.label(), "no further record");
            }
        }
        return lacking;
    }

    /** Records a missing member, unless it or a member that contains it is declared as omitted. */
    private void leavesOut(String name, Row value) {
        for (String omitted : omits) {
            boolean isConditional = omitted.endsWith(WHEN_EMPTY);
            String declared = isConditional ? omitted.substring(0, omitted.length() - WHEN_EMPTY.length()) : omitted;
            boolean isMeant =
                    name.equals(declared) || name.startsWith(declared + ".") || name.startsWith(declared + "[");
            if (isMeant && (!isConditional || value.isEmpty())) {
                return;
            }
        }
        leftOut.add(new Difference("." + value.label(), value.shown(), "no such member"));
    }

    /** Prepends a step to the paths of all undeclared omissions from the index {@code before} on. */
    private void within(int before, String step) {
        leftOut.subList(before, leftOut.size()).replaceAll(missing -> missing.within(step));
    }

    private Difference ofRecord(Row expected, Map<?, ?> actual, Object kind) {
        if (!expected.label().equals(kind)) {
            return new Difference(".record", "\"" + expected.label() + "\"", described(kind));
        }
        return ofMembers(expected, actual, "record", expected.label());
    }

    /** Returns how a value differs from the expected one, or null if it does not. */
    Difference of(Row expected, Object raw, String context) {
        Object actual = plain(raw);
        switch (expected.type()) {
            case "list":
                return ofLists(expected, actual, context);
            case "pairs":
                return ofPairs(expected, actual, context);
            case "object":
                boolean isObject = actual instanceof Map<?, ?>;
                return isObject
                        ? ofMembers(expected, (Map<?, ?>) actual, null, context)
                        : new Difference("", "an object", described(actual));
            default:
                return isSame(expected, actual) ? null : new Difference("", expected.shown(), described(actual));
        }
    }

    private Difference ofMembers(Row expected, Map<?, ?> actual, String own, String context) {
        for (Row value : expected.inner()) {
            String name = context + "." + value.label();
            if (!actual.containsKey(value.label())) {
                if (value.isOwed()) {
                    leavesOut(name, value);
                }
                continue;
            }
            int before = leftOut.size();
            Difference found = of(value, actual.get(value.label()), name);
            if (found != null) {
                // An unknown member may be the reason why another member is wrong.
                Difference unknown = unknownMember(expected, actual, own);
                return unknown != null ? unknown : found.within("." + value.label());
            }
            within(before, "." + value.label());
        }
        return unknownMember(expected, actual, own);
    }

    private static Difference unknownMember(Row expected, Map<?, ?> actual, String own) {
        for (Map.Entry<?, ?> member : actual.entrySet()) {
            Object name = member.getKey();
            boolean isKnown = name.equals(own) || expected.inner().stream().anyMatch(row -> row.label().equals(name));
            if (!isKnown && !holdsNothing(member.getValue())) {
                return new Difference("." + name, "no such member", described(plain(member.getValue())));
            }
        }
        return null;
    }

    /** Returns whether a value is null, or a map whose values are all null or such maps. */
    private static boolean holdsNothing(Object raw) {
        Object actual = plain(raw);
        return actual == null
                || actual instanceof Map<?, ?> members && members.values().stream().allMatch(Comparison::holdsNothing);
    }

    private Difference ofLists(Row expected, Object actual, String context) {
        if (!(actual instanceof List<?> items)) {
            return new Difference("", "a list of " + expected.inner().size(), described(actual));
        }
        for (int index = 0; index < expected.inner().size(); index++) {
            Row value = expected.inner().get(index);
            if (index == items.size()) {
                return new Difference("[" + index + "]", value.shown(), END);
            }
            int before = leftOut.size();
            Difference found = of(value, items.get(index), context + "[]");
            if (found != null) {
                return found.within("[" + index + "]");
            }
            within(before, "[" + index + "]");
        }
        int count = expected.inner().size();
        return items.size() == count ? null : new Difference("[" + count + "]", END, described(plain(items.get(count))));
    }

    /** Compares ordered pairs. A pair without a value may be omitted. */
    private Difference ofPairs(Row expected, Object actual, String context) {
        if (!(actual instanceof List<?> items)) {
            return new Difference("", "a list of " + expected.inner().size() / 2 + " [name, value] pairs", described(actual));
        }
        int at = 0;
        for (int index = 0; index < expected.inner().size(); index += 2) {
            Row name = expected.inner().get(index);
            Row value = expected.inner().get(index + 1);
            int before = leftOut.size();
            Difference found = at < items.size()
                    ? ofPair(name, value, plain(items.get(at)), context)
                    : new Difference("", name.shown(), END);
            if (found == null) {
                within(before, "[" + at + "].value");
                at++;
            } else if (value.isOwed()) {
                return found.within("[" + at + "]");
            } else {
                leftOut.subList(before, leftOut.size()).clear();
            }
        }
        return at == items.size() ? null : new Difference("[" + at + "]", END, described(plain(items.get(at))));
    }

    private Difference ofPair(Row name, Row value, Object actual, String context) {
        Object pair = actual instanceof Map.Entry<?, ?> entry ? entryItems(entry) : actual;
        if (!(pair instanceof List<?> items) || items.size() != 2) {
            return new Difference("", "a pair [name, value]", described(actual));
        }
        Difference found = new Comparison().of(name, items.get(0), "");
        if (found != null) {
            return found.within(".name");
        }
        found = of(value, items.get(1), context + "[]");
        return found == null ? null : found.within(".value");
    }

    private static List<Object> entryItems(Map.Entry<?, ?> entry) {
        List<Object> items = new ArrayList<>();
        items.add(entry.getKey());
        items.add(entry.getValue());
        return items;
    }

    /** Converts a value to one of a few types: null, Boolean, String, byte[], Digits, Single, List, Map, Map.Entry. */
    static Object plain(Object actual) {
        if (actual instanceof Float number) {
            return new Single(number);
        } else if (actual instanceof Double number) {
            return Double.isFinite(number) ? new Digits(shortest(number)) : Double.toString(number);
        } else if (actual instanceof Number number) {
            return new Digits(number.toString());
        } else if (actual instanceof CharSequence || actual instanceof Character || actual instanceof UUID) {
            return actual.toString();
        } else if (actual instanceof Enum<?> member) {
            return member.name();
        } else if (actual instanceof char[] text) {
            return new String(text);
        } else if (actual instanceof Optional<?> optional) {
            return plain(optional.orElse(null));
        } else if (actual instanceof ByteBuffer buffer) {
            byte[] bytes = new byte[buffer.remaining()];
            buffer.duplicate().get(bytes);
            return bytes;
        } else if (actual instanceof List<?> || actual instanceof byte[]) {
            return actual;
        } else if (actual instanceof Collection<?> items) {
            return new ArrayList<>(items);
        } else if (actual != null && actual.getClass().isArray()) {
            List<Object> items = new ArrayList<>();
            for (int index = 0; index < Array.getLength(actual); index++) {
                items.add(Array.get(actual, index));
            }
            return items;
        }
        return actual;
    }

    /** Returns the shortest digits of a double, with the sign of a zero. Before Java 19, some have an extra digit. */
    private static String shortest(double number) {
        boolean isExact = Math.abs(number) < 1L << 53 || number != Math.rint(number);
        for (int digits = 15; digits <= 17 && !isExact; digits++) {
            BigDecimal rounded = new BigDecimal(number).round(new MathContext(digits));
            if (rounded.doubleValue() == number) {
                return rounded.toString();
            }
        }
        return Double.toString(number);
    }

    /** A 32-bit float. Both its exact value and its shortest digits, which an adapter would print, must be correct. */
    record Single(float number) {
        Object exact() {
            return plain((double) number);
        }

        /** The shortest digits, which can differ from the exact value from 2^24 on. */
        Object shortest() {
            boolean isExact = !(Math.abs(number) >= 1L << 24) || Float.isInfinite(number);
            for (int digits = 6; digits <= 9 && !isExact; digits++) {
                BigDecimal rounded = new BigDecimal(number).round(new MathContext(digits));
                if (rounded.floatValue() == number) {
                    return new Digits(rounded.toString());
                }
            }
            return exact();
        }
    }

    /** The digits of a number. */
    record Digits(String text) {
        /** Returns the exact value, or null if it has more digits than any number in a format. */
        BigDecimal exact() {
            try {
                return text.length() > 2000 ? null : new BigDecimal(text);
            } catch (NumberFormatException error) {
                return null;
            }
        }
    }

    /** Returns whether a converted value is correct, in any of the allowed forms. */
    private static boolean isSame(Row expected, Object actual) {
        if (actual instanceof Single single) {
            return isSame(expected, single.exact()) && isSame(expected, single.shortest());
        }
        switch (expected.type()) {
            case "free":
                return true;
            case "absent", "json-null":
                return actual == null;
            case "missing":
                return actual == null || isMissing(actual);
            case "bool", "json-bool", "text", "json-text":
                return expected.content().equals(actual);
            case "int":
                return isInteger(expected.text(), actual);
            case "f32", "f64":
                return isFloat(expected.type(), expected.text(), actual);
            case "json-number":
                return isJsonNumber(expected.text(), actual);
            case "json-list", "json-object":
                return isJson(expected, actual);
            case "bytes":
                return expected.content().equals(hex(actual));
            case "ill-formed":
                return expected.content().equals(hex(actual)) || isIllFormed(expected.text(), actual);
            case "guid":
                return isGuid(expected.text(), actual);
            case "enum":
                return expected.item(0).equals(actual) || isInteger((String) expected.item(1), actual);
            case "flags":
                return isFlags(expected, actual);
            default:
                throw new IllegalStateException("unknown type " + expected.type() + ": export the tests again");
        }
    }

    /** Converts a number with all its digits, or a decimal string, to an integer. */
    private static BigInteger integer(Object actual) {
        if (actual instanceof String text) {
            return DECIMAL.matcher(text).matches() ? new BigInteger(text) : null;
        }
        if (actual instanceof Single single) {
            BigInteger exact = integer(single.exact());
            return exact != null && exact.equals(integer(single.shortest())) ? exact : null;
        }
        BigDecimal exact = actual instanceof Digits digits ? digits.exact() : null;
        if (exact == null || exact.signum() == 0) {
            return exact == null ? null : BigInteger.ZERO;
        }
        BigDecimal shortest = exact.stripTrailingZeros();
        boolean isWhole = shortest.scale() <= 0 && shortest.precision() - (long) shortest.scale() <= 40;
        return isWhole ? shortest.toBigIntegerExact() : null;
    }

    private static boolean isInteger(String expected, Object actual) {
        BigInteger found = integer(actual);
        return found != null && found.toString().equals(expected);
    }

    private static boolean isFloat(String type, String expected, Object actual) {
        if (!(actual instanceof Digits digits) || expected.equals("NaN")) {
            return NAMED.contains(expected) && expected.equals(actual);
        }
        if (digits.exact() == null) {
            return false;
        }
        double found = Double.parseDouble(digits.text());
        double wanted = Double.parseDouble(expected);
        if (type.equals("f64")) {
            return Double.compare(wanted, found) == 0;
        }
        float once = Float.parseFloat(digits.text());
        float right = Float.parseFloat(expected);
        return Float.compare(right, (float) found) == 0 || Float.compare(right, once) == 0;
    }

    private static boolean isJsonNumber(String expected, Object actual) {
        double wanted = Double.parseDouble(expected);
        if (actual instanceof String text) {
            // A number that exceeds the range of a double becomes infinite.
            return Double.isInfinite(wanted) && Double.toString(wanted).equals(text);
        }
        return actual instanceof Digits digits
                && digits.exact() != null
                && Double.parseDouble(digits.text()) == wanted;
    }

    /** Returns whether this is the expected JSON value. Null members must not be omitted. */
    private static boolean isJson(Row expected, Object actual) {
        List<Row> inner = expected.inner();
        if (expected.type().equals("json-list") && actual instanceof List<?> items && items.size() == inner.size()) {
            for (int index = 0; index < items.size(); index++) {
                if (!isSame(inner.get(index), plain(items.get(index)))) {
                    return false;
                }
            }
            return true;
        }
        if (expected.type().equals("json-object") && actual instanceof Map<?, ?> members && members.size() == inner.size()) {
            for (Row value : inner) {
                if (!members.containsKey(value.label()) || !isSame(value, plain(members.get(value.label())))) {
                    return false;
                }
            }
            return true;
        }
        return false;
    }

    private static boolean isMissing(Object actual) {
        return actual instanceof Map<?, ?> object
                && object.size() == 1
                && plain(object.get("missing")) instanceof String;
    }

    /** Returns the hexadecimal digits of bytes, or null if the value is not bytes. */
    private static String hex(Object actual) {
        if (actual instanceof byte[] bytes) {
            return HexFormat.of().formatHex(bytes);
        }
        if (actual instanceof Map<?, ?> object && object.size() == 1 && plain(object.get("hex")) instanceof String text) {
            return text.toLowerCase(Locale.ROOT);
        }
        return null;
    }

    /** Returns whether this is a string with the lone surrogates in the bytes. Java strings are UTF-16. */
    private static boolean isIllFormed(String expected, Object actual) {
        if (!(actual instanceof String text)) {
            return false;
        }
        ByteBuffer bytes = ByteBuffer.allocate(2 * text.length()).order(java.nio.ByteOrder.LITTLE_ENDIAN);
        boolean isWellFormed = StandardCharsets.UTF_16LE.newEncoder().canEncode(text);
        text.chars().forEach(unit -> bytes.putChar((char) unit));
        return !isWellFormed && HexFormat.of().formatHex(bytes.array()).equals(expected);
    }

    private static boolean isGuid(String expected, Object actual) {
        if (!(actual instanceof String text)) {
            return false;
        }
        var braces = BRACES.matcher(text);
        return (braces.matches() ? braces.group(1) : text).toLowerCase(Locale.ROOT).equals(expected);
    }

    /** Compares a set of flags: its number, or names with the number of the remaining bits. */
    private static boolean isFlags(Row expected, Object actual) {
        if (isInteger((String) expected.item(0), actual)) {
            return true;
        }
        if (!(actual instanceof List<?> items)) {
            return false;
        }
        List<Object> left = new ArrayList<>((List<?>) expected.item(2));
        BigInteger bits = BigInteger.ZERO;
        for (Object raw : items) {
            Object item = plain(raw);
            BigInteger bit = integer(item);
            if (left.remove(item)) {
                continue;
            }
            if (bit == null || bit.signum() < 0 || bit.compareTo(BITS) >= 0) {
                return false;
            }
            bits = bits.or(bit);
        }
        return left.isEmpty() && bits.toString().equals(expected.item(1));
    }

    /**
     * Escapes control characters, lone surrogates, U+FFFE and U+FFFF in a message. Reports are XML,
     * which cannot contain most of these characters, and surefire writes them unchanged.
     */
    static String printable(String text) {
        StringBuilder out = new StringBuilder();
        text.codePoints().forEach(code -> {
            boolean isLone = code >= Character.MIN_SURROGATE && code <= Character.MAX_SURROGATE;
            boolean isControl = Character.isISOControl(code) && code != '\n' && code != '\t';
            if (isLone || isControl || code == 0xfffe || code == 0xffff) {
                out.append(String.format("\\u%04x", code));
            } else {
                out.appendCodePoint(code);
            }
        });
        return out.toString();
    }

    /** Describes a value that the reader returned. */
    static String described(Object raw) {
        Object actual = plain(raw);
        if (actual == null) {
            return "null";
        } else if (actual instanceof byte[] bytes) {
            return Row.cut(bytes.length + " bytes " + HexFormat.of().formatHex(bytes));
        } else if (actual instanceof List<?> items) {
            return "a list of " + items.size();
        } else if (actual instanceof Map<?, ?> members) {
            return Row.cut("an object of " + members.keySet());
        } else if (actual instanceof Digits digits) {
            return Row.cut(digits.text()) + " (a number)";
        } else if (actual instanceof Single single) {
            return single.number() + " (a 32-bit float)";
        }
        return Row.cut(String.valueOf(actual)) + " (" + actual.getClass().getSimpleName() + ")";
    }
}
