# make check: everything that must hold before a change goes in. It installs what the tests need when it is missing.
GO         ?= go
STATICCHECK = honnef.co/go/tools/cmd/staticcheck@v0.8.2
PACKAGES    = mosquitto mosquitto-clients gcc-avr avr-libc simavr libsimavr-dev libelf-dev gcc libc6-dev make pkg-config chromium

.PHONY: check tools format vet static test cross build demo soak bench fuzz rules-report hardware-report recognition-report

check: tools format vet static cross test

tools:
	@./.ci/install-tools $(PACKAGES)

format:
	@out=$$(gofmt -l .); if [ -n "$$out" ]; then echo "not formatted, run gofmt -w on:"; echo "$$out"; exit 1; fi

vet:
	$(GO) vet ./...

static:
	$(GO) run $(STATICCHECK) ./...

test:
	$(GO) test -race -timeout 20m ./...

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
