// Written by tracegauge corpus export; changes will be overwritten.

package conformance

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"regexp"
	"sort"
	"strconv"
	"strings"
)

// value is an expected value: a row of a case, and the values that it contains.
type value struct {
	label, kind string
	content     any
	inner       []value
}

// difference describes how a value differs from the expected one.
type difference struct{ path, expected, actual string }

// seen holds the members and kinds that a reader declares as omitted, and its undeclared omissions.
type seen struct {
	omits   []string
	leftOut []difference
}

func newSeen(omits ...string) *seen { return &seen{omits: omits} }

// whenEmpty is the suffix of a declared member that the reader omits only if the value is empty, zero or
// false.
const whenEmpty = " when empty"

func (seen *seen) omitsKind(kind string) bool {
	for _, omitted := range seen.omits {
		if omitted == kind {
			return true
		}
	}
	return false
}

// leavesOut records a missing member, unless it or a member that contains it is declared as omitted.
func (seen *seen) leavesOut(name string, value value) {
	for _, omitted := range seen.omits {
		declared := strings.TrimSuffix(omitted, whenEmpty)
		rest := strings.TrimPrefix(name, declared)
		isMeant := rest == "" || rest != name && strings.ContainsAny(rest[:1], ".[")
		if isMeant && (declared == omitted || value.isEmpty()) {
			return
		}
	}
	seen.leftOut = append(seen.leftOut, difference{"." + value.label, shown(value), "no such member"})
}

// within prepends step to the paths of all undeclared omissions from the index before on.
func (seen *seen) within(before int, step string) {
	for index := before; index < len(seen.leftOut); index++ {
		seen.leftOut[index].path = step + seen.leftOut[index].path
	}
}

const end = "the end of the list"

var (
	decimal = regexp.MustCompile(`^-?(0|[1-9][0-9]{0,39})$`)
	token   = regexp.MustCompile(`^-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]{1,6})?$`)
)

// values returns the values that the rows describe.
func values(rows [][3]json.RawMessage) []value {
	var found []value
	for at := 0; at < len(rows); {
		var next value
		next, at = valueAt(rows, at)
		found = append(found, next)
	}
	return found
}

func valueAt(rows [][3]json.RawMessage, at int) (value, int) {
	var found value
	must(json.Unmarshal(rows[at][0], &found.label))
	must(json.Unmarshal(rows[at][1], &found.kind))
	must(json.Unmarshal(rows[at][2], &found.content))
	at++
	count := 0
	switch found.kind {
	case "record", "list", "object", "json-list", "json-object":
		count = int(found.content.(float64))
	case "pairs":
		count = 2 * int(found.content.(float64))
	}
	for ; count > 0; count-- {
		var inner value
		inner, at = valueAt(rows, at)
		found.inner = append(found.inner, inner)
	}
	return found, at
}

// must panics if an exported file was changed.
func must(err error) {
	if err != nil {
		panic(fmt.Sprintf("the exported expectation is damaged; export the cases again: %v", err))
	}
}

func (expected value) isOwed() bool {
	return expected.kind != "absent" && expected.kind != "missing" && expected.kind != "free"
}

// isEmpty returns whether the value is empty, zero or false. Many JSON writers omit such values.
func (expected value) isEmpty() bool {
	switch expected.kind {
	case "bool":
		return expected.content == false
	case "int":
		return expected.content == "0"
	case "f32", "f64":
		return strings.Trim(expected.content.(string), "0.") == ""
	case "text", "bytes":
		return expected.content == ""
	case "list", "pairs":
		return len(expected.inner) == 0
	case "flags":
		return expected.content.([]any)[0] == "0"
	}
	return false
}

