//go:build !race

package game_test

const defaultSchedules = 10000
