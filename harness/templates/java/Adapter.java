/** Shows @NAME@ to tracegauge. {@code read} is all that is yours; Tracegauge.java speaks the protocol. */
public final class Adapter {
    /** Reads one trace; {@code reporter.format()} is the name of its format. */
    static void read(byte[] data, Tracegauge.Reporter reporter) throws Exception {
        // Call your reader here, and report each record that it read by the names that
        // `tracegauge spec docs ID` lists:
        //
        //     try {
        //         for (Event event : MyReader.parse(data)) {
        //             reporter.record("event", "name", event.name(), "timestamp", event.timestamp());
        //         }
        //     } catch (MyReader.FormatException error) {
        //         throw new Tracegauge.Rejection(error.getMessage());
        //     }
        //
        // Return where it accepts the trace. Catch only what says that the trace is faulty: any
        // other exception is a crash.
        throw new Tracegauge.Rejection("no reader is called yet: call yours in Adapter.java");
    }

    public static void main(String[] arguments) {
        Tracegauge.run("@NAME@", "0.1.0", arguments, Adapter::read);
    }
}
