// SPDX-License-Identifier: Apache-2.0

package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

var commit = time.Date(2026, 11, 23, 10, 0, 0, 0, time.UTC)

// packed is a gzipped tar of one file.
func packed(name, text string) []byte {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	w := tar.NewWriter(z)
	w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name, Size: int64(len(text)),
		Mode: 0o644}) //nolint:errcheck // to a buffer
	w.Write([]byte(text)) //nolint:errcheck // to a buffer
	w.Close()             //nolint:errcheck // to a buffer
	z.Close()             //nolint:errcheck // to a buffer
	return out.Bytes()
}

// makeDeb writes a small package.
func makeDeb(t *testing.T, dir, version, arch string) string {
	t.Helper()
	var out bytes.Buffer
	out.WriteString("!<arch>\n")
	member := func(name string, text []byte) {
		fmt.Fprintf(&out, "%-16s%-12d%-6d%-6d%-8s%-10d`\n", name, 0, 0, 0, "100644", len(text))
		out.Write(text)
		if len(text)%2 == 1 {
			out.WriteByte('\n')
		}
	}
	member("debian-binary", []byte("2.0\n"))
	member("control.tar.gz", packed("./control", fmt.Sprintf("Package: boardd\nVersion: %s\nArchitecture: %s\n"+
		"Maintainer: a <a@b>\nDescription: x\n y\n", version, arch)))
	member("data.tar.gz", packed("./usr/share/doc/boardd/a", "a"))
	name := filepath.Join(dir, fmt.Sprintf("boardd_%s_%s.deb", version, arch))
	if err := os.WriteFile(name, out.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

func sumOf(t *testing.T, dir string) string {
	t.Helper()
	sum := sha256.New()
	if err := os.CopyFS(filepath.Join(t.TempDir(), "copy"), os.DirFS(dir)); err != nil { // also: everything can be read
		t.Fatal(err)
	}
	err := filepath.Walk(dir, func(name string, info os.FileInfo, err error) error {
		if err != nil || info.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		fmt.Fprintf(sum, "%s %x\n", strings.TrimPrefix(name, dir), sha256.Sum256(text))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%x", sum.Sum(nil))
}

// TestRelease makes a release of this repository twice: the same bytes, everything in it, and sums that are right.
func TestRelease(t *testing.T) {
	dir := t.TempDir()
	bill := filepath.Join(dir, "bill.json")
	if err := os.WriteFile(bill, []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	o := Opts{Bill: bill, Out: filepath.Join(dir, "one"), At: commit}
	for _, arch := range []string{"arm64", "armhf", "amd64"} {
		o.Packages = append(o.Packages, makeDeb(t, dir, "0.2.0", arch))
	}
	if err := run("../..", o); err != nil {
		t.Fatal(err)
	}
	first := sumOf(t, o.Out)
	for _, name := range []string{"boardd_0.2.0_arm64.deb", "boardd_0.2.0_armhf.deb", "boardd_0.2.0_amd64.deb",
		"boardd-0.2.0.cdx.json", "LICENSE", "NOTICE",
		"THIRD-PARTY-NOTICES", "CHANGELOG.md", "SHA256SUMS", "apt/dists/stable/Release",
		"apt/dists/stable/main/binary-arm64/Packages.gz"} {
		if _, err := os.Stat(filepath.Join(o.Out, name)); err != nil {
			t.Errorf("the release lacks %s", name)
		}
	}
	hardware := []string{"bom/stack.csv", "../mechanics/piece.scad"}
	for _, board := range []string{"strip", "pi", "hub", "cells", "eyes", "nano"} {
		for _, file := range []string{"F_Cu.gbr", "PTH.drl", "places.csv"} {
			hardware = append(hardware, board+"/gerbers/"+board+"-"+file)
		}
	}
	for i, file := range hardware {
		hardware[i] = path.Join("hardware/schematics", file)
	}
	hardware = append(hardware, "LICENSE", "NOTICE", "hardware/schematics/LICENSE",
		"hardware/firmware/hub/LICENSE.avr-libc")
	for archive, wants := range map[string][]string{"documents": {"docs/games.md"}, "hardware": hardware,
		"source": {"go.mod"}} {
		list, err := exec.Command("tar", "-tzf", filepath.Join(o.Out, "boardd-0.2.0-"+archive+".tar.gz")).CombinedOutput()
		for _, want := range wants {
			if err != nil || !strings.Contains(string(list), "boardd-0.2.0-"+archive+"/"+want+"\n") {
				t.Errorf("the archive of %s lacks %s: %v", archive, want, err)
			}
		}
	}
	deadLinks(t, filepath.Join(o.Out, "boardd-0.2.0-documents.tar.gz"))
	check := exec.Command("sha256sum", "--check", "--quiet", "SHA256SUMS")
	check.Dir = o.Out
	if out, err := check.CombinedOutput(); err != nil {
		t.Errorf("sha256sum: %v: %s", err, out)
	}
	o.Out = filepath.Join(dir, "two")
	if err := run("../..", o); err != nil {
		t.Fatal(err)
	}
	if second := sumOf(t, o.Out); second != first {
		t.Errorf("two releases of one commit differ: %s and %s", first, second)
	}
}

var (
	notProse = regexp.MustCompile("(?ms)^```.*?^```$|`[^`\n]*`")
	linked   = regexp.MustCompile(`\]\(([^)\s#]+)[^)\s]*\)|src="([^"]+)"`)
)

// deadLinks looks whether what documents link to is in their archive. Folders of the hardware have an archive of their
// own.
func deadLinks(t *testing.T, archive string) {
	t.Helper()
	dir, count := t.TempDir(), 0
	if out, err := exec.Command("tar", "-xzf", archive, "-C", dir, "--strip-components=1").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".md" {
			return err
		}
		text, err := os.ReadFile(name)
		for _, m := range linked.FindAllStringSubmatch(notProse.ReplaceAllString(string(text), ""), -1) {
			to := filepath.Join(filepath.Dir(name), m[1]+m[2])
			ours, _ := filepath.Rel(dir, to)
			if info, err := os.Stat("../../" + ours); err == nil && info.IsDir() && strings.HasPrefix(ours, "hardware/") {
				continue
			}
			if strings.Contains(m[1], "://") || strings.HasPrefix(m[1], "mailto:") {
				continue
			}
			count++
			if _, err := os.Stat(to); err != nil {
				t.Errorf("%s links to %s, which the archive of documents lacks", strings.TrimPrefix(name, dir), ours)
			}
		}
		return err
	})
	if err != nil || count < 60 {
		t.Errorf("%d links, %v: the search finds too few", count, err)
	}
}

func need(t *testing.T, tools ...string) {
	t.Helper()
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not installed: make check installs it", tool)
		}
	}
}

// makeKey makes a key of test@boardd in a keyring of its own, which GnuPG uses until the test ends.
func makeKey(t *testing.T) {
	t.Helper()
	home, err := os.MkdirTemp("", "gpg") // the path of its socket must be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		exec.Command("gpgconf", "--kill", "all").Run() //nolint:errcheck // its agent, if there is one
		os.RemoveAll(home)
	})
	t.Setenv("GNUPGHOME", home)
	if out, err := exec.Command("gpg", "--batch", "--passphrase", "", "--quick-generate-key", "test@boardd", "ed25519",
		"sign").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

