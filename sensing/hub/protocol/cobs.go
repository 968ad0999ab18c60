// SPDX-License-Identifier: Apache-2.0

package protocol

import "errors"

var errCOBS = errors.New("frame is cut or garbled")

// appendCOBS appends the coding of p, without the closing zero: consistent overhead byte stuffing, Cheshire and Baker,
// IEEE/ACM Transactions on Networking 7(2), 1999. No byte of it is zero.
func appendCOBS(dst, p []byte) []byte {
	code := len(dst) // where the length of the block under way stands
	dst = append(dst, 1)
	for i, b := range p {
		if b != 0 {
			dst = append(dst, b)
			dst[code]++
		}
		if b == 0 || dst[code] == 0xff && i < len(p)-1 {
			code = len(dst)
			dst = append(dst, 1)
		}
	}
	return dst
}

// appendUnCOBS appends what the coded block q, without its closing zero, stands for.
func appendUnCOBS(dst, q []byte) ([]byte, error) {
	for len(q) > 0 {
		n := int(q[0])
		if n == 0 || n > len(q) {
			return dst, errCOBS
		}
		dst = append(dst, q[1:n]...)
		q = q[n:]
		if n < 0xff && len(q) > 0 {
			dst = append(dst, 0)
		}
	}
	return dst, nil
}
