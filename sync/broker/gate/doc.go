// SPDX-License-Identifier: Apache-2.0

// Package gate is a proxy in front of an MQTT broker that enforces a quota for each account. It limits connections,
// messages and bytes a second, and bytes retained, and gives each account client ids of its own. It passes on the
// packets of MQTT 3.1.1, and changes only client ids.
package gate
