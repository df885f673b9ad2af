package main

// The tracegauge reader protocol. With this file, an adapter is a single function. It uses only the
// standard library.
//
// If the last argument is a path, the program reads that file (mode once). Without arguments, it
// answers requests on standard input (mode serve). A panic counts as a crash: it ends the process,
// so that the harness detects it.

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"os"
	"reflect"
	"sort"
	"strconv"
	"unicode/utf8"
)

// Read is the function that an adapter provides. It reads the bytes of a trace, passes the records
// to the reporter and returns the reader's verdict.
type Read func(data []byte, reporter *Reporter) error

// Rejection is an error for rejections with more details than a message. Any other error is a
// rejection too.
type Rejection struct {
	Why string
	// Class is malformed, incomplete or unsupported, or empty.
	Class string
	// Offset is the byte offset of the fault, or -1 if the reader does not report it.
	Offset int64
}

func (rejection Rejection) Error() string { return rejection.Why }

// Unsupported is an error that means that the reader does not support a feature. It does not mean
// that the trace is faulty.
type Unsupported string

func (feature Unsupported) Error() string { return string(feature) }

// Member is a named value.
type Member struct {
	Name  string
	Value any
}

// Object is a structure.
type Object []Member

// Pair is a name and its value. Maps and fields that the file defines are lists of pairs.
func Pair(name, value any) []any { return []any{name, value} }

// Reporter writes the records of one case in the order in which the reader reports them.
type Reporter struct {
	// Format is the tracegauge name of the case's format.
	Format string
	out    *bufio.Writer
}

// Record reports one record. Values are bool, integers, floats, string, []byte, Object,
// *big.Int, lists of any of them, what encoding/json decodes into any, json.RawMessage, and
// nil. Types defined from these types are written like them, and an array of bytes like []byte. A string
// that is not well-formed UTF-8 is written as its bytes. A map has no order and is written as a
// JSON object.
func (reporter *Reporter) Record(kind string, members ...Member) {
	reporter.line(append(Object{{"record", words(kind)}}, members...))
}

func (reporter *Reporter) line(members Object) {
	var line bytes.Buffer
	write(&line, members)
	line.WriteByte('\n')
	check(reporter.out.Write(line.Bytes()))
}

func (reporter *Reporter) close(members Object) {
	reporter.line(members)
	check(0, reporter.out.Flush())
}

func write(out *bytes.Buffer, value any) {
	switch value := value.(type) {
	case nil:
		out.WriteString("null")
	case bool:
		out.WriteString(strconv.FormatBool(value))
	case string:
		writeText(out, value)
	case []byte:
		fmt.Fprintf(out, `{"hex":"%x"}`, value)
	case float32:
		writeFloat(out, float64(value), 32)
	case float64:
		writeFloat(out, value, 64)
	case uint64:
		out.WriteString(strconv.FormatUint(value, 10))
	case int64:
		out.WriteString(strconv.FormatInt(value, 10))
	case *big.Int:
		if value == nil {
			out.WriteString("null")
		} else {
			out.WriteString(value.String())
		}
	case big.Int:
		out.WriteString(value.String())
	case json.Number:
		out.WriteString(value.String())
	case words:
		writeWords(out, string(value))
	case json.RawMessage:
		check(len(value), json.Compact(out, value))
	case []any:
		writeList(out, len(value), func(index int) any { return value[index] })
	case Object:
		writeMembers(out, value)
	default:
		writeOther(out, reflect.ValueOf(value))
	}
}

