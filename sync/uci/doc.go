// SPDX-License-Identifier: Apache-2.0

// Package uci plays against a chess engine: any program that speaks UCI, boardd's own or another one. The program is a
// child process of low priority and limited memory. It is started when the first question comes, and ended when none
// comes for a while. If it falls silent, dies or answers with an illegal move, it is started again, and the caller is
// told so.
package uci
