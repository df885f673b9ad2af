package conformance

func init() {
	// Members ("event.timestamp") and kinds of records ("stack") that your reader cannot report;
	// "event.fields when empty" if it omits values that are empty, zero or false. Any other missing
	// member is wrong.
	omits = []string{}
	// Set this to true if your reader cannot report records. Only its verdicts are then tested.
	verdictOnly = false
}

// read reads the trace at path. A returned error is a rejection, except for errors of the Go runtime
// and of the file system, which are crashes, as is a panic. Unsupported("feature") says that the
// reader does not support something that the trace uses. This file is yours: exporting again leaves
// it unchanged.
//
// A record has its kind under "record", and its members have the names in the .json file next to each
// trace. A trace without records gives nil or an empty slice.
func read(path string) ([]Record, error) {
	return nil, errNoReader
}
