import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.AbstractMap.SimpleEntry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/** Reports the values of a case of values.json through the kit. */
public final class Replay {
    private final ByteBuffer data;

    private Replay(byte[] data) {
        this.data = ByteBuffer.wrap(data).order(ByteOrder.LITTLE_ENDIAN);
    }

    private byte[] take(int size) {
        byte[] taken = new byte[size];
        data.get(taken);
        return taken;
    }

    /** Returns a String, or raw bytes if the text cannot be represented in UTF-16. */
    private Object words() {
        int count = data.getInt();
        StringBuilder units = new StringBuilder();
        for (int at = 0; at < count; at++) units.append(data.getChar());
        byte[] raw = take(data.getInt());
        return count < 0 ? raw : units.toString();
    }

    private String text() {
        Object words = words();
        return words instanceof byte[] ? new String((byte[]) words, StandardCharsets.UTF_8) : (String) words;
    }

    private Object value() {
        switch (data.get()) {
            case 'n': return null;
            case 'T': return true;
            case 'F': return false;
            case 'i': return integer(new BigInteger(text()));
            case 'd': return data.getDouble();
            case 'g': return data.getFloat();
            case 's': return words();
            case 'G': return UUID.fromString(text());
            case 'P': return new SimpleEntry<>(value(), value());
            case 'V': return every(value());
            case 'b': return take(data.getInt());
            case '[': return list();
            case '{': return members();
            case 'J': return new Tracegauge.Json(text());
            default:
                List<Object> nested = List.of();
                for (int depth = data.getInt(); depth > 1; depth--) nested = List.of(nested);
                return nested;
        }
    }

    enum Access { Read, Write }

    /** Returns a value in each of the types that the kit writes in the same way. */
    private static List<Object> every(Object value) {
        if (value instanceof Long) {
            long number = (Long) value;
            return List.of(number, (int) number, (short) number, (byte) number, BigInteger.valueOf(number),
                BigDecimal.valueOf(number), new AtomicInteger((int) number), Optional.of(number));
        } else if (value instanceof Double) {
            return List.of(value, ((Double) value).floatValue(), new BigDecimal(value.toString()), Optional.of(value));
        } else if (value instanceof String) {
            String text = (String) value;
            return List.of(text, text.toCharArray(), new StringBuilder(text), Access.Read, Optional.of(text));
        } else if (value instanceof UUID) {
            return List.of(value, value.toString());
        } else if (value instanceof byte[]) {
            byte[] bytes = (byte[]) value;
            byte[] around = Arrays.copyOfRange(bytes, 0, bytes.length + 8);
            return List.of(bytes, ByteBuffer.wrap(bytes), ByteBuffer.wrap(around, 0, bytes.length).asReadOnlyBuffer());
        } else if (value instanceof Map.Entry) {
            Map.Entry<?, ?> entry = (Map.Entry<?, ?>) value;
            Object[] pair = {entry.getKey(), entry.getValue()};
            return List.of(entry, Map.entry(pair[0], pair[1]), pair, Arrays.asList(pair), List.of(pair));
        } else if (value instanceof List) {
            List<?> items = (List<?>) value;
            long[] numbers = items.stream().mapToLong(item -> (Long) item).toArray();
            return List.of(items, items.toArray(), numbers, new LinkedHashSet<>(items));
        } else if (value instanceof Map) {
            return List.of(value, new TreeMap<Object, Object>((Map<?, ?>) value));
        }
        return Arrays.asList(value, Optional.empty());
    }

    private static Object integer(BigInteger number) {
        if (number.bitLength() < 64) return number.longValue();
        return number.signum() > 0 && number.bitLength() == 64 ? Tracegauge.unsigned(number.longValue()) : number;
    }

    private List<Object> list() {
        List<Object> list = new ArrayList<>();
        for (int left = data.getInt(); left > 0; left--) list.add(value());
        return list;
    }

    private Map<String, Object> members() {
        Map<String, Object> members = new LinkedHashMap<>();
        for (int left = data.getInt(); left > 0; left--) members.put(text(), value());
        return members;
    }

    static void read(byte[] data, Tracegauge.Reporter reporter) {
        Replay one = new Replay(data);
        while (one.data.hasRemaining()) {
            byte tag = one.data.get();
            if (tag == 'R') {
                reporter.record("row", one.members());
            } else if (tag == 'X') {
                Tracegauge.Rejection rejection = new Tracegauge.Rejection(one.text());
                String kind = one.text();
                int offset = one.data.getInt();
                if (!kind.isEmpty()) rejection.kind(kind);
                throw offset < 0 ? rejection : rejection.offset(offset);
            } else if (tag == 'U') {
                throw Tracegauge.Rejection.unsupported(one.text());
            }
        }
    }

    public static void main(String[] arguments) {
        Tracegauge.run("replay", "1.0.0", arguments, Replay::read);
    }
}
