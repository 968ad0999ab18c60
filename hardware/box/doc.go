// Command box runs the packaged daemon in a Debian guest on an emulated 64-bit ARM machine, with a real kernel, systemd and ext4
// around it, and pulls the plug. `make box` builds what it needs and runs it.
//
// What is real: the arm64 binary, the package's installation by dpkg, the unit under systemd with its watchdog, the file system, the
// network to a broker outside. What is modelled: the board, whose chips are the virtual ones inside the daemon, and the disk's cache, which
// forgets what was not flushed.
//
//	image.sh    the guest: Debian, its kernel, a console, and the package to install
//	disk.go     a disk over NBD that loses what was not flushed when its power is cut
//	machine.go  the emulator, its monitor and its console
//	table.go    hands at the board in the guest, and the spectator at the broker outside
//	main.go     what is tried, in order
package main
