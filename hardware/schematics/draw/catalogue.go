// SPDX-License-Identifier: Apache-2.0

package draw

import (
	"strconv"
	"strings"
)

// kind is a kind of part as it is bought: its symbol, its footprint, and who makes it.
type kind struct {
	symbol, prefix, value, footprint string
	sheet                            string  // datasheet
	mpn, maker, second               string  // second is another make that fits the same pads and limits
	eur                              float64 // estimate for one of a hundred, without tax
	bare                             bool    // copper alone: nothing to buy
}

func (k kind) price() string {
	if k.eur == 0 {
		return ""
	}
	return strconv.FormatFloat(k.eur, 'f', -1, 64)
}

// with is the same part of another value.
func (k kind) with(value string) kind {
	k.value = value
	return k
}

const header = "Connector_PinHeader_2.54mm:PinHeader_"

// resistor is 1 %, 0.1 W, 0603. The code is Yageo's: 10KL is 10 kohm.
func resistor(value, code string) kind {
	return kind{"Device:R", "R", value, "Resistor_SMD:R_0603_1608Metric", "~", "RC0603FR-07" + code, "Yageo",
		"any 0603, 1 %, 0.1 W (Vishay CRCW0603, Panasonic ERJ-3EKF)", 0.01, false}
}

// ceramic is X7R, 0603.
func ceramic(value, mpn string) kind {
	return kind{"Device:C", "C", value, "Capacitor_SMD:C_0603_1608Metric", "~", mpn, "Samsung",
		"any 0603 X7R of that voltage (Murata GRM188, Yageo CC0603)", 0.02, false}
}