// TestDownload: with the commands of docs/own.md, somebody with another keyring can check that a package and the
// card's image are those of the release. A changed file fails the check.
func TestDownload(t *testing.T) {
	need(t, "gpg", "sha256sum")
	dir := t.TempDir()
	makeKey(t)
	bill, card := filepath.Join(dir, "bill.json"), filepath.Join(dir, "boardd-0.2.0-card.img.xz")
	for _, name := range []string{bill, card} {
		if err := os.WriteFile(name, []byte("{}"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	o := Opts{Packages: []string{makeDeb(t, dir, "0.2.0", "arm64")}, With: []string{card}, Bill: bill,
		Out: filepath.Join(dir, "out"), Key: "test@boardd", At: commit}
	if err := run("../..", o); err != nil {
		t.Fatal(err)
	}
	own, err := os.ReadFile("../../docs/own.md")
	if err != nil {
		t.Fatal(err)
	}
	_, commands, _ := strings.Cut(string(own), "```sh\ngpg --import")
	commands, _, ok := strings.Cut("gpg --import"+commands, "```")
	if !ok || strings.Count(commands, "\n") != 3 {
		t.Fatalf("docs/own.md does not say how to check what was downloaded: %q", commands)
	}
	t.Setenv("GNUPGHOME", t.TempDir())
	mine := t.TempDir()
	for _, name := range []string{"boardd_0.2.0_arm64.deb", "boardd-0.2.0-card.img.xz", "SHA256SUMS", "SHA256SUMS.asc",
		"apt/boardd.gpg"} {
		text, err := os.ReadFile(filepath.Join(o.Out, name))
		if err == nil {
			err = os.WriteFile(filepath.Join(mine, filepath.Base(name)), text, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	check := func() (string, error) {
		cmd := exec.Command("sh", "-ec", commands)
		cmd.Dir = mine
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	out, err := check()
	for _, want := range []string{"Good signature", "boardd_0.2.0_arm64.deb: OK", "boardd-0.2.0-card.img.xz: OK"} {
		if err != nil || !strings.Contains(out, want) {
			t.Errorf("got %v, want %q in\n%s", err, want, out)
		}
	}
	for _, name := range []string{"boardd_0.2.0_arm64.deb", "SHA256SUMS"} {
		file, err := os.OpenFile(filepath.Join(mine, name), os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := file.WriteString("\n"); err != nil {
			t.Fatal(err)
		}
		file.Close() //nolint:errcheck // a test's file
		if out, err := check(); err == nil {
			t.Errorf("%s was changed, and nothing is said:\n%s", name, out)
		}
	}
}

// TestAptInstalls makes a signed repository, and apt itself finds and checks the package in it; a list that was
// changed it refuses.
func TestAptInstalls(t *testing.T) {
	need(t, "gpg", "apt-get", "apt-cache")
	dir := t.TempDir()
	makeKey(t)
	o := Opts{Packages: []string{makeDeb(t, dir, "0.2.0", "amd64"), makeDeb(t, dir, "0.2.0", "arm64")},
		Out: filepath.Join(dir, "apt"), Key: "test@boardd", At: commit, AptOnly: true}
	if err := run("../..", o); err != nil {
		t.Fatal(err)
	}
	// A world of its own for apt, which knows this repository alone.
	world := filepath.Join(dir, "world")
	for _, d := range []string{"lists/partial", "cache/archives/partial", "etc"} {
		if err := os.MkdirAll(filepath.Join(world, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	source := fmt.Sprintf("deb [signed-by=%s/boardd.gpg] file:%s stable main\n", o.Out, o.Out)
	if err := os.WriteFile(filepath.Join(world, "etc/sources.list"), []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	apt := func(args ...string) (string, error) {
		args = append([]string{"-o", "Dir::State=" + world, "-o", "Dir::State::status=/dev/null", "-o", "Dir::Cache=" +
			world + "/cache", "-o", "Dir::Etc=" + world + "/etc",
			"-o", "APT::Architecture=amd64", "-o", "APT::Architectures=amd64", "-o", "APT::Sandbox::User=root", "-o",
			"Acquire::Languages=none"}, args...)
		out, err := exec.Command("apt-get", args...).CombinedOutput()
		return string(out), err
	}
	if out, err := apt("update", "--error-on=any"); err != nil {
		t.Fatalf("apt-get update: %v: %s", err, out)
	}
	if out, err := apt("install", "--simulate", "boardd"); err != nil ||
		!strings.Contains(out, "Inst boardd (0.2.0 boardd:stable [amd64])") {
		t.Errorf("apt-get install: %v: %s", err, out)
	}
	list := filepath.Join(o.Out, "dists/stable/main/binary-amd64/Packages")
	text, err := os.ReadFile(list)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{list, list + ".gz"} {
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(list, bytes.Replace(text, []byte("0.2.0"), []byte("6.6.6"), 1), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(world, "lists")); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(world, "lists/partial"), 0o755); err != nil {
		t.Fatal(err)
	}
	if out, err := apt("update", "--error-on=any"); err == nil {
		t.Errorf("apt took a list that was changed: %s", out)
	}
}

func TestWhatIsNoRelease(t *testing.T) {
	dir := t.TempDir()
	broken := filepath.Join(dir, "broken.deb")
	whole, err := os.ReadFile(makeDeb(t, dir, "0.2.0", "amd64"))
	if err != nil {
		t.Fatal(err)
	}
	for cut := 0; cut < 200; cut += 20 {
		if _, err := controlOf(whole[:cut]); err == nil {
			t.Errorf("a package of %d bytes: got no error", cut)
		}
	}
	if err := os.WriteFile(broken, []byte("no package"), 0o644); err != nil {
		t.Fatal(err)
	}
	for want, o := range map[string]Opts{
		"name the packages":     {},
		"no Debian package":     {Packages: []string{broken}},
		"a release has one":     {Packages: []string{makeDeb(t, dir, "0.2.0", "amd64"), makeDeb(t, dir, "0.2.1", "arm64")}},
		"gpg cannot sign with":  {Packages: []string{makeDeb(t, dir, "0.2.0", "amd64")}, Key: "nobody@nowhere.example"},
		"no such file or direc": {Packages: []string{makeDeb(t, dir, "0.2.0", "amd64")}, Bill: filepath.Join(dir, "no")},
	} {
		o.Out, o.At = filepath.Join(dir, "out"), commit
		if err := run("../..", o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// FuzzControl: a file that is no package gives an error, whatever it holds.
func FuzzControl(f *testing.F) {
	f.Add([]byte("!<arch>\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if control, err := controlOf(text); err == nil && !strings.HasSuffix(control, "\n") {
			t.Errorf("control file %q", control)
		}
	})
}
