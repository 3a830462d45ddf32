/*
 * The binary interface of NCCL's profiler plugins, versions 2 to 6, as far as this plugin uses it. NCCL (2.24 and later)
 * looks up `ncclProfiler_v6` first and then the older symbols, each a table of functions.
 *
 *   symbol            first NCCL
 *   ncclProfiler_v2   2.24.3      communicator in each event
 *   ncclProfiler_v3   2.26.2      + kernelCh events: when the host saw a channel start and stop
 *   ncclProfiler_v4   2.27.3      communicator in init; kernelCh events have the GPU's own clock
 *   ncclProfiler_v5   2.28.3      event types have 64 bits
 *   ncclProfiler_v6   2.29.2      + collectives of copy engines
 */
#ifndef LAPWING_NCCL_ABI_H
#define LAPWING_NCCL_ABI_H

#include <stddef.h>
#include <stdint.h>

/* Bits of the mask that a plugin sets, and types of events. */
enum nccl_event {
  NCCL_GROUP = 1 << 0,
  NCCL_COLLECTIVE = 1 << 1,
  NCCL_P2P = 1 << 2,
  NCCL_KERNEL_CHANNEL = 1 << 6,
  NCCL_COPY_ENGINE = 1 << 12
};

/* The one state of interest: a channel of the kernel has stopped. */
#define NCCL_KERNEL_CHANNEL_STOP 22

#define NCCL_LOG_INFO 3
#define NCCL_LOG_INIT 1ul

typedef void (*nccl_log)(int level, unsigned long flags, const char *file, int line, const char *format, ...);

/* Up to version 4 the type is a byte; the union starts at offset 24 in all versions. */
struct nccl_descriptor_2 {
  uint8_t type;
  void *parent;
  int rank;
  union {
    struct {
      const char *name;
      uint64_t hash, sequence;
      const char *function;
      const void *send;
      void *receive;
      size_t count;
      int root;
      const char *datatype;
      size_t traffic; /* gone in version 3 */
      uint8_t channels, warps;
    } collective_2;
    struct {
      const char *name;
      uint64_t hash, sequence;
      const char *function;
      const void *send;
      void *receive;
      size_t count;
      int root;
      const char *datatype;
      uint8_t channels, warps;
    } collective_3;
    struct {
      const char *name;
      uint64_t hash;
      const char *function;
      void *buffer;
      const char *datatype;
      size_t count;
      int peer;
    } p2p;
    struct {
      uint8_t channel;
    } kernel;
  } of;
};

/* The union of versions 4 to 6. */
union nccl_event_4 {
  struct {
    uint64_t sequence;
    const char *function;
    const void *send;
    void *receive;
    size_t count;
    int root;
    const char *datatype;
    uint8_t channels, warps;
  } collective; /* of a copy engine: the same up to the data type */
  struct {
    const char *function;
    void *buffer;
    const char *datatype;
    size_t count;
    int peer;
  } p2p;
  struct {
    uint8_t channel;
    uint64_t timer; /* ns of the GPU's globaltimer */
  } kernel;
};

struct nccl_descriptor_4 {
  uint8_t type;
  void *parent;
  int rank;
  union nccl_event_4 of;
};

struct nccl_descriptor_5 {
  uint64_t type;
  void *parent;
  int rank;
  union nccl_event_4 of;
};

union nccl_state {
  struct {
    uint64_t timer;
  } kernel;
};

struct nccl_profiler_2 { /* and 3 */
  const char *name;
  int (*init)(void **context, int *mask);
  int (*start)(void *context, void **handle, struct nccl_descriptor_2 *event);
  int (*stop)(void *handle);
  int (*record)(void *handle, int state, union nccl_state *arguments);
  int (*finalize)(void *context);
};

struct nccl_profiler_4 {
  const char *name;
  int (*init)(void **context, int *mask, const char *name, uint64_t hash, int nodes, int ranks, int rank, nccl_log log);
  int (*start)(void *context, void **handle, struct nccl_descriptor_4 *event);
  int (*stop)(void *handle);
  int (*record)(void *handle, int state, union nccl_state *arguments);
  int (*finalize)(void *context);
};

struct nccl_profiler_5 { /* and 6 */
  const char *name;
  int (*init)(void **context, uint64_t hash, int *mask, const char *name, int nodes, int ranks, int rank, nccl_log log);
  int (*start)(void *context, void **handle, struct nccl_descriptor_5 *event);
  int (*stop)(void *handle);
  int (*record)(void *handle, int state, union nccl_state *arguments);
  int (*finalize)(void *context);
};

_Static_assert(offsetof(struct nccl_descriptor_2, of) == 24 && offsetof(struct nccl_descriptor_4, of) == 24 &&
                   offsetof(struct nccl_descriptor_5, of) == 24,
               "as NCCL's compiler lays it out");

#endif
