/* A story: a script of what a person does, played on the state alone. Runs are
 * answered by sample records, measuring by fixed advances; no window, clock or
 * threads.
 *
 *   size 1280 800 1          key ctrl+shift+z        type some text
 *   set view lines           click row:7             hover col:2
 *   point 300 400            press 300 400           drag 400 400
 *   paste text \n \u0301*500 result hold             result give
 *   expect NAME              the whole list equals golden/dl/STORY-NAME.txt
 *   text WANTED              the shared field's text
 *   copied WANTED            text of the last FX_COPY
 *   shows PART / hides PART  some text command contains PART, or none does
 *   names ID / lacks ID      a hit region of that name, or none
 *   effect KIND              the last step asked for it: png svg json save copy ...
 *   focus ID                 what has the focus
 *
 *   drop PATH                a file falls on the window
 *   picture 40 30            the file is a picture of that size / picture it is no picture
 *
 * Lines that begin with # are comments. */
#pragma once

#include <stdbool.h>

/* Plays tests/story/NAME.events. `update` rewrites the goldens instead of comparing.
 * Prints what differs; returns the number of failed steps. */
int
story_play(const char *root, const char *name, bool update);
