// SPDX-License-Identifier: Apache-2.0

// Package clitest is a terminal for tests of commands that say how far long work has come.
package clitest

import (
	"io/fs"
	"strings"
)

// Terminal is a terminal that keeps what is written to it. Its TERM is that of the process.
type Terminal struct{ strings.Builder }

// Stat says that this is a terminal.
func (*Terminal) Stat() (fs.FileInfo, error) { return device{}, nil }

type device struct{ fs.FileInfo }

func (device) Mode() fs.FileMode { return fs.ModeDevice | fs.ModeCharDevice }
