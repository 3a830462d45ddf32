/*
 * A profiler plugin of NCCL that records the collectives of this process for the Lapwing agent of this node.
 *
 *     cc -O2 -shared -fPIC -fvisibility=hidden -I../c -o liblapwing-nccl.so lapwing_nccl*.c -lm -lpthread
 *     NCCL_PROFILER_PLUGIN=/path/liblapwing-nccl.so python train.py
 *
 * It writes a file in shared memory (docs/nccl-format.md): totals of each operation of each communicator, and a ring of
 * the latest collectives. NCCL calls it from the threads that enqueue and from its proxy threads; no event takes a lock,
 * allocates or makes a system call. All functions return success: NCCL would unload a plugin that fails in `init` while
 * other communicators use it.
 *
 * Apache License 2.0.
 */
#include <string.h>

#include "lapwing_nccl.h"

#define MOST_BYTES (1ull << 50)

/* --- Names in NCCL --------------------------------------------------------------------------------------------------- */

static enum ring_operation operation_of(const char *function) {
  if (function == NULL) return RING_OTHER;
  switch (function[0]) {
    case 'A':
      if (strcmp(function, "AllReduce") == 0) return RING_ALL_REDUCE;
      if (strcmp(function, "AllGather") == 0) return RING_ALL_GATHER;
      return strcmp(function, "AlltoAll") == 0 ? RING_ALL_TO_ALL : RING_OTHER;
    case 'R':
      if (strcmp(function, "ReduceScatter") == 0) return RING_REDUCE_SCATTER;
      return strcmp(function, "Reduce") == 0 ? RING_REDUCE : RING_OTHER;
    case 'B':
      return strcmp(function, "Broadcast") == 0 ? RING_BROADCAST : RING_OTHER;
    default:
      return RING_OTHER;
  }
}

/* `ncclFloat16` has 2 bytes, `ncclFloat8e4m3` 1; an unknown type 0. */
static uint64_t bytes_of(uint64_t count, const char *datatype) {
  uint64_t size = 0;
  if (datatype == NULL) return 0;
  while (*datatype != '\0' && (*datatype < '1' || *datatype > '9')) datatype++;
  switch (*datatype) {
    case '8': size = 1; break;
    case '1': size = 2; break;
    case '3': size = 4; break;
    case '6': size = 8; break;
    default: break;
  }
  return size == 0 || count > MOST_BYTES / size ? 0 : count * size;
}

/* --- The tables of functions ---------------------------------------------------------------------------------------- */

static char unused_context; /* of a communicator that is not recorded */

static void begin(void **context, int *mask, uint32_t api, const char *name, uint64_t hash, int nodes, int ranks,
                  int rank, nccl_log log) {
  struct communicator *one;
  if (context == NULL) return;
  one = communicator_begins(api, name, hash, nodes, ranks, rank, log);
  *context = one != NULL ? (void *)one : (void *)&unused_context;
  if (one == NULL || mask == NULL) return; /* the mask is that of all communicators */
  *mask = NCCL_COLLECTIVE | NCCL_P2P | (api >= 3 ? NCCL_KERNEL_CHANNEL : 0) | (api >= 6 ? NCCL_COPY_ENGINE : 0);
}

static int finalize(void *context) {
  communicator_ends(context);
  return 0;
}

static void *enter_collective(void *context, uint64_t sequence, const char *function, uint64_t count,
                              const char *datatype, unsigned channels) {
  struct communicator *of = recorded(context);
  if (of == NULL) return NULL;
  return collective_enters(of, operation_of(function), sequence, bytes_of(count, datatype), channels);
}

static void enter_p2p(void *context, uint64_t count, const char *datatype) {
  struct communicator *of = recorded(context);
  if (of != NULL) p2p_enters(of, bytes_of(count, datatype));
}

static void bind_communicator(void *context, const char *name, uint64_t hash, int rank) {
  struct communicator *of = recorded(context);
  if (of != NULL) communicator_is(of, name, hash, rank);
}

static int start_2(void *context, void **handle, struct nccl_descriptor_2 *event) {
  *handle = NULL;
  switch (event->type) {
    case NCCL_GROUP:
      *handle = (void *)(uintptr_t)HANDLE_GROUP;
      break;
    case NCCL_COLLECTIVE:
      bind_communicator(context, event->of.collective_2.name, event->of.collective_2.hash, event->rank);
      (void)enter_collective(context, event->of.collective_2.sequence, event->of.collective_2.function,
                             event->of.collective_2.count, event->of.collective_2.datatype, 0);
      break;
    case NCCL_P2P:
      enter_p2p(context, event->of.p2p.count, event->of.p2p.datatype);
      break;
    default:
      break;
  }
  return 0;
}

