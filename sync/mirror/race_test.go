// SPDX-License-Identifier: Apache-2.0

//go:build race

package mirror_test

// raceDetector says that the tests run under the race detector. A test that does less there is run a second time
// without it, in full (docs/make/tests).
const raceDetector = true
