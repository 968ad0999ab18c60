// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"boardd/config"

	"golang.org/x/sys/unix"
)

// account is a user with all groups by which it opens files.
type account struct {
	name string
	uid  uint32
	gids []uint32
}

// serviceGroups holds the groups that the unit adds (SupplementaryGroups=).
var serviceGroups = []string{"i2c", "gpio", "spi", "dialout"}

// service checks whether the user of the service may do what the configuration asks. The user who runs the doctor is
// usually another one.
func (d *examination) service(c *config.Config, conf string) {
	a, err := serviceUser("boardd")
	if err != nil {
		if exists(filepath.Join(d.root, "usr/lib/systemd/system/boardd.service")) {
			err = mend("the service is installed, and its user boardd is not there",
				"sudo systemd-sysusers, or install the package again")
			d.find("service user", err, "")
			return
		}
		d.find("service user", nil, "boardd is not installed as a service: it runs with the rights of whoever starts it")
		return
	}
	d.rights(a, c, conf)
}

// serviceUser is the user with the groups that it has by itself and by the unit.
func serviceUser(name string) (*account, error) {
	u, err := user.Lookup(name)
	if err != nil {
		return nil, err
	}
	uid, err := strconv.ParseUint(u.Uid, 10, 32)
	if err != nil {
		return nil, err
	}
	a := &account{name: name, uid: uint32(uid)}
	ids, err := u.GroupIds()
	if err != nil {
		return nil, err
	}
	for _, name := range serviceGroups {
		if g, err := user.LookupGroup(name); err == nil {
			ids = append(ids, g.Gid)
		}
	}
	for _, id := range ids {
		if gid, err := strconv.ParseUint(id, 10, 32); err == nil {
			a.gids = append(a.gids, uint32(gid))
		}
	}
	return a, nil
}

// The rights of a mode's three bits.
const (
	mayEnter = 1
	mayWrite = 2
	mayRead  = 4
)

// may reports whether the user has rights on a path, every folder on the way included; at is where it ends if not.
func (a *account) may(path string, want uint32) (at string, ok bool) {
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		if !a.has(dir, mayEnter) {
			at = dir // the uppermost counts
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	if at != "" {
		return at, false
	}
	return path, a.has(path, want)
}

// has reports whether the mode of a path gives the user all of the rights. A path that does not exist counts as
// allowed.
func (a *account) has(path string, want uint32) bool {
	var st unix.Stat_t
	if unix.Stat(path, &st) != nil || a.uid == 0 {
		return true
	}
	bits := st.Mode
	switch {
	case st.Uid == a.uid:
		bits >>= 6
	case slices.Contains(a.gids, st.Gid):
		bits >>= 3
	}
	return bits&want == want
}

// rights says everything that the service's user lacks.
func (d *examination) rights(a *account, c *config.Config, conf string) {
	var bad []string
	var do []string
	lack := func(what, mend string) {
		if bad = append(bad, what); !slices.Contains(do, mend) {
			do = append(do, mend)
		}
	}
	ours := func(setting, path string) {
		if abs, err := filepath.Abs(path); err == nil {
			path = abs
		}
		if at, ok := a.may(path, mayRead); !ok {
			lack(fmt.Sprintf("may not read %s (%s)", path, setting), fmt.Sprintf("sudo chgrp %s %s && sudo chmod g+rX %s",
				a.name, at, at))
		}
		if under(path, "/home", "/root", "/run/user") {
			lack(fmt.Sprintf("does not see %s (%s), for the service has no way into people's folders", path, setting),
				"move it to /etc/boardd")
		}
	}
	ours("the configuration", conf)
	for _, f := range c.Files() {
		ours(f.Setting, f.Path)
	}
	if !c.Virtual {
		for _, v := range devices(c) {
			if at, ok := a.may(filepath.Join(d.root, v.path), mayRead|mayWrite); !ok {
				lack(fmt.Sprintf("may not open %s (%s)", v.path, v.setting), groupAdviceFor(at))
			}
		}
	}
	d.stateOf(a, c.StateDir, lack)
	for _, l := range []struct{ setting, address string }{{"web.listen", c.WebListen}, {"mqtt.listen", c.MQTTListen}} {
		if p := portOf(l.address); p > 0 && p < 1024 && (l.setting == "web.listen" || c.MQTTURL == "embedded") {
			lack(fmt.Sprintf("may not listen on port %d (%s)", p, l.setting), "use a port of 1024 or more")
		}
	}
	var err error
	if bad != nil {
		err = mend(fmt.Sprintf("the service runs as %s, who ", a.name)+strings.Join(bad, "; "), "%s", strings.Join(do, "; "))
	}
	d.find("rights of the service user", err, a.name+" may read and open all that is named")
}

// stateOf checks the folder of the games. The unit makes /var/lib/boardd, and leaves the rest of the file system
// read-only.
func (d *examination) stateOf(a *account, dir string, lack func(what, mend string)) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		abs = dir
	}
	if !under(abs, "/var/lib/boardd") {
		lack("may write below /var/lib/boardd only, and state_dir is "+dir, fmt.Sprintf("set state_dir to "+
			"/var/lib/boardd, or sudo systemctl edit boardd, and add: [Service] ReadWritePaths=%s", abs))
	}
	at := filepath.Join(d.root, abs)
	if _, ok := a.may(at, mayRead|mayWrite|mayEnter); exists(at) && !ok {
		lack("may not write to "+dir, fmt.Sprintf("sudo chown -R %s: %s", a.name, abs))
	}
}

// under reports whether a path is one of some folders or in one of them.
func under(path string, dirs ...string) bool {
	return slices.ContainsFunc(dirs, func(dir string) bool { return path == dir || strings.HasPrefix(path, dir+"/") })
}

func groupAdviceFor(path string) string {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return "sudo chmod a+x " + path
	}
	return "install the udev rules of the package (/usr/lib/udev/rules.d/70-boardd.rules), then sudo udevadm trigger"
}

// portOf is the port of an address, 0 if it has none.
func portOf(address string) int {
	_, p, ok := strings.Cut(address[strings.LastIndex(address, "]")+1:], ":")
	n, err := strconv.Atoi(p)
	if !ok || err != nil {
		return 0
	}
	return n
}
