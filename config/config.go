// SPDX-License-Identifier: Apache-2.0

package config

import (
	"crypto/sha256"

	"boardd/sync/wire"
)

// Config is the configuration of a board's daemon. [Default] returns that of the reference board.
type Config struct {
	Board    string // the board's id in topics and addresses
	StateDir string // folder of the journal and other state
	BudgetMB int    // size of the journal above which its oldest games are removed

	Kind    string // stack, twin, scale or reeds
	Virtual bool   // the wood and the chips are simulated
	Level   string // how bad a simulated board is: bench, clean, club or rough
	I2C     string // periph's name of the bus of the expanders
	Int     string // periph's name of the GPIO that the expanders' INT is wired to
	Hub     string // serial device of the weight hub
	SPI     string // periph's name of the SPI port of the lights
	SCL     string // GPIO wired to SCL, by which, with SDA, a stuck bus is freed; "" for none
	SDA     string
	Reeds   string // tca9535 or mcp23017

	Expanders    []string // one a line: see [Config.ReedChips]; none for those of the reference boards
	Multiplexers []string // one a line: see [Config.HeightChips]; none for those of the reference board

	Display     string // I2C bus of the SSD1306, "" for none
	Language    string // of the display
	WhiteButton string // GPIO of White's clock button, "" for none
	BlackButton string

	LightChip  string // ws2812 or apa102
	Brightness int    // percent
	Gamma      float64
	CapMA      int // milliamperes for all lights together
	Serpentine bool

	CubeHeightMM float64
	WeightsG     map[string]float64 // by piece letter; a lower case letter alone counts for both colors

	Variant     string
	White       string // local or a board's id
	Black       string
	Problems    bool   // shown while nobody plays
	Takeback    string // free, consent or never
	Commit      string // what a move waits for: rest, touch or clock
	QueenAfterS int    // seconds after which an unanswered promotion becomes a queen, 0 for never

	Names wire.Names // who plays at this board, for games without other names

	LiveChessListen  string   // address at which programs for electronic boards are answered, "" for none
	LiveChessOrigins []string // hosts of pages that may ask

	LichessURL       string // the server
	LichessTokenFile string // whose first line is the token, "" for none
	LichessOpponent  string // who is played there: computer, seek, anybody, or an account
	LichessLevel     int    // of the computer there, 1 to 8
	LichessMinutes   int    // of the clock
	LichessIncrement int    // seconds a move
	LichessRated     bool

	EngineCommand string            // the program and its arguments, "" for boardd engine
	EngineOptions map[string]string // UCI options by name
	EngineLevel   int               // 1 to 8
	EngineSeconds int               // of thought about a move, when no clock runs
	EngineResigns bool
	EngineDraws   bool // it may accept draws
	EngineCoach   bool // people are told of blunders
	EnginePonder  bool // it thinks while a person does

	MQTTInside         bool   // not a setting: MQTTURL was replaced by the address of the built-in broker
	MQTTURL            string // "" for none, "embedded" for the built-in broker
	MQTTListen         string // where the built-in broker listens
	MQTTAccountsFile   string // who may connect to the built-in broker; "" for this machine only, without accounts
	MQTTListenCertFile string // the certificate of the built-in broker; "" for plain TCP
	MQTTListenKeyFile  string
	MQTTListenCAFile   string // authority whose certificates its clients need; "" for none
	MQTTUser           string
	MQTTPasswordFile   string
	MQTTCAFile         string
	MQTTCertFile       string
	MQTTKeyFile        string
	// what the command topic may do: off, on, or words; none: everything that does not change a person's game
	MQTTCommands    []string
	Sign            bool   // sign the moves of this board
	CommandKeysFile string // keys of those whose signed commands are accepted, "" for nobody
	KeysFile        string // keys of other boards, "" for none
	HomeAssistant   bool   // announce the board to Home Assistant

	ClubListen   string   // where the club's files are served, "" for nowhere
	ClubFolder   string   // where they are written
	ClubPairings string   // file of pairings, "" for none
	ClubRound    string   // number of the round, "" for the last one with pairings
	ClubLichess  string   // id of the round of a broadcast at Lichess, "" for none
	ClubTables   []string // boards in the order of the tables, none for the numbers in their names

	WebListen string // "" for no page
	// the right of visitors without a token; "": all rights if only this machine is served, and looking on otherwise
	WebVisitors  string
	WebTokenFile string
	WebHosts     []string // names of this machine beside its own
	WebCertFile  string
	WebKeyFile   string

	held map[string][sha256.Size]byte // by setting: the digest of the file that it names; nil if none names a file
	idle *Faults                      // see [Config.Idle]
	odd  *Faults                      // see [Config.Doubts]
}

// Default returns the configuration of a stack board with the reference set of pieces, without other boards, with the
// page on this machine only.
func Default() Config {
	return Config{
		Board: "board", StateDir: "/var/lib/boardd", BudgetMB: 64,
		Kind: "stack", Level: "bench", I2C: "I2C1", Int: "GPIO17", Hub: "/dev/ttyUSB0", SPI: "SPI0.0", Reeds: "tca9535",
		Language: "en", LightChip: "ws2812",
		Brightness: 60, Gamma: 2.2, CapMA: 2000,
		CubeHeightMM: 35, WeightsG: map[string]float64{"p": 20, "n": 27, "b": 33, "r": 41, "q": 52, "k": 60, "#": 12},
		Variant: "chess", White: "local", Black: "local", Takeback: "free", Commit: "rest",
		LiveChessOrigins: []string{"lichess.org"}, LichessURL: "https://lichess.org", LichessOpponent: "computer",
		LichessLevel: 3, LichessMinutes: 15, LichessIncrement: 10,
		EngineOptions: map[string]string{}, EngineLevel: 4, EngineSeconds: 3,
		ClubListen: "127.0.0.1:8090", ClubFolder: "/var/lib/boardd/club",
		MQTTListen: "127.0.0.1:1883", Sign: true, WebListen: "127.0.0.1:8080",
	}
}
