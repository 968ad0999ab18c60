// SPDX-License-Identifier: Apache-2.0

package doctor

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/url"
	"strings"
	"time"

	"boardd/cmd/boardd/link"
	"boardd/config"
	"boardd/config/size"
	"boardd/sync/journal"

	mqtt "github.com/eclipse/paho.mqtt.golang"
	"golang.org/x/sys/unix"
)

// network looks at the broker, its certificates, and the addresses on which this board listens.
func (d *examination) network(ctx context.Context, c *config.Config) {
	d.listeners(c)
	d.own("certificate of the page", c.WebCertFile)
	d.own("certificate of the built-in broker", c.MQTTListenCertFile)
	if c.MQTTURL == "" || c.MQTTURL == "embedded" {
		if d.handed("broker", config.File{Setting: "mqtt.accounts_file", Path: c.MQTTAccountsFile},
			config.File{Setting: "mqtt.listen_cert_file", Path: c.MQTTListenCertFile},
			config.File{Setting: "mqtt.listen_key_file", Path: c.MQTTListenKeyFile},
			config.File{Setting: "mqtt.listen_ca_file", Path: c.MQTTListenCAFile}) {
			return
		}
		_, err := link.Broker(c, nil)
		remark := "none is configured"
		if c.MQTTURL != "" {
			remark = "the built-in one is used"
		}
		d.find("broker", err, remark)
		return
	}
	if d.handed("broker "+c.MQTTURL, config.File{Setting: "mqtt.password_file", Path: c.MQTTPasswordFile},
		config.File{Setting: "mqtt.ca_file", Path: c.MQTTCAFile},
		config.File{Setting: "mqtt.cert_file", Path: c.MQTTCertFile},
		config.File{Setting: "mqtt.key_file", Path: c.MQTTKeyFile}) {
		return
	}
	t, err := link.TLS(c, nil)
	if err == nil && t != nil && len(t.Certificates) > 0 {
		leaf, e := x509.ParseCertificate(t.Certificates[0].Certificate[0])
		if err = e; err == nil {
			d.expiry("certificate of this board", leaf)
		}
	}
	if err != nil {
		d.find("certificates", err, "")
		return
	}
	for _, node := range strings.Split(c.MQTTURL, ",") {
		d.broker(ctx, c, strings.TrimSpace(node), t)
	}
}

// own checks a certificate that this board shows to others.
func (d *examination) own(part, file string) {
	if file == "" || config.IsCredential(file) {
		return
	}
	text, err := size.Read(file, size.Named)
	block, _ := pem.Decode(text)
	if err == nil && block == nil {
		err = mend(file+" holds no certificate in PEM", "name a file that begins with -----BEGIN CERTIFICATE-----")
	}
	if err == nil {
		var leaf *x509.Certificate
		if leaf, err = x509.ParseCertificate(block.Bytes); err == nil {
			d.expiry(part, leaf)
			return
		}
	}
	d.find(part, err, "")
}

func (d *examination) expiry(part string, cert *x509.Certificate) {
	left := time.Until(cert.NotAfter)
	var err error
	switch {
	case left < 0:
		err = mend("ended on "+cert.NotAfter.Format("2 January 2006"), "have it renewed; if it was, look whether this "+
			"computer's clock is right")
	case left < renewal:
		err = mend("ends on "+cert.NotAfter.Format("2 January 2006"), "have it renewed now")
	}
	d.find(part, err, "is good until "+cert.NotAfter.Format("2 January 2006"))
}

// broker logs in at one broker as the board does, under another client's name.
func (d *examination) broker(ctx context.Context, c *config.Config, node string, t *tls.Config) {
	part := "broker " + node
	u, err := url.Parse(node)
	if err != nil {
		d.find(part, err, "")
		return
	}
	secure := u.Scheme == "mqtts" || u.Scheme == "tls"
	host := u.Host
	if u.Port() == "" {
		port := "1883"
		if secure {
			port = "8883"
		}
		host = net.JoinHostPort(u.Hostname(), port)
	}
	dial := net.Dialer{Timeout: dialTimeout}
	conn, err := dial.DialContext(ctx, "tcp", host)
	if err != nil {
		d.find(part, unreached(err, u.Hostname()), "")
		return
	}
	conn.Close() //nolint:errcheck // nothing was said on it
	if secure && !d.handshake(ctx, part, host, u.Hostname(), t) {
		return
	}
	client, _, err := login(c, secure, host, t, "boardd-doctor-"+c.Board)
	if d.find(part, err, "it answers, and lets this board in"); err != nil {
		return
	}
	client.Disconnect(100)
	d.alone(ctx, part, c, func(id string) (mqtt.Client, <-chan error, error) { return login(c, secure, host, t, id) })
}

// alone looks for another client that uses this board's id. It comes back, and then the broker closes the connection
// of the first. While the board runs nothing is tried: it would lose its connection. Nor is it where no board has run.
func (d *examination) alone(ctx context.Context, part string, c *config.Config,
	login func(id string) (mqtt.Client, <-chan error, error)) {
	if c.StateDir == "" {
		return
	}
	switch err := journal.Free(c.StateDir); {
	case errors.Is(err, journal.ErrLocked), errors.Is(err, fs.ErrNotExist):
		return
	case err != nil:
		d.find("client id at "+part, mend("whether another client uses it was not looked at, for it cannot be told whether "+
			"the board runs: "+err.Error(), "run this with sudo or as the user that runs boardd, and see that state_dir is a "+
			"folder that can be locked"), "")
		return
	}
	id := "boardd-" + c.Board
	another := mend("another client uses the id "+id+" there", "find it, and give it another id. Until then this board "+
		"takes another one, after some minutes without the broker")
	client, lost, err := login(id)
	switch {
	case errors.Is(err, io.EOF) || errors.Is(err, unix.ECONNRESET): // it was back before the broker had answered
		err = another
	case err == nil:
		select {
		case <-lost:
			err = another
		case <-time.After(comesBack):
		case <-ctx.Done():
		}
		client.Disconnect(100)
	}
	if ctx.Err() != nil {
		return
	}
	d.find("client id at "+part, err, "no other client uses "+id)
}

