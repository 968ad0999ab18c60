// SPDX-License-Identifier: Apache-2.0

//go:build !race

package main

// raceDetector says that the tests run under the race detector.
const raceDetector = false
