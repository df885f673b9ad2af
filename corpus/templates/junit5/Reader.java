package tracegauge;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Your reader, as the tests call it. This file is yours: exporting again does not touch it. */
final class Reader {
    private Reader() {}

    /**
     * Reads a trace; any exception is a rejection. A record has its kind under {@code record},
     * and members with the names that the {@code .json} beside each trace shows. Members may be
     * left out. Null instead of a list: the reader cannot tell what it read, and only its verdict
     * is tested.
     */
    static List<Map<String, Object>> read(Path trace) throws Exception {
        throw new NoReader();
    }

    /** There is no reader yet. */
    static final class NoReader extends Exception {
        private static final long serialVersionUID = 1;

        NoReader() {
            super("call your reader in Reader.java");
        }
    }
}
