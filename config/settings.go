// SPDX-License-Identifier: Apache-2.0

package config

// setting is one name of the file. [words] and [span] have what single values may be.
type setting struct {
	name  string            // "hardware.i2c"
	help  string            // one paragraph
	field func(*Config) any // *string, *int, *float64, *bool, *[]string or *map[string]float64
	// further conditions; joined errors may belong to other settings, see [blame]; nil: none
	check func(c *Config) error
}

// settings is the table of all settings, in the order of the reference text.
func settings() []setting {
	return []setting{
		{"board", "The board's name in MQTT topics and web addresses: 1 to 32 of a-z, 0-9 and -.",
			func(c *Config) any { return &c.Board }, func(c *Config) error { return boardID(c.Board) }},
		{"state_dir", "Folder in which games are kept. It must be writable and survive power cuts.",
			func(c *Config) any { return &c.StateDir }, func(c *Config) error { return notEmpty(c.StateDir) }},
		{"journal.budget_mb", "How large the journal of all games played may grow, in MB. Beyond it the oldest games go " +
			"when a new one begins: page, log and doctor say so from nine tenths on.",
			func(c *Config) any { return &c.BudgetMB }, nil},
		{"hardware.kind", "stack: one deck, a load cell under every square. twin: two decks, height sensors. scale: one " +
			"deck, a load cell under each corner of the whole board. reeds: one deck, reed switches only.",
			func(c *Config) any { return &c.Kind }, nil},
		{"hardware.virtual", "true: wood and chips are simulated, the names of buses below are not used, and hands move " +
			"the wood over the web listener.",
			func(c *Config) any { return &c.Virtual }, nil},
		{"hardware.level", "How bad the parts of a virtual board are: bench (noise, nothing else), clean, club " +
			"(realistic) or rough (ten times worse).",
			func(c *Config) any { return &c.Level }, nil},
		{"hardware.i2c", "The I2C bus of the expanders and multiplexers, as periph names it.",
			func(c *Config) any { return &c.I2C }, func(c *Config) error { return notEmpty(c.I2C) }},
		{"hardware.int", "The GPIO that the expanders' INT pins are wired to; empty when they are not wired.",
			func(c *Config) any { return &c.Int }, checkPins},
		{"hardware.hub", "The serial device of the weight hub (stack and scale boards). A name below /dev/serial/by-id " +
			"stays the same when it is plugged in elsewhere.",
			func(c *Config) any { return &c.Hub }, func(c *Config) error { return notEmpty(c.Hub) }},
		{"hardware.spi", "The SPI port of the lights, as periph names it; empty for a board without lights.",
			func(c *Config) any { return &c.SPI }, nil},
		{"hardware.scl", "A GPIO wired to SCL; with hardware.sda it lets the daemon free a bus that hangs. Empty for none.",
			func(c *Config) any { return &c.SCL }, nil},
		{"hardware.sda", "A GPIO wired to SDA.",
			func(c *Config) any { return &c.SDA }, nil},
		{"hardware.reeds", "The expanders of the reeds: tca9535 (also PCA9535, PCA9555), or mcp23017. Five of the " +
			"latter, with 14 inputs each, take the squares of one deck in order.",
			func(c *Config) any { return &c.Reeds }, checkReeds},
		{"hardware.expanders", "The expanders of the reeds, one a line: its address, then the squares at its inputs in " +
			"their order. Squares are given rank by rank in a range, - for an input without a reed. On a twin board the " +
			"word upper after the address is for the upper deck. Empty: as on the reference boards, with tca9535 \"0x20 " +
			"a1-h2\", \"0x21 a3-h4\", \"0x22 a5-h6\", \"0x23 a7-h8\", and \"0x24 upper a1-h2\" and so on. What is wired " +
			"otherwise within these is learned by calibrate.",
			func(c *Config) any { return &c.Expanders }, checkExpanders},
		{"hardware.multiplexers", "The multiplexers of the height sensors (twin boards), one a line: its address, then " +
			"the squares at its channels 0 to 7. Empty: as on the reference board, \"0x70 a1-h1\", \"0x71 a2-h2\" and so on.",
			func(c *Config) any { return &c.Multiplexers }, checkMultiplexers},
		{"hardware.display", "The I2C bus of an SSD1306 display at 0x3C; empty for none. A bus of its own keeps the " +
			"sensors quick.",
			func(c *Config) any { return &c.Display }, nil},
		{"hardware.language", "The language of the display: en, de, fr, es or it. Its letters have no accents; it has " +
			"none of Russian and Hebrew.",
			func(c *Config) any { return &c.Language }, nil},
		{"hardware.white_button", "The GPIO of White's clock button, to ground; empty for none.",
			func(c *Config) any { return &c.WhiteButton }, nil},
		{"hardware.black_button", "The GPIO of Black's clock button.",
			func(c *Config) any { return &c.BlackButton }, nil},
		{"leds.chip", "The chain of lights: ws2812 (also SK6812) or apa102 (also SK9822).",
			func(c *Config) any { return &c.LightChip }, nil},
		{"leds.brightness", "Brightness in percent, 1 to 100.",
			func(c *Config) any { return &c.Brightness }, nil},
		{"leds.gamma", "How much darker than its number a half-bright color is sent, so that eyes see half: 1 (not at " +
			"all) to 4.",
			func(c *Config) any { return &c.Gamma }, nil},
		{"leds.cap_ma", "Current that all lights together may draw, in mA. One light at full white draws 50 mA, a dark " +
			"one 1 mA; 64 white ones draw 3200 mA.",
			func(c *Config) any { return &c.CapMA }, checkCap},
		{"leds.serpentine", "true: every second rank of the chain runs from h to a; false: every rank runs from a to h.",
			func(c *Config) any { return &c.Serpentine }, nil},
		{"pieces.cube_height_mm", "Height of one piece in mm: 35 for cubes, 6 for tiles.",
			func(c *Config) any { return &c.CubeHeightMM }, nil},
		{"pieces.weights_g", "Weight of each kind of piece in g by its letter (p n b r q k, and # for the pedestal). A " +
			"capital letter gives White's piece a weight of its own.",
			func(c *Config) any { return &c.WeightsG }, checkWeights},
		{"game.variant", "The game that a new board starts with.",
			func(c *Config) any { return &c.Variant }, checkGame},
		{"game.white", "Who plays White: local (somebody at this board), engine (a program), lichess (an opponent at " +
			"lichess.org), or another board by its name.",
			func(c *Config) any { return &c.White }, nil},
		{"game.black", "Who plays Black: local, engine, lichess, or the name of the board that does.",
			func(c *Config) any { return &c.Black }, checkSeats},
		{"game.takeback", "May moves be taken back: free, consent (the opponent is asked) or never.",
			func(c *Config) any { return &c.Takeback }, nil},
		{"game.problems", "true: while nobody plays here, the board shows problems to solve, one after the other, as on a " +
			"demo table.",
			func(c *Config) any { return &c.Problems }, nil},
		{"game.commit", "When a move made by hand counts. rest: when it rests and can be no other. touch: when the " +
			"opponent touches a piece or the clock is pressed. clock: when the clock is pressed.",
			func(c *Config) any { return &c.Commit }, checkCommit},
		{"game.queen_after_s", "A promotion that was asked for and not answered becomes a queen after this many seconds. " +
			"0: it is asked for until it is answered.",
			func(c *Config) any { return &c.QueenAfterS }, nil},
		{"names.event", "Event of the games played here, as game files and broadcasts have it; empty when there is none. " +
			"Names that come with a game or by the command name go before those of this section.",
			func(c *Config) any { return &c.Names.Event }, func(c *Config) error { return oneName(c.Names.Event) }},
		{"names.site", "Where the board stands, such as a town.",
			func(c *Config) any { return &c.Names.Site }, func(c *Config) error { return oneName(c.Names.Site) }},
		{"names.round", "Round of the event.",
			func(c *Config) any { return &c.Names.Round }, func(c *Config) error { return oneName(c.Names.Round) }},
		{"names.white", "Who plays White at this board: \"Surname, First name\". It counts where a person plays that side " +
			"here.",
			func(c *Config) any { return &c.Names.White }, func(c *Config) error { return oneName(c.Names.White) }},
		{"names.white_title", "Title of that player, such as WGM.",
			func(c *Config) any { return &c.Names.WhiteTitle }, func(c *Config) error { return oneName(c.Names.WhiteTitle) }},
		{"names.white_federation", "Federation of that player, three letters.",
			func(c *Config) any { return &c.Names.WhiteFederation },
			func(c *Config) error { return checkFederation(c.Names.WhiteFederation) }},
		{"names.black", "Who plays Black at this board.",
			func(c *Config) any { return &c.Names.Black }, func(c *Config) error { return oneName(c.Names.Black) }},
		{"names.black_title", "Title of that player.",
			func(c *Config) any { return &c.Names.BlackTitle }, func(c *Config) error { return oneName(c.Names.BlackTitle) }},
		{"names.black_federation", "Federation of that player.",
			func(c *Config) any { return &c.Names.BlackFederation },
			func(c *Config) error { return checkFederation(c.Names.BlackFederation) }},
		{"names.white_fide", "FIDE id of who plays White; 0 when there is none.",
			func(c *Config) any { return &c.Names.WhiteFIDE }, nil},
		{"names.black_fide", "FIDE id of who plays Black; 0 when there is none.",
			func(c *Config) any { return &c.Names.BlackFIDE }, nil},
		{"engine.command", "The program that plays where a seat is engine, with its arguments: any that speaks UCI. " +
			"Empty: boardd engine, which plays all games, and also those that the program named here does not play.",
			func(c *Config) any { return &c.EngineCommand }, nil},
		{"engine.options", "UCI options of that program by name, such as Hash: 16. UCI_Elo or Skill Level count in " +
			"place of engine.level, and less than a level that was chosen for the game.",
			func(c *Config) any { return &c.EngineOptions }, checkEngine},
		{"engine.level", "How strongly it plays, from 1 (a beginner) to 8 (as well as it can).",
			func(c *Config) any { return &c.EngineLevel }, nil},
		{"engine.seconds", "How many seconds it thinks about a move, at most, when no clock runs.",
			func(c *Config) any { return &c.EngineSeconds }, nil},
		{"engine.resigns", "true: it gives up when it has thought for three moves that it is lost. false: it plays on to " +
			"the mate.",
			func(c *Config) any { return &c.EngineResigns }, nil},
		{"engine.draws", "true: it takes a draw that is offered after fifteen moves if it thinks that it is no better, " +
			"and claims one at the third repetition or after fifty moves. false: it declines.",
			func(c *Config) any { return &c.EngineDraws }, nil},
		{"engine.coach", "true: at the levels 1 to 4, after a blunder of yours, it shows by light what it would answer. " +
			"It waits 15 s for you to take the move back. false: you are left alone.",
			func(c *Config) any { return &c.EngineCoach }, nil},
		{"engine.ponder", "true: it thinks on while you do, about the move that it expects of you. false: it thinks only " +
			"when it is to move.",
			func(c *Config) any { return &c.EnginePonder }, nil},
		{"lichess.url", "The server where a seat lichess plays, and to which boardd club pushes rounds.",
			func(c *Config) any { return &c.LichessURL }, checkServer},
		{"lichess.token_file", "File whose first line is a token of that server, made there under Preferences, API access " +
			"tokens: with the right board:play for a seat, study:write for pushing rounds.",
			func(c *Config) any { return &c.LichessTokenFile }, func(c *Config) error { return awaited(c.LichessTokenFile) }},
		{"lichess.opponent", "Who is played where a seat is lichess: computer, seek (somebody who seeks a game), or " +
			"anybody (who challenges this account first). Or it is the name of an account, which is challenged.",
			func(c *Config) any { return &c.LichessOpponent }, checkOpponent},
		{"lichess.level", "How strongly the computer there plays, 1 to 8.",
			func(c *Config) any { return &c.LichessLevel }, nil},
		{"lichess.minutes", "Minutes of the clock in games there.",
			func(c *Config) any { return &c.LichessMinutes }, checkPace},
		{"lichess.increment_s", "Seconds that each move adds in games there.",
			func(c *Config) any { return &c.LichessIncrement }, nil},
		{"lichess.rated", "true: the games there count for the ratings. It cannot be with the computer.",
			func(c *Config) any { return &c.LichessRated }, nil},
		{"livechess.listen", "Where programs that know electronic boards by LiveChess are answered, such as " +
			"127.0.0.1:1982; empty for nowhere. They see orthodox games, and change nothing.",
			func(c *Config) any { return &c.LiveChessListen }, func(c *Config) error {
				if c.LiveChessListen == "" {
					return nil
				}
				return CheckAddress(c.LiveChessListen)
			}},
		{"livechess.origins", "Hosts of the pages that may ask there from a browser. Programs that are no browser always " +
			"may. All have to call the machine by its own name, an address or one of web.hosts.",
			func(c *Config) any { return &c.LiveChessOrigins }, nil},
		{"mqtt.url", "The broker: mqtt://host:1883, mqtts://host:8883, embedded for the built-in one, or empty for none.",
			func(c *Config) any { return &c.MQTTURL }, checkURL},
		{"mqtt.listen", "Where the built-in broker listens.",
			func(c *Config) any { return &c.MQTTListen }, func(c *Config) error { return CheckAddress(c.MQTTListen) }},
		{"mqtt.accounts_file", "Accounts of the built-in broker, one a line: name, password (or its bcrypt hash), then " +
			"what the account may do. board=ID names the board whose topics it may write, commands=ID,ID or commands=* the " +
			"boards that it may command. discovery is for Home Assistant. All may read boardd/v1/#, nothing else is " +
			"allowed. Empty: no accounts, and only this machine is served.",
			func(c *Config) any { return &c.MQTTAccountsFile }, checkAccounts},
		{"mqtt.listen_cert_file", "The certificate of the built-in broker (PEM); empty for plain TCP.",
			func(c *Config) any { return &c.MQTTListenCertFile }, func(c *Config) error {
				return pair("mqtt.listen_cert_file", c.MQTTListenCertFile, "mqtt.listen_key_file", c.MQTTListenKeyFile)
			}},
		{"mqtt.listen_key_file", "Its key (PEM).",
			func(c *Config) any { return &c.MQTTListenKeyFile }, nil},
		{"mqtt.listen_ca_file", "Certificates (PEM) of the authority that the built-in broker asks its clients to have " +
			"one from; empty for none.",
			func(c *Config) any { return &c.MQTTListenCAFile }, func(c *Config) error { return awaited(c.MQTTListenCAFile) }},
		{"mqtt.user", "User name at the broker; empty for none.",
			func(c *Config) any { return &c.MQTTUser }, nil},
		{"mqtt.password_file", "File whose first line is the password. credential:NAME is one that systemd hands to the " +
			"service (LoadCredential=NAME:FILE in the unit). So it is with every file named here.",
			func(c *Config) any { return &c.MQTTPasswordFile }, func(c *Config) error { return awaited(c.MQTTPasswordFile) }},
		{"mqtt.ca_file", "Certificates that the broker's is checked against (PEM); empty for the system's.",
			func(c *Config) any { return &c.MQTTCAFile }, func(c *Config) error { return awaited(c.MQTTCAFile) }},
		{"mqtt.cert_file", "This board's certificate (PEM).",
			func(c *Config) any { return &c.MQTTCertFile },
			func(c *Config) error { return pair("mqtt.cert_file", c.MQTTCertFile, "mqtt.key_file", c.MQTTKeyFile) }},
		{"mqtt.key_file", "Its key (PEM).",
			func(c *Config) any { return &c.MQTTKeyFile }, nil},
		{"mqtt.commands", "What this board takes from its command topic: off (nothing), on, or signed (what somebody in " +
			"mqtt.command_keys_file has signed). It may also be a list of the words of do that it takes, such as - move, " +
			"with or without signed. Empty: nothing that changes a game in which a person plays at this board. new, setup " +
			"and rematch are then taken only while no game runs. settle is never taken there, nor anything about keys.",
			func(c *Config) any { return &c.MQTTCommands }, checkCommands},
		{"mqtt.command_keys_file", "File with the keys of those whose signed commands this board takes, a line each as " +
			"boardd sign prints it. It needs signed in mqtt.commands.",
			func(c *Config) any { return &c.CommandKeysFile }, checkSigners},
		{"mqtt.sign", "true: the board signs its moves by a key of its own, so that nobody can forge, reorder or drop " +
			"them unnoticed. The key is board.key in state_dir, made on the first start.",
			func(c *Config) any { return &c.Sign }, nil},
		{"mqtt.keys_file", "File with the keys of other boards, one line each as in the file board.pub in their " +
			"state_dir. Empty: the key that a board signs by first is taken for its own from then on.",
			func(c *Config) any { return &c.KeysFile }, func(c *Config) error { return awaited(c.KeysFile) }},
		{"mqtt.home_assistant", "true: the board announces itself to Home Assistant (topics below homeassistant/).",
			func(c *Config) any { return &c.HomeAssistant }, nil},
		{"club.listen", "Where boardd club serves the files of the round and the organiser's page; empty for nowhere.",
			func(c *Config) any { return &c.ClubListen }, func(c *Config) error {
				if c.ClubListen == "" {
					return nil
				}
				return CheckAddress(c.ClubListen)
			}},
		{"club.dir", "Folder in which boardd club writes the files of each round, for programs that watch it or send it on.",
			func(c *Config) any { return &c.ClubFolder }, func(c *Config) error { return notEmpty(c.ClubFolder) }},
		{"club.pairings", "File of pairings: PGN without moves, as pairing programs write it, or CSV with the columns " +
			"table, white and black at least. It is read again whenever it changes. Empty: every board of the broker is a " +
			"table.",
			func(c *Config) any { return &c.ClubPairings }, nil},
		{"club.round", "The round that is played; empty for the last one in the pairings.",
			func(c *Config) any { return &c.ClubRound }, func(c *Config) error { return folderName(c.ClubRound) }},
		{"club.lichess_round", "Id of a round of a broadcast at lichess.url (the last part of its address). The " +
			"orthodox games of the round are pushed to it. Empty: none. The round there must have no source of its own.",
			func(c *Config) any { return &c.ClubLichess }, checkBroadcast},
		{"club.tables", "The boards in the order of their tables, from table 1. Empty: the number at the end of a board's " +
			"name is that of its table (table-07 is table 7).",
			func(c *Config) any { return &c.ClubTables }, checkTables},
		{"web.listen", "Where the page is served; empty for none. 127.0.0.1 is this machine only.",
			func(c *Config) any { return &c.WebListen }, checkListen},
		{"web.visitors", "What they may do who bring no token: nothing, spectator (look on), player (play) or workshop " +
			"(everything). Empty: everything when web.listen is this machine only and there is no token file, else look on.",
			func(c *Config) any { return &c.WebVisitors }, nil},
		{"web.token_file", "File of tokens, one a line: spectator, player or workshop, and a word of 12 characters or " +
			"more. The word gives this right to whoever types it on the page. A name may follow. Empty: none.",
			func(c *Config) any { return &c.WebTokenFile }, func(c *Config) error { return awaited(c.WebTokenFile) }},
		{"web.hosts", "Names by which the page and livechess.listen may be called, one a line, beside addresses, " +
			"localhost and the machine's own name (also with .local). Any other name is refused: a foreign site could " +
			"have it lead here.",
			func(c *Config) any { return &c.WebHosts }, nil},
		{"web.cert_file", "Certificate by which the page is served as https (PEM); empty for http.",
			func(c *Config) any { return &c.WebCertFile },
			func(c *Config) error { return pair("web.cert_file", c.WebCertFile, "web.key_file", c.WebKeyFile) }},
		{"web.key_file", "Its key (PEM).",
			func(c *Config) any { return &c.WebKeyFile }, nil},
	}
}
