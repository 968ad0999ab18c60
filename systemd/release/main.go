// SPDX-License-Identifier: Apache-2.0

// Command release gathers the files of a release: packages, notices, a bill of the software, documents, the
// hardware's files and checksums. It also makes an apt repository that a web server can serve as it stands. make
// release and make apt-repository run it in the root of the repository after they have built the packages. The same
// commit gives the same bytes, apart from the signatures.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Opts is what is released, and where to.
type Opts struct {
	Packages []string  // the Debian packages
	With     []string  // further files: the card's image and its list of packages
	Bill     string    // of the software
	Out      string    // folder, removed first
	Key      string    // of GnuPG, "" for no signatures
	At       time.Time // of the commit: every time in the files
	AptOnly  bool
}

func main() {
	o := Opts{}
	var epoch string
	flag.StringVar(&o.Out, "out", "build/release", "the `folder` to make")
	flag.StringVar(&o.Bill, "bill", "build/package/boardd.cdx.json", "the bill of the software, a `file`")
	flag.StringVar(&o.Key, "key", "", "sign with this `key` of GnuPG")
	flag.StringVar(&epoch, "epoch", os.Getenv("SOURCE_DATE_EPOCH"), "`seconds` since 1970: the time of the commit")
	flag.Func("with", "put this `file` in as well, the card's image: may be repeated", func(file string) error {
		o.With = append(o.With, file)
		return nil
	})
	flag.BoolVar(&o.AptOnly, "apt-only", false, "make the apt repository alone")
	readyOnly := flag.Bool("ready", false, "make nothing: say what must be done before the packages can be released")
	flag.Parse()
	o.Packages = flag.Args()
	if *readyOnly {
		if err := ready(".", o.Packages); err != nil {
			fmt.Fprintln(os.Stderr, "release: not ready:", err)
			os.Exit(1)
		}
		return
	}
	at, err := strconv.ParseInt(epoch, 10, 64)
	if err != nil {
		err = fmt.Errorf("-epoch %q: give the time of the commit in seconds, as git log -1 --format=%%ct prints it", epoch)
	} else {
		o.At = time.Unix(at, 0).UTC()
		err = run(".", o)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(root string, o Opts) error {
	if len(o.Packages) == 0 {
		return errors.New("name the packages: build/*.deb")
	}
	if err := os.RemoveAll(o.Out); err != nil {
		return err
	}
	if err := os.MkdirAll(o.Out, 0o755); err != nil {
		return err
	}
	debs, err := readPackages(o.Packages)
	if err != nil {
		return err
	}
	if o.AptOnly {
		return aptRepository(o.Out, debs, o.At, o.Key)
	}
	if err := aptRepository(filepath.Join(o.Out, "apt"), debs, o.At, o.Key); err != nil {
		return err
	}
	if err := gather(root, o, debs); err != nil {
		return err
	}
	return checksums(o.Out, o.Key)
}

// archives are the folders and files that go into each archive of a release.
var archives = map[string][]string{
	// every document, and the files to which they link
	"documents": {"*.md", "LICENSE", "NOTICE", "docs/pictures", "docs/openapi.json", "sync/asyncapi/asyncapi.json",
		"config/samples", "rules/search/nets/history.tsv", "rules/search/nets/strength.svg", "sensing/reconcile/*.svg",
		"sensing/reconcile/world/constants.go", "hardware/figures", "hardware/schematics/LICENSE",
		"hardware/schematics/printed"},
	"hardware": {"LICENSE", "NOTICE", "hardware/README.md", "hardware/figures", "hardware/schematics",
		"hardware/firmware", "hardware/mechanics"},
	"source": {"."},
}

// gather copies and packs everything but the apt repository and the checksums.
func gather(root string, o Opts, debs []deb) error {
	version := debs[0].field("Version")
	for _, d := range debs {
		if d.field("Version") != version {
			return fmt.Errorf("%s is version %s, %s is %s: a release has one", debs[0].name, version, d.name,
				d.field("Version"))
		}
		if err := os.WriteFile(filepath.Join(o.Out, d.name), d.bytes, 0o644); err != nil {
			return err
		}
	}
	for _, file := range o.With {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(o.Out, filepath.Base(file)), text, 0o644); err != nil {
			return err
		}
	}
	for from, to := range map[string]string{o.Bill: "boardd-" + version + ".cdx.json", "LICENSE": "LICENSE",
		"NOTICE":              "NOTICE",
		"THIRD-PARTY-NOTICES": "THIRD-PARTY-NOTICES", "CHANGELOG.md": "CHANGELOG.md"} {
		if !filepath.IsAbs(from) {
			from = filepath.Join(root, from)
		}
		text, err := os.ReadFile(from)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(o.Out, to), text, 0o644); err != nil {
			return err
		}
	}
	for name, paths := range archives {
		files, err := tracked(root, paths)
		if err != nil {
			return err
		}
		base := "boardd-" + version + "-" + name
		text, err := pack(root, base, files, o.At)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(o.Out, base+".tar.gz"), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// tracked returns the files below paths that are in the repository, sorted: what lies around does not get into a
// release.
func tracked(root string, paths []string) ([]string, error) {
	cmd := exec.Command("git", append([]string{"ls-files", "-z", "--"}, paths...)...)
	cmd.Dir = root
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("git ls-files: %w: %s", err, said.String())
	}
	files := strings.FieldsFunc(string(out), func(r rune) bool { return r == 0 })
	if len(files) == 0 {
		return nil, fmt.Errorf("no file of %v is in the repository", paths)
	}
	slices.Sort(files)
	return files, nil
}
