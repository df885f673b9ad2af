package tracegauge;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A reader of the notes format. */
final class Reader {
    static final List<String> OMITS = List.of();
    static final List<Class<? extends Exception>> REJECTIONS =
            List.of(Rejection.class, CharacterCodingException.class);

    private Reader() {}

    static List<Map<String, Object>> read(Path trace) throws Exception {
        try {
            return notes(trace);
        } catch (BufferUnderflowException error) {
            throw new Rejection("a note is cut", error);
        }
    }

    private static List<Map<String, Object>> notes(Path trace) throws Exception {
        ByteBuffer data = ByteBuffer.wrap(Files.readAllBytes(trace)).order(ByteOrder.LITTLE_ENDIAN);
        if (data.getInt() != 0x45544F4E) {
            throw new Rejection("no notes");
        }
        List<Map<String, Object>> notes = new ArrayList<>();
        while (data.hasRemaining()) {
            String at = Long.toUnsignedString(data.getLong());
            int level = data.get() & 0xff;
            byte[] text = new byte[data.get() & 0xff];
            data.get(text);
            if (level > 9) {
                throw new Rejection("the level is " + level);
            }
            String decoded = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(text)).toString();
            notes.add(Map.of("record", "note", "at", at, "level", level, "text", decoded));
        }
        return notes;
    }
}
