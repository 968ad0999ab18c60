// Command box runs the packaged daemon in a Debian guest on an emulated 64-bit ARM machine, with a real kernel, systemd and ext4
// around it, and pulls the plug. `make box` builds what it needs and runs it.
//
// What is real: the arm64 binary, the package's installation by dpkg, the unit under systemd with its watchdog and its rights, the kernel's I2C,
// GPIO, SPI and USB serial devices, the file systems, the network to a broker outside. What is modelled: the chips behind those devices, which are
// the virtual ones of this repository, on this computer; and the disk's cache, which forgets what was not flushed. The machine's state cannot
// be saved with such devices, so for the power cuts the chips are inside the daemon.
//
//	image.sh     the guest: Debian, its kernel, a console, and the package to install
//	kernel/      kernel modules for the guest: I2C and GPIO of virtio from Debian's source, and an SPI controller
//	vhost/       those devices' far side
//	parts.go     the virtual board behind the guest's devices
//	disk.go      a disk over NBD that loses what was not flushed when its power is cut
//	machine.go   the emulator, its monitor and its console
//	table.go     hands at the board, and the spectator at the broker outside
//	main.go      what is tried, in order
//	devices.go   of this, what goes wrong with devices
//	readonly.go  a root file system that cannot be written
//	power.go     the power cuts
package main
