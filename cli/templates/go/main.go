// The tracegauge adapter for @NAME@. You only have to implement read. tracegauge.go implements the
// protocol.
package main

// read reads one trace. reporter.Format is the name of its format.
func read(data []byte, reporter *Reporter) error {
	// Call your reader here and report each record. `tracegauge spec docs ID` lists the names of
	// records and members:
	//
	//	events, err := myreader.Parse(data)
	//	if err != nil {
	//		return err
	//	}
	//	for _, event := range events {
	//		reporter.Record("event", Member{"name", event.Name})
	//	}
	//
	// Return nil if your reader accepts the trace. Any error is a rejection with its message.
	return Rejection{Why: "this adapter does not call a reader yet: call yours in main.go", Offset: -1}
}

func main() {
	Run("@NAME@", "0.1.0", read)
}
