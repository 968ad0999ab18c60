// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// aptRepository makes a repository of packages in a folder: pool has them, dists/stable the lists by which apt finds
// and checks them.
func aptRepository(dir string, debs []deb, at time.Time, key string) error {
	lists := map[string]string{} // by architecture
	var archs []string
	for _, d := range debs {
		file := "pool/main/b/boardd/" + d.name
		if err := put(dir, file, d.bytes); err != nil {
			return err
		}
		arch := d.field("Architecture")
		if !slices.Contains(archs, arch) {
			archs = append(archs, arch)
		}
		lists[arch] += fmt.Sprintf("%sFilename: %s\nSize: %d\nSHA256: %x\n\n", d.control, file, len(d.bytes),
			sha256.Sum256(d.bytes))
	}
	slices.Sort(archs)
	var sums strings.Builder
	for _, arch := range archs {
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		if _, err := z.Write([]byte(lists[arch])); err != nil {
			return err
		}
		if err := z.Close(); err != nil {
			return err
		}
		for name, text := range map[string][]byte{"Packages": []byte(lists[arch]), "Packages.gz": packed.Bytes()} {
			if err := put(dir, "dists/stable/main/binary-"+arch+"/"+name, text); err != nil {
				return err
			}
		}
		for _, name := range []string{"Packages", "Packages.gz"} {
			text, err := os.ReadFile(filepath.Join(dir, "dists/stable/main/binary-"+arch, name))
			if err != nil {
				return err
			}
			fmt.Fprintf(&sums, " %x %d main/binary-%s/%s\n", sha256.Sum256(text), len(text), arch, name)
		}
	}
	release := fmt.Sprintf("Origin: boardd\nLabel: boardd\nSuite: stable\nCodename: stable\nDate: %s\n"+
		"Architectures: %s\nComponents: main\nSHA256:\n%s",
		at.Format("Mon, 02 Jan 2006 15:04:05 UTC"), strings.Join(archs, " "), sums.String())
	if err := put(dir, "dists/stable/Release", []byte(release)); err != nil || key == "" {
		return err
	}
	return signRepository(dir, key)
}

// signRepository signs the Release file in both forms that apt knows, and puts the public key beside it.
func signRepository(dir, key string) error {
	release := filepath.Join(dir, "dists/stable/Release")
	if err := sign(key, "--armor", "--detach-sign", "--output", release+".gpg", release); err != nil {
		return err
	}
	if err := sign(key, "--clearsign", "--output", filepath.Join(dir, "dists/stable/InRelease"), release); err != nil {
		return err
	}
	public, err := exec.Command("gpg", "--batch", "--export", key).Output()
	if err != nil || len(public) == 0 {
		return fmt.Errorf("gpg --export %s: no such key (%v)", key, err)
	}
	return put(dir, "boardd.gpg", public)
}

// sign runs GnuPG with a key.
func sign(key string, args ...string) error {
	out, err := exec.Command("gpg", append([]string{"--batch", "--yes", "--local-user", key, "--digest-algo", "SHA256"},
		args...)...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("gpg cannot sign with the key %q: %w: %s", key, err, bytes.TrimSpace(out))
	}
	return nil
}

func put(dir, name string, text []byte) error {
	name = filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, text, 0o644)
}
