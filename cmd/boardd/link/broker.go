// SPDX-License-Identifier: Apache-2.0

package link

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"

	"boardd/config"
	"boardd/config/size"
	"boardd/sync/broker"
)

// Broker returns the options of the built-in broker, with the accounts and certificates that the configuration names.
// Without a file of accounts it serves this machine only.
func Broker(c *config.Config, log *slog.Logger) (broker.Options, error) {
	o := broker.Options{Listen: c.MQTTListen, Dir: filepath.Join(c.StateDir, "broker"), Log: log}
	var err error
	if o.Users, err = accounts(c.MQTTAccountsFile); err != nil {
		return o, err
	}
	o.TLS, err = BrokerTLS(c)
	return o, err
}

// accounts reads the file of the built-in broker's accounts; "" has none.
func accounts(file string) ([]broker.User, error) {
	if file == "" {
		return nil, nil
	}
	f, err := size.Open(file)
	if err != nil {
		return nil, fmt.Errorf("mqtt.accounts_file: %w", err)
	}
	defer f.Close() //nolint:errcheck // it was only read
	users, err := broker.ReadUsers(f)
	if err != nil {
		return nil, fmt.Errorf("mqtt.accounts_file: %s: %w", file, err)
	}
	return users, nil
}

// BrokerTLS is the TLS configuration of the built-in broker, nil for plain TCP. With an authority for clients, every
// client needs a certificate of that authority as well as its account.
func BrokerTLS(c *config.Config) (*tls.Config, error) {
	if c.MQTTListenCertFile == "" {
		return nil, nil
	}
	pair, err := size.KeyPair(c.MQTTListenCertFile, c.MQTTListenKeyFile)
	if err != nil {
		return nil, fmt.Errorf("mqtt.listen_cert_file and mqtt.listen_key_file: %w", err)
	}
	t := &tls.Config{MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{pair}}
	if c.MQTTListenCAFile == "" {
		return t, nil
	}
	pem, err := size.Read(c.MQTTListenCAFile, size.Named)
	if err != nil {
		return nil, fmt.Errorf("mqtt.listen_ca_file: %w", err)
	}
	t.ClientCAs, t.ClientAuth = x509.NewCertPool(), tls.RequireAndVerifyClientCert
	if !t.ClientCAs.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("mqtt.listen_ca_file: %s holds no certificate in PEM", c.MQTTListenCAFile)
	}
	return t, nil
}

// trust makes this board's own client trust the certificate of the built-in broker, whatever name is in it. The client
// uses an address of this machine, which certificates seldom contain.
func (i *BuiltInBroker) trust(t *tls.Config) {
	i.mu.Lock()
	own := i.o.TLS
	i.mu.Unlock()
	t.InsecureSkipVerify = true // not the chain but the certificate itself is checked
	t.VerifyPeerCertificate = func(shown [][]byte, _ [][]*x509.Certificate) error {
		if len(shown) == 0 || own == nil || !bytes.Equal(shown[0], own.Certificates[0].Certificate[0]) {
			return errors.New("the built-in broker shows a certificate that is not its own: another program listens there")
		}
		return nil
	}
}
