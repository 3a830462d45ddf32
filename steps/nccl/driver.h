/* Calls the plugin as NCCL does: looks up the newest symbol, enqueues from one thread, reports kernels from another. */
#ifndef LAPWING_NCCL_DRIVER_H
#define LAPWING_NCCL_DRIVER_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "lapwing_nccl_ring.h"
#include "nccl_abi.h"

struct plugin {
  void *library;
  int version, mask;
  const struct nccl_profiler_2 *old;    /* 2, 3 */
  const struct nccl_profiler_4 *middle; /* 4 */
  const struct nccl_profiler_5 *new;    /* 5, 6 */
};

/* Opens the plugin as an NCCL does whose newest version is this one. */
static inline int plugin_open(struct plugin *one, const char *path, int version) {
  char symbol[32];
  void *table;
  memset(one, 0, sizeof *one);
  one->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (one->library == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    return 0;
  }
  snprintf(symbol, sizeof symbol, "ncclProfiler_v%d", version);
  table = dlsym(one->library, symbol);
  one->version = version;
  one->old = version <= 3 ? (const struct nccl_profiler_2 *)table : NULL;
  one->middle = version == 4 ? (const struct nccl_profiler_4 *)table : NULL;
  one->new = version >= 5 ? (const struct nccl_profiler_5 *)table : NULL;
  return table != NULL;
}

static inline void driver_log(int level, unsigned long flags, const char *file, int line, const char *format, ...) {
  va_list arguments;
  (void)flags;
  if (getenv("NCCL_DEBUG") == NULL) return;
  fprintf(stderr, "NCCL level %d %s:%d ", level, file, line);
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fprintf(stderr, "\n");
}

static inline int plugin_init(struct plugin *one, void **context, uint64_t hash, const char *name, int ranks, int rank) {
  *context = NULL;
  if (one->old) return one->old->init(context, &one->mask);
  if (one->middle) return one->middle->init(context, &one->mask, name, hash, 1, ranks, rank, driver_log);
  return one->new->init(context, hash, &one->mask, name, 1, ranks, rank, driver_log);
}

static inline int plugin_finalize(struct plugin *one, void *context) {
  if (one->old) return one->old->finalize(context);
  return one->middle ? one->middle->finalize(context) : one->new->finalize(context);
}

static inline void plugin_stop(struct plugin *one, void *handle) {
  if (handle == NULL) return;
  if (one->old) one->old->stop(handle);
  if (one->middle) one->middle->stop(handle);
  if (one->new) one->new->stop(handle);
}

/* An empty group. */
static inline void *plugin_group(struct plugin *one, void *context) {
  void *handle = NULL;
  struct nccl_descriptor_2 two;
  struct nccl_descriptor_4 four;
  struct nccl_descriptor_5 five;
  memset(&two, 0, sizeof two);
  memset(&four, 0, sizeof four);
  memset(&five, 0, sizeof five);
  two.type = four.type = NCCL_GROUP;
  five.type = NCCL_GROUP;
  if (one->old) one->old->start(context, &handle, &two);
  if (one->middle) one->middle->start(context, &handle, &four);
  if (one->new) one->new->start(context, &handle, &five);
  return handle;
}

/* The event of a collective is started; the caller stops it. */
static inline void *plugin_collective(struct plugin *one, void *context, uint64_t hash, int rank, uint64_t sequence,
                                      const char *function, size_t count, const char *datatype, int channels) {
  void *handle = (void *)0x5; /* NCCL does not clear it */
  if (one->old) {
    struct nccl_descriptor_2 event;
    memset(&event, 0, sizeof event);
    event.type = NCCL_COLLECTIVE;
    event.rank = rank;
    if (one->version == 2) {
      event.of.collective_2.name = "old";
      event.of.collective_2.hash = hash;
      event.of.collective_2.sequence = sequence;
      event.of.collective_2.function = function;
      event.of.collective_2.count = count;
      event.of.collective_2.datatype = datatype;
      event.of.collective_2.channels = (uint8_t)channels;
    } else {
      event.of.collective_3.name = "old";
      event.of.collective_3.hash = hash;
      event.of.collective_3.sequence = sequence;
      event.of.collective_3.function = function;
      event.of.collective_3.count = count;
      event.of.collective_3.datatype = datatype;
      event.of.collective_3.channels = (uint8_t)channels;
    }
    one->old->start(context, &handle, &event);
  } else {
    struct nccl_descriptor_4 four;
    struct nccl_descriptor_5 five;
    union nccl_event_4 event;
    memset(&event, 0, sizeof event);
    event.collective.sequence = sequence;
    event.collective.function = function;
    event.collective.count = count;
    event.collective.datatype = datatype;
    event.collective.channels = (uint8_t)channels;
    four.type = NCCL_COLLECTIVE;
    five.type = NCCL_COLLECTIVE;
    four.parent = five.parent = NULL;
    four.rank = five.rank = rank;
    four.of = five.of = event;
    if (one->middle) one->middle->start(context, &handle, &four);
    if (one->new) one->new->start(context, &handle, &five);
  }
  return handle;
}

