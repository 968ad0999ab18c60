// SPDX-License-Identifier: Apache-2.0

package main_test

import (
	"fmt"
	"os"
	"regexp"
	"testing"
)

// megaHeader holds the rows of pins of an Arduino Mega 2560 Rev3, from its maker's schematic (MEGA2560_Rev3e).
var megaHeader = map[string][]string{
	"Mega POWER": {"NC", "IOREF", "RESET", "3V3", "5V", "GND", "GND", "VIN"},
	"Mega ADCL":  {"A0", "A1", "A2", "A3", "A4", "A5", "A6", "A7"},
	"Mega ADCH":  {"A8", "A9", "A10", "A11", "A12", "A13", "A14", "A15"},
	"Mega PWML":  {"D0", "D1", "D2", "D3", "D4", "D5", "D6", "D7"},
	"Mega PWMH":  {"D8", "D9", "D10", "D11", "D12", "D13", "GND", "AREF", "SDA", "SCL"},
	"Mega COMM":  {"D14", "D15", "D16", "D17", "D18", "D19", "D20", "D21"},
	// two columns; the shield's header is turned over, so its odd pins are the column that the maker counts second
	"Mega XIO": {"5V", "5V", "D23", "D22", "D25", "D24", "D27", "D26", "D29", "D28", "D31", "D30", "D33", "D32", "D35",
		"D34", "D37", "D36",
		"D39", "D38", "D41", "D40", "D43", "D42", "D45", "D44", "D47", "D46", "D49", "D48", "D51", "D50", "D53", "D52",
		"GND", "GND"},
}

// alone holds the Arduino's pins that nothing may touch: its supplies, its reset and the two of its USB line.
var alone = map[string]bool{"IOREF": true, "RESET": true, "3V3": true, "5V": true, "VIN": true, "AREF": true,
	"SDA": true, "SCL": true, "D0": true, "D1": true}

// megaPorts is the processor's port of each of the Arduino's pins, from the same schematic.
var megaPorts = func() map[string]string {
	m := map[string]string{"D0": "PE0", "D1": "PE1", "D2": "PE4", "D3": "PE5", "D4": "PG5", "D5": "PE3", "D6": "PH3",
		"D7": "PH4", "D8": "PH5", "D9": "PH6",
		"D14": "PJ1", "D15": "PJ0", "D16": "PH1", "D17": "PH0", "D18": "PD3", "D19": "PD2", "D20": "PD1", "D21": "PD0",
		"D38": "PD7", "D39": "PG2", "D40": "PG1", "D41": "PG0"}
	for i := range 8 {
		m[fmt.Sprintf("D%d", 22+i)], m[fmt.Sprintf("D%d", 37-i)], m[fmt.Sprintf("D%d", 49-i)] = fmt.Sprintf("PA%d", i),
			fmt.Sprintf("PC%d", i), fmt.Sprintf("PL%d", i)
		m[fmt.Sprintf("A%d", i)], m[fmt.Sprintf("A%d", 8+i)] = fmt.Sprintf("PF%d", i), fmt.Sprintf("PK%d", i)
	}
	for i := range 4 {
		m[fmt.Sprintf("D%d", 53-i)], m[fmt.Sprintf("D%d", 10+i)] = fmt.Sprintf("PB%d", i), fmt.Sprintf("PB%d", 4+i)
	}
	return m
}()

// TestMegaPinsArePorts: the Arduino has 70 pins, each a different port that the processor has according to the
// compiler's own device file. No converter is on the programming pins or the serial line without a resistor: see
// cells. MOSI, MISO and SCK are PB2, PB3 and PB1 only on chips that are programmed by SPI. The boot loader of the
// 100-pin ATmega2560 receives the program over PE0 and PE1.
func TestMegaPinsArePorts(t *testing.T) {
	t.Parallel()
	ports := map[string]string{}
	for pin, port := range megaPorts {
		if other := ports[port]; other != "" {
			t.Errorf("%s and %s are both %s", pin, other, port)
		}
		ports[port] = pin
	}
	if len(ports) != 70 {
		t.Errorf("%d pins, want 70", len(ports))
	}
	for _, row := range megaHeader {
		for _, pin := range row {
			delete(ports, megaPorts[pin])
		}
	}
	if len(ports) != 0 {
		t.Errorf("%v are in no row", ports)
	}
	src, err := os.ReadFile("/usr/lib/avr/include/avr/iomxx0_1.h")
	if err != nil {
		t.Skip("NOT TESTED: the compiler's device file is not installed: hardware/firmware/hub/setup.sh does it")
	}
	for _, port := range megaPorts {
		if !regexp.MustCompile(`#\s*define\s+PORT` + port[1:2] + `\s`).Match(src) {
			t.Errorf("the processor has no %s", port)
		}
	}
}
