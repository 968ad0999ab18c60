# SPDX-License-Identifier: Apache-2.0
# make check: everything that must hold before a change goes in. It installs what the tests need when it is missing.
GO         ?= go
STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2
ACTIONLINT  = github.com/rhysd/actionlint/cmd/actionlint@v1.7.7
MISSPELL    = github.com/golangci/misspell/cmd/misspell@v0.7.0
VALE        = github.com/errata-ai/vale/v3/cmd/vale@v3.15.2
PACKAGES    = mosquitto mosquitto-clients chromium-headless-shell stockfish gcc libc6-dev iproute2 gnupg

.PHONY: box mechanics package package-check stranger release release-ready apt-repository card-image card-check check tools format vet static test differential cross build demo fuzz soak soak-schedules soak-journal soak-hostile soak-browser soak-files soak-flood soak-clock soak-away soak-network soak-cities soak-hands soak-race soak-page soak-engine soak-wall soak-tournament soak-cluster soak-net schematics-check schematics-tools rules-report hardware-report mirror-report page-report recognition-report mutants engine-report

check: tools schematics-tools format vet static cross test

tools:
	@./.ci/install-tools $(PACKAGES)
	@./.ci/fetch-axe
	@./.ci/fetch-readers
	@./hardware/firmware/hub/setup.sh

# With axe-core there the browser tests use it; without, they skip it, but not here.
check: export AXE = required

# No test may be skipped that nothing else runs; docs/make/tests lists those that are.
check: export SKIPS = none

# What reads and simulates the schematics. With these installed go test ./hardware/schematics runs them; without, it
# skips them, but not here.
check: export SCHEMATICS = required
schematics-check: export SCHEMATICS = all
SCHEMATICS_PACKAGES = kicad/bookworm-backports kicad-symbols/bookworm-backports kicad-footprints/bookworm-backports ngspice/bookworm-backports
schematics-tools:
	@./.ci/install-tools $(SCHEMATICS_PACKAGES)

# Electrical rules, every wire against drivers and firmware, simulations, bills of materials, design rules and copper
# of every printed board. It also makes all Gerbers again, which make check does for the strip alone.
schematics-check: schematics-tools
	$(GO) test -v -timeout 10m ./hardware/schematics/...

# Draws schematics, bills and the strip's layout again after a change, and prints them.
schematics: schematics-tools
	$(GO) run ./hardware/schematics
	./hardware/schematics/print

# Makes the parts that are printed, and the guide's picture of them, and holds their sizes against what the sensors
# count on.
mechanics: export MECHANICS = required
mechanics:
	@./.ci/install-tools openscad
	$(GO) test -v ./hardware/mechanics
	$(GO) run ./hardware/mechanics

format:
	@out=$$(gofmt -l .); if [ -n "$$out" ]; then echo "not formatted, run gofmt -w on:"; echo "$$out"; exit 1; fi

vet:
	$(GO) vet ./...

static:
	$(GO) run $(STATICCHECK) ./...
	$(GO) run $(ACTIONLINT)
	$(GO) run $(VALE) --config docs/make/plain/vale.ini $$(git ls-files '*.md' '*.go' '*.c' '*.h' '*.js' '*.css')
	$(GO) run $(MISSPELL) -i mosquitto -error $$(git ls-files '*.md' '*.go' '*.c' '*.h' '*.js' '*.css' '*.html' '*.yaml' '*.sh' Makefile)

# Each package in the way that finds something: docs/make/tests says how, and lists at the end what took longest. What
# starts no goroutine runs without the race detector and in full: every rule set against the naive reading among them
# (`make differential`: with more positions). They have a low priority, because engines that they start have the lowest
# and would not begin beside ordinary work.
test:
	nice -n 15 $(GO) run ./docs/make/tests
	@[ "$$(id -u)" = 0 ] || { echo; echo "NOT TESTED: two daemons in network namespaces (TestTwoNamespaces). It needs root: sudo -E make soak-net"; echo "NOT TESTED: that a disk keeps a new owner of files (TestGive, TestPairedByRoot), and a proxy with an account of its own (TestProxyThatHides). It needs root: sudo -E go test ./systemd/owner ./cmd/boardd/pairing ./sync/web"; echo; }

