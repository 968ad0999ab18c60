// SPDX-License-Identifier: Apache-2.0

// Package hub reads 64 load cells through the hub, a microcontroller on a serial line.
//
// A [Hub] is a sensing.Source of weights. It opens the line, identifies the hub, and turns every frame of counts into
// a reading in milligrams, by the nominal gain of a cell. The tare and gain of single cells are kept on the host too,
// in sensing/calibration. Its health says which cells are missing or saturated. It also says what is wrong with the
// line. There may be no device, no data, noise (a wrong baud rate), frames of another protocol, old firmware, or a hub
// restarted by its watchdog. Garbled and repeated frames are counted and skipped, and gaps are counted too. If the
// line is unplugged, it is opened again by the same name. So the name should be a permanent one, as in
// /dev/serial/by-id/.
package hub
