/* State of the Arithmetic screen (arithmetic.c). */
#pragma once

struct arithmetic_state {
    int mechanism; /* index into hl_mechs */
};
