// SPDX-License-Identifier: Apache-2.0

// Package strip is a row of lights, WS2812 or APA102. It decodes the data on its line, and notes what real lights
// would not have understood.
package strip
