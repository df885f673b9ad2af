// Written by tracegauge corpus export; changes will be overwritten.
package tracegauge;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** An expected value: a row of a case and the rows of what it holds. */
record Row(String label, String type, Object content, List<Row> inner) {
    /** The values that rows describe. */
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

    /** Whether leaving it out means that less was read. */
    boolean isOwed() {
        return !type.equals("absent") && !type.equals("missing") && !type.equals("free");
    }

    /** Whether it is empty, zero or false, as what many writers leave out by themselves. */
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

    /** Its content, where that is text. */
    String text() {
        return (String) content;
    }

    /** An item of its content. */
    Object item(int index) {
        return ((List<?>) content).get(index);
    }

    /** The value in words. */
    String shown() {
        String words = switch (type) {
            case "text", "json-text" -> "\"" + content + "\"";
            case "bytes", "ill-formed" -> text().length() / 2 + " bytes " + content;
            case "enum" -> item(0) + " (" + item(1) + ")";
            case "flags" -> item(0) + ", which is the flags " + item(2) + " and " + item(1);
            case "missing" -> "nothing, since it is missing: " + content;
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
