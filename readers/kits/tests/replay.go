// Reports the values of a case of values.json through the kit.
package main

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"math/big"
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
	case 's':
		return one.words()
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
