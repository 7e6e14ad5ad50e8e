/* Writes small checkpoints of random numbers. */
#pragma once

#include <stdint.h>

#include "base/rng.h"
#include "base/span.h"

/* A safetensors file being written: header and data grow side by side. */
struct tiny_file {
    struct hl_sb header, data;
    struct hl_rng rng;
    double times; /* every number is multiplied by */
};

void tiny_file_init(struct tiny_file *f, uint64_t seed, double times);

/* Appends [rows, cols], or [rows] where cols is 0, of normal numbers, as F32. */
void tiny_tensor(struct tiny_file *f, const char *name, int rows, int cols, double spread);

/* The same with any number of sides; gives the numbers, which the next call may move. */
float *tiny_sides(struct tiny_file *f, const char *name, int n_sides, const int *sides,
                  double spread);

/* Writes the file and forgets it. */
void tiny_file_write(struct tiny_file *f, const char *path);

/* A fresh folder "<build folder>/<name>-XXXXXX" into dir. */
void tiny_dir(char *dir, size_t dir_sz, const char *name);
/* Removes config.json, model.safetensors and the folder. */
void tiny_dir_remove(const char *dir);
