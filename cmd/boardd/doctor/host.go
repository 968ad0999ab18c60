// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"boardd/config"
	"boardd/config/names"

	"golang.org/x/sys/unix"
)

// host examines the computer: the devices with their drivers and permissions, and the clock.
func (d *examination) host(c *config.Config) {
	if c.Virtual {
		return
	}
	for _, dev := range devices(c) {
		d.device(dev)
	}
	if c.Int != "" || c.SCL != "" || c.WhiteButton != "" {
		d.pins()
	}
	d.raspberry(c)
	d.clock()
}

// device is a node that the configuration needs.
type device struct {
	path, setting string
	bus           string // below /sys, what is there when only the node is missing; "" for none
	module        string // what makes the node
	mend          string // what makes the bus appear
}

// devices lists the nodes behind the names of buses.
func devices(c *config.Config) (list []device) {
	i2c := func(setting, name, mend string) {
		if bus, ok := names.I2C(name); ok {
			n := strings.TrimPrefix(bus, "I2C")
			list = append(list, device{"/dev/i2c-" + n, setting, "sys/bus/i2c/devices/i2c-" + n, "i2c-dev", mend})
		}
	}
	i2c("hardware.i2c", c.I2C, "switch I2C on (raspi-config, or dtparam=i2c_arm=on in /boot/firmware/config.txt), then "+
		"restart")
	i2c("hardware.display", c.Display, "switch that bus on (dtoverlay=i2c3 and the like in /boot/firmware/config.txt), "+
		"then restart")
	if port, ok := names.SPI(c.SPI); ok {
		n := strings.TrimPrefix(port, "SPI")
		bus, _, _ := strings.Cut(n, ".")
		list = append(list, device{"/dev/spidev" + n, "hardware.spi", "sys/class/spi_master/spi" + bus, "spidev",
			"switch SPI on (raspi-config, or dtparam=spi=on in /boot/firmware/config.txt), then restart"})
	}
	if c.Weighs() {
		list = append(list, device{c.Hub, "hardware.hub", "", "", "plug the hub in; `ls -l /dev/serial/by-id` shows what " +
			"is there"})
	}
	return list
}

func (d *examination) device(v device) {
	path := filepath.Join(d.root, v.path)
	err := unix.Access(path, unix.R_OK|unix.W_OK)
	switch {
	case errors.Is(err, unix.ENOENT) && v.bus != "" && exists(filepath.Join(d.root, v.bus)):
		err = mend(fmt.Sprintf("%s names it: the bus is there, but the kernel module %s is not loaded, so there is no way "+
			"to it", v.setting, v.module),
			"sudo modprobe %s, and for every start: echo %s | sudo tee /etc/modules-load.d/%s.conf", v.module, v.module,
			v.module)
	case errors.Is(err, unix.ENOENT):
		err = mend(v.setting+" names it, and it is not there", "%s", v.mend)
	case err != nil:
		err = mend(fmt.Sprintf("%s must not be opened by %s", v.path, CurrentUser()), "%s", groupAdvice(path))
	}
	d.find("device "+v.path, err, "is there, and "+CurrentUser()+" may use it")
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// pins looks for a way to the GPIOs.
func (d *examination) pins() {
	chips, _ := filepath.Glob(filepath.Join(d.root, "dev/gpiochip*"))
	var err error
	switch {
	case len(chips) == 0:
		err = mend("hardware.int and others name GPIOs, and there is no /dev/gpiochip",
			"use a kernel with GPIO character devices (CONFIG_GPIO_CDEV, as Raspberry Pi OS has), or leave "+
				"those settings empty")
	case unix.Access(chips[0], unix.R_OK|unix.W_OK) != nil:
		err = mend(fmt.Sprintf("the GPIOs must not be opened by %s", CurrentUser()), "%s", groupAdvice(chips[0]))
	}
	d.find("GPIOs", err, fmt.Sprintf("are there, and %s may use them", CurrentUser()))
}

// CurrentUser returns the name of the user that runs the program, or its number if it has no name.
func CurrentUser() string {
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
	if err != nil || st.Mode&0o060 != 0o060 || st.Gid == 0 {
		return fmt.Sprintf("its mode is %03o and its group is no group of users: install the udev rules of the package "+
			"(/usr/lib/udev/rules.d/70-boardd.rules), then sudo udevadm trigger", st.Mode&0o777)
	}
	return fmt.Sprintf("put the user into the group %s: sudo usermod -aG %s %s, and log in again", g.Name, g.Name,
		CurrentUser())
}

// clock checks whether something keeps the time of this computer right, because a Pi has no battery clock.
func (d *examination) clock() {
	var t unix.Timex
	state, err := unix.Adjtimex(&t)
	d.find("clock", clockTold(state, t.Status, time.Now(), err), "it is synchronised")
}

func clockTold(state int, status int32, now time.Time, err error) error {
	switch {
	case err != nil:
		return fmt.Errorf("cannot be read: %w", err)
	case now.Year() < 2026:
		return mend("it says "+now.Format("2 January 2006"), "connect the network, or set it: sudo date --set")
	case state == unix.TIME_ERROR || status&unix.STA_UNSYNC != 0:
		return mend("nothing keeps this computer's clock right, so games get wrong dates and certificates may be refused",
			"sudo timedatectl set-ntp true, and connect the network")
	}
	return nil
}
