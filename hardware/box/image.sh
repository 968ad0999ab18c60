#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# image.sh DIR PACKAGE CONFIG... makes the guest. It is Debian for 64-bit ARM with its stock kernel and a root shell on
# the serial console. The package to install is in /root, beside the configurations named. The unpacked system is kept
# in DIR/root.tar, for it takes minutes.
set -eu
dir=$1 package=$2
shift 2
cd "$(dirname "$0")/../.."
mkdir -p "$dir"
if [ ! -s "$dir/root.tar" ]; then
	# Programs of the guest run here while it is unpacked, through qemu-user.
	b=/proc/sys/fs/binfmt_misc
	[ -e $b/register ] || mount -t binfmt_misc binfmt_misc $b
	[ -e $b/qemu-aarch64 ] || cat /usr/lib/binfmt.d/qemu-aarch64.conf >$b/register
	mirror=$(grep -rhs -m1 -oE 'https?://[^ ]*/debian/?( |$)' /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list | head -1)
	mmdebstrap --quiet --format=tar --arch=arm64 --variant=minbase \
		--include=systemd,systemd-sysv,udev,kmod,dbus,iproute2,procps,linux-image-arm64,initramfs-tools,zstd \
		--aptopt='Acquire::Languages "none"' \
		--dpkgopt=path-exclude=/usr/share/doc/* --dpkgopt=path-exclude=/usr/share/man/* --dpkgopt=path-exclude=/usr/share/locale/* \
		--essential-hook='mkdir -p "$1/etc/initramfs-tools/conf.d"; printf "MODULES=list\nCOMPRESS=gzip\n" > "$1/etc/initramfs-tools/conf.d/box"' \
		--essential-hook='printf "virtio_pci\nvirtio_blk\nvirtio_net\next4\n" > "$1/etc/initramfs-tools/modules"' \
		bookworm "$dir/root.tar.part" "${mirror:-http://deb.debian.org/debian}"
	mv "$dir/root.tar.part" "$dir/root.tar"
fi
root=$dir/root
rm -rf "$root"
mkdir -p "$root"
tar -C "$root" -xf "$dir/root.tar" --exclude=./dev
mkdir -p "$root/dev"
cp "$root"/boot/vmlinuz-* "$dir/vmlinuz"
cp "$root"/boot/initrd.img-* "$dir/initrd"
rm -rf "$root"/boot/* "$root"/var/cache/apt/* "$root"/var/lib/apt/lists/*
echo box >"$root/etc/hostname"
printf '127.0.0.1 localhost box\n' >"$root/etc/hosts"
echo '/dev/vda / ext4 rw,noatime 0 1' >"$root/etc/fstab"
sed -i 's/^root:[^:]*:/root::/' "$root/etc/passwd" "$root/etc/shadow"
mkdir -p "$root/etc/systemd/system/serial-getty@ttyAMA0.service.d" "$root/etc/systemd/network" "$root/etc/boardd" "$root/etc/systemd/system/sysinit.target.wants" "$root/etc/modules-load.d"
cat >"$root/etc/systemd/system/serial-getty@ttyAMA0.service.d/box.conf" <<U
[Service]
ExecStart=
ExecStart=-/sbin/agetty --autologin root --keep-baud 115200 %I dumb
U
printf '[Match]\nName=eth0\n[Network]\nAddress=10.0.2.15/24\nGateway=10.0.2.2\n' >"$root/etc/systemd/network/eth0.network"
ln -sf /lib/systemd/system/systemd-networkd.service "$root/etc/systemd/system/multi-user.target.wants/systemd-networkd.service"
for u in apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer e2scrub_all.timer e2scrub_reap.service fstrim.timer systemd-networkd-wait-online.service systemd-timesyncd.service; do
	ln -sf /dev/null "$root/etc/systemd/system/$u"
done
cp "$package" "$root/root/boardd.deb"
cp "$@" "$root/root/"
# The drivers of the devices that are served from outside; they are there at every start, the devices only when they
# are plugged in.
kernel=$(basename "$root"/usr/lib/modules/*)
hardware/box/kernel/modules.sh "$dir" "$kernel"
mkdir -p "$root/usr/lib/modules/$kernel/updates"
cp "$dir/modules/$kernel"/*.ko "$root/usr/lib/modules/$kernel/updates/"
depmod -b "$root/usr" "$kernel" 2>/dev/null || depmod -b "$root" "$kernel"
printf 'i2c-virtio\ngpio-virtio\n' >"$root/etc/modules-load.d/box.conf"
cat >"$root/etc/systemd/system/lights.service" <<U
[Unit]
Description=what is clocked out of the SPI port, to the computer outside
ConditionKernelCommandLine=box.devices
DefaultDependencies=no
After=systemd-udevd.service
Before=boardd.service
StartLimitIntervalSec=0
[Service]
ExecStartPre=/sbin/modprobe -a virtio_console tapspi
ExecStart=/bin/sh -c 'exec cat /dev/tapspi >/dev/virtio-ports/lights'
Restart=always
RestartSec=1
U
ln -sf ../lights.service "$root/etc/systemd/system/sysinit.target.wants/lights.service"
rm -f "$dir/disk.img"
truncate -s 1500M "$dir/disk.img"
mkfs.ext4 -q -F -d "$root" "$dir/disk.img"
rm -rf "$root"
