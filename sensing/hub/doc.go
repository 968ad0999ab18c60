// SPDX-License-Identifier: Apache-2.0

// Package hub reads 64 load cells through the hub, a microcontroller at the end of a serial line.
//
// A [Hub] is a sensing.Source of weights. It opens the line, asks who is there, and turns every frame of counts into a
// reading in milligrams of a cell as bought; the tare and gain of single cells are kept on the host too, in
// sensing/calibration. It says in its health what is wrong with the
// line: nothing there, nothing coming, noise (a wrong baud rate), frames of another protocol, an old firmware, a hub
// that was restarted by its watchdog; and which cells are missing or saturated. Garbled and repeated frames are
// counted and skipped, and so are gaps. A line that is unplugged is opened again by the same name, so the name should
// be one that stays, as /dev/serial/by-id/ has them.
package hub