// differenceOfRecords returns the first difference between two lists of records, and the index of its
// record. A wrong value takes precedence over an omitted member.
func differenceOfRecords(expected []value, records []Record, isOpen bool, seen *seen) (int, *difference) {
	at, lacking := 0, 0
	var leftOut *difference
	for index, actual := range records {
		for at < len(expected) && seen.omitsKind(expected[at].label) && actual["record"] != expected[at].label {
			at++
		}
		if at == len(expected) {
			if isOpen {
				return lacking, leftOut
			}
			return index, &difference{"", "no further record", described(actual)}
		}
		if found := differenceOfRecord(expected[at], actual, seen); found != nil {
			return index, found
		}
		if leftOut == nil && len(seen.leftOut) > 0 {
			lacking, leftOut = index, &seen.leftOut[0]
		}
		at++
	}
	for _, owed := range expected[at:] {
		if !seen.omitsKind(owed.label) {
			return len(records), &difference{"", "a record " + owed.label, "no further record"}
		}
	}
	return lacking, leftOut
}

func differenceOfRecord(expected value, actual Record, seen *seen) *difference {
	if actual["record"] != expected.label {
		return &difference{".record", strconv.Quote(expected.label), described(actual["record"])}
	}
	return differenceOfMembers(expected.inner, actual, "record", expected.label, seen)
}

// differenceOf returns how actual differs from the expected value, or nil if it does not.
func differenceOf(expected value, actual any, context string, seen *seen) *difference {
	actual = plain(actual)
	switch expected.kind {
	case "list":
		return differenceOfLists(expected.inner, actual, context, seen)
	case "pairs":
		return differenceOfPairs(expected.inner, actual, context, seen)
	case "object":
		members, isObject := actual.(map[string]any)
		if !isObject {
			return &difference{"", "an object", described(actual)}
		}
		return differenceOfMembers(expected.inner, members, "", context, seen)
	}
	if isSame(expected, actual) {
		return nil
	}
	return &difference{"", shown(expected), described(actual)}
}

func differenceOfMembers(expected []value, actual Record, own, context string, seen *seen) *difference {
	for _, value := range expected {
		name := context + "." + value.label
		member, isThere := actual[value.label]
		if !isThere {
			if value.isOwed() {
				seen.leavesOut(name, value)
			}
			continue
		}
		before := len(seen.leftOut)
		if found := differenceOf(value, member, name, seen); found != nil {
			// An unknown member may be the reason why another member is wrong.
			if unknown := unknownMember(expected, actual, own); unknown != nil {
				return unknown
			}
			return &difference{"." + value.label + found.path, found.expected, found.actual}
		}
		seen.within(before, "."+value.label)
	}
	return unknownMember(expected, actual, own)
}

