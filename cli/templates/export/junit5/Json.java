// Written by tracegauge corpus export; changes will be overwritten.
package tracegauge;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Parses JSON that is known to be well-formed. Numbers keep all their digits. */
final class Json {
    private final String text;
    private int at;

    Json(String text) {
        this.text = text;
    }

    /** Returns the next value: Map, List, String, BigDecimal, Boolean or null. */
    Object read() {
        switch (next()) {
            case '{':
                return object();
            case '[':
                return list();
            case '"':
                return string();
            default:
                return word();
        }
    }

    /** Returns the next character that is not white space. */
    private char next() {
        while (Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        return text.charAt(at);
    }

    private Map<String, Object> object() {
        Map<String, Object> members = new LinkedHashMap<>();
        at++;
        while (next() != '}') {
            String name = string();
            next();
            at++;
            members.put(name, read());
            if (next() == ',') {
                at++;
                next();
            }
        }
        at++;
        return members;
    }

    private List<Object> list() {
        List<Object> items = new ArrayList<>();
        at++;
        while (next() != ']') {
            items.add(read());
            if (next() == ',') {
                at++;
            }
        }
        at++;
        return items;
    }

    private String string() {
        StringBuilder string = new StringBuilder();
        for (at++; text.charAt(at) != '"'; at++) {
            char c = text.charAt(at);
            string.append(c == '\\' ? escaped() : c);
        }
        at++;
        return string.toString();
    }

    private char escaped() {
        char c = text.charAt(++at);
        int known = "bfnrt".indexOf(c);
        if (c == 'u') {
            at += 4;
            return (char) Integer.parseInt(text.substring(at - 3, at + 1), 16);
        }
        return known < 0 ? c : "\b\f\n\r\t".charAt(known);
    }

    private Object word() {
        int start = at;
        while (at < text.length() && ",]} \n\r\t".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        String word = text.substring(start, at);
        switch (word) {
            case "true":
                return true;
            case "false":
                return false;
            case "null":
                return null;
            default:
                return new BigDecimal(word);
        }
    }
}