static int start_3(void *context, void **handle, struct nccl_descriptor_2 *event) {
  if (event->type == NCCL_KERNEL_CHANNEL) {
    *handle = channel_starts(event->parent, 0, 0);
    return 0;
  }
  *handle = NULL;
  switch (event->type) {
    case NCCL_GROUP:
      *handle = (void *)(uintptr_t)HANDLE_GROUP;
      break;
    case NCCL_COLLECTIVE:
      bind_communicator(context, event->of.collective_3.name, event->of.collective_3.hash, event->rank);
      *handle = enter_collective(context, event->of.collective_3.sequence, event->of.collective_3.function,
                                 event->of.collective_3.count, event->of.collective_3.datatype,
                                 event->of.collective_3.channels);
      break;
    case NCCL_P2P:
      enter_p2p(context, event->of.p2p.count, event->of.p2p.datatype);
      break;
    default:
      break;
  }
  return 0;
}

static int start_4_to_6(void *context, void **handle, uint64_t type, const union nccl_event_4 *event) {
  *handle = NULL;
  switch (type) {
    case NCCL_GROUP: /* NCCL numbers the collectives of CUDA graphs only if their group has a handle */
      *handle = (void *)(uintptr_t)HANDLE_GROUP;
      break;
    case NCCL_COLLECTIVE:
      *handle = enter_collective(context, event->collective.sequence, event->collective.function,
                                 event->collective.count, event->collective.datatype, event->collective.channels);
      break;
    case NCCL_P2P:
      enter_p2p(context, event->p2p.count, event->p2p.datatype);
      break;
    case NCCL_COPY_ENGINE: {
      struct communicator *of = recorded(context);
      uint64_t bytes = bytes_of(event->collective.count, event->collective.datatype);
      if (of != NULL) (void)collective_enters(of, RING_COPY_ENGINE, event->collective.sequence, bytes, 0);
      break;
    }
    default:
      break;
  }
  return 0;
}

static int start_4(void *context, void **handle, struct nccl_descriptor_4 *event) {
  if (event->type != NCCL_KERNEL_CHANNEL) return start_4_to_6(context, handle, event->type, &event->of);
  *handle = channel_starts(event->parent, event->of.kernel.timer, 1);
  return 0;
}

static int start_5(void *context, void **handle, struct nccl_descriptor_5 *event) {
  if (event->type != NCCL_KERNEL_CHANNEL) return start_4_to_6(context, handle, event->type, &event->of);
  *handle = channel_starts(event->parent, event->of.kernel.timer, 1);
  return 0;
}

/* Without the GPU's clock a channel has stopped when the host reports it. */
static int stop_3(void *handle) {
  channel_stops(handle, 0);
  return 0;
}

static int stop_4(void *handle) {
  (void)handle; /* of a collective: it is enqueued; of a channel: NCCL has recorded the GPU's clock before */
  return 0;
}

static int record_3(void *handle, int state, union nccl_state *arguments) {
  (void)handle, (void)state, (void)arguments;
  return 0;
}

static int record_4(void *handle, int state, union nccl_state *arguments) {
  if (state == NCCL_KERNEL_CHANNEL_STOP && arguments != NULL) channel_stops(handle, arguments->kernel.timer);
  return 0;
}

static int init_2(void **context, int *mask) {
  begin(context, mask, 2, NULL, 0, 0, 0, -1, NULL);
  return 0;
}

static int init_3(void **context, int *mask) {
  begin(context, mask, 3, NULL, 0, 0, 0, -1, NULL);
  return 0;
}

static int init_4(void **context, int *mask, const char *name, uint64_t hash, int nodes, int ranks, int rank,
                  nccl_log log) {
  begin(context, mask, 4, name, hash, nodes, ranks, rank, log);
  return 0;
}

static int init_5(void **context, uint64_t hash, int *mask, const char *name, int nodes, int ranks, int rank,
                  nccl_log log) {
  begin(context, mask, 5, name, hash, nodes, ranks, rank, log);
  return 0;
}

static int init_6(void **context, uint64_t hash, int *mask, const char *name, int nodes, int ranks, int rank,
                  nccl_log log) {
  begin(context, mask, 6, name, hash, nodes, ranks, rank, log);
  return 0;
}

#define EXPORTED __attribute__((visibility("default")))

EXPORTED const struct nccl_profiler_2 ncclProfiler_v2 = {"lapwing", init_2, start_2, stop_4, record_3, finalize};
EXPORTED const struct nccl_profiler_2 ncclProfiler_v3 = {"lapwing", init_3, start_3, stop_3, record_3, finalize};
EXPORTED const struct nccl_profiler_4 ncclProfiler_v4 = {"lapwing", init_4, start_4, stop_4, record_4, finalize};
EXPORTED const struct nccl_profiler_5 ncclProfiler_v5 = {"lapwing", init_5, start_5, stop_4, record_4, finalize};
EXPORTED const struct nccl_profiler_5 ncclProfiler_v6 = {"lapwing", init_6, start_5, stop_4, record_4, finalize};