static inline void *plugin_p2p(struct plugin *one, void *context, const char *function, size_t count,
                               const char *datatype) {
  void *handle = (void *)0x5;
  struct nccl_descriptor_2 two;
  struct nccl_descriptor_4 four;
  struct nccl_descriptor_5 five;
  memset(&two, 0, sizeof two);
  memset(&four, 0, sizeof four);
  memset(&five, 0, sizeof five);
  two.type = four.type = NCCL_P2P;
  five.type = NCCL_P2P;
  two.of.p2p.function = four.of.p2p.function = five.of.p2p.function = function;
  two.of.p2p.count = four.of.p2p.count = five.of.p2p.count = count;
  two.of.p2p.datatype = four.of.p2p.datatype = five.of.p2p.datatype = datatype;
  if (one->old) one->old->start(context, &handle, &two);
  if (one->middle) one->middle->start(context, &handle, &four);
  if (one->new) one->new->start(context, &handle, &five);
  return handle;
}

static inline void *plugin_channel(struct plugin *one, void *context, void *parent, int channel, uint64_t timer) {
  void *handle = (void *)0x5;
  if (one->old) {
    struct nccl_descriptor_2 event;
    memset(&event, 0, sizeof event);
    event.type = NCCL_KERNEL_CHANNEL;
    event.parent = parent;
    event.of.kernel.channel = (uint8_t)channel;
    one->old->start(context, &handle, &event);
  } else {
    struct nccl_descriptor_4 four;
    struct nccl_descriptor_5 five;
    four.type = NCCL_KERNEL_CHANNEL;
    five.type = NCCL_KERNEL_CHANNEL;
    four.parent = five.parent = parent;
    four.of.kernel.channel = five.of.kernel.channel = (uint8_t)channel;
    four.of.kernel.timer = five.of.kernel.timer = timer;
    if (one->middle) one->middle->start(context, &handle, &four);
    if (one->new) one->new->start(context, &handle, &five);
  }
  return handle;
}

/* As NCCL: records the state with the clock, then stops the event. */
static inline void plugin_channel_stop(struct plugin *one, void *handle, uint64_t timer) {
  union nccl_state arguments;
  arguments.kernel.timer = timer;
  if (handle == NULL) return;
  /* With a table of version 3, NCCL does not pass this state on. */
  if (one->middle) one->middle->record(handle, NCCL_KERNEL_CHANNEL_STOP, &arguments);
  if (one->new) one->new->record(handle, NCCL_KERNEL_CHANNEL_STOP, &arguments);
  plugin_stop(one, handle);
}

/* One collective from its enqueueing to its end, on one thread. */
static inline void plugin_run(struct plugin *one, void *context, uint64_t hash, int rank, uint64_t sequence,
                              const char *function, size_t count, int channels, uint64_t start, uint64_t duration) {
  void *group = plugin_group(one, context), *parent, *handles[256];
  int i;
  parent = plugin_collective(one, context, hash, rank, sequence, function, count, "ncclFloat32", channels);
  plugin_stop(one, parent);
  plugin_stop(one, group);
  for (i = 0; i < channels; i++) handles[i] = plugin_channel(one, context, parent, i, start + (uint64_t)i);
  for (i = 0; i < channels; i++) plugin_channel_stop(one, handles[i], start + duration - (uint64_t)(channels - 1 - i));
}

#endif
