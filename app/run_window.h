/* The window program: host of app/sdl/window.h. */
#pragma once

#include "args.h"
#include "library.h"

/* Runs until the window is closed; returns the exit status. */
int
run_window(struct hl_library *lib, const struct hl_args *a);
