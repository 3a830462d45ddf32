/* The NVLinks of one GPU: which there are, and which of them carries the errors. */
#ifndef LAPWING_NVLINK_H
#define LAPWING_NVLINK_H

#include "call.h"

/* 0 when the GPU has none, as an L4. */
unsigned nvlink_count(const struct call *call);

unsigned nvlink_version(const struct call *call);

bool nvlink_active(const struct call *call, unsigned link);

/* A GPU's errors of one kind are all on the link that nvlink.error.link names. */
unsigned long long nvlink_errors(const struct call *call, enum quantity errors, unsigned link);

#endif
