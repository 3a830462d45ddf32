/* GPU values from the lines of the state file, including presets and derived values. */
#ifndef LAPWING_STATE_GPU_H
#define LAPWING_STATE_GPU_H

#include "state.h"

/* A healthy H100. */
void preset_gpu(struct gpu *gpu, int index);

/* "0000:53:00.0", as lspci writes it, from the GPU's text into its numbers. */
bool read_bus_id(struct gpu *gpu);

/* SELECTOR.KEY, where the selector is a slot or "*"; false when the line is garbled. */
bool read_gpu_lines(struct state *state, const char *rest, const char *value);

/* Values that depend on all lines: the epoch, and values derived from unsupported ones. */
void settle_gpu(struct state *state, int index);
void settle_expression(struct expression *expression, double epoch, unsigned gpu, unsigned key);

#endif
