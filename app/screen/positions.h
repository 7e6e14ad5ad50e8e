/* State of the Positions screen (positions.c). */
#pragma once

struct positions_state {
    int selected; /* row of the heat map, -1 none */
};
