// Written by tracegauge corpus export; changes will be overwritten.
package tracegauge;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** An expected value: a row of a case, and the values that it contains. */
record Row(String label, String type, Object content, List<Row> inner) {
    /** Returns the values that the rows describe. */
    static List<Row> read(List<?> rows) {
        List<Row> found = new ArrayList<>();
        Iterator<?> next = rows.iterator();
        while (next.hasNext()) {
            found.add(next(next));
        }
        return found;
    }

    private static Row next(Iterator<?> rows) {
        List<?> row = (List<?>) rows.next();
        String type = (String) row.get(1);
        int count = switch (type) {
            case "record", "list", "object", "json-list", "json-object" -> number(row);
            case "pairs" -> 2 * number(row);
            default -> 0;
        };
        List<Row> inner = new ArrayList<>(count);
        for (int index = 0; index < count; index++) {
            inner.add(next(rows));
        }
        return new Row((String) row.get(0), type, row.get(2), inner);
    }

    private static int number(List<?> row) {
        return ((Number) row.get(2)).intValue();
    }

    /** Returns whether a reader must report the value. */
    boolean isOwed() {
        return !type.equals("absent") && !type.equals("missing") && !type.equals("free");
    }

    /** Returns whether the value is empty, zero or false. Many JSON writers omit such values. */
    boolean isEmpty() {
        return switch (type) {
            case "bool" -> content.equals(false);
            case "int" -> content.equals("0");
            case "f32", "f64" -> text().matches("[0.]+");
            case "text", "bytes" -> text().isEmpty();
            case "list", "pairs" -> inner.isEmpty();
            case "flags" -> item(0).equals("0");
            default -> false;
        };
    }

    /** Returns the content, which must be text. */
    String text() {
        return (String) content;
    }

    /** Returns an item of the content, which must be a list. */
    Object item(int index) {
        return ((List<?>) content).get(index);
    }

    /** Describes the value. */
    String shown() {
        String words = switch (type) {
            case "text", "json-text" -> "\"" + content + "\"";
            case "bytes", "ill-formed" -> text().length() / 2 + " bytes " + content;
            case "enum" -> item(0) + " (" + item(1) + ")";
            case "flags" -> item(0) + " (flags: " + item(2) + "; remaining bits: " + item(1) + ")";
            case "missing" -> "nothing, because the value is missing: " + content;
            case "absent", "json-null" -> "nothing";
            case "pairs" -> inner.size() / 2 + " [name, value] pairs";
            case "record", "list", "json-list", "object", "json-object" -> type + " of " + inner.size();
            default -> String.valueOf(content);
        };
        return cut(words);
    }

    static String cut(String text) {
        return text.length() <= 200 ? text : text.substring(0, 200) + "… (" + text.length() + " characters)";
    }
}
