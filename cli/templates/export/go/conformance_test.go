// Written by tracegauge corpus export; changes will be overwritten.

package conformance

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// Record is a record or a structure: names and values.
type Record = map[string]any

// Unsupported is the error of a reader that does not support a feature. It does not mean that the
// trace is faulty.
type Unsupported string

func (feature Unsupported) Error() string { return string(feature) }

// omits lists the members and kinds of records that the reader cannot report.
var omits []string

// verdictOnly is true for a reader that cannot report records.
var verdictOnly bool

// errNoReader is returned as long as `read` does not call a reader.
var errNoReader = errors.New("call your reader in `read` of reader_test.go; if its package cannot be imported, see go.mod")

// expectation is the content of the .json file next to a trace.
type expectation struct {
	Case, Level    string
	Allowed        []string
	Compared, Open bool
	Length         int
	CRC32          string
	About          []string
	Records        [][][3]json.RawMessage
}

// answer is the answer of the reader: accept, reject, unsupported or crash.
type answer struct {
	said, why string
	records   []Record
}

// TestConformance tests the reader on each case listed in cases/*.txt.
func TestConformance(t *testing.T) {
	lists, err := filepath.Glob("cases/*.txt")
	if err != nil || len(lists) == 0 {
		t.Fatal("no cases found; export the tests again")
	}
	var lines [][]string
	for _, list := range lists {
		lines = append(lines, listed(t, list)...)
	}
	known := knownFailures(t, lines)
	wanted, ran := os.Getenv("TRACEGAUGE_CASES"), 0
	for _, line := range lines {
		if wanted != "" && !glob(wanted).MatchString(line[0]) {
			continue
		}
		t.Run(line[0], func(t *testing.T) {
			ran++
			check(t, filepath.Join("cases", filepath.FromSlash(line[1])), known)
		})
	}
	if ran == 0 {
		t.Fatal("no case matches: -run takes an expression for each part between slashes, " +
			"such as 'Conformance/{{group}}'; TRACEGAUGE_CASES='*/{{rule}}/*' matches whole names")
	}
}

// listed returns the lines of a list of cases: name, path, level.
func listed(t *testing.T, path string) [][]string {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var lines [][]string
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		fields := strings.Split(strings.TrimRight(line, "\r"), "\t")
		if len(fields) != 3 {
			t.Fatalf("%s: expected NAME, PATH and LEVEL, found %q; export the cases again", path, line)
		}
		lines = append(lines, fields)
	}
	return lines
}

func check(t *testing.T, path string, known []knownFailure) {
	wanted := load(t, path)
	got := ask(t, path)
	outcome, told := judge(wanted, got)
	text := report(wanted, path, got, outcome, told)
	for _, entry := range known {
		switch {
		case !entry.pattern.MatchString(wanted.Case):
		case entry.outcome == outcome:
			t.Skipf("known failure: %s", printable(entry.reason))
		default:
			t.Fatalf("known-failures.txt:%d: listed as %s, but the outcome is %s; correct the entry\n%s",
				entry.line, entry.outcome, outcome, text)
		}
	}
	isStrict := os.Getenv("TRACEGAUGE_STRICT") != ""
	counts := wanted.Level == "must" || isStrict || outcome == "crash" || outcome == "protocol"
	switch {
	case outcome == "pass":
	case wanted.Level == "disputed" || !counts:
		t.Skipf("%s, which does not count without TRACEGAUGE_STRICT=1: the case is %s", outcome, wanted.Level)
	default:
		t.Fatal(text)
	}
}

