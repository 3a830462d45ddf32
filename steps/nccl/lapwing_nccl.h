/* Declarations that the files of the plugin share; not exported by the library. */
#ifndef LAPWING_NCCL_H
#define LAPWING_NCCL_H

#include <stddef.h>
#include <time.h>

#include "lapwing_nccl_ring.h"
#include "nccl_abi.h"

/* Collectives of one communicator that may be enqueued and unfinished; older ones are no longer timed. */
#define IN_FLIGHT 1024

/* A communicator of this process. NCCL's context for it is its address. */
struct communicator {
  struct ring_communicator *shared;
  uint64_t tickets; /* collectives so far; the number of one is unique in its place, also of later communicators */
  int live;
  int bound; /* its name and hash are known */
};

extern struct communicator communicators[RING_COMMUNICATORS];
extern struct ring_file *ring; /* null while there is none */

static inline uint64_t get(const uint64_t *word) { return __atomic_load_n(word, __ATOMIC_RELAXED); }

static inline void set(uint64_t *word, uint64_t value) { __atomic_store_n(word, value, __ATOMIC_RELAXED); }

static inline void add(uint64_t *word, uint64_t more) { __atomic_fetch_add(word, more, __ATOMIC_RELAXED); }

static inline uint64_t clock_ns(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* --- lapwing_nccl_file.c: the file and the communicators in it -------------------------------------------------------- */

/* Begins a communicator, and the file with the first one; null if it is not recorded. */
struct communicator *communicator_begins(uint32_t api, const char *name, uint64_t hash, int nodes, int ranks, int rank,
                                         nccl_log log);

void communicator_ends(void *context);

/* Up to version 3, a communicator is named by its first collective. */
void communicator_is(struct communicator *one, const char *name, uint64_t hash, int rank);

/* The communicator of a context; null unless it is recorded, and by this process: a forked child must not write. */
struct communicator *recorded(void *context);

/* --- lapwing_nccl_collectives.c: from the enqueueing to the end ------------------------------------------------------- */

/*
 * A place of a collective from its enqueueing to its end. The thread that enqueues owns it until it sets the word; the
 * proxy thread owns it from the first start of a channel, which sets bit 0 of the word, until it clears the word.
 */
struct collective {
  uint64_t word; /* 2 * ticket, + 1 once it has started; 0: free */
  uint64_t start, stop;
  uint32_t stopped; /* channels */
  uint8_t channels, operation, of_gpu;
  uint64_t sequence, bytes, entered_ns;
} __attribute__((aligned(64))); /* a line of the cache: a kernel has up to 64 channels */

_Static_assert(sizeof(struct collective) == 64, "one line of the cache");

extern struct collective collectives[RING_COMMUNICATORS][IN_FLIGHT];

/*
 * Handles are numbers, not pointers: NCCL may pass one of a communicator that has ended, or of another process. From
 * the lowest bit: the kind, the place of the communicator, the ticket.
 */
enum handle_kind { HANDLE_COLLECTIVE = 1, HANDLE_CHANNEL = 2, HANDLE_GROUP = 3 };

#define HANDLE_BITS 2
#define COMMUNICATOR_BITS 5

_Static_assert(RING_COMMUNICATORS == 1 << COMMUNICATOR_BITS, "handles");

static inline int is_kind(const void *handle, enum handle_kind kind) {
  return ((uintptr_t)handle & ((1u << HANDLE_BITS) - 1)) == kind;
}

static inline unsigned place_of(const void *handle) {
  return (unsigned)((uintptr_t)handle >> HANDLE_BITS) & (RING_COMMUNICATORS - 1);
}

static inline uint64_t ticket_of(const void *handle) {
  return (uint64_t)(uintptr_t)handle >> (HANDLE_BITS + COMMUNICATOR_BITS);
}

/* The place that a handle names; another collective may have taken it since. */
static inline struct collective *collective_of(const void *handle) {
  return &collectives[place_of(handle)][ticket_of(handle) % IN_FLIGHT];
}

/*
 * A collective is enqueued. Without channels its end is unknown. Returns its handle, or null.
 *
 * NCCL enqueues for one communicator from one thread at a time, but for CUDA graphs from CUDA's thread as well.
 */
void *collective_enters(struct communicator *of, enum ring_operation operation, uint64_t sequence, uint64_t bytes,
                        unsigned channels);

/* A send or receive: its number differs between ranks, so it cannot be compared. */
void p2p_enters(struct communicator *of, uint64_t bytes);

int first_starts(const void *handle, struct collective *one, uint64_t word, uint64_t timer, int of_gpu);
void last_stops(const void *handle, struct collective *one);

/*
 * A channel of a collective's kernel has started. One thread, the proxy thread of the communicator, reports all starts and
 * stops of its channels. Without the GPU's clock (`of_gpu` 0) the host's is read, at the first start and the last stop.
 */
static inline void *channel_starts(void *handle, uint64_t timer, int of_gpu) {
  struct collective *one = collective_of(handle);
  uint64_t word = __atomic_load_n(&one->word, __ATOMIC_ACQUIRE);
  if (!is_kind(handle, HANDLE_COLLECTIVE)) return NULL;
  if (__builtin_expect(word == 2 * ticket_of(handle) + 1, 1)) {
    if (of_gpu && timer < one->start) one->start = timer;
  } else if (!first_starts(handle, one, word, timer, of_gpu)) {
    return NULL;
  }
  return (void *)((uintptr_t)handle ^ HANDLE_COLLECTIVE ^ HANDLE_CHANNEL);
}

static inline void channel_stops(void *handle, uint64_t timer) {
  struct collective *one = collective_of(handle);
  if (!is_kind(handle, HANDLE_CHANNEL) || get(&one->word) != 2 * ticket_of(handle) + 1) return;
  if (timer > one->stop) one->stop = timer;
  if (__builtin_expect(++one->stopped >= one->channels, 0)) last_stops(handle, one);
}

/* Drops the collectives in flight. */
void forget_collectives(struct communicator *of);

#endif
