#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The first process of the namespaces: it hides the machine's own services and state, and becomes systemd. Meanwhile it
# changes what systemd hands over, and prints what opens the board and its broker. Then an engine plays a move,
# and a board without a configuration names the address of its page.
set -e
dir=$1
mount --make-rprivate /
mount -t proc proc /proc
mount -t tmpfs -o mode=755 none /run
mount -t tmpfs -o mode=755 none /var/lib
mount -t tmpfs -o mode=755 none /opt
mount -t tmpfs -o mode=755 none /etc/systemd
mkdir -p /opt/boardd /etc/systemd/system
cp -a "$dir/." /opt/boardd/
cp -a /opt/boardd/units/. /etc/systemd/system/
for file in passwd group; do
	cp /etc/$file /run/$file
	mount --bind /run/$file /etc/$file
done
echo 'boardd:x:4321:4321::/nonexistent:/bin/false' >>/etc/passwd
echo 'boardd:x:4321:' >>/etc/group
umount -l /sys/fs/cgroup
mount -t cgroup2 none /sys/fs/cgroup
mount --make-rshared /
ip link set lo up
ip address add 10.1.2.3/32 dev lo

tries() {
	for token in the-first-password the-second-password; do
		code=$(curl -s -m 5 -o /dev/null -w '%{http_code}' -H "Authorization: Bearer $token" http://127.0.0.1:8080/api/settings)
		echo "$1: token $token: $code"
	done
	# The broker starts beside the page. curl ends with 7 while nobody listens.
	while curl -s -m 1 -o /dev/null telnet://127.0.0.1:1883 </dev/null; [ $? = 7 ]; do sleep 0.2; done
	for user in look late; do
		mosquitto_sub -u $user -P v -t 'boardd/v1/+/status' -C 1 -W 20 >/dev/null 2>&1 && echo "$1: account $user: in" ||
			echo "$1: account $user: out"
	done
}

# The engine begins a game. pid is the daemon, which is to be the same afterwards.
plays() {
	board=http://127.0.0.1:8080/api/boards/north
	token='Authorization: Bearer the-second-password'
	pid=$(systemctl show boardd -p MainPID --value)
	curl -s -m 5 -o /dev/null -H "$token" -H 'X-Boardd: 1' $board/command -d \
		'{"id": "1", "do": "new", "variant": "'$1'", "seats": {"white": "engine", "black": "local"}}'
	for _ in $(seq 100); do
		curl -s -m 5 -H "$token" $board/game | grep -q '"moves":\["' && echo "$1: the engine has moved" && break
		sleep 0.2
	done
	for engine in $(pgrep -P "$pid"); do
		echo "$1: the engine's priority: $(ps -o cls=,ni= -p "$engine" | xargs)"
	done
	[ "$(systemctl show boardd -p MainPID --value)" = "$pid" ] && echo "$1: the service goes on"
}

(
	set +e
	until systemctl is-active -q boardd; do sleep 0.2; done
	tries started
	printf 'north n board=north\nlate v\n' >/opt/boardd/accounts
	printf 'workshop  the-second-password\n' >/opt/boardd/tokens
	systemctl reload boardd
	sleep 1
	tries reloaded
	systemctl restart boardd
	tries restarted
	plays meirav
	rm /opt/boardd/board.yaml
	systemctl restart boardd
	cat /opt/boardd/log
	kill -KILL 1
	systemctl exit 0
) &
export container=other
exec /lib/systemd/systemd --unit=test.target --show-status=0 --log-target=null
