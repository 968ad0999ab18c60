// SPDX-License-Identifier: Apache-2.0

package words_test

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"boardd/rules/game"
	"boardd/sync/wire"
	"boardd/sync/words"
)

// fill sets every field of a value to something that is not zero.
func fill(r *rand.Rand, v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(string(rune('a' + r.IntN(26))))
	case reflect.Int, reflect.Int64:
		v.SetInt(1 + r.Int64N(1000))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(r, v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range v.Len() {
			fill(r, v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			fill(r, v.Field(i))
		}
	default:
		panic("a field of kind " + v.Kind().String() + ": say here what is put into it")
	}
}

// TestClocksAndBack: no field of a clock is lost on its way from the messages to the game, or back.
func TestClocksAndBack(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		var c wire.ClockSpec
		fill(r, reflect.ValueOf(&c).Elem())
		if got := words.Clock(words.Timing(&c)); !reflect.DeepEqual(got, &c) {
			t.Fatalf("%+v became %+v", c, got)
		}
		var m game.Timing
		fill(r, reflect.ValueOf(&m).Elem())
		if got := words.Timing(words.Clock(&m)); !reflect.DeepEqual(got, &m) {
			t.Fatalf("%+v became %+v", m, got)
		}
	}
	if words.Timing(nil) != nil || words.Clock(nil) != nil {
		t.Error("no clock became a clock")
	}
}

// TestNobodyIsNobody: empty names become nil.
func TestNobodyIsNobody(t *testing.T) {
	if got := words.Names(game.Names{}); got != nil {
		t.Errorf("%+v, want none", got)
	}
	var n game.Names
	fill(rand.New(rand.NewPCG(1, 2)), reflect.ValueOf(&n).Elem())
	if got := words.Names(n); got == nil || !reflect.DeepEqual(game.Names(*got), n) {
		t.Errorf("%+v became %+v", n, got)
	}
}
