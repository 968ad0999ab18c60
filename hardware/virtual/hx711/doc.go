// SPDX-License-Identifier: Apache-2.0

// Package hx711 is the model of an HX711 at its two pins, in time that comes in as a value: what a load cell's
// converter does to whoever clocks it wrongly. It is pure.
package hx711
