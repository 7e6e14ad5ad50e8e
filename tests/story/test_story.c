/* Plays the story named on the command line; a second argument "update" rewrites
 * its goldens (never in CI). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "story.h"

int
main(int argc, char **argv)
{
    const char *root = getenv("HL_SOURCE_ROOT");
    bool update = argc > 2 && strcmp(argv[2], "update") == 0;
    if (argc < 2) {
        printf("usage: test-story NAME [update]\n");
        return 2;
    }
    if (update && getenv("CI") != NULL) {
        printf("goldens are not rewritten in CI\n");
        return 2;
    }
    return story_play(root != NULL ? root : ".", argv[1], update) == 0 ? 0 : 1;
}
