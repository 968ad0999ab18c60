// SPDX-License-Identifier: Apache-2.0

package link

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"log/slog"
	"strings"

	"boardd/config"
	"boardd/config/size"
	"boardd/sync/mirror"
)

// Mirror returns the options of a board's link to the broker that the configuration names. Password and certificates
// are read for each connection, so that their files may come later. inside is the built-in broker if it is that one.
func Mirror(c *config.Config, inside *BuiltInBroker, log *slog.Logger) mirror.Options {
	o := mirror.Options{Board: c.Board, URL: c.MQTTURL, User: c.MQTTUser, Log: log,
		TLS: func() (*tls.Config, error) { return TLS(c, inside) }}
	if inside != nil {
		o.Gate = inside.Await
	}
	if c.MQTTPasswordFile != "" {
		file := c.MQTTPasswordFile
		o.Secret = func() (string, error) {
			word, err := FirstLine(file)
			if err != nil {
				return "", fmt.Errorf("mqtt.password_file: %w", err)
			}
			return word, nil
		}
	}
	return o
}

// TLS reads the certificates that the configuration names; nil trusts the system's authorities. The built-in broker is
// known by its own certificate, and needs no authority.
func TLS(c *config.Config, inside *BuiltInBroker) (*tls.Config, error) {
	if c.MQTTCAFile == "" && c.MQTTCertFile == "" && inside == nil {
		return nil, nil
	}
	t := &tls.Config{MinVersion: tls.VersionTLS12}
	if inside != nil {
		inside.trust(t)
	}
	if c.MQTTCAFile != "" && inside == nil {
		pem, err := size.Read(c.MQTTCAFile, size.Named)
		if err != nil {
			return nil, fmt.Errorf("mqtt.ca_file: %w", err)
		}
		t.RootCAs = x509.NewCertPool()
		if !t.RootCAs.AppendCertsFromPEM(pem) {
			return nil, fmt.Errorf("mqtt.ca_file: %s holds no certificate in PEM", c.MQTTCAFile)
		}
	}
	if c.MQTTCertFile != "" {
		pair, err := size.KeyPair(c.MQTTCertFile, c.MQTTKeyFile)
		if err != nil {
			return nil, fmt.Errorf("mqtt.cert_file and mqtt.key_file: %w", err)
		}
		t.Certificates = []tls.Certificate{pair}
	}
	return t, nil
}

// FirstLine reads a password: the first line of its file.
func FirstLine(path string) (string, error) {
	data, err := size.Read(path, size.Named)
	if err != nil {
		return "", err
	}
	line, _, _ := strings.Cut(string(data), "\n")
	return strings.TrimRight(line, "\r"), nil
}
