// SPDX-License-Identifier: Apache-2.0

// Package lessons has the positions and moves by which the games are taught, worked out by the rules that they teach.
// The words that go with them are the page's, in every language.
package lessons
