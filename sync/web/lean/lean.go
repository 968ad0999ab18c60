// SPDX-License-Identifier: Apache-2.0

package lean

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/tdewolff/minify/v2"
	"github.com/tdewolff/minify/v2/css"
	"github.com/tdewolff/minify/v2/js"
)

// served is a file as it is sent, with the tag by which a browser asks whether its copy is still the same.
type served struct {
	text []byte
	tag  string
}

// Handler serves the files of a folder of a file system that never changes. Each is made small when it is first asked
// for, so that a slow machine does not make all of them at its start.
func Handler(fsys fs.FS, folder string) (http.Handler, error) {
	files := map[string]func() served{}
	err := fs.WalkDir(fsys, folder, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(fsys, name)
		files[strings.TrimPrefix(name, folder)] = sync.OnceValue(func() served {
			text := Text(name, text)
			// weak: the same tag is sent whether or not the file is compressed on its way
			return served{text, fmt.Sprintf(`W/"%x"`, sha256.Sum256(text))}
		})
		return err
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		file, ok := files[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		f := file()
		w.Header().Set("ETag", f.tag)
		http.ServeContent(w, r, path.Base(r.URL.Path), time.Time{}, bytes.NewReader(f.text))
	}), err
}

// Text is a script or a style without comments and needless spaces. The names in a script stay, so that an error can
// be read. Any other file, and one that is not understood, stays as it is.
func Text(name string, text []byte) []byte {
	m := minify.New()
	m.Add(".js", &js.Minifier{KeepVarNames: true})
	m.Add(".css", &css.Minifier{})
	small, err := m.Bytes(path.Ext(name), text)
	if err != nil {
		return text
	}
	return small
}
