package tracegauge;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Calls your reader. You own this file: exporting again leaves it unchanged. */
final class Reader {
    /**
     * Members ("event.timestamp") and kinds of records ("stack") that your reader cannot report;
     * "event.fields when empty" if it omits values that are empty, zero or false. Any other missing
     * member is wrong.
     */
    static final List<String> OMITS = List.of();

    /**
     * Exceptions with which your reader rejects a trace. Any other exception is a crash, so that a bug
     * in the reader does not pass as a rejection.
     */
    static final List<Class<? extends Exception>> REJECTIONS = List.of(Rejection.class);

    private Reader() {}

    /**
     * Reads a trace and returns its records, or throws one of {@link #REJECTIONS}. {@link Unsupported}
     * says that the reader does not support something that the trace uses.
     *
     * <p>A record has its kind under {@code record}, and its members have the names in the {@code
     * .json} file next to each trace. Return null instead of a list if the reader cannot report
     * records: only its verdicts are then tested.
     */
    static List<Map<String, Object>> read(Path trace) throws Exception {
        throw new NoReader();
    }
}
