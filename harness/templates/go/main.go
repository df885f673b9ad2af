// Shows @NAME@ to tracegauge. read is all that is yours; tracegauge.go speaks the protocol.
package main

// read reads one trace; reporter.Format is the name of its format.
func read(data []byte, reporter *Reporter) error {
	// Call your reader here, and report each record that it read by the names that
	// `tracegauge spec docs ID` lists:
	//
	//	events, err := myreader.Parse(data)
	//	if err != nil {
	//		return err
	//	}
	//	for _, event := range events {
	//		reporter.Record("event", Member{"name", event.Name})
	//	}
	//
	// nil where it accepts the trace; any error is a rejection in its own words.
	return Rejection{Why: "no reader is called yet: call yours in main.go", Offset: -1}
}

func main() {
	Run("@NAME@", "0.1.0", read)
}
