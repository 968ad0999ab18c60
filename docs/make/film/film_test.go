// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"image"
	"image/color"
	"image/gif"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const root = "../../.."

func TestFilmIsCurrent(t *testing.T) {
	want, err := hashOf(root)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(root, picture+".from"))
	if err != nil || strings.TrimSpace(string(got)) != want {
		t.Errorf("%s was made from another page, game or program: run go run ./docs/make/film (%v)", picture, err)
	}
}

func TestFilmIsSmallAndMoves(t *testing.T) {
	file, err := os.Open(filepath.Join(root, picture))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil || info.Size() > 900_000 {
		t.Errorf("%s: %v, want at most 900,000 bytes", picture, info.Size())
	}
	film, err := gif.DecodeAll(file)
	if err != nil {
		t.Fatal(err)
	}
	if len(film.Image) < 15 {
		t.Errorf("%d pictures: nothing moves", len(film.Image))
	}
}

// TestWriteKeepsWhatChanged: a picture like the one before lengthens that one, and of the next only what differs is
// kept.
func TestWriteKeepsWhatChanged(t *testing.T) {
	still, dot := image.NewRGBA(image.Rect(0, 0, 40, 30)), image.NewRGBA(image.Rect(0, 0, 40, 30))
	for i := range still.Pix {
		still.Pix[i], dot.Pix[i] = 255, 255
	}
	dot.Set(7, 9, color.RGBA{200, 0, 0, 255})
	made, err := encode([]frame{{0, still}, {between, still}, {2 * between, dot}})
	if err != nil {
		t.Fatal(err)
	}
	film, err := gif.DecodeAll(bytes.NewReader(made))
	if err != nil {
		t.Fatal(err)
	}
	if len(film.Image) != 2 || film.Delay[0] != 50 || film.Image[1].Bounds() != image.Rect(7, 9, 8, 10) {
		t.Errorf("got %d pictures, delays %v, the last one %v", len(film.Image), film.Delay,
			film.Image[len(film.Image)-1].Bounds())
	}
}

// TestSaveBothOrNone: where the hash cannot be written, the former film stays, and none comes where there was none.
func TestSaveBothOrNone(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.gif")
	read := func(name string) string {
		text, err := os.ReadFile(name)
		if err != nil {
			return ""
		}
		return string(text)
	}
	blocked := filepath.Join(name+".from", "blocks")
	if err := os.MkdirAll(blocked, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := save(name, []byte("new"), "hash"); err == nil || read(name) != "" {
		t.Errorf("got %v and the film %q, want an error and none", err, read(name))
	}
	if err := os.RemoveAll(name + ".from"); err != nil {
		t.Fatal(err)
	}
	if err := save(name, []byte("old"), "hash"); err != nil || read(name) != "old" || read(name+".from") != "hash\n" {
		t.Errorf("got %v, %q, %q", err, read(name), read(name+".from"))
	}
	if err := os.Remove(name + ".from"); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(blocked, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := save(name, []byte("new"), "hash"); err == nil || read(name) != "old" {
		t.Errorf("got %v and the film %q, want an error and the former one", err, read(name))
	}
}

func TestBesideIsTheFirstBoardLeft(t *testing.T) {
	whole := image.NewRGBA(image.Rect(0, 0, 60, 120))
	whole.Set(0, 0, color.RGBA{1, 2, 3, 255})
	whole.Set(0, 60, color.RGBA{4, 5, 6, 255})
	got := beside(whole, []rect{{0, 0, 50, 50}, {0, 100, 50, 50}})
	if b := got.Bounds(); b.Dx() != 60 || b.Dy() != 30 || got.At(0, 0) != (color.RGBA{1, 2, 3, 255}) ||
		got.At(30, 0) != (color.RGBA{4, 5, 6, 255}) {
		t.Errorf("got %v, %v, %v", got.Bounds(), got.At(0, 0), got.At(30, 0))
	}
}
