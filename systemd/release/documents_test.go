// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const root = "../.."

// packaged returns where each file of the repository lies in the package, below the package's documents.
func packaged(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile(root + "/systemd/package/nfpm.yaml")
	if err != nil {
		t.Fatal(err)
	}
	at := map[string]string{}
	row := regexp.MustCompile(`\{src: "?([^",]+)"?, dst: /usr/share/doc/boardd/([^,]*),`)
	for _, m := range row.FindAllStringSubmatch(string(text), -1) {
		if from, ok := strings.CutPrefix(m[1], "../"); ok { // a link to another folder of the package
			for name, to := range at {
				if strings.HasPrefix(to, from+"/") {
					at[name+" again"] = m[2] + strings.TrimPrefix(to, from)
				}
			}
			continue
		}
		files, err := filepath.Glob(path.Join(root, m[1]))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			name, _ := filepath.Rel(root, file)
			if strings.HasSuffix(m[2], "/") {
				at[name] = m[2] + path.Base(name)
			} else if !strings.HasSuffix(at[name], name) { // NOTICE has two names
				at[name] = m[2]
			}
		}
	}
	return at
}

// TestPackagedDocuments: what the documents of a package link to is in the package. The drawings and sources of the
// hardware's own documents have an archive of their own.
func TestPackagedDocuments(t *testing.T) {
	there, count, at := map[string]bool{}, 0, packaged(t)
	for _, to := range at {
		there[to] = true
	}
	for name, to := range at {
		if filepath.Ext(to) != ".md" {
			continue
		}
		text, err := os.ReadFile(path.Join(root, name))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range linked.FindAllStringSubmatch(notProse.ReplaceAllString(string(text), ""), -1) {
			link := path.Join(path.Dir(to), m[1]+m[2])
			if strings.Contains(m[1], "://") || strings.HasPrefix(to, "hardware/") && !strings.HasSuffix(link, ".md") {
				continue
			}
			count++
			if !there[link] {
				t.Errorf("%s links to %s, which the package lacks", to, link)
			}
		}
	}
	if count < 100 {
		t.Errorf("%d links: the search finds too few", count)
	}
}
