package conformance

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"testing"
)

// Record is a record or a structure: names and values.
type Record = map[string]any

// expectation is the .json beside a trace.
type expectation struct {
	Expect    string
	Open      bool
	Why       string
	Records   [][]Record
	Violation struct{ Rules []string }
}

var guid = regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

// TestConformance tests the reader on each case of cases/*.txt.
func TestConformance(t *testing.T) {
	lists, err := filepath.Glob("cases/*.txt")
	if err != nil || len(lists) == 0 {
		t.Fatal("there are no cases", err)
	}
	for _, list := range lists {
		text, err := os.ReadFile(list)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
			fields := strings.Split(line, "\t")
			t.Run(fields[0], func(t *testing.T) {
				if fields[2] != "must" && os.Getenv("TRACEGAUGE_STRICT") == "" {
					t.Skip("a recommendation; set TRACEGAUGE_STRICT to test it")
				}
				check(t, filepath.Join("cases", filepath.FromSlash(fields[1])))
			})
		}
	}
}

func check(t *testing.T, path string) {
	text, err := os.ReadFile(path + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var wanted expectation
	decoder := json.NewDecoder(bytes.NewReader(text))
	// All digits of an integer count.
	decoder.UseNumber()
	if err := decoder.Decode(&wanted); err != nil {
		t.Fatal(err)
	}
	records, err := read(path)
	switch {
	case errors.Is(err, errNoReader):
		t.Fatal(err)
	case err != nil && wanted.Expect == "accept":
		t.Fatalf("rejected, and it is valid: %s: %v", wanted.Why, err)
	case err == nil && wanted.Expect == "reject":
		t.Fatalf("accepted, and it breaks %v: %s", wanted.Violation.Rules, wanted.Why)
	case err == nil && wanted.Expect == "accept" && records != nil:
		var first string
		for _, set := range wanted.Records {
			found := difference(set, records, wanted.Open)
			if found == "" {
				return
			}
			if first == "" {
				first = found
			}
		}
		if first != "" {
			t.Fatalf("%s: %s", first, wanted.Why)
		}
	}
}

// difference is the first between lists of records, in words; empty where they are equal.
func difference(wanted, records []Record, open bool) string {
	for index := 0; index < len(wanted) && index < len(records); index++ {
		for name, value := range records[index] {
			expected, known := wanted[index][name]
			// A member that has no value is as good as left out.
			if value != nil && !same(expected, known, value) {
				return fmt.Sprintf("record %d: %s is %v and should be %v", index, name, value, expected)
			}
		}
	}
	if len(records) < len(wanted) || len(records) > len(wanted) && !open {
		return fmt.Sprintf("%d records and not %d", len(records), len(wanted))
	}
	return ""
}

// same tells whether a value is right, in any of the ways in which it may be written.
func same(expected any, known bool, actual any) bool {
	object, isObject := expected.(map[string]any)
	switch {
	case isObject && reflect.DeepEqual(object, map[string]any{"free": true}):
		return true
	case actual == nil:
		return !known || expected == nil || isMissing(expected)
	case isMissing(expected):
		return isMissing(actual)
	case isObject && (object["$enum"] != nil || object["$flags"] != nil):
		return sameNumber(object, actual)
	}
	switch actual := actual.(type) {
	case []byte:
		return isObject && object["hex"] == hex.EncodeToString(actual)
	case bool:
		return expected == actual
	case map[string]any:
		return isObject && sameMembers(object, actual)
	case []any:
		list, isList := expected.([]any)
		return isList && sameItems(list, actual)
	case float32:
		return sameFloat(expected, float64(actual))
	case float64:
		return sameFloat(expected, actual)
	case string:
		return fmt.Sprint(expected) == actual || isSameGUID(expected, actual)
	default:
		// Integers of all types, and json.Number, are their digits.
		return fmt.Sprint(expected) == fmt.Sprint(actual)
	}
}

// sameNumber compares a member of an enumeration, or a set of flags: by number, name or names.
func sameNumber(expected map[string]any, actual any) bool {
	list, isList := actual.([]any)
	if !isList {
		text := fmt.Sprint(actual)
		return text == expected["number"] || text == expected["$enum"]
	}
	flags, isFlags := expected["$flags"].([]any)
	return isFlags && reflect.DeepEqual(words(flags), words(list))
}

// words are the texts of values, sorted.
func words(values []any) []string {
	texts := []string{}
	for _, value := range values {
		texts = append(texts, fmt.Sprint(value))
	}
	sort.Strings(texts)
	return texts
}

func sameMembers(expected, actual map[string]any) bool {
	for name, value := range actual {
		wanted, known := expected[name]
		if value != nil && !same(wanted, known, value) {
			return false
		}
	}
	return true
}

// sameItems compares lists; pairs whose value is missing may be left out.
func sameItems(expected, actual []any) bool {
	at := 0
	for _, item := range expected {
		if at < len(actual) && same(item, true, actual[at]) {
			at++
			continue
		}
		pair, isList := item.([]any)
		if !isList || len(pair) != 2 || !isMissing(pair[1]) {
			return false
		}
	}
	return at == len(actual)
}

// sameFloat compares floats; one of 32 bits may have the shortest digits or all.
func sameFloat(expected any, actual float64) bool {
	text := fmt.Sprint(expected)
	wanted, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return false
	}
	if wanted == actual || math.IsNaN(wanted) && math.IsNaN(actual) {
		return true
	}
	mantissa, _, _ := strings.Cut(strings.ToLower(text), "e")
	digits := strings.TrimLeft(strings.NewReplacer("-", "", ".", "").Replace(mantissa), "0")
	return len(digits) <= 9 && float32(wanted) == float32(actual)
}

func isMissing(value any) bool {
	object, isObject := value.(map[string]any)
	_, missing := object["missing"]
	return isObject && missing && len(object) == 1
}

func isSameGUID(expected any, actual string) bool {
	text, isText := expected.(string)
	return isText && guid.MatchString(text) && strings.ToLower(strings.Trim(actual, "{}")) == text
}
