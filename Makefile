# The two commands of the README, and a few for those who work on the code.
#
#   make run      install what is missing, build, start (or render a picture)
#   make test     the same set-up, then the quick test suite
#   make install  into $(PREFIX)
#   make format   clang-format over the tree
#   make clean

PREFIX ?= /usr/local
TEXT ?= The animal didn't cross the street because it was too tired

.PHONY: all run test build build-test install format clean

all: build

build:
	@.ci/setup run
	@[ -f build/build.ninja ] || meson setup build --buildtype=release -Dtests=false >build.log 2>&1 \
	    || { cat build.log; rm -f build.log; exit 1; }
	@rm -f build.log
	@ninja -C build --quiet 2>/dev/null || ninja -C build

# Status 3: there is no display, or it is dead.
run: build
	@build/app/headlight; status=$$?; [ $$status = 3 ] || exit $$status; \
	build/app/headlight render --screen transformer --model en-fr-transformer \
	    --text "$(TEXT)" -o headlight.png && \
	echo "So here is a picture instead: $$(pwd)/headlight.png"

build-test:
	@.ci/setup run test
	@[ -f build-test/build.ninja ] || meson setup build-test --buildtype=release -Dtests=true >build.log 2>&1 \
	    || { cat build.log; rm -f build.log; exit 1; }
	@rm -f build.log
	@ninja -C build-test --quiet 2>/dev/null || ninja -C build-test

test: build-test
	@python3 tests/run.py build-test

install: build
	meson install -C build --destdir "$(DESTDIR)"

format:
	git ls-files '*.c' '*.h' | xargs clang-format -i

clean:
	rm -rf build build-test headlight.png
