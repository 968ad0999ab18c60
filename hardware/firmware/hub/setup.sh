#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs what building and simulating the firmware needs, on Debian, Raspberry Pi OS and Ubuntu. Nothing is done if
# it is there.
set -eu
if command -v avr-gcc >/dev/null && [ -e /usr/include/simavr/sim_avr.h ] && [ -e /usr/include/libelf.h ] && [ -e /usr/lib/avr/include/avr/io.h ]; then
	exit 0
fi
sudo=
[ "$(id -u)" = 0 ] || sudo=sudo
$sudo apt-get update -qq
$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends gcc libc6-dev make gcc-avr avr-libc simavr libsimavr-dev libelf-dev