# The same of the rules and of recognition alone.
differential:
	$(GO) test -timeout 40m -run 'TestDifferential' ./rules -positions 100000
	$(GO) test -timeout 10m -run 'TwoBoards' ./rules/game -schedules 10000
	$(GO) test -timeout 20m -run 'AsPlayed' ./sensing/reconcile -slowly

# What takes too long for every change, in parts: some five hours on two cores, as root. A part that fails does not
# stop the others. At the end every part is listed with what became of it and how long it took, and make fails if one
# failed. What has passed is noted in artefacts/soak: after an interruption, make soak goes on with what has not passed
# on this commit (make soak ANEW=-anew begins anew). What each part printed is kept there too. A part can be run by
# itself: make soak-journal. SOAK='soak-journal soak-net' runs these.
SOAK ?= differential soak-schedules soak-journal soak-hostile soak-browser soak-files soak-flood soak-clock \
	soak-away soak-network soak-cities soak-hands soak-race soak-page soak-engine soak-wall soak-tournament soak-cluster soak-net \
	schematics-check package-check stranger box card-check
soak: tools
	@$(GO) run ./docs/make/soak $(ANEW) $(SOAK)

soak-schedules:
	$(GO) test ./rules/game -run TwoBoards -schedules 50000 -timeout 30m

soak-journal:
	$(GO) test ./sync/journal -run KillNine -kills 500 -v -timeout 30m
	$(GO) test ./cmd/boardd/history -every 1 -timeout 30m

soak-hostile:
	$(GO) test ./cmd/boardd/games -run Hostile -attempts 10000 -timeout 30m

# Hostile browsers and files. Each test draws a seed and prints the command that begins again at an attempt. SEED=1
# takes this one, FROM=3000 begins there.
SEED ?= 0
FROM ?= 0
HOSTILE = -seed $(SEED) -from $(FROM) -v -timeout 90m
soak-browser:
	$(GO) test ./cmd/boardd -run 'TestHostileBrowser$$' -tries 40000 $(HOSTILE)
	$(GO) test ./cmd/boardd -run 'TestScriptsTakeRubbish$$' -tries 100 $(HOSTILE)
	$(GO) test ./cmd/boardd -run 'TestPagesTakeRubbish$$' -whole -tries 60 $(HOSTILE)
	$(GO) test ./cmd/boardd -run 'TestPagesTakeRubbishAnswers$$' -whole -tries 15 $(HOSTILE)

soak-files:
	$(GO) test ./cmd/boardd -run 'TestHostileFiles$$' -tries 200000 $(HOSTILE)

soak-flood:
	$(GO) test ./cmd/boardd -run Flood -flood 60s -v -timeout 30m

# Whole daemons while the computer's clock jumps by years.
soak-clock:
	$(GO) test ./cmd/boardd -run ClockJumps -jumps -v -timeout 40m

soak-away:
	$(GO) test ./sync/mirror -run BrokerAway -away 168 -timeout 30m

soak-network:
	$(GO) test ./sync/mirror -run BadNetwork -seeds 200 -timeout 30m

soak-cities:
	$(GO) test ./cmd/boardd -run TwoCities -modelled 10000 -timeout 60m

soak-hands:
	$(GO) test -race -cpu=1 ./cmd/boardd -run 'WoodBehind|TwoCities|PlayedGames|DraggedGames|TouchedGames|NoTroubleFloods' -whole -timeout 60m
	$(GO) test ./sensing/reconcile -run HeldForLong -held 60 -timeout 60m

# Everything that waits for daemons, brokers and browsers, under the race detector. Pages are looked at without it.
soak-race:
	$(GO) test -race -cpu=1 -parallel=4 -p=1 -timeout 60m $$($(GO) run ./docs/make/tests -waiting) ./cmd/boardd/backup \
		./cmd/boardd/games ./cmd/boardd/history ./sync/journal

# Every view and every sentence of the page, in every language, on every screen.
soak-page:
	$(GO) test ./cmd/boardd -whole -parallel 4 -timeout 90m

soak-engine:
	$(GO) test ./cmd/boardd -run 'EngineSeat|EnginePage' -engineplies 400 -timeout 60m

