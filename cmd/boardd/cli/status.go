// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"strings"
)

// Status says how a command ended, by its name and the arguments that it takes. It returns the exit status: 0 done,
// 1 failed, 2 wrong use.
func Status(name, args string, err error, s Std) int {
	var wrong Usage
	s.Err = Plain(s.Err) // an error may quote what a stranger wrote
	switch {
	case err == nil:
		return 0
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprintf(s.Out, "use: boardd %s %s\n", name, args)
		return 0
	case errors.As(err, &wrong):
		fmt.Fprintf(s.Err, "boardd %s: %v\nuse: boardd %[1]s %[3]s\n", name, err, args)
		return 2
	}
	fmt.Fprintf(s.Err, "boardd %s: %s\n", name, inWords.Replace(err.Error()))
	return 1
}

// inWords is what Go says of work that was ended, in words for people. Many errors only quote it.
var inWords = strings.NewReplacer(context.Canceled.Error(), "interrupted", context.DeadlineExceeded.Error(),
	"it took too long")
