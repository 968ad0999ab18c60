// SPDX-License-Identifier: Apache-2.0

package journal

import "io"

// FS is what the journal needs of a file system. Names are paths; errors are those of package os, wrapped or not.
type FS interface {
	MkdirAll(dir string) error
	// List returns the names (without the directory) of the plain files in dir, sorted.
	List(dir string) ([]string, error)
	// Open opens a file for reading and writing; with create it makes it when it is missing.
	Open(name string, create bool) (File, error)
	// Create makes a file; os.ErrExist when anything has that name.
	Create(name string) (File, error)
	// OpenRead opens a file for reading.
	OpenRead(name string) (File, error)
	Remove(name string) error
	// SyncDir makes creations and removals in dir durable.
	SyncDir(dir string) error
	// Lock takes the one lock of dir until the closer is closed or the process ends; ErrLocked when another holds it.
	Lock(dir string) (io.Closer, error)
}

// File is one open file. After Sync returns nil everything written before it survives a power cut.
type File interface {
	io.ReaderAt
	io.WriterAt
	io.Closer
	Size() (int64, error)
	// Occupied is how many bytes the file has on the disk: fewer than Size where it has holes.
	Occupied() (int64, error)
	// Linked reports whether the file still has its name: nobody has removed it or moved it away. If that is unknown, it
	// has.
	Linked() bool
	Truncate(size int64) error
	Sync() error
}
