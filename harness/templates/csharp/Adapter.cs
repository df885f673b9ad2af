// Shows @NAME@ to tracegauge. Read is all that is yours; Tracegauge.cs speaks the protocol.

using Tracegauge;

return Protocol.Run("@NAME@", "0.1.0", Read);

// Reads one trace; reporter.Format is the name of its format.
static void Read(byte[] data, Reporter reporter)
{
    // Call your reader here, and report each record that it read by the names that
    // `tracegauge spec docs ID` lists:
    //
    //     foreach (var item in MyReader.Parse(data))
    //         reporter.Record("event", ("name", item.Name), ("timestamp", item.Timestamp));
    //
    // Return where it accepts the trace. Where it says no, say so in its own words:
    //
    //     throw new Rejection(error.Message);
    throw new Rejection("no reader is called yet: call yours in Adapter.cs");
}
