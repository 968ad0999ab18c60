// SPDX-License-Identifier: Apache-2.0

package main

// A route is one request that the daemon answers.
type route struct {
	method, path string
	right        string // that it takes: nothing, Spectator, Player or Workshop, as in sync/web
	does         string
	query        []query
	body         string // schema, "" for none
	answer       string // schema of the answer; "stream", "text" and "pgn" are no JSON
}

type query struct{ name, does string }

// routes are the requests below /api, in the order of sync/web/server.go.
var routes = []route{
	{method: "GET", path: "/api/login", right: "nothing", does: "what this visitor may do, and the daemon's version",
		answer: "visitor"},
	{method: "POST", path: "/api/login", right: "nothing", does: "logs in with a token, or out with an empty one; a " +
		"cookie keeps it", body: "token", answer: "visitor"},
	{method: "GET", path: "/api/boards", right: "Spectator", does: "the boards of this daemon", answer: "boards"},
	{method: "GET", path: "/api/boards/{board}/game", right: "Spectator", does: "the whole game, as on the topic game",
		answer: "game"},
	{method: "GET", path: "/api/boards/{board}/leds", right: "Spectator", does: "the color of every light, as decoded " +
		"from the bytes on the line", answer: "leds"},
	{method: "GET", path: "/api/boards/{board}/wood", right: "Spectator",
		does: "what stands on every square of a virtual board", answer: "stood"},
	{method: "GET", path: "/api/boards/{board}/events", right: "Spectator", does: "game, leds and event, as they change",
		answer: "stream"},
	{method: "GET", path: "/api/boards/{board}/senses", right: "Workshop",
		does: "what every sensor says, five times a second", answer: "stream"},
	{method: "GET", path: "/api/boards/{board}/minute", right: "Workshop",
		does:  "the last minute of one square's sensors",
		query: []query{{"deck", "lower or upper"}, {"square", "such as e4"}}, answer: "curves"},
	{method: "GET", path: "/api/boards/{board}/traces", right: "Workshop", does: "the recorded games", answer: "traces"},
	{method: "GET", path: "/api/boards/{board}/traces/{name}", right: "Workshop", does: "one recorded game",
		answer: "text"},
	{method: "POST", path: "/api/boards/{board}/lights", right: "Workshop", does: "tries the lights", body: "lightTest",
		answer: "done"},
	{method: "GET", path: "/api/settings", right: "Workshop", does: "every setting with its value, what may be undone, " +
		"and what waits for a restart", answer: "settings"},
	{method: "POST", path: "/api/settings", right: "Workshop",
		does: "changes one setting in the file; what can counts at once", body: "change", answer: "changed"},
	{method: "POST", path: "/api/settings/undo", right: "Workshop",
		does: "puts back the file from before the last change", body: "putBack", answer: "done"},
	{method: "POST", path: "/api/settings/redo", right: "Workshop",
		does: "brings back the change that was undone last", body: "putBack", answer: "done"},
	{method: "POST", path: "/api/settings/restart", right: "Workshop",
		does: "begins again with the file, after a calibration if asked", body: "again", answer: "done"},
	{method: "GET", path: "/api/settings/keys", right: "Workshop", does: "the words of this board's key, and what is " +
		"known of others'", answer: "keys"},
	{method: "POST", path: "/api/settings/keys", right: "Workshop", does: "pairs this board with another by the words " +
		"that the other one shows; without words undoes it", body: "pair", answer: "keys"},
	{method: "GET", path: "/api/rules", right: "nothing", does: "the lessons of all games, as the rules play them",
		answer: "lessons"},
	{method: "GET", path: "/api/openapi.json", right: "nothing", does: "this document, as it is for the daemon's version",
		answer: "httpContract"},
	{method: "GET", path: "/api/asyncapi.json", right: "nothing", does: "the AsyncAPI document of the messages over MQTT",
		answer: "mqttContract"},
	{method: "GET", path: "/api/calibration/events", right: "Workshop", does: "what a calibration that runs asks for",
		answer: "stream"},
	{method: "POST", path: "/api/calibration", right: "Workshop", does: "answers it", body: "word", answer: "done"},
	{method: "GET", path: "/api/wall/events", right: "Spectator", does: "every game on the broker, as it changes",
		answer: "stream"},
	{method: "GET", path: "/api/wall/games", right: "Spectator", does: "stored games that the wall plays",
		answer: "stories"},
	{method: "GET", path: "/api/events", right: "Spectator", does: "the events of all boards in one stream; names " +
		"begin with the board", answer: "stream"},
	{method: "GET", path: "/api/boards/{board}/story", right: "Spectator",
		does: "the game with every position on its way", answer: "story"},
	{method: "GET", path: "/api/boards/{board}/pgn", right: "Spectator", does: "the game as a game file, as far as it " +
		"is stored; with the ETag of the last answer in If-None-Match it is given only when it has changed (304 otherwise)",
		answer: "pgn"},
	{method: "GET", path: "/api/boards/{board}/games", right: "Spectator",
		does: "the games that are kept, the newest first, then 1,000 of those from files; the header Link names where " +
			"the next ones are",
		query: []query{{"after", "skips this many games from files; may be left out"}}, answer: "kept"},
	{method: "GET", path: "/api/boards/{board}/games/{game}", right: "Spectator",
		does: "one of them with every position, and what an engine found out about them", answer: "story"},
	{method: "GET", path: "/api/boards/{board}/games/{game}/pgn", right: "Spectator",
		does: "the same as a game file, with [%eval] where it was analysed", answer: "pgn"},
	{method: "POST", path: "/api/boards/{board}/games/{game}/analysis", right: "Player",
		does: "has it analysed in the background, or ends that; the event analysis of /api/events tells the progress; " +
			"refused while a game against somebody far away goes on", body: "wish", answer: "done"},
	{method: "GET", path: "/api/boards/{board}/why", right: "Spectator", does: "why the piece of a square may not go " +
		"to another one, or anywhere",
		query: []query{{"from", "such as e2"}, {"to", "such as e5; may be left out"}}, answer: "because"},
	{method: "GET", path: "/api/boards/{board}/opening", right: "Spectator",
		does: "the name of the opening of a game of orthodox chess", answer: "opening"},
	{method: "POST", path: "/api/boards/{board}/command", right: "Player",
		does: "carries out a command of the topic command, and answers with its reply", body: "command", answer: "reply"},
	{method: "POST", path: "/api/boards/{board}/hand", right: "Player", does: "moves the wood of a virtual board",
		body: "deed", answer: "held"},
	{method: "GET", path: "/api/opponent", right: "Spectator", does: "whether virtual persons can be asked to play at " +
		"the demo's boards, and play", answer: "opponent"},
	{method: "POST", path: "/api/opponent", right: "Player", does: "lets a virtual person sit down at the demo's other " +
		"board, or two at both, whose game is watched; or lets them get up", body: "guest", answer: "opponent"},
	{method: "GET", path: "/api/boards/{board}/drop", right: "Player", does: "which moves may be meant when a hand " +
		"lets go on a square of a virtual board, and what it still has to do for them",
		query: []query{{"hand", "left or right"}, {"deck", "lower or upper"}, {"square", "such as e4"}}, answer: "ways"},
}

