// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// ready returns everything that must be done before packages can be released, nil if nothing must. The repository has
// no uncommitted changes, so that what is released can be made again. The newest entry of the changelog is that of the
// packages' version, and has a date.
func ready(root string, packages []string) error {
	debs, err := readPackages(packages)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(root, "CHANGELOG.md"))
	if err != nil {
		return err
	}
	errs := []error{clean(root)}
	for _, d := range debs {
		if err := dated(string(text), d.field("Version")); err != nil {
			errs = append(errs, err)
			break
		}
	}
	return errors.Join(errs...)
}

// clean returns an error that names the files of the repository that differ from the last commit.
func clean(root string) error {
	cmd := exec.Command("git", "status", "--porcelain", "--untracked-files=no")
	cmd.Dir = root
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("git status: %w: %s", err, out)
	}
	if len(out) > 0 {
		return fmt.Errorf("these files differ from the last commit: commit them, or put them back:\n%s", out)
	}
	return nil
}

// heading is the head of an entry of the changelog: a version, and a date or what stands in its place.
var heading = regexp.MustCompile(`(?m)^## (\S+?)(?:, (.*))?$`)

// date is how an entry is dated.
var date = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}$`)

// dated returns an error if the newest entry of a changelog is not a dated one of this version.
func dated(changelog, version string) error {
	m := heading.FindStringSubmatch(changelog)
	if m == nil {
		return errors.New("CHANGELOG.md has no entry: write one under a heading such as ## 1.2.3, 2026-11-27")
	}
	if m[1] != version {
		return fmt.Errorf("the newest entry of CHANGELOG.md is %s, and the packages are %s: set version in "+
			"cmd/boardd/version.go, or write the entry", m[1], version)
	}
	if !date.MatchString(m[2]) {
		return fmt.Errorf("the entry of %s in CHANGELOG.md has no date, it says %q: write ## %s, 2026-11-27 with the day "+
			"of the release", version, strings.TrimSpace(m[2]), version)
	}
	return nil
}
