// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"bytes"
	"crypto/tls"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"boardd/config"
	"boardd/sync/broker/brokertest"

	"golang.org/x/sys/unix"
)

// put writes a file below a folder that stands for the root of a computer.
func put(t *testing.T, root, name, text string, mode os.FileMode) string {
	t.Helper()
	path := filepath.Join(root, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
	return path
}

// says fails unless every one of the words is in what the doctor has printed.
func says(t *testing.T, out *bytes.Buffer, words ...string) {
	t.Helper()
	for _, w := range words {
		if !strings.Contains(out.String(), w) {
			t.Errorf("not said: %q in\n%s", w, out.String())
		}
	}
}

// TestDoctorKernel: a bus without the module that makes its node, one that is switched off, and one that is there.
func TestDoctorKernel(t *testing.T) {
	c := config.Default()
	c.Kind = "reeds"
	var out bytes.Buffer
	d := &examination{out: &out, root: t.TempDir()}
	d.host(&c)
	says(t, &out, "MEND  device /dev/i2c-1", "raspi-config", "MEND  GPIOs")
	out.Reset()
	put(t, d.root, "sys/bus/i2c/devices/i2c-1/name", "bcm2835", 0o644)
	put(t, d.root, "dev/spidev0.0", "", 0o666)
	put(t, d.root, "dev/gpiochip0", "", 0o666)
	d.host(&c)
	says(t, &out, "the bus is there, but the kernel module i2c-dev is not loaded", "sudo modprobe i2c-dev",
		"ok    device /dev/spidev0.0", "ok    GPIOs")
}

// TestDoctorNames: buses are looked for by each of their names. What neither a Raspberry Pi nor this computer has is
// named, with what would be right.
func TestDoctorNames(t *testing.T) {
	c, err := config.Parse("it", []byte("hardware:\n  kind: reeds\n  i2c: /dev/i2c-1\n  display: \"3\"\n"+
		"  spi: /dev/spidev9.9\n  int: seventeen\n"))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	d := &examination{out: &out, root: t.TempDir()}
	d.host(&c)
	d.doubts(&c)
	says(t, &out, "MEND  device /dev/i2c-1", "MEND  device /dev/i2c-3", "MEND  device /dev/spidev9.9",
		`MEND  settings                     it:6:8: hardware.int: no Raspberry Pi has a GPIO called "seventeen"`,
		"it:5:8: hardware.spi: no Raspberry Pi has SPI9.9")
}

func TestDoctorClock(t *testing.T) {
	now := time.Date(2027, 5, 1, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		state  int
		status int32
		now    time.Time
		want   string
	}{
		{unix.TIME_OK, 0, now, ""},
		{unix.TIME_ERROR, 0, now, "set-ntp true"},
		{unix.TIME_OK, unix.STA_UNSYNC, now, "nothing keeps this computer's clock right"},
		{unix.TIME_OK, 0, time.Unix(0, 0), "it says 1 January 1970"},
	} {
		err := clockTold(c.state, c.status, c.now.UTC(), nil)
		if got := fmt.Sprint(err); c.want == "" && err != nil || !strings.Contains(got, c.want) {
			t.Errorf("state %d, status %x, %v: got %v, want %q", c.state, c.status, c.now, err, c.want)
		}
	}
}

// TestDoctorCard: errors that the file system has counted, and a card that is worn out.
func TestDoctorCard(t *testing.T) {
	dir := t.TempDir()
	var st unix.Stat_t
	if err := unix.Stat(dir, &st); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	d := &examination{out: &out, root: t.TempDir()}
	put(t, d.root, "sys/fs/ext4/mmcblk0p2/errors_count", "3\n", 0o644)
	put(t, d.root, "sys/block/mmcblk0/device/life_time", "0x01 0x0a\n", 0o644)
	link := filepath.Join(d.root, fmt.Sprintf("sys/dev/block/%d:%d", unix.Major(st.Dev), unix.Minor(st.Dev)))
	if err := os.MkdirAll(filepath.Dir(link), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../../devices/mmcblk0/mmcblk0p2", link); err != nil {
		t.Fatal(err)
	}
	d.room(dir)
	says(t, &out, "the file system on mmcblk0p2 has met 3 errors", "replace the card", "MEND  wear of the card",
		"nine tenths")
}

// TestDoctorServiceUser: the doctor says what the service may not do, even if the user who runs the doctor may do
// everything.
func TestDoctorServiceUser(t *testing.T) {
	root := t.TempDir()
	if err := os.Chmod(root, 0o755); err != nil {
		t.Fatal(err)
	}
	for dir := root; dir != "/"; dir = filepath.Dir(dir) { // t.TempDir may lie in a folder that is its owner's alone
		if info, err := os.Stat(dir); err == nil && info.Mode()&0o005 == 0 {
			if err := os.Chmod(dir, info.Mode()|0o011); err != nil {
				t.Fatal(err)
			}
		}
	}
	nobody := &account{name: "boardd", uid: 65533, gids: []uint32{65533}}
	conf := put(t, root, "board.yaml", "", 0o640)
	secret := put(t, root, "password", "word\n", 0o600)
	put(t, root, "dev/i2c-1", "", 0o660)
	put(t, root, "dev/spidev0.0", "", 0o666)
	c := config.Default()
	c.Kind, c.StateDir, c.MQTTPasswordFile, c.WebListen = "reeds", root, secret, "[::]:80"
	var out bytes.Buffer
	d := &examination{out: &out, root: root}
	d.rights(nobody, &c, conf)
	says(t, &out, "MEND  rights of the service user", "may not read "+conf, "may not read "+secret+
		" (mqtt.password_file)", "may not open /dev/i2c-1 (hardware.i2c)",
		"may write below /var/lib/boardd only", "ReadWritePaths="+root, "may not listen on port 80", "chmod g+rX "+secret)
	if strings.Contains(out.String(), "word\n") || strings.Contains(out.String(), "spidev") {
		t.Errorf("too much is said: %s", out.String())
	}
	out.Reset()
	c.StateDir, c.MQTTPasswordFile, c.WebListen = "/var/lib/boardd", "credential:mqtt-password", "127.0.0.1:8080"
	nobody.gids = append(nobody.gids, uint32(os.Getgid()))
	d.rights(nobody, &c, conf)
	says(t, &out, "ok    rights of the service user")
	out.Reset()
	state := filepath.Join(root, "var/lib/boardd") // whether this machine has such a folder does not matter
	if err := os.MkdirAll(state, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(state, 0o700); err != nil {
		t.Fatal(err)
	}
	d.rights(nobody, &c, conf)
	says(t, &out, "MEND  rights of the service user", "may not write to /var/lib/boardd",
		"sudo chown -R boardd: /var/lib/boardd")
}

// TestDoctorTLS: every reason for which a certificate is not taken has a sentence of its own.
func TestDoctorTLS(t *testing.T) {
	dir := t.TempDir()
	cert, key := brokertest.Certify(t, dir, "127.0.0.1")
	late, lateKey := brokertest.CertifyUntil(t, dir, "late", time.Now().Add(-time.Hour))
	soon, soonKey := brokertest.CertifyUntil(t, dir, "soon", time.Now().Add(5*24*time.Hour))
	for _, c := range []struct {
		name, cert, key, ca, host string
		want                      []string
	}{
		{"unknown authority", cert, key, late, "127.0.0.1", []string{"an authority that this board does not know",
			"mqtt.ca_file"}},
		{"ended", late, lateKey, late, "127.0.0.1", []string{"its certificate ended on", "renew"}},
		{"ends soon", soon, soonKey, soon, "127.0.0.1", []string{"MEND  certificate of broker", "ends on", "renewed now"}},
		{"another name", cert, key, cert, "localhost", []string{"its certificate is for", "mqtt.url"}},
	} {
		pair, err := tls.LoadX509KeyPair(c.cert, c.key)
		if err != nil {
			t.Fatal(err)
		}
		l, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: []tls.Certificate{pair},
			MinVersion: tls.VersionTLS12})
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			for {
				conn, err := l.Accept()
				if err != nil {
					return
				}
				conn.(*tls.Conn).Handshake() //nolint:errcheck // the other end says it
				conn.Close()
			}
		}()
		_, port, _ := net.SplitHostPort(l.Addr().String())
		var out bytes.Buffer
		d := &examination{out: &out}
		d.network(t.Context(), &config.Config{Board: "table", StateDir: t.TempDir(),
			MQTTURL: "mqtts://" + net.JoinHostPort(c.host, port), MQTTCAFile: c.ca})
		says(t, &out, c.want...)
		l.Close()
	}
}
