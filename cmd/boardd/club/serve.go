// SPDX-License-Identifier: Apache-2.0

package club

import (
	"bytes"
	"context"
	"crypto/sha256"
	"embed"
	"fmt"
	"net/http"
	"path"
	"time"

	"boardd/sync/mirror"
	"boardd/sync/web"
)

//go:embed page
var pages embed.FS

// serve gives the files of the round to everybody, the organiser's page at /, and the wall of all boards at /wall.
// Files of earlier rounds are read from the folder.
func serve(p *program, wall spectator) http.Handler {
	hear := func(ctx context.Context, tell web.UpdateFunc) {
		if err := wall.Run(ctx, func(s mirror.BoardMessage) { tell(s.Board, s.Game, s.Online) }); err != nil {
			p.log.Error("the wall receives no boards", "error", err)
		}
	}
	rest := web.Handler(web.Options{Access: web.Access{Visitors: web.Spectator}, FollowAll: hear, Hosts: p.conf.WebHosts,
		Log: p.log})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			rest.ServeHTTP(w, r)
			return
		}
		name := path.Clean(r.URL.Path)
		if file := map[string]string{"/": "page/club.html", "/club.js": "page/club.js",
			"/club.css": "page/club.css"}[name]; file != "" {
			head(w)
			http.ServeFileFS(w, r, pages, file)
			return
		}
		if data, ok := (*p.shown.Load())[name]; ok {
			give(w, r, name, data)
			return
		}
		if data, ok := p.earlier(name); ok {
			give(w, r, name, data)
			return
		}
		rest.ServeHTTP(w, r)
	})
}

func head(w http.ResponseWriter) {
	h := w.Header()
	h.Set("Content-Security-Policy", "default-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-cache")
}

// give answers with a file. Viewers of broadcasts are pages of other sites: all may read it.
func give(w http.ResponseWriter, r *http.Request, name string, data []byte) {
	head(w)
	h := w.Header()
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("ETag", fmt.Sprintf(`"%x"`, sha256.Sum256(data)))
	h.Set("Content-Type", map[string]string{".pgn": "application/x-chess-pgn; charset=utf-8", ".json": "application/json",
		".csv": "text/csv; charset=utf-8"}[path.Ext(name)])
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
}
