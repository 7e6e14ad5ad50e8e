/* The window program: host of app/sdl/window.h. */
#pragma once

#include "args.h"
#include "library.h"

enum { RUN_WINDOW_NO_DISPLAY = 3 };

/* Runs until the window is closed; returns the exit status: RUN_WINDOW_NO_DISPLAY where
 * none can be opened (the Makefile then renders a picture). */
int
run_window(struct hl_library *lib, const struct hl_args *a);
