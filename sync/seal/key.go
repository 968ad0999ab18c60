// SPDX-License-Identifier: Apache-2.0

package seal

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"encoding/binary"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"boardd/config/size"

	"github.com/google/renameio/v2"
)

// KeyFile is the file of a board's key in its state folder.
func KeyFile(dir string) string { return filepath.Join(dir, "board.key") }

// OwnKey reads the key of the board with a state folder. It is nil if there is none.
func OwnKey(dir string) (ed25519.PrivateKey, error) {
	name := KeyFile(dir)
	if _, err := os.Stat(name); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	key, _, err := LoadKey(name)
	return key, err
}

// LoadKey reads the board's key from a PEM file (PKCS #8), or makes one on the first start. The file is readable by
// its owner alone. A file that cannot be read is an error, because a new key would not be the board's.
func LoadKey(name string) (key ed25519.PrivateKey, made bool, err error) {
	data, err := size.Read(name, size.Kept)
	if errors.Is(err, fs.ErrNotExist) {
		key, err = makeKey(name)
		return key, err == nil, err
	}
	if err != nil {
		return nil, false, fmt.Errorf("read the board's key: %w", err)
	}
	block, _ := pem.Decode(data)
	if block == nil || block.Type != "PRIVATE KEY" {
		return nil, false, fmt.Errorf("read the board's key %s: want PEM with a PRIVATE KEY; restore it, or remove the "+
			"file for a new key", name)
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, false, fmt.Errorf("read the board's key %s: %w", name, err)
	}
	key, ok := parsed.(ed25519.PrivateKey)
	if !ok {
		return nil, false, fmt.Errorf("read the board's key %s: it is a %T, want Ed25519", name, parsed)
	}
	return key, false, nil
}

// Random is a number that nobody can guess, for ids of games.
func Random() uint64 {
	var r [8]byte
	rand.Read(r[:]) //nolint:errcheck // crypto/rand never fails
	return binary.LittleEndian.Uint64(r[:])
}

func makeKey(name string) (ed25519.PrivateKey, error) {
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("make the board's key: %w", err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, fmt.Errorf("make the board's key: %w", err)
	}
	data := pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})
	if err := renameio.WriteFile(name, data, 0o600); err != nil {
		return nil, fmt.Errorf("keep the board's key: %w", err)
	}
	return key, nil
}

// Public is the public key, with which others check signatures.
func Public(key ed25519.PrivateKey) ed25519.PublicKey { return key.Public().(ed25519.PublicKey) }
