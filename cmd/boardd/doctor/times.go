// SPDX-License-Identifier: Apache-2.0

package doctor

import "time"

// How long the sensors are listened to.
const (
	listening = 2500 * time.Millisecond // a hub says hello within 2 s, a reset sensor is set up within 1.5 s
	// after the last square of all banks was heard: height sensors give half of their squares first
	restAfterLast = time.Second
	silenceLimit  = 10 * time.Second // when some bank says nothing, or since the last height sensor was set up
	// weights in the line's buffers when it was opened: they are from before, and would look like trembling
	discardFor = 300 * time.Millisecond
)

// The network.
const (
	renewal       = 14 * 24 * time.Hour // how long before its end a certificate is called for
	dialTimeout   = 5 * time.Second     // how long a server may take to take a connection
	answerTimeout = 10 * time.Second    // and a broker to answer
	// the time in which a client comes back whose connection was closed: most try again after a second
	comesBack = 3 * time.Second
)

const rounding = 10 * time.Microsecond // to which times are rounded when they are told
