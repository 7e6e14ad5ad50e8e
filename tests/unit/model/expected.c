#include "unit/model/expected.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool
expected_open(const char *dir, struct expected *out)
{
    char path[512];
    struct hl_map_file json = { 0 };

    *out = (struct expected) { 0 };
    snprintf(path, sizeof path, "%s/expected.json", dir);
    if (hl_map_open(path, &json, NULL) != HL_OK)
        return false;
    bool ok = hl_json_parse((const char *)json.p, json.n, path, 32, &out->doc, NULL) == HL_OK;
    hl_map_close(&json);
    snprintf(path, sizeof path, "%s/expected.bin", dir);
    if (!ok || hl_map_open(path, &out->bin, NULL) != HL_OK)
        return false;
    out->inputs = hl_json_get(hl_json_root(out->doc), "inputs");
    return out->inputs != NULL;
}

void
expected_close(struct expected *e)
{
    hl_map_close(&e->bin);
    hl_json_close(e->doc);
}

int
expected_ids(const struct hl_json *input, const char *key, int32_t out[256])
{
    int n = 0;
    for (const struct hl_json *v = hl_json_first(hl_json_get(input, key)); v; v = hl_json_next(v)) {
        int64_t id = -1;
        if (n == 256 || !hl_json_int(v, 0, INT32_MAX, &id))
            return -1;
        out[n++] = (int32_t)id;
    }
    return n;
}

const float *
expected_tensor(const struct expected *e, const struct hl_json *input, const char *name, int64_t *n)
{
    const struct hl_json *t = hl_json_first(hl_json_get(input, "tensors"));
    for (; t; t = hl_json_next(t)) {
        int64_t offset, count;
        const char *own = hl_json_string(hl_json_get(t, "name"));
        if (!own || strcmp(own, name) != 0)
            continue;
        int64_t room = (int64_t)(e->bin.n / sizeof(float));
        if (!hl_json_int(hl_json_get(t, "offset"), 0, (int64_t)e->bin.n, &offset) ||
            !hl_json_int(hl_json_get(t, "count"), 0, room - offset / 4, &count))
            return NULL;
        *n = count;
        return (const float *)(const void *)(e->bin.p + offset);
    }
    return NULL;
}

double
expected_gap(const float *a, const float *b, int64_t n)
{
    double gap = 0;
    for (int64_t i = 0; i < n; i++) {
        double d = fabs((double)a[i] - (double)b[i]);
        gap = d > gap || isnan(d) ? d : gap;
    }
    return gap;
}

int
expected_arguments(int argc, char **argv, const char **folder, const char **expected_folder)
{
    char path[512];
    struct hl_map_file f = { 0 };

    if (argc < 3)
        return 2;
    *folder = argv[1];
    *expected_folder = argv[2];
    snprintf(path, sizeof path, "%s/config.json", *folder);
    if (hl_map_open(path, &f, NULL) != HL_OK) {
        printf("skipped: no model in %s\n", *folder);
        return 77;
    }
    hl_map_close(&f);
    return 0;
}
