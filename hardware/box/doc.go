// SPDX-License-Identifier: Apache-2.0

// Command box runs the packaged daemon in a Debian guest on an emulated 64-bit ARM machine, and pulls the plug. Around
// the daemon are a real kernel, systemd and ext4. `make box` builds what it needs and runs it.
//
// These parts are real: the arm64 binary, the installation of the package by dpkg, and the hub's firmware. So is the
// unit under systemd with its watchdog and its rights. The kernel's I2C, GPIO, SPI and USB serial devices with their
// interrupts are real too. So are the file systems and the network to an external broker. The chips behind those
// devices are simulated, by the virtual chips of this repository on this computer. So are the hub's processor, its
// load cells, and the disk's cache, which loses what was not flushed. The state of the machine cannot be saved while
// it has external devices. For the power cuts the chips are therefore inside the daemon.
//
//	image.sh      the guest: Debian, its kernel, a console, and the package to install
//	kernel/       kernel modules for the guest: I2C and GPIO of virtio from Debian's source, and an SPI controller
//	vhost/        those devices' far side
//	parts.go      the virtual board behind the guest's devices
//	hub/          the hub's firmware in a simulator, behind the guest's USB
//	disk/         a disk that loses what was not flushed when its power is cut
//	emulator/     the emulator, its monitor and its console
//	guest.go      installing, starting and shutting down what runs in it
//	table.go      hands at the board
//	spectator.go  who looks on at the broker outside
//	main.go       what is tried, in order
//	play.go       of this, the game
//	service.go    the service when it hangs, is cut off, stopped, removed
//	devices.go    what goes wrong with devices
//	lines.go      the board at rest, and the clock's buttons: interrupts of GPIO lines
//	doctor.go     what check and doctor say
//	figures.go    memory, processor time, sizes, and the table of figures
//	readonly.go   a root file system that cannot be written
//	twin.go       a twin board
//	power.go      the power cuts
package main
