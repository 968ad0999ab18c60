// SPDX-License-Identifier: Apache-2.0

package wire

import "encoding/json"

// Announcement is a retained message by which another system finds the board.
type Announcement struct {
	Topic   string
	Payload []byte
}

// HomeAssistant announces a board as one device, in Home Assistant's device form of MQTT discovery
// (https://www.home-assistant.io/integrations/mqtt/#device-discovery-payload). Its entities tell of the game: whose
// move it is, the last move, the result and the state of the wood. Others tell of the board: the connection, faults,
// the time of a sweep and the controller's temperature.
func HomeAssistant(board, version string) (Announcement, error) {
	id := "boardd-" + board
	game, health := Topic(board, LeafGame), Topic(board, LeafHealth)
	entities := map[string]map[string]any{
		"status": {
			"p": "binary_sensor", "name": "Status", "device_class": "connectivity", "state_topic": Topic(board, LeafStatus),
			"payload_on": Online, "payload_off": Offline,
		},
		"turn":      sensor("Turn", game, "{{ value_json.turn if value_json.outcome == '' else 'none' }}", "mdi:chess-pawn"),
		"last-move": sensor("Last move", game, "{{ value_json.san | last | default('none') }}", "mdi:chess-knight"),
		"result":    sensor("Result", game, "{{ value_json.outcome if value_json.outcome else 'playing' }}", "mdi:trophy"),
		"reason": sensor("Reason", game, "{{ value_json.reason if value_json.reason else 'playing' }}",
			"mdi:information"),
		"wood": sensor("Wood", game, "{{ value_json.wood.state }}", "mdi:checkerboard"),
		"your-move": {
			"p": "event", "name": "Your move", "icon": "mdi:bell-ring", "state_topic": Topic(board, LeafEvent),
			"event_types": []string{EventYourMove},
			"value_template": "{% if value_json.kind == '" + EventYourMove + "' %}{{ {'event_type': value_json.kind, 'text': " +
				"value_json.text, 'ply': value_json.ply} | tojson }}{% endif %}",
		},
		"problem": {
			"p": "binary_sensor", "name": "Problem", "device_class": "problem", "state_topic": health,
			"entity_category": "diagnostic",
			"value_template": "{{ 'ON' if value_json.faults or value_json.journal != 'ok' or value_json.parts | " +
				"selectattr('ok', 'false') | list else 'OFF' }}",
		},
		"sweep": {
			"p": "sensor", "name": "Sweep", "state_topic": health, "value_template": "{{ value_json.sweep_us / 1000 }}",
			"unit_of_measurement": "ms",
			"device_class":        "duration", "state_class": "measurement", "entity_category": "diagnostic",
		},
		"temperature": {
			"p": "sensor", "name": "Temperature", "state_topic": health,
			"value_template":      "{{ value_json.temperature_c | default(none) }}",
			"unit_of_measurement": "°C", "device_class": "temperature", "state_class": "measurement",
			"entity_category": "diagnostic",
		},
	}
	for name, e := range entities {
		e["unique_id"] = id + "-" + name
	}
	payload, err := json.Marshal(map[string]any{
		"dev":  map[string]any{"ids": []string{id}, "name": "Board " + board, "mf": "boardd", "sw": version},
		"o":    map[string]any{"name": "boardd", "sw": version},
		"cmps": entities,
		"qos":  1,
		"availability": []any{map[string]any{
			"topic": Topic(board, LeafStatus), "payload_available": Online, "payload_not_available": Offline,
		}},
	})
	return Announcement{Topic: "homeassistant/device/" + id + "/config", Payload: payload}, err
}

func sensor(name, topic, template, icon string) map[string]any {
	return map[string]any{"p": "sensor", "name": name, "state_topic": topic, "value_template": template, "icon": icon}
}
