package main

import (
	"errors"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"boardd/config"

	"golang.org/x/sys/unix"
)

// host looks at the computer: devices and rights, clock, room and errors of the disk.
func (d *examination) host(c *config.Config) {
	if !c.Virtual {
		for _, dev := range devices(c) {
			d.device(dev)
		}
	}
	if !c.Virtual {
		d.clock()
	}
	d.room(c.StateDir)
}

// device is a node that the configuration needs.
type device struct {
	path, setting string
	mend          string // what makes it appear
}

var numbers = regexp.MustCompile(`^(I2C|SPI)(\d+)(?:\.(\d+))?$`)

// devices lists the nodes behind the names of buses, as far as those are periph's.
func devices(c *config.Config) (list []device) {
	add := func(setting, name, mend string) {
		m := numbers.FindStringSubmatch(name)
		switch {
		case m == nil:
		case m[1] == "I2C":
			list = append(list, device{"/dev/i2c-" + m[2], setting, mend})
		case m[3] != "":
			list = append(list, device{"/dev/spidev" + m[2] + "." + m[3], setting, mend})
		}
	}
	add("hardware.i2c", c.I2C, "switch I2C on (raspi-config, or dtparam=i2c_arm=on in /boot/firmware/config.txt, and i2c-dev in /etc/modules), then restart")
	add("hardware.display", c.Display, "switch that bus on (dtoverlay=i2c3 and the like in /boot/firmware/config.txt), then restart")
	add("hardware.spi", c.SPI, "switch SPI on (raspi-config, or dtparam=spi=on in /boot/firmware/config.txt), then restart")
	if c.Kind == "stack" {
		list = append(list, device{c.Hub, "hardware.hub", "plug the hub in; `ls -l /dev/serial/by-id` shows what is there"})
	}
	return list
}

func (d *examination) device(v device) {
	err := unix.Access(v.path, unix.R_OK|unix.W_OK)
	switch {
	case errors.Is(err, unix.ENOENT):
		err = fmt.Errorf("%s names it, and it is not there: %s", v.setting, v.mend)
	case err != nil:
		err = fmt.Errorf("%s must not be opened by %s: %s", v.path, userName(), groupAdvice(v.path))
	}
	d.find("device "+v.path, err, "is there, and "+userName()+" may use it")
}

func userName() string {
	if u, err := user.Current(); err == nil {
		return u.Username
	}
	return "user " + strconv.Itoa(os.Geteuid())
}

// groupAdvice says which group may open a device.
func groupAdvice(path string) string {
	var st unix.Stat_t
	if err := unix.Stat(path, &st); err != nil {
		return err.Error()
	}
	g, err := user.LookupGroupId(strconv.Itoa(int(st.Gid)))
	if err != nil || st.Mode&0o060 != 0o060 {
		return fmt.Sprintf("its mode is %03o: install the udev rules of the package", st.Mode&0o777)
	}
	return fmt.Sprintf("put the user into the group %s: sudo usermod -aG %s %s, and log in again", g.Name, g.Name, userName())
}

// clock looks whether the time of this computer is kept right by something: a Pi has no clock of its own.
func (d *examination) clock() {
	var t unix.Timex
	state, err := unix.Adjtimex(&t)
	switch {
	case err != nil:
		err = fmt.Errorf("cannot be read: %w", err)
	case state == unix.TIME_ERROR || t.Status&unix.STA_UNSYNC != 0:
		err = errors.New("nothing keeps this computer's clock right, so games get wrong dates and certificates may be refused: sudo timedatectl set-ntp true, and connect the network")
	case time.Now().Year() < 2026:
		err = fmt.Errorf("it says %s: set the clock", time.Now().Format("2 January 2006"))
	}
	d.find("clock", err, "it is synchronised")
}

// little is less room than a year of games needs.
const little = 200 << 20

// room looks for space and for errors that the file system has counted.
func (d *examination) room(dir string) {
	var fs unix.Statfs_t
	err := unix.Statfs(dir, &fs)
	free := fs.Bavail * uint64(fs.Bsize)
	if err == nil && free < little {
		err = fmt.Errorf("only %d MB are free: delete something, or use a larger card", free>>20)
	}
	d.find("room on the disk", err, fmt.Sprintf("%d MB are free", free>>20))
	if n, name, ok := diskErrors(dir); ok {
		var err error
		if n > 0 {
			err = fmt.Errorf("the file system on %s has met %d errors: copy the games elsewhere (boardd export) and replace the card", name, n)
		}
		d.find("health of the disk", err, "the file system on "+name+" has met no error")
	}
}

// diskErrors is what ext4 has counted on the disk of a folder; ok is false on other file systems.
func diskErrors(dir string) (n int, name string, ok bool) {
	var st unix.Stat_t
	if unix.Stat(dir, &st) != nil {
		return 0, "", false
	}
	dev, err := os.Readlink(fmt.Sprintf("/sys/dev/block/%d:%d", unix.Major(st.Dev), unix.Minor(st.Dev)))
	if err != nil {
		return 0, "", false
	}
	name = filepath.Base(dev)
	text, err := os.ReadFile("/sys/fs/ext4/" + name + "/errors_count")
	if err != nil {
		return 0, "", false
	}
	n, err = strconv.Atoi(strings.TrimSpace(string(text)))
	return n, name, err == nil
}