var (
	r10k  = resistor("10k", "10KL")
	r1k   = resistor("1k", "1KL")
	r2k2  = resistor("2.2k", "2K2L")
	r4k7  = resistor("4.7k", "4K7L")
	r100  = resistor("100R", "100RL")
	r330  = resistor("330R", "330RL")
	c100n = ceramic("100n", "CL10B104KB8NNNC")
	c10u  = kind{"Device:C", "C", "10u", "Capacitor_SMD:C_0805_2012Metric", "~", "CL21A106KAYNNNE", "Samsung",
		"Murata GRM21BR61E106KA73", 0.05, false}
	c100u = kind{"Device:C_Polarized", "C", "100u 16V", "Capacitor_SMD:CP_Elec_6.3x5.8", "~", "EEEFK1C101P", "Panasonic",
		"any can of 6.3 mm, 16 V, 0.2 to 0.4 ohm (Nichicon UWX, UUD)", 0.25, false}
	ptc = kind{"Device:Polyfuse", "F", "0.75A", "Fuse:Fuse_1812_4532Metric", "~", "MF-MSMF075-2", "Bourns",
		"Littelfuse 1812L075", 0.2, false}

	reed = kind{"Switch:SW_Reed", "SW", "CT10-1530-G1", "Button_Switch_SMD:SW_SPST_REED_CT10-XXXX-G1",
		"https://cotorelay.com/product/ct10-series-molded-reed-switch/", "CT10-1530-G1", "Coto Technology",
		"any form A of 15 to 30 AT with a body below 16 mm; Standex MK24 needs its own pads", 1.1, false}
	pixel = kind{"LED:WS2812B", "D", "WS2812B", "LED_SMD:LED_WS2812B_PLCC4_5.0x5.0mm_P3.2mm",
		"https://cdn-shop.adafruit.com/datasheets/WS2812B.pdf", "WS2812B-V5", "Worldsemi", "Opsco SK6812", 0.08, false}
	tca = kind{"Interface_Expansion:TCA9535PWR", "U", "TCA9535PWR", "Package_SO:TSSOP-24_4.4x7.8mm_P0.65mm",
		"http://www.ti.com/lit/ds/symlink/tca9535.pdf", "TCA9535PWR", "Texas Instruments", "NXP PCA9535PW, PCA9555PW", 1.0,
		false}
	apa = kind{"LED:APA102", "D", "APA102", "LED_SMD:LED_RGB_5050-6",
		"http://www.led-color.com/upload/201506/APA102%20LED.pdf", "APA102", "Shiji Lighting", "Opsco SK9822", 0.2, false}
	mcp = kind{"Interface_Expansion:MCP23017_SO", "U", "MCP23017-E/SO", "Package_SO:SOIC-28W_7.5x17.9mm_P1.27mm",
		"https://ww1.microchip.com/downloads/aemDocuments/documents/APID/ProductDocuments/" +
			"DataSheets/MCP23017-Data-Sheet-DS20001952.pdf",
		"MCP23017-E/SO", "Microchip", "none on these pads; MCP23017-E/SP in a socket, or four TCA9535", 1.5, false}
	mux = kind{"Interface_Expansion:TCA9548APWR", "U", "TCA9548APWR", "Package_SO:TSSOP-24_4.4x7.8mm_P0.65mm",
		"http://www.ti.com/lit/ds/symlink/tca9548a.pdf", "TCA9548APWR", "Texas Instruments", "NXP PCA9548APW", 1.1, false}
	eye = kind{"boardd:VL6180X", "U", "VL6180X", "boardd:ST_VL6180X",
		"https://www.st.com/resource/en/datasheet/vl6180x.pdf", "VL6180V1NR/1", "STMicroelectronics",
		"none; a Pololu 2489 or Adafruit 3316 module on wires", 3.6, false}
	hx711 = kind{"Analog_ADC:HX711", "U", "HX711", "Package_SO:SOIC-16_3.9x9.9mm_P1.27mm", "https://www.avia-semic.com",
		"HX711", "Avia Semiconductor", "module with an HX711, RATE lifted and wired", 0.55, false}
	ldo28 = kind{"Regulator_Linear:TLV75528PDBV", "U", "TLV75528PDBV", "Package_TO_SOT_SMD:SOT-23-5",
		"https://www.ti.com/lit/ds/symlink/tlv755p.pdf", "TLV75528PDBVR", "Texas Instruments",
		"AP2127K-2.8TRG1 (300 mA: four of a rank at a time, not eight)", 0.3, false}
	ldo45 = kind{"Regulator_Linear:LP5907MFX-4.5", "U", "LP5907MFX-4.5", "Package_TO_SOT_SMD:SOT-23-5",
		"https://www.ti.com/lit/ds/symlink/lp5907.pdf", "LP5907MFX-4.5/NOPB", "Texas Instruments",
		"any quiet 4.2 to 4.5 V regulator of 100 mA in this package", 0.4, false}
	ldo33 = kind{"Regulator_Linear:AP2112K-3.3", "U", "AP2112K-3.3", "Package_TO_SOT_SMD:SOT-23-5",
		"https://www.diodes.com/assets/Datasheets/AP2112.pdf", "AP2112K-3.3TRG1", "Diodes",
		"Microchip MIC5504-3.3YM5 (300 mA)", 0.25, false}
	fet = kind{"Transistor_FET:IRF7404", "Q", "DMP2022LSS", "Package_SO:SOIC-8_3.9x4.9mm_P1.27mm",
		"https://www.diodes.com/assets/Datasheets/DMP2022LSS.pdf", "DMP2022LSS-13", "Diodes",
		"any P-channel SO-8, 20 V, below 20 mohm at 4.5 V", 0.5, false}
	tvs = kind{"Diode:SMAJ5.0A", "D", "SMAJ5.0A", "Diode_SMD:D_SMA",
		"https://www.littelfuse.com/media?resourcetype=datasheets&itemid=75e32973-b177-4ee3-a0ff-cedaf1abdb93&filename=" +
			"smaj-datasheet", "SMAJ5.0A", "Littelfuse", "Bourns SMAJ5.0A, Vishay SMAJ5.0A", 0.15, false}
	shift = kind{"74xGxx:74AHCT1G125", "U", "74AHCT1G125", "Package_TO_SOT_SMD:SOT-23-5",
		"http://www.ti.com/lit/sg/scyt129e/scyt129e.pdf", "SN74AHCT1G125DBVR", "Texas Instruments", "Nexperia 74AHCT1G125GV",
		0.12, false}
	repeat = kind{"Logic_LevelTranslator:TCA9517ADGK", "U", "TCA9517ADGK", "Package_SO:MSOP-8_3x3mm_P0.65mm",
		"http://www.ti.com/lit/ds/symlink/tca9517a.pdf", "TCA9517ADGKR", "Texas Instruments", "NXP PCA9517ADP", 0.9, false}
	esd = kind{"Power_Protection:SP0503BAHT", "D", "SP0503BAHT", "Package_TO_SOT_SMD:SOT-143",
		"http://www.littelfuse.com/~/media/files/littelfuse/technical%20resources/documents/data%20sheets/sp05xxba.pdf",
		"SP0503BAHTG", "Littelfuse", "Semtech SR05 needs its own pads", 0.4, false}
	fuse = kind{"Device:Fuse", "F", "6.3A slow",
		"Fuse:Fuseholder_Clip-5x20mm_Littelfuse_100_Inline_P20.50x4.60mm_D1.30mm_Horizontal", "~", "021806.3MXP",
		"Littelfuse", "any 5x20 mm, 6.3 A, slow (Schurter SPT), in clips Littelfuse 100", 0.9, false}
	fuse4 = kind{"Device:Fuse", "F", "4A slow",
		"Fuse:Fuseholder_Clip-5x20mm_Littelfuse_100_Inline_P20.50x4.60mm_D1.30mm_Horizontal", "~", "0218004.MXP",
		"Littelfuse", "any 5x20 mm, 4 A, slow (Schurter SPT), in clips Littelfuse 100", 0.9, false}
	power = kind{"Connector:Screw_Terminal_01x02", "J", "5V in",
		"TerminalBlock_Phoenix:TerminalBlock_Phoenix_MKDS-1,5-2-5.08_1x02_P5.08mm_Horizontal", "~", "1715721",
		"Phoenix Contact", "any 5.08 mm terminal for 10 A", 0.8, false}
	pi = kind{"Connector:Raspberry_Pi_2_3", "J", "Raspberry Pi",
		"Connector_PinSocket_2.54mm:PinSocket_2x20_P2.54mm_Vertical",
		"https://www.raspberrypi.com/documentation/computers/raspberry-pi.html", "SSQ-120-01-G-D", "Samtec",
		"any 2x20 socket, 2.54 mm", 1.2, false}
	hct238 = kind{"74xx:74HCT238", "U", "74HCT238", "Package_SO:SOIC-16_3.9x9.9mm_P1.27mm",
		"https://assets.nexperia.com/documents/data-sheet/74HC_HCT238.pdf", "74HCT238D", "Nexperia",
		"Texas Instruments CD74HCT238M", 0.4, false}
	nano = kind{"MCU_Module:Arduino_Nano_v3.x", "A", "Arduino Nano", "Module:Arduino_Nano",
		"https://docs.arduino.cc/hardware/nano/", "A000005", "Arduino", "any copy with an ATmega328P at 16 MHz and the " +
			"maker's boot loader, which is what the price is of", 4, false}
	pins36 = kind{"Connector_Generic:Conn_02x18_Odd_Even", "J", "Mega XIO", header + "2x18_P2.54mm_Vertical", "~",
		"61303621121", "Wurth", "any 2x18 pins, 2.54 mm", 0.7, false}
	box10 = kind{"Connector_Generic:Conn_02x05_Odd_Even", "J", "Ribbon",
		"Connector_IDC:IDC-Header_2x05_P2.54mm_Vertical", "~", "61201021621", "Wurth", "any boxed 2x5 header, 2.54 mm", 0.35,
		false}
	box16 = kind{"Connector_Generic:Conn_02x08_Odd_Even", "J", "Ribbon",
		"Connector_IDC:IDC-Header_2x08_P2.54mm_Vertical", "~", "61201621621", "Wurth", "any boxed 2x8 header, 2.54 mm", 0.5,
		false}
	led = kind{"Device:LED", "D", "green", "LED_SMD:LED_0603_1608Metric", "~", "150060GS75000", "Wurth",
		"any 0603 green", 0.1, false}
	pad   = kind{"Connector:TestPoint", "TP", "", "TestPoint:TestPoint_Pad_D2.0mm", "~", "", "", "", 0, true}
	point = kind{"Connector:TestPoint", "TP", "", "TestPoint:TestPoint_Loop_D2.50mm_Drill1.0mm", "~", "", "", "", 0,
		true}
)

// pins is a pin header in one row.
func pins(n int, value string) kind {
	s := strconv.Itoa(n)
	if n < 10 {
		s = "0" + s
	}
	return kind{"Connector_Generic:Conn_01x" + s, "J", value, header + "1x" + s + "_P2.54mm_Vertical", "~", "6130" + s +
		"11121", "Wurth", "any 1x" + strconv.Itoa(n) + " pins, 2.54 mm; JST XH for cables that are unplugged often",
		0.02 * float64(n), false}
}

// mate is the plug that fits a connector. It is "" for a connector that needs none, because it takes pins or bare
// wire.
func (k kind) mate() string {
	if strings.HasPrefix(k.value, "Mega ") {
		return ""
	}
	if k.value == "RATE" {
		return "60900213421"
	}
	return map[string]string{"61300311121": "M20-1060300", "61300411121": "M20-1060400", "61301011121": "M20-1061000",
		"61201021621": "61201023021", "61201621621": "61201623021"}[k.mpn]
}
