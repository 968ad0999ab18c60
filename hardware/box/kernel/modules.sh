#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Builds the guest's kernel modules: modules.sh DIR VERSION, the kernel's version as its modules are filed under.
# Debian's kernel for 64-bit ARM lacks the drivers of virtio's I2C and GPIO devices. They are built from Debian's own
# source of the very same kernel. The third is tapspi.c beside this script. The modules come to DIR/modules/VERSION;
# when all are there nothing is done.
set -eu
dir=$(realpath "$1") version=$2 here=$(realpath "$(dirname "$0")")
out=$dir/modules/$version
sum=$(cat "$0" "$here/tapspi.c" "$here/i2c-virtio.patch" | sha256sum)
[ "$(cat "$out/sum" 2>/dev/null)" != "$sum" ] || exit 0
work=$dir/modules/work
rm -rf "$work"
mkdir -p "$work/apt/lists/partial" "$work/apt/cache/archives/partial" "$work/m" "$out"
cd "$work"
# A list of packages of its own, as this machine need not know the guest's architecture.
host=$(dpkg --print-architecture)
set -- -qq -o APT::Architecture=arm64 -o APT::Architectures=arm64,"$host" -o Dir::State="$work/apt" -o Dir::State::lists="$work/apt/lists" \
	-o Dir::State::status=/dev/null -o Dir::Cache="$work/apt/cache" -o APT::Sandbox::User=root
apt-get "$@" update
release=$(apt-cache "$@" show "linux-headers-$version" | sed -n 's/^Version: //p' | head -1)
[ -n "$release" ] || { echo "Debian has no headers of the guest's kernel $version any more: remove $dir/root.tar, so that a newer guest is made"; exit 1; }
series=$(echo "$version" | cut -d. -f1,2)
apt-get "$@" download "linux-headers-$version" "linux-headers-${version%-arm64}-common" "linux-kbuild-$series:$host=$release" "linux-source-$series=$release"
for deb in linux-headers-*.deb linux-kbuild-*.deb; do dpkg-deb -x "$deb" x; done
headers=$work/x/usr/src/linux-headers-$version
common=$work/x/usr/src/linux-headers-${version%-arm64}-common
grep -rl /usr/src/linux-headers "$headers/Makefile" "$headers/.kernelvariables" | xargs sed -i "s|/usr/src/linux-headers|$work/x/usr/src/linux-headers|"
dpkg-deb --fsys-tarfile linux-source-*.deb 2>/dev/null | tar -xO "./usr/src/linux-source-$series.tar.xz" |
	tar -xJ --occurrence=1 --strip-components=1 "linux-source-$series/drivers/gpio/gpio-virtio.c" "linux-source-$series/drivers/i2c/busses/i2c-virtio.c"
cp drivers/gpio/gpio-virtio.c drivers/i2c/busses/i2c-virtio.c "$here/tapspi.c" m/
# The patch adds three things that a Raspberry Pi's driver does (i2c-bcm2835.c) and this one does not.
# - A transfer that no chip answers is an error (EREMOTEIO) and not just fewer messages.
# - One on a bus that is held is another (ETIMEDOUT). Virtio knows nothing of that, so our far side has a status of its
#   own for it.
# - One that has begun is waited for even if a signal comes, as a Go program gets them all the time. Without that the
#   request's memory would be freed and then written to by the device.
patch -s -d m <"$here/i2c-virtio.patch" || { echo "i2c-virtio.c of $release is not as it was: mend i2c-virtio.patch"; exit 1; }
echo 'obj-m := i2c-virtio.o gpio-virtio.o tapspi.o' >m/Makefile
make -s ARCH=arm64 CROSS_COMPILE=aarch64-linux-gnu- CC=aarch64-linux-gnu-gcc-12 -C "$headers" M="$work/m" modules
cp m/*.ko "$out"
aarch64-linux-gnu-strip --strip-debug "$out"/*.ko
cd "$dir"
rm -rf "$work"
echo "$sum" >"$out/sum"