// load reads the expectation next to a trace, and checks that the trace has not changed.
func load(t *testing.T, path string) expectation {
	var wanted expectation
	text, err := os.ReadFile(path + ".json")
	if err == nil {
		err = json.Unmarshal(text, &wanted)
	}
	if err != nil {
		t.Fatalf("%s.json: %v", path, err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(data) != wanted.Length || fmt.Sprintf("%08x", crc32.ChecksumIEEE(data)) != wanted.CRC32 {
		t.Fatalf("%s is not the trace that was exported (%d bytes, expected %d). If git converted its line "+
			"endings, check it out again with cases/.gitattributes in place; otherwise, export the cases again.",
			path, len(data), wanted.Length)
	}
	return wanted
}

// ask runs the reader on a trace. A panic in the goroutine of the test ends only that test.
func ask(t *testing.T, path string) (got answer) {
	defer func() {
		if cause := recover(); cause != nil {
			got = answer{said: "crash", why: fmt.Sprintf("panic: %v\n%s", cause, debug.Stack())}
		}
	}()
	records, err := read(path)
	var unsupported Unsupported
	var mistake runtime.Error
	var file *fs.PathError
	switch {
	case errors.Is(err, errNoReader):
		t.Fatal(err)
	case errors.As(err, &unsupported):
		return answer{said: "unsupported", why: err.Error()}
	case errors.As(err, &mistake) || errors.As(err, &file):
		return answer{said: "crash", why: err.Error()}
	case err != nil:
		return answer{said: "reject", why: err.Error()}
	}
	return answer{said: "accept", records: records}
}

// judge returns the outcome of a case and a description of the difference.
func judge(wanted expectation, got answer) (string, []string) {
	isAllowed := false
	for _, allowed := range wanted.Allowed {
		isAllowed = isAllowed || allowed == got.said
	}
	switch {
	case got.said == "crash":
		return "crash", nil
	case !isAllowed && got.said == "accept":
		return "wrong-accept", nil
	case !isAllowed && got.said == "reject":
		return "wrong-reject", nil
	case !isAllowed:
		return "undeclared-gap", nil
	}
	for index, record := range got.records {
		if _, isText := record["record"].(string); !isText {
			return "protocol", told(index, difference{"", `a map whose "record" names its kind`, described(record)})
		}
	}
	if got.said != "accept" || verdictOnly || !wanted.Compared {
		return "pass", nil
	}
	return compared(wanted, got.records)
}

// compared compares the records with each allowed set of records. If none matches, it reports the
// difference from the set with the longest match.
func compared(wanted expectation, records []Record) (string, []string) {
	furthest, words := -1, []string(nil)
	for _, rows := range wanted.Records {
		index, found := differenceOfRecords(values(rows), records, wanted.Open, newSeen(omits...))
		if found == nil {
			return "pass", nil
		}
		if index > furthest {
			furthest, words = index, told(index, *found)
		}
	}
	return "wrong-records", words
}

func told(index int, found difference) []string {
	path := strings.TrimPrefix(found.path, ".")
	if path != "" {
		path = ": " + path
	}
	return []string{
		fmt.Sprintf("differs   record %d%s", index, path),
		"          expected " + found.expected,
		"          actual   " + found.actual,
	}
}

// report describes a failure: the case, the rule, the location, the bytes and the difference.
func report(wanted expectation, path string, got answer, outcome string, told []string) string {
	actual := got.said
	if got.why != "" {
		actual += ": " + got.why
	}
	lines := append([]string{outcome + ": " + wanted.Case}, wanted.About...)
	lines = append(lines, "expected  "+strings.Join(wanted.Allowed, " or "), "actual    "+actual)
	lines = append(lines, told...)
	return printable(strings.Join(append(lines, "trace     "+path), "\n"))
}

// printable escapes invalid UTF-8 and characters that cannot be shown. XML, to which some programs
// convert the output of go test, cannot contain them.
func printable(text string) string {
	var out strings.Builder
	for at, size := 0, 0; at < len(text); at += size {
		var found rune
		found, size = utf8.DecodeRuneInString(text[at:])
		switch {
		case found == utf8.RuneError && size == 1:
			fmt.Fprintf(&out, `\x%02x`, text[at])
		case unicode.IsControl(found) && found != '\n' && found != '\t', found == 0xfffe, found == 0xffff:
			fmt.Fprintf(&out, `\u%04x`, found)
		default:
			out.WriteRune(found)
		}
	}
	return out.String()
}

// knownFailure is a line of known-failures.txt.
type knownFailure struct {
	line            int
	outcome, reason string
	pattern         *regexp.Regexp
}

func knownFailures(t *testing.T, cases [][]string) []knownFailure {
	text, err := os.ReadFile("known-failures.txt")
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	var known []knownFailure
	for index, line := range strings.Split(string(text), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		words := strings.Fields(line)
		if len(words) < 3 || !isOutcome(words[0]) {
			t.Fatalf("known-failures.txt:%d: expected OUTCOME CASE REASON, found: %s", index+1, line)
		}
		entry := knownFailure{index + 1, words[0], strings.Join(words[2:], " "), glob(words[1])}
		matches := false
		for _, fields := range cases {
			matches = matches || entry.pattern.MatchString(fields[0])
		}
		if !matches {
			t.Fatalf("known-failures.txt:%d: no case matches %s; remove the line", index+1, words[1])
		}
		known = append(known, entry)
	}
	return known
}

func isOutcome(word string) bool {
	switch word {
	case "wrong-records", "wrong-reject", "wrong-accept", "undeclared-gap", "protocol", "crash":
		return true
	}
	return false
}

// glob compiles a pattern for names of cases: * matches any characters and ? matches one.
func glob(pattern string) *regexp.Regexp {
	text := regexp.QuoteMeta(pattern)
	text = strings.NewReplacer(`\*`, `.*`, `\?`, `.`).Replace(text)
	return regexp.MustCompile(`(?s)^` + text + `$`)
}
