/**
 * The tracegauge adapter for @NAME@. You only have to implement {@code read}. Tracegauge.java
 * implements the protocol.
 */
public final class Adapter {
    /** Reads one trace. {@code reporter.format()} is the name of its format. */
    static void read(byte[] data, Tracegauge.Reporter reporter) throws Exception {
        // Call your reader here and report each record. `tracegauge spec docs ID` lists the names
        // of records and members:
        //
        //     try {
        //         for (Event event : MyReader.parse(data)) {
        //             reporter.record("event", "name", event.name(), "timestamp", event.timestamp());
        //         }
        //     } catch (MyReader.FormatException error) {
        //         throw new Tracegauge.Rejection(error.getMessage());
        //     }
        //
        // Return if your reader accepts the trace. Catch only exceptions that mean that the trace
        // is faulty. Any other exception is a crash.
        throw new Tracegauge.Rejection("this adapter does not call a reader yet: call yours in Adapter.java");
    }

    public static void main(String[] arguments) {
        Tracegauge.run("@NAME@", "0.1.0", arguments, Adapter::read);
    }
}