func unknownMember(expected []value, actual Record, own string) *difference {
	known := map[string]bool{own: own != ""}
	for _, value := range expected {
		known[value.label] = true
	}
	var unknown []string
	for name, value := range actual {
		if !known[name] && !holdsNothing(value) {
			unknown = append(unknown, name)
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	sort.Strings(unknown)
	return &difference{"." + unknown[0], "no such member", described(actual[unknown[0]])}
}

// holdsNothing returns whether a value is nil, or a map whose values are all nil or such maps.
func holdsNothing(actual any) bool {
	actual = plain(actual)
	members, isObject := actual.(map[string]any)
	for _, value := range members {
		if !holdsNothing(value) {
			return false
		}
	}
	return isObject || actual == nil
}

func differenceOfLists(expected []value, actual any, context string, seen *seen) *difference {
	items, isList := actual.([]any)
	if !isList {
		return &difference{"", fmt.Sprintf("a list of %d", len(expected)), described(actual)}
	}
	for index, value := range expected {
		path := fmt.Sprintf("[%d]", index)
		if index == len(items) {
			return &difference{path, shown(value), end}
		}
		before := len(seen.leftOut)
		if found := differenceOf(value, items[index], context+"[]", seen); found != nil {
			return &difference{path + found.path, found.expected, found.actual}
		}
		seen.within(before, path)
	}
	if len(items) > len(expected) {
		return &difference{fmt.Sprintf("[%d]", len(expected)), end, described(items[len(expected)])}
	}
	return nil
}

// differenceOfPairs compares ordered pairs. A pair without a value may be omitted.
func differenceOfPairs(expected []value, actual any, context string, seen *seen) *difference {
	items, isList := actual.([]any)
	if !isList {
		return &difference{"", fmt.Sprintf("a list of %d [name, value] pairs", len(expected)/2), described(actual)}
	}
	at := 0
	for index := 0; index < len(expected); index += 2 {
		name, value := expected[index], expected[index+1]
		found, before := &difference{"", shown(name), end}, len(seen.leftOut)
		if at < len(items) {
			found = differenceOfPair(name, value, items[at], context, seen)
		}
		if found == nil {
			seen.within(before, fmt.Sprintf("[%d].value", at))
			at++
		} else if value.isOwed() {
			return &difference{fmt.Sprintf("[%d]%s", at, found.path), found.expected, found.actual}
		} else {
			seen.leftOut = seen.leftOut[:before]
		}
	}
	if at < len(items) {
		return &difference{fmt.Sprintf("[%d]", at), end, described(items[at])}
	}
	return nil
}

func differenceOfPair(name, value value, actual any, context string, seen *seen) *difference {
	pair, isList := plain(actual).([]any)
	if !isList || len(pair) != 2 {
		return &difference{"", "a pair [name, value]", described(actual)}
	}
	if found := differenceOf(name, pair[0], "", newSeen()); found != nil {
		return &difference{".name" + found.path, found.expected, found.actual}
	}
	if found := differenceOf(value, pair[1], context+"[]", seen); found != nil {
		return &difference{".value" + found.path, found.expected, found.actual}
	}
	return nil
}

// plain converts a value to one of a few types: nil, bool, string, []byte, number, single, []any, map[string]any.
func plain(actual any) any {
	switch actual := actual.(type) {
	case nil, bool, string, []byte, number, single, []any, map[string]any:
		return actual
	case json.Number:
		return number(actual)
	case *big.Int:
		if actual == nil {
			return nil
		}
		return number(actual.String())
	case big.Int:
		return number(actual.String())
	case json.RawMessage:
		return decoded(actual)
	}
	found := reflect.ValueOf(actual)
	switch found.Kind() {
	case reflect.Bool:
		return found.Bool()
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return number(strconv.FormatInt(found.Int(), 10))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return number(strconv.FormatUint(found.Uint(), 10))
	case reflect.Float32:
		return single(found.Float())
	case reflect.Float64:
		return plainFloat(found.Float(), 64)
	case reflect.String:
		return found.String()
	case reflect.Pointer, reflect.Interface:
		if found.IsNil() {
			return nil
		}
		return plain(found.Elem().Interface())
	case reflect.Slice, reflect.Array:
		return plainList(found)
	case reflect.Map:
		if found.Type().Key().Kind() == reflect.String {
			members := map[string]any{}
			for _, key := range found.MapKeys() {
				members[key.String()] = found.MapIndex(key).Interface()
			}
			return members
		}
	}
	return actual
}

// decoded returns the value of embedded JSON. Invalid JSON stays bytes, which equal no JSON value.
func decoded(raw json.RawMessage) any {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	var found any
	if decoder.Decode(&found) != nil || decoder.More() {
		return []byte(raw)
	}
	return plain(found)
}

// number holds the digits of a number.
type number string

// single is a 32-bit float.
type single float32

// forms returns the exact value of a 32-bit float and its shortest digits, which an adapter would print.
// From 2^24 on, they can differ. Both must be correct, so that these tests and `run` agree.
func (float single) forms() (any, any) {
	return plainFloat(float64(float), 64), plainFloat(float64(float), 32)
}

// plainFloat returns the shortest digits of a float of the given width, or the name of a NaN or infinity.
func plainFloat(float float64, bits int) any {
	switch {
	case math.IsNaN(float):
		return "NaN"
	case math.IsInf(float, 1):
		return "Infinity"
	case math.IsInf(float, -1):
		return "-Infinity"
	}
	return number(strconv.FormatFloat(float, 'e', -1, bits))
}

func plainList(found reflect.Value) any {
	isBytes := found.Type().Elem().Kind() == reflect.Uint8
	raw, items := []byte{}, []any{}
	for index := 0; index < found.Len(); index++ {
		if isBytes {
			raw = append(raw, byte(found.Index(index).Uint()))
		} else {
			items = append(items, found.Index(index).Interface())
		}
	}
	if isBytes {
		return raw
	}
	return items
}

// isSame returns whether a converted value is correct, in any of the allowed forms.
func isSame(expected value, actual any) bool {
	if float, isSingle := actual.(single); isSingle {
		exact, shortest := float.forms()
		return isSame(expected, exact) && isSame(expected, shortest)
	}
	text, isText := actual.(string)
	switch expected.kind {
	case "free":
		return true
	case "absent", "json-null":
		return actual == nil
	case "missing":
		return actual == nil || isMissing(actual)
	case "bool", "json-bool":
		return actual == expected.content
	case "text", "json-text":
		return isText && text == expected.content
	case "int":
		return isInteger(expected.content.(string), actual)
	case "f32", "f64":
		return isFloat(expected.kind, expected.content.(string), actual)
	case "json-number":
		return isJSONNumber(expected.content.(string), actual)
	case "json-list", "json-object":
		return isJSON(expected, actual)
	case "bytes":
		return isHex(expected.content, actual)
	case "ill-formed":
		// A Go string can contain any bytes.
		return isHex(expected.content, actual) || isText && hex.EncodeToString([]byte(text)) == expected.content
	case "guid":
		if strings.HasPrefix(text, "{") && strings.HasSuffix(text, "}") {
			text = text[1 : len(text)-1]
		}
		return isText && strings.ToLower(text) == expected.content
	case "enum":
		member := expected.content.([]any)
		return isText && text == member[0] || isInteger(member[1].(string), actual)
	case "flags":
		return isFlags(expected.content.([]any), actual)
	}
	return false
}

// integer converts a number with all its digits, or a decimal string, to an integer.
func integer(actual any) *big.Int {
	switch actual := actual.(type) {
	case single:
		exact, shortest := actual.forms()
		one, other := integer(exact), integer(shortest)
		if one != nil && other != nil && one.Cmp(other) == 0 {
			return one
		}
	case string:
		if decimal.MatchString(actual) {
			found, _ := new(big.Int).SetString(actual, 10)
			return found
		}
	case number:
		if !token.MatchString(string(actual)) {
			return nil
		}
		mantissa, exponent, _ := strings.Cut(strings.ToLower(string(actual)), "e")
		// No format has a longer integer.
		if power, _ := strconv.Atoi(exponent); len(mantissa) > 400 || power > 400 || power < -400 {
			return nil
		}
		found, isNumber := new(big.Rat).SetString(string(actual))
		if isNumber && found.IsInt() && len(found.Num().String()) <= 41 {
			return found.Num()
		}
	}
	return nil
}

func isInteger(expected string, actual any) bool {
	found := integer(actual)
	return found != nil && found.String() == expected
}

func isFloat(kind, expected string, actual any) bool {
	if text, isText := actual.(string); isText || expected == "NaN" {
		return isText && !isFinite(expected) && text == expected
	}
	digits, isNumber := actual.(number)
	if !isNumber || !token.MatchString(string(digits)) {
		return false
	}
	// A number that exceeds the range of a double becomes infinite.
	wanted, _ := strconv.ParseFloat(expected, 64)
	found, _ := strconv.ParseFloat(string(digits), 64)
	if kind == "f64" {
		return found == wanted && math.Signbit(found) == math.Signbit(wanted)
	}
	once, _ := strconv.ParseFloat(string(digits), 32)
	isRight := float32(found) == float32(wanted) || float32(once) == float32(wanted)
	return isRight && math.Signbit(found) == math.Signbit(wanted)
}

func isFinite(float string) bool {
	return float != "NaN" && float != "Infinity" && float != "-Infinity"
}

func isJSONNumber(expected string, actual any) bool {
	wanted, _ := strconv.ParseFloat(expected, 64)
	switch actual := actual.(type) {
	case string:
		return math.IsInf(wanted, 0) && plainFloat(wanted, 64) == actual
	case number:
		found, _ := strconv.ParseFloat(string(actual), 64)
		return token.MatchString(string(actual)) && found == wanted
	}
	return false
}

// isJSON returns whether this is the expected JSON value. Null members must not be omitted.
func isJSON(expected value, actual any) bool {
	switch actual := actual.(type) {
	case []any:
		if expected.kind != "json-list" || len(actual) != len(expected.inner) {
			return false
		}
		for index, value := range expected.inner {
			if !isSame(value, plain(actual[index])) {
				return false
			}
		}
		return true
	case map[string]any:
		if expected.kind != "json-object" || len(actual) != len(expected.inner) {
			return false
		}
		for _, value := range expected.inner {
			member, isThere := actual[value.label]
			if !isThere || !isSame(value, plain(member)) {
				return false
			}
		}
		return true
	}
	return false
}

func isMissing(actual any) bool {
	object, isObject := actual.(map[string]any)
	_, isText := plain(object["missing"]).(string)
	return isObject && len(object) == 1 && isText
}

func isHex(expected, actual any) bool {
	switch actual := actual.(type) {
	case []byte:
		return hex.EncodeToString(actual) == expected
	case map[string]any:
		text, isText := plain(actual["hex"]).(string)
		return len(actual) == 1 && isText && strings.ToLower(text) == expected
	}
	return false
}

// isFlags compares a set of flags: its number, or names with the number of the remaining bits.
func isFlags(expected []any, actual any) bool {
	if isInteger(expected[0].(string), actual) {
		return true
	}
	items, isList := actual.([]any)
	if !isList {
		return false
	}
	left := map[any]bool{}
	for _, name := range expected[2].([]any) {
		left[name] = true
	}
	bits := new(big.Int)
	for _, item := range items {
		item = plain(item)
		bit := integer(item)
		switch text, isText := item.(string); {
		case isText && left[text]:
			delete(left, text)
		case bit != nil && bit.IsUint64():
			bits.Or(bits, bit)
		default:
			return false
		}
	}
	return len(left) == 0 && bits.String() == expected[1]
}

// shown describes an expected value.
func shown(expected value) string {
	switch expected.kind {
	case "text", "json-text":
		return cut(strconv.Quote(expected.content.(string)))
	case "bytes", "ill-formed":
		return cut(fmt.Sprintf("%d bytes %v", len(expected.content.(string))/2, expected.content))
	case "enum":
		member := expected.content.([]any)
		return fmt.Sprintf("%v (%v)", member[0], member[1])
	case "flags":
		flags := expected.content.([]any)
		return cut(fmt.Sprintf("%v (flags: %v; remaining bits: %v)", flags[0], flags[2], flags[1]))
	case "missing":
		return cut(fmt.Sprintf("nothing, because the value is missing: %v", expected.content))
	case "absent", "json-null":
		return "nothing"
	case "pairs":
		return fmt.Sprintf("%v [name, value] pairs", expected.content)
	case "list", "json-list", "object", "json-object":
		return fmt.Sprintf("%s of %v", expected.kind, expected.content)
	}
	return fmt.Sprint(expected.content)
}

// described describes a value that the reader returned.
func described(actual any) string {
	switch actual := plain(actual).(type) {
	case string:
		return cut(strconv.Quote(actual)) + " (string)"
	case []byte:
		return cut(fmt.Sprintf("%d bytes %x", len(actual), actual))
	case []any:
		return fmt.Sprintf("a list of %d", len(actual))
	case nil:
		return "nil"
	case single:
		return fmt.Sprintf("%v (float32)", actual)
	}
	return fmt.Sprintf("%s (%T)", cut(fmt.Sprint(actual)), actual)
}

func cut(text string) string {
	if len(text) <= 200 {
		return text
	}
	return fmt.Sprintf("%s… (%d bytes)", strings.ToValidUTF8(text[:200], ""), len(text))
}
