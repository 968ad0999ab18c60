// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"syscall"
)

// Interruptible returns a context that an interrupt or SIGTERM ends. These signals are caught only from when somebody
// asks whether it has ended. So a command that never asks, and works on, is ended by the first of them. The second
// interrupt ends any command.
func Interruptible() context.Context {
	ctx, end := context.WithCancel(context.Background())
	return interruptible{ctx, sync.OnceFunc(func() {
		came := make(chan os.Signal, 1)
		signal.Notify(came, os.Interrupt, syscall.SIGTERM)
		go func() {
			<-came
			signal.Reset(os.Interrupt)
			end()
		}()
	})}
}

// Whole is for a command that is not to be broken off while it writes: the first interrupt then changes nothing.
func Whole(ctx context.Context) { ctx.Done() }

type interruptible struct {
	context.Context
	catch func()
}

// Done is that of a context.
func (i interruptible) Done() <-chan struct{} {
	i.catch()
	return i.Context.Done()
}

// Err is that of a context.
func (i interruptible) Err() error {
	i.catch()
	return i.Context.Err()
}