// handshake checks the certificate that the broker shows, and reports whether the connection came about.
func (d *examination) handshake(ctx context.Context, part, host, name string, t *tls.Config) bool {
	conf := &tls.Config{MinVersion: tls.VersionTLS12}
	if t != nil {
		conf = t.Clone()
	}
	conf.ServerName = name
	dial := tls.Dialer{NetDialer: &net.Dialer{Timeout: dialTimeout}, Config: conf}
	conn, err := dial.DialContext(ctx, "tcp", host)
	if err != nil {
		d.find(part, distrusted(err, name), "")
		return false
	}
	defer conn.Close() //nolint:errcheck // nothing was said on it
	if s, ok := conn.(*tls.Conn); ok && len(s.ConnectionState().PeerCertificates) > 0 {
		d.expiry("certificate of "+part, s.ConnectionState().PeerCertificates[0])
	}
	return true
}

// unreached says why no connection came about.
func unreached(err error, host string) error {
	var name *net.DNSError
	switch {
	case errors.As(err, &name):
		return mends(err, "is %s spelt right in mqtt.url, and the network up? `ping %s`", host, host)
	case errors.Is(err, unix.ECONNREFUSED):
		return mends(err, "the computer is there, and no broker listens on this port: is the broker running, and the port "+
			"the right one?")
	}
	return mends(err, "is the broker running, and the network up? A firewall between may swallow the connection")
}

// distrusted says why a certificate was not taken.
func distrusted(err error, host string) error {
	var invalid x509.CertificateInvalidError
	var unknown x509.UnknownAuthorityError
	var other x509.HostnameError
	var record tls.RecordHeaderError
	switch {
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired && time.Now().Before(invalid.Cert.NotBefore):
		return mend("its certificate counts from "+invalid.Cert.NotBefore.Format("2 January 2006")+" only",
			"set this computer's clock, which is behind")
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return mend("its certificate ended on "+invalid.Cert.NotAfter.Format("2 January 2006"),
			"whoever runs the broker has to renew it; if that was done, look whether this computer's clock is right")
	case errors.As(err, &unknown):
		return mend("its certificate was made by an authority that this board does not know",
			"name the certificate of that authority in mqtt.ca_file; whoever runs the broker has it")
	case errors.As(err, &other):
		return mend(fmt.Sprintf("its certificate is for %s, not for %s", strings.Join(other.Certificate.DNSNames, ", "),
			host), "write in mqtt.url one of the names that it is for")
	case errors.As(err, &record):
		return mend("it does not speak TLS on this port", "use mqtt:// for a broker without TLS, or the port that is for "+
			"TLS, mostly 8883")
	}
	return mends(err, "look at mqtt.ca_file, mqtt.cert_file and mqtt.key_file, and at the broker's log")
}

// login connects to a broker as a client with this id. lost tells if the connection is lost afterwards.
func login(c *config.Config, secure bool, host string, t *tls.Config, id string) (client mqtt.Client,
	lost <-chan error, err error) {
	gone := make(chan error, 1)
	o := mqtt.NewClientOptions().SetClientID(id).SetUsername(c.MQTTUser).SetConnectTimeout(dialTimeout).
		SetAutoReconnect(false).SetConnectRetry(false).
		SetConnectionLostHandler(func(_ mqtt.Client, err error) { gone <- err })
	if c.MQTTPasswordFile != "" {
		word, err := link.FirstLine(c.MQTTPasswordFile)
		if err != nil {
			return nil, nil, fmt.Errorf("mqtt.password_file: %w", err)
		}
		o.SetPassword(word)
	}
	scheme := "tcp://"
	if secure {
		scheme = "tls://"
		if t != nil {
			o.SetTLSConfig(t)
		}
	}
	client = mqtt.NewClient(o.AddBroker(scheme + host))
	token := client.Connect()
	if !token.WaitTimeout(answerTimeout) {
		return nil, nil, mend("it takes the connection and does not answer", "is it an MQTT broker, and if so, does it "+
			"want TLS (mqtts://)?")
	}
	if err := token.Error(); err != nil {
		return nil, nil, refused{mend("it does not let this board in: "+err.Error(), "look at mqtt.user and "+
			"mqtt.password_file, and at the broker's accounts"), err}
	}
	return client, gone, nil
}

// refused is an error with what the client library said.
type refused struct {
	error
	cause error
}

func (r refused) Error() string   { return r.error.Error() }
func (r refused) Unwrap() []error { return []error{r.error, r.cause} }

// listeners checks whether the addresses of page and broker are free. While the daemon runs they are not.
func (d *examination) listeners(c *config.Config) {
	try := func(part, address string) {
		if address == "" {
			return
		}
		l, err := net.Listen("tcp", address)
		if err != nil {
			err = mends(err, "if the daemon runs, stop it first (sudo systemctl stop boardd), for it and this examination "+
				"disturb each other; else choose another port or address")
		} else {
			err = l.Close()
		}
		d.find(part, err, "is free")
	}
	try("address of the page "+c.WebListen, c.WebListen)
	if c.MQTTURL == "embedded" {
		try("address of the broker "+c.MQTTListen, c.MQTTListen)
	}
}