soak-wall:
	$(GO) test ./cmd/boardd -run 'TestWall$$' -wallmoves 60 -timeout 30m

soak-tournament:
	$(GO) test ./cmd/boardd -run TournamentByHand -tables 20 -apart 60s -timeout 30m

soak-cluster:
	$(GO) test ./sync/broker -run 'CommandsOnACluster|ManyBoards' -commands 2000 -timeout 40m -v

# Two daemons in network namespaces, 200 ms and 20 % of the packets lost each way, cut for a minute in mid-game. Then
# the shipped unit under a systemd of its own, which hands secrets over. As root.
soak-net:
	@[ "$$(id -u)" = 0 ] || { echo "this needs root: sudo -E make soak-net"; exit 1; }
	@./.ci/install-tools iproute2 systemd curl mosquitto-clients
	$(GO) test ./cmd/boardd -run TwoNamespaces -partition 60s -v
	$(GO) test ./cmd/boardd -run CredentialsOfSystemd -systemd -v

# Times from the last contact to the game on the broker, to the other board's lights, and to the file that broadcasts
# read (p99). Then the mirror beside bare clients of the same broker, and a hall of boards on one broker.
mirror-report:
	$(GO) test ./cmd/boardd -run 'TestLatency$$|LatencyOfBroadcast' -latency 60 -v
	$(GO) test -run xxx -bench RoundTrip -benchtime 1000x ./sync/mirror
	$(GO) test -run xxx -bench Crowd -benchtime 1x ./sync/mirror -crowd 250,500,1000,2000 -timeout 10m
	$(GO) test -run xxx -bench 'Retained|FanOut' -benchtime 1x ./sync/broker

# The size of the page, the time of a frame of the turning board, and the time of a move to its pixels. Then what a
# wall of a hundred boards costs the daemon and the browser. Pictures of the page on three screens and in all languages
# are kept in artefacts/.
page-report: export SCREENSHOTS = kept
page-report:
	@./.ci/install-tools chromium-headless-shell
	$(GO) test ./cmd/boardd -run 'PageWeight|TestWall|FrameTime|ThreeScreens|Languages' -wall 20s -wallmoves 60 -whole -v

# A minute for each decoder: run it after changing one.
FUZZTIME ?= 60s
fuzz:
	@for t in $$(grep -rho '^func Fuzz[A-Za-z]*' --include='*_test.go' . | sed 's/func //' | sort -u); do \
		for d in $$(grep -rl "^func $$t(" --include='*_test.go' . | xargs -n1 dirname | sort -u); do \
			echo "$$d $$t"; $(GO) test -run xxx -fuzz "^$$t$$" -fuzztime $(FUZZTIME) $$d || exit 1; \
		done; \
	done

# What sweeps cost on the bus and on the host, beside the least the datasheets allow; the ARM figures come from
# emulation.
hardware-report:
	@./.ci/install-tools qemu-user-static
	$(GO) run ./hardware/report -emulate

# The move generator beside its peers, as ratios in one run. The peers stay out of go.mod: the report is a module of
# its own.
rules-report:
	@./.ci/install-tools stockfish
	cd rules/report && $(GO) run .

# Seeded games by virtual hands, every move held against what was recognised: about half an hour on two cores. Then the
# same in a second world of sensors and hands, by another author, whose seed is drawn and printed.
recognition-report:
	$(GO) run ./sensing/reconcile/report
	$(GO) run ./rules/table/trial/report -show=false

# Changes each constant of recognition and each branch of its decisions, one at a time, and looks whether a test finds
# it. Hours: make mutants ONLY=eye tries those whose name has that, and SAMPLE=50 draws so many of them.
mutants:
	$(GO) run ./docs/make/mutants -only '$(ONLY)' -sample $(or $(SAMPLE),0)

# The engine: nodes a second, the ladder of levels, matches against material alone and against Debian's engines, touch
# to light and hints beside it, memory, and mates against brute force. Hours with 400 games a match.
GAMES ?= 400
engine-report:
	@./.ci/install-tools stockfish fairy-stockfish
	$(GO) run ./rules/search/report -games $(GAMES)
	$(GO) test -count 1 -timeout 1h ./cmd/boardd -run LatencyBesideEngine -latency 60 -v
	$(GO) test -timeout 12h ./rules/search/mate -run BruteForce -positions 10000
	$(GO) test ./rules/search/problems -every