// object is a JSON schema, or a part of one.
type object = map[string]any

func text(does string) object  { return object{"type": "string", "description": does} }
func whole(does string) object { return object{"type": "integer", "description": does} }
func list(of object) object    { return object{"type": "array", "items": of} }
func words(all ...string) object {
	return object{"type": "string", "enum": all}
}

func record(properties object, required ...string) object {
	return object{"type": "object", "properties": properties, "required": required}
}

// schemas are those of HTTP alone; the others are those of MQTT.
func schemas() object {
	piece := text("one letter of PNBRQKpnbrqk, or # for a pedestal")
	piles := object{"type": "object", "description": "by square, from bottom to top", "additionalProperties": list(piece)}
	story := record(object{"game": text("id, empty for a stored one"), "variant": text("rule set"),
		"white": text("who plays White"), "black": text("who plays Black"), "outcome": text("as in game"),
		"reason": text("as in game"), "moves": list(text("coordinate move")), "san": list(text("the same for people")),
		"fens":     list(text("position before the first move, and after each")),
		"unstored": object{"type": "boolean", "description": "the newest of it could not be stored yet"},
		"judged": list(record(object{"depth": whole("plies that were looked ahead"),
			"lines": list(record(object{"cp": whole("hundredths of a pawn, for White"),
				"mate":  whole("moves to the mate, negative if Black mates; 0 for none"),
				"moves": list(text("coordinate move")), "san": list(text("the same for people"))}, "cp", "mate", "moves", "san"))},
			"depth", "lines"))}, "game", "variant", "white", "black", "outcome", "reason", "moves", "san", "fens")
	deed := record(object{"do": words("lift", "place", "discard", "take"), "square": text("for lift and place"),
		"deck":  words("lower", "upper"),
		"count": whole("for lift: how many pieces, 1 if left out"), "pieces": list(piece), "hand": words("left", "right")},
		"do")
	return object{
		"token": text("the token"),
		"visitor": record(object{"right": words("nothing", "spectator", "player", "workshop"),
			"version": text("of the daemon"), "calibration": object{"type": "boolean"}}, "right"),
		"boards": list(text("board")),
		"leds": record(object{"lower": list(text("#rrggbb; a1 first, then b1")), "upper": list(text("the same"))},
			"lower"),
		"stood": record(object{"lower": piles, "upper": piles,
			"hands": record(object{"left": list(piece), "right": list(piece)}, "left", "right")}, "lower", "upper", "hands"),
		"curves": list(record(object{"kind": text("of the sensor"),
			"points": list(list(whole("milliseconds ago, then the value")))}, "kind", "points")),
		"traces": list(record(object{"name": text("of the file"), "bytes": whole("its size")}, "name", "bytes")),
		"lightTest": record(object{"what": words("none", "all", "one"), "color": text("such as #ff8000"),
			"deck":   words("lower", "upper"),
			"square": text("such as e4")}, "what"),
		"settings": record(object{"file": text("its path"),
			"values": object{"type": "object", "description": "by name, as leds.brightness"},
			"schema": object{"type": "object", "description": "as boardd config --schema"},
			"live":   list(text("a setting that counts at once")), "undo": object{"type": "boolean"},
			"redo": object{"type": "boolean"}, "text": text("names the text of the file"),
			"waiting": list(text("a setting that waits for a restart"))}, "file", "values", "schema", "live", "undo",
			"redo", "text", "waiting"),
		"putBack": record(object{"to": text("the name of the text that was seen; another one is refused; missing: any")}),
		"change":  record(object{"name": text("of the setting"), "value": text("the new one, as text")}, "name", "value"),
		"changed": record(object{"ok": object{"type": "boolean"},
			"now": object{"type": "boolean", "description": "it counts without a restart"}}, "ok", "now"),
		"again": record(object{"calibrate": object{"type": "boolean"}}),
		"keys": record(object{"board": text("this one"), "words": text("six words, empty where nothing is signed"),
			"others": list(record(object{"board": text("its name"), "words": text("six words"),
				"how": words("file", "paired", "met")}, "board", "words", "how"))}, "board", "words", "others"),
		"pair": record(object{"board": text("the other one"),
			"words": text("six words as it shows them; empty undoes it")}, "board", "words"),
		"httpContract": object{"type": "object", "required": []string{"openapi", "paths", "components"}},
		"mqttContract": object{"type": "object", "required": []string{"asyncapi", "channels", "components"}},
		"lessons": list(record(object{"key": text("of the lesson"), "game": text("rule set"),
			"sections": list(text("of RULES.md")),
			"frames": list(record(object{"fen": text("position"), "move": text("that led here"),
				"san": text("the same for people"), "from": text("the piece that goes next"),
				"marks": list(record(object{"square": text("where it may go"),
					"means": words("quiet", "stack", "capture", "special")}, "square", "means")),
				"try": record(object{"from": text("square"), "to": text("square"), "square": text("where the reason stands"),
					"rule": text("section"), "text": text("why it is not legal"), "code": text("as in because"),
					"args": text("as in because")}, "from", "to", "rule", "text")}, "fen"))},
			"key", "game", "sections", "frames")),
		"word": record(object{"word": text("an answer; empty is Enter"),
			"to": whole("the Number of the prompt that it answers; 0 or missing: what is asked now")}, "word"),
		"done": record(object{"ok": object{"type": "boolean"}}, "ok"),
		"failed": record(object{"ok": object{"type": "boolean"}, "error": text("what was wrong, and what would be right"),
			"said": list(record(object{"code": text("the English form, with %s or the like where an argument stands"),
				"args": list(text("what stands there"))}, "code"))}, "ok", "error"),
		"story":   story,
		"stories": list(story),
		"kept": list(record(object{"game": text("id"), "variant": text("rule set"), "white": text("who plays White"),
			"black": text("who plays Black"), "date": text("as 2026-11-23, empty where it is not known"),
			"time":    text("of that day, as 19:40, empty where it is not known"),
			"outcome": text("as in a game file"), "plies": whole("moves of both sides"),
			"analysed": whole("positions of which something is known")}, "game", "variant", "white", "black", "date", "time",
			"outcome", "plies", "analysed")),
		"wish": record(object{"on": object{"type": "boolean"}}, "on"),
		"because": record(object{"from": text("square"), "to": text("square"), "square": text("where the reason stands"),
			"legal": object{"type": "boolean"},
			"rule":  text("section of the rules"), "text": text("for people"), "code": text("which reason it is: its English " +
				"form, with %s in place of each argument"),
			"args": text("the arguments with ; between them: a square e4, a side white, a kind =n, a piece P, a piece on a " +
				"square P@e4")}, "from", "legal", "text"),
		"opening": record(object{"eco": text("class in the Encyclopaedia of Chess Openings"),
			"name": text("in English; both are empty where there is none")}, "eco", "name"),
		"deed": deed,
		"opponent": record(object{"here": object{"type": "boolean"}, "person": object{"type": "boolean"},
			"both": object{"type": "boolean"}}, "here", "person", "both"),
		"guest": record(object{"person": object{"type": "boolean"}, "both": object{"type": "boolean"}}),
		"ways": record(object{"ways": list(record(object{"move": text("coordinate move"), "san": text("the same for people"),
			"pile":  list(piece),
			"keeps": object{"type": "boolean"}, "taken": list(piece), "become": piece, "deeds": list(deed)}, "move", "san",
			"pile", "taken", "deeds"))}, "ways"),
		"held": record(object{"ok": object{"type": "boolean"}, "hand": list(piece)}, "ok", "hand"),
	}
}
