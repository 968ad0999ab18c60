// SPDX-License-Identifier: Apache-2.0

// Package size reads files only up to a limit. A file that damage or a mistake has made larger than the memory is
// refused.
package size

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// The largest sizes of files, in bytes. The largest known files are a list of certificates with 0.2 MB, and a game
// with a sheet of its analysis with 1 MB.
const (
	Named = 4 << 20  // the configuration and files that it names: keys, accounts, tokens, certificates
	Kept  = 16 << 20 // files that the program itself keeps beside the journal
)

// ErrLarge is the error for a file that is too large.
var ErrLarge = errors.New("it is larger than any such file")

// ErrNobodyWrites is the error for a named pipe from which nothing comes. It is not taken for an empty file.
var ErrNobodyWrites = errors.New("this is a named pipe, and nobody writes to it")

// Open opens a file for reading. It does not wait until somebody writes to a named pipe, which then has no content.
func Open(name string) (*os.File, error) { return os.OpenFile(name, os.O_RDONLY|unix.O_NONBLOCK, 0) }

// WriterComes is how long whoever writes to a named pipe may take to come.
const WriterComes = 3 * time.Second

var writerComes = WriterComes

// OpenPipe is Open, but gives whoever writes to a named pipe some time to come.
func OpenPipe(name string) (*os.File, error) {
	f, err := Open(name)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil || info.Mode()&fs.ModeNamedPipe == 0 {
		return f, nil // reading will tell what is wrong
	}
	raw, err := f.SyscallConn()
	if err != nil {
		return f, nil
	}
	end := time.Now().Add(writerComes)
	err = raw.Control(func(fd uintptr) {
		for left := writerComes; left > 0; left = time.Until(end) { // a signal ends poll
			n, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, int(left.Milliseconds())+1)
			if n > 0 || err != nil && !errors.Is(err, unix.EINTR) {
				return
			}
		}
	})
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// ErrSilent is the error for a named pipe whose writer takes longer than silence.
var ErrSilent = errors.New("a named pipe, from which nothing has come for a minute: start what writes to it first")

// silence is how long whoever writes to a named pipe may say nothing. It is long because a person may be typing.
var silence = time.Minute

// patient gives the writer of a pipe that time anew for each part that comes. A plain file has no deadline, and needs
// none.
type patient struct{ *os.File }

func (p patient) Read(b []byte) (int, error) {
	p.SetReadDeadline(time.Now().Add(silence)) //nolint:errcheck // see above
	n, err := p.File.Read(b)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		err = &fs.PathError{Op: "read", Path: p.Name(), Err: ErrSilent}
	}
	return n, err
}

// Read reads a file of at most this many bytes.
func Read(name string, most int64) ([]byte, error) {
	f, err := OpenPipe(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.Size() > most {
		return nil, large(name, most)
	}
	text, err := io.ReadAll(io.LimitReader(patient{f}, most+1)) // a file below /proc has the size 0
	switch {
	case err != nil:
		return nil, err
	case int64(len(text)) > most:
		return nil, large(name, most)
	}
	if info, err := f.Stat(); err == nil && info.Mode()&fs.ModeNamedPipe != 0 && len(text) == 0 {
		return nil, &fs.PathError{Op: "read", Path: name, Err: ErrNobodyWrites}
	}
	return text, nil
}

// KeyPair reads a certificate and its key.
func KeyPair(certFile, keyFile string) (tls.Certificate, error) {
	cert, err := Read(certFile, Named)
	if err != nil {
		return tls.Certificate{}, err
	}
	key, err := Read(keyFile, Named)
	if err != nil {
		return tls.Certificate{}, err
	}
	return tls.X509KeyPair(cert, key)
}

func large(name string, most int64) error {
	return &fs.PathError{Op: "read", Path: name, Err: fmt.Errorf("%w: want %d bytes at most", ErrLarge, most)}
}
