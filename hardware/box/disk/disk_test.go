// SPDX-License-Identifier: Apache-2.0

package disk

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// plate is a disk of some empty sectors.
func plate(t *testing.T, sectors int64) *Disk {
	t.Helper()
	dir := t.TempDir()
	image := filepath.Join(dir, "image")
	must(t, os.WriteFile(image, make([]byte, sectors*sector), 0o600))
	d, err := Serve(image, filepath.Join(dir, "sock"))
	must(t, err)
	t.Cleanup(d.Close)
	return d
}

// filled is sectors full of one byte.
func filled(b byte, sectors int) []byte { return bytes.Repeat([]byte{b}, sectors*sector) }

// first is the first byte of each sector.
func first(t *testing.T, d *Disk, sectors int) []byte {
	t.Helper()
	all := make([]byte, sectors*sector)
	must(t, d.read(all, 0))
	var list []byte
	for i := range sectors {
		list = append(list, all[i*sector])
	}
	return list
}

// TestCut: what was flushed or forced outlasts a cut, what was neither is forgotten, sector by sector.
func TestCut(t *testing.T) {
	d := plate(t, 64)
	if !d.write(filled('f', 2), 0, false) || !d.flush() || !d.write(filled('u', 1), 2*sector, true) ||
		!d.write(filled('c', 60), 3*sector, false) {
		t.Fatal("a write or a flush failed while the power was on")
	}
	if got := first(t, d, 5); string(got) != "ffucc" {
		t.Errorf("before the cut got %q, want what was written", got)
	}
	kept, dropped := d.Cut(0.5, rand.New(rand.NewPCG(1, 1)))
	if kept == 0 || dropped == 0 || kept+dropped != 60 {
		t.Errorf("of 60 sectors in the cache %d were kept and %d dropped: want some of each", kept, dropped)
	}
	if d.write(filled('x', 1), 0, true) || d.flush() {
		t.Error("a disk without power took a write or a flush")
	}
	got := first(t, d, 63)
	if string(got[:3]) != "ffu" || bytes.Count(got, []byte("c")) != kept || bytes.Count(got, []byte{0}) != dropped {
		t.Errorf("after the cut got %q, want ffu, %d sectors of c and %d empty ones", got, kept, dropped)
	}
	image := filepath.Join(t.TempDir(), "left")
	must(t, d.Image(image))
	left, err := os.ReadFile(image)
	must(t, err)
	for i := range 63 {
		if left[i*sector] != got[i] {
			t.Fatalf("sector %d of the image is %q, the disk's %q", i, left[i*sector], got[i])
		}
	}
}

// TestArm: the power goes with the n-th write, which may or may not have reached the disk.
func TestArm(t *testing.T) {
	d := plate(t, 4)
	d.Arm(2)
	if !d.write(filled('a', 1), 0, false) {
		t.Fatal("the first write took the power")
	}
	if d.write(filled('b', 1), sector, false) {
		t.Fatal("the second write did not take the power")
	}
	select {
	case <-d.lost:
	default:
		t.Error("nobody was told that the power is gone")
	}
	d.Cut(1, rand.New(rand.NewPCG(1, 1)))
	d.Again()
	if got := first(t, d, 3); string(got) != "ab\x00" {
		t.Errorf("got %q, want both writes, as every sector survives this cut", got)
	}
}
