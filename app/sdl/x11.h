/* What SDL does not hand on of libX11. The library is the one that SDL has loaded
 * already, so nothing is linked. One thread: the window's. */
#pragma once

/* Xft.dpi of the X server's resources. Fails: 0 where it is not set or there is no X11. */
double x11_xft_dpi(void);

/* SDL wakes a waiting loop by a message to the window, on a connection of its own. One
 * that is still on its way when the window goes is answered by an error, at which
 * libX11 ends the program. From here on this one error is passed over; others go to the
 * handler that was there. To be called before SDL_Init: when SDL closes its connections it
 * sets back the handler that it found. Fails: without effect where there is no X11. */
void x11_forgive_late_messages(void);
