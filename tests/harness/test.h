/* cmocka wants these first, in this order. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define N_OF(array) ((int)(sizeof(array) / sizeof((array)[0])))
