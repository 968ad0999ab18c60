#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Starts a systemd of its own, in namespaces and a cgroup of its own, with the unit in $1, and ends with it.
set -e
cg=$(findmnt -n -t cgroup2 -o TARGET | head -1)/boardd-test-$$
mkdir "$cg"
trap 'sleep 1; find "$cg" -depth -type d -exec rmdir {} \;' EXIT
(
	echo 0 >"$cg/cgroup.procs"
	exec timeout -s KILL 100 unshare --fork --pid --mount --uts --ipc --net --cgroup --kill-child "$1/inside.sh" "$1"
) || true
