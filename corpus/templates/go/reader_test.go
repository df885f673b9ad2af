package conformance

import "errors"

// errNoReader is what the tests take for a reader that is not there yet.
var errNoReader = errors.New("call your reader in `read` of reader_test.go; if its package cannot be imported, see go.mod")

func init() {
	// Members ("event.timestamp") and kinds of records ("stack") that your reader has no way to report;
	// "event.fields when empty" where it leaves out what is empty, zero or false. What else is missing is
	// wrong.
	omits = []string{}
}

// read reads the trace at path. An error is a rejection, but for errors of the runtime and of the
// file system, which are crashes, as is a panic; Unsupported("feature") says that the reader does not
// read this. This file is yours: exporting again leaves it as it is.
//
// A record has its kind under "record", and members with the names that stand in the .json beside
// each trace. nil instead of records: the reader cannot tell what it read, and only its verdict is
// tested.
func read(path string) ([]Record, error) {
	return nil, errNoReader
}
