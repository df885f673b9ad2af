// Reports the values of a case of values.json through the kit.
package main

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"math/big"
	"strconv"
	"strings"
)

type replayed struct {
	data []byte
}

func (one *replayed) take(size int) []byte {
	taken := one.data[:size]
	one.data = one.data[size:]
	return taken
}

func (one *replayed) number() int {
	return int(int32(binary.LittleEndian.Uint32(one.take(4))))
}

func (one *replayed) words() string {
	one.take(2 * max(one.number(), 0))
	return string(one.take(one.number()))
}

func (one *replayed) value() any {
	switch one.take(1)[0] {
	case 'n':
		return nil
	case 'T':
		return true
	case 'F':
		return false
	case 'i':
		digits := one.words()
		number, _ := new(big.Int).SetString(digits, 10)
		if number.IsInt64() {
			return number.Int64()
		} else if number.IsUint64() {
			return number.Uint64()
		}
		return number
	case 'd':
		return math.Float64frombits(binary.LittleEndian.Uint64(one.take(8)))
	case 'g':
		return math.Float32frombits(binary.LittleEndian.Uint32(one.take(4)))
	case 's', 'G':
		return one.words()
	case 'P':
		return Pair(one.value(), one.value())
	case 'V':
		return every(one.value())
	case 'b':
		return one.take(one.number())
	case '[':
		list := []any{}
		for left := one.number(); left > 0; left-- {
			list = append(list, one.value())
		}
		return list
	case '{':
		object := Object{}
		for left := one.number(); left > 0; left-- {
			name := one.words()
			object = append(object, Member{name, one.value()})
		}
		return object
	case 'J':
		text := one.words()
		decoder := json.NewDecoder(strings.NewReader(text))
		decoder.UseNumber()
		var decoded any
		check(0, decoder.Decode(&decoded))
		return decoded
	}
	nested := []any{}
	for depth := one.number(); depth > 1; depth-- {
		nested = []any{nested}
	}
	return nested
}

type (
	blob   []byte
	octet  byte
	number int
	double float64
	phrase string
	row    map[string]any
)

// every returns a value in each of the types that the kit writes in the same way.
func every(value any) []any {
	switch value := value.(type) {
	case nil:
		return []any{nil, (*int)(nil), (*big.Int)(nil)}
	case int64:
		return []any{value, int(value), int8(value), uint16(value), number(value), &value,
			big.NewInt(value), *big.NewInt(value), json.Number(strconv.FormatInt(value, 10))}
	case float64:
		return []any{value, double(value), &value, json.Number(strconv.FormatFloat(value, 'g', -1, 64))}
	case string:
		return []any{value, phrase(value), &value}
	case []byte:
		octets, four := []octet{}, [4]byte{}
		for _, one := range value {
			octets = append(octets, octet(one))
		}
		forms := []any{value, blob(value), octets, &value}
		if copy(four[:], value) == len(four) {
			forms = append(forms, four, &four, [4]octet(octets))
		}
		return forms
	case []any:
		if _, isPair := value[0].(string); isPair {
			return []any{value, [2]any(value)}
		}
		numbers := []uint64{}
		for _, one := range value {
			numbers = append(numbers, uint64(one.(int64)))
		}
		return []any{value, numbers, [2]uint64(numbers), &numbers}
	case Object:
		members := row{}
		for _, member := range value {
			members[member.Name] = member.Value
		}
		return []any{value, members, map[string]any(members), &members}
	}
	return []any{value}
}

func read(data []byte, reporter *Reporter) error {
	one := &replayed{data}
	for len(one.data) > 0 {
		switch one.take(1)[0] {
		case 'R':
			members := []Member{}
			for left := one.number(); left > 0; left-- {
				name := one.words()
				members = append(members, Member{name, one.value()})
			}
			reporter.Record("row", members...)
		case 'X':
			why, class := one.words(), one.words()
			return Rejection{Why: why, Class: class, Offset: int64(one.number())}
		case 'U':
			return Unsupported(one.words())
		}
	}
	return nil
}

func main() {
	Run("replay", "1.0.0", read)
}