// writeOther writes a value whose type is defined from one of the types that Record accepts.
func writeOther(out *bytes.Buffer, value reflect.Value) {
	switch value.Kind() {
	case reflect.Bool:
		write(out, value.Bool())
	case reflect.String:
		writeText(out, value.String())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		write(out, value.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		write(out, value.Uint())
	case reflect.Float32:
		write(out, float32(value.Float()))
	case reflect.Float64:
		write(out, value.Float())
	case reflect.Slice, reflect.Array:
		if value.Type().Elem().Kind() == reflect.Uint8 {
			write(out, bytesOf(value))
		} else {
			writeList(out, value.Len(), func(index int) any { return value.Index(index).Interface() })
		}
	case reflect.Map:
		if value.Type().Key().Kind() != reflect.String {
			panic(fmt.Sprintf("no JSON form for %s", value.Type()))
		}
		var members Object
		for _, name := range value.MapKeys() {
			members = append(members, Member{name.String(), value.MapIndex(name).Interface()})
		}
		sort.Slice(members, func(one, other int) bool { return members[one].Name < members[other].Name })
		writeMembers(out, members)
	case reflect.Pointer:
		if value.IsNil() {
			write(out, nil)
		} else {
			write(out, value.Elem().Interface())
		}
	default:
		panic(fmt.Sprintf("no JSON form for %s", value.Type()))
	}
}

// bytesOf returns the bytes of a slice or an array. reflect.Value.Bytes does not accept arrays that
// are not addressable.
func bytesOf(value reflect.Value) []byte {
	raw := make([]byte, value.Len())
	for index := range raw {
		raw[index] = byte(value.Index(index).Uint())
	}
	return raw
}

func writeList(out *bytes.Buffer, length int, item func(int) any) {
	out.WriteByte('[')
	for index := 0; index < length; index++ {
		if index > 0 {
			out.WriteByte(',')
		}
		write(out, item(index))
	}
	out.WriteByte(']')
}

func writeMembers(out *bytes.Buffer, members Object) {
	out.WriteByte('{')
	for index, member := range members {
		if index > 0 {
			out.WriteByte(',')
		}
		writeWords(out, member.Name)
		out.WriteByte(':')
		write(out, member.Value)
	}
	out.WriteByte('}')
}

func writeFloat(out *bytes.Buffer, value float64, bits int) {
	switch {
	case math.IsNaN(value):
		out.WriteString(`"NaN"`)
	case math.IsInf(value, 1):
		out.WriteString(`"Infinity"`)
	case math.IsInf(value, -1):
		out.WriteString(`"-Infinity"`)
	case value == 0 && math.Signbit(value):
		out.WriteString("-0.0")
	default:
		out.WriteString(strconv.FormatFloat(value, 'g', -1, bits))
	}
}

func writeText(out *bytes.Buffer, text string) {
	if utf8.ValidString(text) {
		writeWords(out, text)
	} else {
		write(out, []byte(text))
	}
}

// words is text in a place where bytes are not allowed, such as a reason.
type words string

// writeWords writes text and replaces invalid parts.
func writeWords(out *bytes.Buffer, text string) {
	encoded, err := json.Marshal(text)
	check(len(encoded), err)
	out.Write(encoded)
}

// Run runs the adapter.
func Run(name, version string, read Read) {
	out := bufio.NewWriterSize(os.Stdout, 1<<16)
	if last := os.Args[len(os.Args)-1]; last == "--help" || last == "-h" {
		fmt.Printf("usage: %s [TRACE]; without TRACE, answers requests on standard input\n", name)
		return
	}
	if len(os.Args) > 1 {
		reporter := &Reporter{Format: os.Getenv("TRACEGAUGE_FORMAT"), out: out}
		os.Exit(readCase(os.Args[len(os.Args)-1], reporter, read))
	}
	input := bufio.NewReader(os.Stdin)
	for {
		line, err := input.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			answer(line, name, version, out, read)
		}
		if errors.Is(err, io.EOF) {
			return
		}
		check(len(line), err)
	}
}

func answer(line []byte, name, version string, out *bufio.Writer, read Read) {
	var request struct {
		Tracegauge *int
		Format     string
		File       string
	}
	check(0, json.Unmarshal(line, &request))
	reporter := &Reporter{Format: request.Format, out: out}
	switch {
	case request.Tracegauge == nil:
		readCase(request.File, reporter, read)
	case *request.Tracegauge == 1:
		reporter.close(Object{
			{"tracegauge", 1}, {"name", words(name)}, {"version", words(version)}, {"reports", "records"},
		})
	default:
		check(0, fmt.Errorf("unsupported protocol version: %s", line))
	}
}

// readCase reads one case and writes its closing line. It returns the exit status for mode once.
func readCase(path string, reporter *Reporter, read Read) int {
	data, err := os.ReadFile(path)
	check(len(data), err)
	err = read(data, reporter)
	var unsupported Unsupported
	var rejection Rejection
	switch {
	case err == nil:
		reporter.close(Object{{"end", "accept"}})
		return 0
	case errors.As(err, &unsupported):
		reporter.close(Object{{"end", "unsupported"}, {"feature", words(unsupported)}})
		return 69
	case errors.As(err, &rejection):
		closing := Object{{"end", "reject"}, {"why", words(rejection.Why)}}
		if rejection.Class != "" {
			closing = append(closing, Member{"class", rejection.Class})
		}
		if rejection.Offset >= 0 {
			closing = append(closing, Member{"offset", rejection.Offset})
		}
		reporter.close(closing)
		return 65
	default:
		reporter.close(Object{{"end", "reject"}, {"why", words(err.Error())}})
		return 65
	}
}

// check exits on an error, with a status that is not an answer (EX_IOERR).
func check(_ int, err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(74)
	}
}
