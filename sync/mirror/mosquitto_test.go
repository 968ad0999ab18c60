// SPDX-License-Identifier: Apache-2.0

package mirror_test

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// authority signs the certificates of one test.
type authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	pem  []byte
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c := certificate("authority")
	c.IsCA, c.BasicConstraintsValid, c.KeyUsage = true, true, x509.KeyUsageCertSign
	der, err := x509.CreateCertificate(rand.Reader, c, c, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	if c, err = x509.ParseCertificate(der); err != nil {
		t.Fatal(err)
	}
	return &authority{c, key, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})}
}

func certificate(name string) *x509.Certificate {
	return &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()),
		Subject:      pkix.Name{CommonName: name},
		NotBefore:    time.Now().Add(-time.Hour),
		NotAfter:     time.Now().Add(time.Hour),
		IPAddresses:  []net.IP{net.IPv4(127, 0, 0, 1)},
		ExtKeyUsage:  []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
}

// sign returns a certificate for a name and its key, both in PEM.
func (a *authority) sign(t *testing.T, name string) (cert, key []byte) {
	t.Helper()
	k, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.CreateCertificate(rand.Reader, certificate(name), a.cert, &k.PublicKey, a.key)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(k)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
		pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})
}

// client is the configuration of a client of that name, which trusts this authority.
func (a *authority) client(t *testing.T, name string) *tls.Config {
	t.Helper()
	pair, err := tls.X509KeyPair(a.sign(t, name))
	if err != nil {
		t.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(a.cert)
	return &tls.Config{RootCAs: roots, Certificates: []tls.Certificate{pair}}
}

// mosquitto is a running broker of Debian's package.
type mosquitto struct {
	ca   *authority
	url  string
	conf string
	cmd  *exec.Cmd
}

func startMosquitto(t *testing.T, acl string) *mosquitto {
	t.Helper()
	dir := t.TempDir()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	m := &mosquitto{ca: newAuthority(t), url: fmt.Sprintf("mqtts://127.0.0.1:%d", port),
		conf: filepath.Join(dir, "mosquitto.conf")}
	cert, key := m.ca.sign(t, "127.0.0.1")
	for name, content := range map[string][]byte{
		"ca.pem": m.ca.pem, "server.pem": cert, "server.key": key, "acl": []byte(acl),
		"mosquitto.conf": fmt.Appendf(nil, `user root
listener %d 127.0.0.1
cafile %[2]s/ca.pem
certfile %[2]s/server.pem
keyfile %[2]s/server.key
require_certificate true
use_identity_as_username true
allow_anonymous false
acl_file %[2]s/acl
persistence false
log_dest stderr
`, port, dir),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	m.run(t)
	t.Cleanup(func() { m.stop() })
	return m
}

// run starts the broker and waits until it says that it runs.
func (m *mosquitto) run(t *testing.T) {
	t.Helper()
	path, err := exec.LookPath("mosquitto")
	if err != nil {
		if path, err = exec.LookPath("/usr/sbin/mosquitto"); err != nil {
			t.Fatalf("this test needs the Debian package mosquitto (make tools installs it): %v", err)
		}
	}
	m.cmd = exec.Command(path, "-c", m.conf)
	out, err := m.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := m.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var said []string
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		said = append(said, lines.Text())
		if strings.HasSuffix(lines.Text(), " running") {
			go func() {
				for lines.Scan() { // so that the broker never waits for its log to be read
				}
			}()
			return
		}
	}
	t.Fatalf("mosquitto did not start: %s", strings.Join(said, "\n"))
}

func (m *mosquitto) stop() {
	_ = m.cmd.Process.Kill() // it may have ended already
	_ = m.cmd.Wait()
}

func (m *mosquitto) restart(t *testing.T) {
	t.Helper()
	m.stop()
	m.run(t)
}
