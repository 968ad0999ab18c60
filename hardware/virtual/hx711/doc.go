// SPDX-License-Identifier: Apache-2.0

// Package hx711 is the model of an HX711 at its two pins. Time comes in as a value. It shows what a load cell's
// converter does when it is clocked wrongly. It is pure.
package hx711
