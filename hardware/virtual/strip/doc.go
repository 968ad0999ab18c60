// SPDX-License-Identifier: Apache-2.0

// Package strip is a row of lights that decodes what went down its line, WS2812 or APA102, and notes what a real one
// would not have understood.
package strip
