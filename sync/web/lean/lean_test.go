// SPDX-License-Identifier: Apache-2.0

package lean

import (
	"bytes"
	"io/fs"
	"net/http/httptest"
	"os"
	"testing"
	"testing/fstest"
)

// TestHandler: scripts and styles lose their comments, other files and broken scripts stay, and a copy that a browser
// has is not sent again.
func TestHandler(t *testing.T) {
	h, err := Handler(fstest.MapFS{
		"page/a.js":     {Data: []byte("// why\nexport const first = 1;\n")},
		"page/b.css":    {Data: []byte("/* why */\np {\n  color: red;\n}\n")},
		"page/c.svg":    {Data: []byte("<svg> <!-- why --> </svg>")},
		"page/wrong.js": {Data: []byte("const = ; // why")},
	}, "page")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path, kind, want string
		status           int
	}{
		{"/a.js", "text/javascript; charset=utf-8", "export const first=1", 200},
		{"/b.css", "text/css; charset=utf-8", "p{color:red}", 200},
		{"/c.svg", "image/svg+xml", "<svg> <!-- why --> </svg>", 200},
		{"/wrong.js", "text/javascript; charset=utf-8", "const = ; // why", 200},
		{"/none.js", "text/plain; charset=utf-8", "404 page not found\n", 404},
		{"/", "text/plain; charset=utf-8", "404 page not found\n", 404},
	} {
		r, w := httptest.NewRequest("GET", c.path, nil), httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if got := w.Body.String(); got != c.want || w.Code != c.status || w.Header().Get("Content-Type") != c.kind {
			t.Errorf("%s: %d %q %q, want %d %q %q", c.path, w.Code, w.Header().Get("Content-Type"), got, c.status,
				c.kind, c.want)
		}
		tag := w.Header().Get("ETag")
		if c.status != 200 || tag == "" {
			continue
		}
		again := httptest.NewRecorder()
		r.Header.Set("If-None-Match", tag)
		h.ServeHTTP(again, r)
		if again.Code != 304 || again.Body.Len() != 0 {
			t.Errorf("%s again: %d, %d bytes", c.path, again.Code, again.Body.Len())
		}
	}
}

// TestPageIsLean: the scripts and styles of the page are all made small. One that is not understood would be sent as
// it is, and nobody would notice.
func TestPageIsLean(t *testing.T) {
	page := os.DirFS("../page")
	seen := 0
	for _, kind := range []string{"*.js", "*.css"} {
		names, err := fs.Glob(page, kind)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			text, err := fs.ReadFile(page, name)
			if err != nil {
				t.Fatal(err)
			}
			if seen++; bytes.Equal(Text(name, text), text) { // each begins with a comment, which goes
				t.Errorf("%s is sent as it is: it is not understood", name)
			}
		}
	}
	if seen < 30 {
		t.Errorf("%d scripts and styles were looked at, want those of the page", seen)
	}
}
