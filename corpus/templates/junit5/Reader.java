package tracegauge;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Your reader, as the tests call it. This file is yours: exporting again leaves it as it is. */
final class Reader {
    /**
     * Members ("event.timestamp") and kinds of records ("stack") that it has no way to report; "event.fields
     * when empty" where it leaves out what is empty, zero or false. What else is missing is wrong.
     */
    static final List<String> OMITS = List.of();

    private Reader() {}

    /**
     * Reads a trace. A checked exception, such as {@link Rejection}, is a rejection; a {@code
     * RuntimeException} or an {@code Error} is a crash, so that a mistake of the reader does not pass
     * for one. Where your reader says no by a {@code RuntimeException}, catch that and throw {@link
     * Rejection}. {@link Unsupported} says that it does not read this.
     *
     * <p>A record has its kind under {@code record}, and members with the names that stand in the
     * {@code .json} beside each trace. Null instead of a list: the reader cannot tell what it read,
     * and only its verdict is tested.
     */
    static List<Map<String, Object>> read(Path trace) throws Exception {
        throw new NoReader();
    }

    /** There is no reader yet. */
    static final class NoReader extends Exception {
        private static final long serialVersionUID = 1;

        NoReader() {
            super("call your reader in `read` of Reader.java; if its classes are not found, see pom.xml");
        }
    }
}
