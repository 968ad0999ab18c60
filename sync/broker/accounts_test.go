// SPDX-License-Identifier: Apache-2.0

package broker_test

import (
	"reflect"
	"strings"
	"testing"

	"boardd/sync/broker"
)

func TestFileOfAccounts(t *testing.T) {
	got, err := broker.ReadUsers(strings.NewReader("# the club\n\noslo n board=oslo discovery\narbiter a commands=*\n" +
		"house h commands=oslo,rome\nlook v\n"))
	want := []broker.User{
		{Name: "oslo", Password: "n", Board: "oslo", Discovery: true}, {Name: "arbiter", Password: "a",
			Commands: []string{"*"}},
		{Name: "house", Password: "h", Commands: []string{"oslo", "rome"}}, {Name: "look", Password: "v"},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
	for bad, word := range map[string]string{
		"# nobody yet\n":           "no account",
		"oslo":                     "line 1: account \"oslo\": want a name and a password",
		"a b\n\na c":               "line 3: account \"a\": given twice",
		"a b admin":                `"admin" is no right`,
		"a b board=>":              `board ">"`,
		"a b board=":               "no right",
		"a b commands=x,#":         `commands to "#"`,
		"a b commands=":            "no right",
		"a b discovery=everything": "no right",
	} {
		if _, err := broker.ReadUsers(strings.NewReader(bad)); err == nil || !strings.Contains(err.Error(), word) {
			t.Errorf("%q: got %v, want an error with %q", bad, err, word)
		}
	}
}

// TestUserEqual: two accounts are equal only if all their fields are.
func TestUserEqual(t *testing.T) {
	house := broker.User{Name: "house", Password: "h", Board: "oslo", Commands: []string{"rome"}, Discovery: true}
	if same := house; !house.Equal(same) || !(broker.User{}).Equal(broker.User{Commands: []string{}}) {
		t.Error("an account is not equal to itself")
	}
	for i := range reflect.TypeFor[broker.User]().NumField() {
		other := house
		reflect.ValueOf(&other).Elem().Field(i).SetZero()
		if house.Equal(other) || other.Equal(house) {
			t.Errorf("%+v equals %+v", house, other)
		}
	}
}

func FuzzReadUsers(f *testing.F) {
	f.Add("oslo n board=oslo discovery\narbiter a commands=*\n")
	f.Fuzz(func(t *testing.T, text string) {
		users, err := broker.ReadUsers(strings.NewReader(text))
		if err != nil {
			return
		}
		for _, u := range users {
			if strings.ContainsAny(u.Board+strings.Join(u.Commands, ""), ">.+#/ ") {
				t.Fatalf("%q gives rights over more than boards: %+v", text, u)
			}
		}
	})
}
