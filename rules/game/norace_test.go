// SPDX-License-Identifier: Apache-2.0

//go:build !race

package game_test

const defaultSchedules = 4000
