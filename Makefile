# The two commands of the README, and a few for those who work on the code.
#
#   make run      install what is missing, build, start (or render a picture)
#   make test     the same set-up, then the quick test suite
#   make check    the same without command line and window: to run after each change
#   make install  into $(PREFIX), with models, manual page and desktop entry
#   make uninstall
#   make deb      a Debian package
#   make format   clang-format over the tree
#   make clean

PREFIX ?= /usr/local
TEXT ?= The animal didn't cross the street because it was too tired

SHARED = share/applications/headlight.desktop share/icons/hicolor/scalable/apps/headlight.svg \
    share/metainfo/headlight.metainfo.xml share/man/man1/headlight.1 \
    share/bash-completion/completions/headlight share/zsh/site-functions/_headlight

.PHONY: all run test check build build-test install uninstall deb format clean

all: build

# A build folder remembers where it was made: one that was moved is made anew. Progress is
# for eyes only.
compile = [ "$$(cat $(1)/.made-in 2>/dev/null)" = "$(CURDIR)" ] || rm -rf $(1); \
    [ -f $(1)/build.ninja ] || meson setup $(1) --buildtype=release $(2) >build.log 2>&1 \
        || { cat build.log; rm -f build.log; exit 1; }; \
    rm -f build.log; echo "$(CURDIR)" >$(1)/.made-in; \
    if [ -t 1 ]; then ninja -C $(1); else ninja -C $(1) --quiet; fi

build:
	@.ci/setup run
	@$(call compile,build,-Dtests=false)

# Status 3: there is no display, or it is dead.
run: build
	@build/app/headlight; status=$$?; [ $$status = 3 ] || exit $$status; \
	build/app/headlight render --screen transformer --model en-fr-transformer \
	    --text "$(TEXT)" -o headlight.png && \
	echo "So here is a picture instead: $$(pwd)/headlight.png"

build-test:
	@.ci/setup run test
	@$(call compile,build-test,-Dtests=true)

test: build-test
	@python3 tests/run.py build-test

check: build-test
	@python3 tests/run.py build-test --no-suite cli --no-suite window --no-suite bench

install: build
	@meson configure build -Dprefix="$(abspath $(PREFIX))"
	@meson install -C build --quiet $(if $(DESTDIR),--destdir "$(abspath $(DESTDIR))")
	@echo "Installed. Start it with $(PREFIX)/bin/headlight; 'make uninstall' takes it away."

uninstall:
	@rm -rf "$(DESTDIR)$(PREFIX)/share/headlight/models" "$(DESTDIR)$(PREFIX)/share/doc/headlight"
	@for f in bin/headlight $(SHARED); do rm -f "$(DESTDIR)$(PREFIX)/$$f"; done
	@rmdir "$(DESTDIR)$(PREFIX)/share/headlight" 2>/dev/null || true

deb: build
	@.ci/deb

format:
	git ls-files '*.c' '*.h' | xargs clang-format -i

clean:
	rm -rf build build-test headlight.png
