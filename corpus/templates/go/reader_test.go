package conformance

import "errors"

// errNoReader is what the tests take for a reader that is not there yet.
var errNoReader = errors.New("call your reader in reader_test.go")

// read reads the trace at path; an error is a rejection. This file is yours: exporting again
// does not touch it.
//
// A record has its kind under "record", and members with the names that the .json beside each
// trace shows. Members may be left out. nil instead of records: the reader cannot tell what it
// read, and only its verdict is tested.
func read(path string) ([]Record, error) {
	return nil, errNoReader
}