# The daemon is one file without cgo for every Raspberry Pi and for a desk.
cross:
	GOOS=linux GOARCH=arm64 CGO_ENABLED=0 $(GO) build -trimpath -o /dev/null ./cmd/boardd
	GOOS=linux GOARCH=arm GOARM=6 CGO_ENABLED=0 $(GO) build -trimpath -o /dev/null ./cmd/boardd
	GOOS=linux GOARCH=arm GOARM=7 CGO_ENABLED=0 $(GO) build -trimpath -o /dev/null ./cmd/boardd
	GOOS=linux GOARCH=amd64 CGO_ENABLED=0 $(GO) build -trimpath -o /dev/null ./cmd/boardd

build:
	$(GO) build -trimpath -o build/boardd ./cmd/boardd

demo:
	$(GO) run ./cmd/boardd demo

# Debian packages for arm64, armhf and amd64 in build/, the same bytes for the same commit.
package:
	./systemd/package/build

# The path of a stranger: clones the last commit into a new folder, and there reads the commands of every document and
# runs them. Those of a builder and a programmer are run in their order, and must leave the clone as it was.
stranger:
	@dir=$$(mktemp -d) && git clone -q . $$dir/boardd && cd $$dir/boardd && $(GO) test -count=1 -v -timeout 60m -run 'TestCommands|TestLinks|TestSignedCommand|TestClub|TestHubCommands|TestWalk' ./docs/make/check -walk; \
		code=$$?; rm -rf "$$dir"; exit $$code

# Everything of a release in build/release: packages, the card's image, documents, source and an apt repository. The
# notices, a bill of the software, the hardware's files and checksums are there as well. KEY=... signs with that key.
# CARD= leaves the image out, which needs root and twenty minutes. The same commit gives the same bytes, except the
# signatures. The image has the same bytes as long as Debian's packages are the same.
EPOCH = $$(git log -1 --format=%ct)
CARD ?= card-image
release: release-ready $(CARD)
	$(GO) run ./systemd/release -epoch $(EPOCH) -key '$(KEY)' $(if $(CARD),$$(printf -- '-with %s ' build/card/*.img.xz build/card/*.packages)) build/*.deb

# Says what must be done before this commit can be released: a dated entry in the changelog, nothing uncommitted.
release-ready: package
	$(GO) run ./systemd/release -ready build/*.deb

# An image for the card of a Raspberry Pi, in build/card: docs/own.md, "The card's image". As root.
card-image: package
	@./.ci/install-tools qemu-user-static mmdebstrap arch-test e2fsprogs dosfstools mtools fdisk device-tree-compiler xz-utils
	./systemd/card/build build/boardd_*_arm64.deb

# Is it made twice the same? Then it is read as the firmware of every model does, and started on an emulated Pi 3.
card-check: card-image
	@./.ci/install-tools qemu-system-arm/bookworm-backports openssh-client
	./systemd/card/build build/boardd_*_arm64.deb build/card/again && cmp build/card/*.img build/card/again/*.img && rm -r build/card/again
	$(GO) run ./hardware/box/card

# The apt repository alone, in build/apt: any web server can serve it as it stands. KEY=... signs it, and apt wants
# that.
apt-repository: package
	$(GO) run ./systemd/release -apt-only -out build/apt -epoch $(EPOCH) -key '$(KEY)' build/*.deb

# Runs the packaged daemon in a Debian guest on an emulated ARM machine, as root. It is installed and played on through
# devices of the guest's kernel. Then it is hung and cut off, its hub pulled out, its bus disturbed, its root made
# read-only, and its plug pulled. BOX=-inside leaves the devices out.
box: package
	@./.ci/install-tools qemu-system-arm/bookworm-backports qemu-user-static mmdebstrap arch-test e2fsprogs gcc-12-aarch64-linux-gnu patch kmod xz-utils
	@./hardware/firmware/hub/setup.sh
	$(GO) run ./hardware/box -cuts $(CUTS) -every $(EVERY) $(BOX)

CUTS  ?= 100
EVERY ?= 40

# Are two builds of the last commit the same bytes?
package-check:
	./systemd/package/check
