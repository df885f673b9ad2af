// The tracegauge adapter for @NAME@. You only have to implement Read. Tracegauge.cs implements the
// protocol.

using Tracegauge;

return Protocol.Run("@NAME@", "0.1.0", Read);

// Reads one trace. reporter.Format is the name of its format.
static void Read(byte[] data, Reporter reporter)
{
    // Call your reader here and report each record. `tracegauge spec docs ID` lists the names of
    // records and members:
    //
    //     foreach (var item in MyReader.Parse(data))
    //         reporter.Record("event", ("name", item.Name), ("timestamp", item.Timestamp));
    //
    // Return if your reader accepts the trace. If it rejects the trace, pass on its message:
    //
    //     throw new Rejection(error.Message);
    throw new Rejection("this adapter does not call a reader yet: call yours in Adapter.cs");
}
