// SPDX-License-Identifier: Apache-2.0

// Package vhost serves virtio devices to QEMU from outside, over the vhost-user protocol: an I2C adapter and a GPIO
// controller. Behind them are a periph bus and periph pins. The guest's kernel finds real devices; what answers are
// the chips behind them.
//
//	server.go  what serves devices to emulators
//	link.go    the protocol between emulator and back end (QEMU, docs/interop/vhost-user.rst)
//	queue.go   requests taken when the guest says so, and given back
//	ring.go    where they stand in the guest's memory (virtio 1.2, section 2.7, "split virtqueues")
//	i2c.go     the I2C adapter (virtio 1.2, section 5.18)
//	gpio.go    the GPIO controller (virtio 1.2, section 5.19)
package vhost
