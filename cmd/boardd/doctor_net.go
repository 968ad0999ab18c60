package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"time"

	"boardd/config"

	mqtt "github.com/eclipse/paho.mqtt.golang"
)

// renewal is how long before its end a certificate is called for.
const renewal = 14 * 24 * time.Hour

// network looks at the broker, its certificates, and the addresses on which this board listens.
func (d *examination) network(ctx context.Context, c *config.Config) {
	d.listeners(c)
	if c.MQTTURL == "" || c.MQTTURL == "embedded" {
		_, err := brokerOptions(c, nil)
		d.find("broker", err, map[bool]string{true: "none is configured", false: "the one inside is used"}[c.MQTTURL == ""])
		return
	}
	t, err := tlsOf(c)
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

func (d *examination) expiry(part string, cert *x509.Certificate) {
	left := time.Until(cert.NotAfter)
	var err error
	switch {
	case left < 0:
		err = fmt.Errorf("ended on %s: have it renewed", cert.NotAfter.Format("2 January 2006"))
	case left < renewal:
		err = fmt.Errorf("ends on %s: have it renewed now", cert.NotAfter.Format("2 January 2006"))
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
		host = net.JoinHostPort(u.Hostname(), map[bool]string{true: "8883", false: "1883"}[secure])
	}
	dial := net.Dialer{Timeout: 5 * time.Second}
	conn, err := dial.DialContext(ctx, "tcp", host)
	if err != nil {
		d.find(part, fmt.Errorf("%w: is the broker running, and the network up?", err), "")
		return
	}
	conn.Close() //nolint:errcheck // nothing was said on it
	if secure && !d.handshake(ctx, part, host, u.Hostname(), t) {
		return
	}
	d.find(part, login(c, secure, host, t), "it answers, and lets this board in")
}

// handshake looks at the certificate that the broker shows.
func (d *examination) handshake(ctx context.Context, part, host, name string, t *tls.Config) bool {
	conf := &tls.Config{MinVersion: tls.VersionTLS12}
	if t != nil {
		conf = t.Clone()
	}
	conf.ServerName = name
	dial := tls.Dialer{NetDialer: &net.Dialer{Timeout: 5 * time.Second}, Config: conf}
	conn, err := dial.DialContext(ctx, "tcp", host)
	if err != nil {
		d.find(part, fmt.Errorf("%w: does mqtt.ca_file hold the authority that made the broker's certificate, and is the clock right?", err), "")
		return false
	}
	defer conn.Close() //nolint:errcheck // nothing was said on it
	if s, ok := conn.(*tls.Conn); ok && len(s.ConnectionState().PeerCertificates) > 0 {
		d.expiry("certificate of "+part, s.ConnectionState().PeerCertificates[0])
	}
	return true
}

func login(c *config.Config, secure bool, host string, t *tls.Config) error {
	o := mqtt.NewClientOptions().SetClientID("boardd-doctor-" + c.Board).SetUsername(c.MQTTUser).SetConnectTimeout(5 * time.Second).SetAutoReconnect(false).SetConnectRetry(false)
	if c.MQTTPasswordFile != "" {
		word, err := firstLine(c.MQTTPasswordFile)
		if err != nil {
			return err
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
	client := mqtt.NewClient(o.AddBroker(scheme + host))
	token := client.Connect()
	if !token.WaitTimeout(10 * time.Second) {
		return errors.New("it takes the connection and does not answer: is it an MQTT broker?")
	}
	if err := token.Error(); err != nil {
		return fmt.Errorf("it does not let this board in: %w: look at mqtt.user and mqtt.password_file, and at the broker's accounts", err)
	}
	client.Disconnect(100)
	return nil
}

// listeners looks whether the addresses of page and broker are free, which they are not while the daemon runs.
func (d *examination) listeners(c *config.Config) {
	try := func(part, address string) {
		if address == "" {
			return
		}
		l, err := net.Listen("tcp", address)
		if err != nil {
			err = fmt.Errorf("%w: if the daemon runs, stop it first (sudo systemctl stop boardd), for it and this examination disturb each other; else choose another port", err)
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
