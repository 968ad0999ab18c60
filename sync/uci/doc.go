// SPDX-License-Identifier: Apache-2.0

// Package uci plays against a chess engine: any program that speaks UCI, our own or another one. The program is a
// child process of low priority and bounded memory. It is started when the first question comes, ended when none comes
// for a while, and started again when it falls silent, dies or answers with a move that is not legal; whoever asks is
// told so.
package uci
