// SPDX-License-Identifier: Apache-2.0

package pairing

import (
	"log/slog"

	"boardd/sync/trust"
)

// OpenKey reads a board's key, or makes one on the first start. Without a key play goes on, but moves are not signed.
// missing is why there is none; before is the same of the last try, after which nothing is logged. lost is what people
// have to know if the board has signed before and its key was gone.
func OpenKey(keys *trust.Keys, dir, board string, signed bool, before error, log *slog.Logger) (lost string,
	missing error) {
	made, unpublished, err := keys.Own(dir, board)
	if err != nil {
		if before == nil { // not by its text, which has the name of another temporary file each time
			log.Error("the moves of this board are not signed; boards that know its key will not take them", "error", err)
		}
		return "", err
	}
	switch {
	case made != "" && signed:
		lost = "the board's key is gone, and another one was made (" + made + "): boards that know the old one will not " +
			"take its moves; put board.key back, or have them accept the new one"
		log.Error("the board's key is gone, and another one was made", "fingerprint", made)
	case made != "":
		log.Info("this board has a key now, by which it signs its moves", "fingerprint", made)
	case before != nil:
		log.Info("this board has its key again, by which it signs its moves")
	}
	if unpublished != nil {
		log.Warn("the public key is not written out for others", "error", unpublished)
	}
	return lost, nil
}
