/* Collectives from their enqueueing to the end of their kernels. Nothing here takes a lock, allocates or makes a system call. */
#include "lapwing_nccl.h"

#define LONGEST_NS 1000000000000000ull /* 11 days */

struct collective collectives[RING_COMMUNICATORS][IN_FLIGHT];

static void *handle_of(unsigned place, uint64_t ticket, enum handle_kind kind) {
  return (void *)(uintptr_t)(((ticket << COMMUNICATOR_BITS | place) << HANDLE_BITS) | kind);
}

/* --- Totals and records ------------------------------------------------------------------------------------------------- */

/* For words that one thread writes: those of starts and ends, which the proxy thread of the communicator reports. */
static void grow(uint64_t *word, uint64_t more) { set(word, get(word) + more); }

static void raise_to(uint64_t *word, uint64_t value) {
  if (value > get(word)) set(word, value);
}

/* Each record takes a number of the ring; its place is skipped if a slower thread still writes there. */
static void write_record(unsigned place, const struct collective *one, uint64_t finished_ns) {
  uint64_t number = __atomic_fetch_add(&ring->header.written, 1, __ATOMIC_ACQ_REL);
  struct ring_record *record = &ring->records[number % RING_CAPACITY];
  uint64_t before = get(&record->mark);
  if ((before & 1) != 0 || before > 2 * number ||
      !__atomic_compare_exchange_n(&record->mark, &before, 2 * number + 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
    add(&ring->header.lost, 1);
    return;
  }
  __atomic_thread_fence(__ATOMIC_RELEASE);
  set(&record->sequence, one->sequence);
  set(&record->bytes, one->bytes);
  set(&record->entered_ns, one->entered_ns);
  set(&record->finished_ns, finished_ns);
  set(&record->duration_ns, one->stop - one->start);
  record->communicator = (uint8_t)place;
  record->operation = one->operation;
  record->flags = one->of_gpu;
  record->generation = communicators[place].shared->generation;
  __atomic_store_n(&record->mark_again, 2 * number + 2, __ATOMIC_RELEASE);
  __atomic_store_n(&record->mark, 2 * number + 2, __ATOMIC_RELEASE);
}

/* --- Enqueued ----------------------------------------------------------------------------------------------------------- */

void *collective_enters(struct communicator *of, enum ring_operation operation, uint64_t sequence, uint64_t bytes,
                        unsigned channels) {
  struct ring_totals *totals = &of->shared->operations[operation];
  unsigned place = (unsigned)(of - communicators);
  struct collective *one;
  uint64_t now = clock_ns(CLOCK_REALTIME), ticket, word;
  add(&totals->entered, 1);
  add(&totals->bytes, bytes);
  set(&totals->entered_ns, now);
  raise_to(&totals->entered_sequence, sequence + 1);
  if (channels == 0) return NULL;
  ticket = __atomic_add_fetch(&of->tickets, 1, __ATOMIC_RELAXED);
  one = &collectives[place][ticket % IN_FLIGHT];
  word = get(&one->word);
  if (word != 0) { /* too many are enqueued and its place is taken: the older one is no longer timed, unless it runs */
    add(&ring->header.lost, 1);
    if ((word & 1) != 0) return NULL;
    if (!__atomic_compare_exchange_n(&one->word, &word, 0, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) return NULL;
  } else {
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
  }
  one->sequence = sequence;
  one->bytes = bytes;
  one->entered_ns = now;
  one->stop = 0;
  one->stopped = 0;
  one->channels = (uint8_t)channels;
  one->operation = (uint8_t)operation;
  __atomic_store_n(&one->word, 2 * ticket, __ATOMIC_RELEASE);
  return handle_of(place, ticket, HANDLE_COLLECTIVE);
}

void p2p_enters(struct communicator *of, uint64_t bytes) {
  struct ring_totals *totals = &of->shared->operations[RING_SEND_RECEIVE];
  add(&totals->entered, 1);
  add(&totals->bytes, bytes);
}

/* --- Its kernel --------------------------------------------------------------------------------------------------------- */

int first_starts(const void *handle, struct collective *one, uint64_t word, uint64_t timer, int of_gpu) {
  const struct communicator *of = recorded(&communicators[place_of(handle)]);
  struct ring_totals *totals;
  if (of == NULL || word == 0 || word != 2 * ticket_of(handle)) return 0;
  if (!__atomic_compare_exchange_n(&one->word, &word, word + 1, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) return 0;
  one->start = of_gpu ? timer : clock_ns(CLOCK_MONOTONIC);
  one->of_gpu = (uint8_t)of_gpu;
  totals = &of->shared->operations[one->operation];
  grow(&totals->started, 1);
  raise_to(&totals->started_sequence, one->sequence + 1);
  set(&totals->started_ns, clock_ns(CLOCK_REALTIME_COARSE));
  return 1;
}

void last_stops(const void *handle, struct collective *one) {
  unsigned place = place_of(handle);
  const struct communicator *of = recorded(&communicators[place]);
  if (of != NULL) {
    struct ring_totals *totals = &of->shared->operations[one->operation];
    uint64_t now = clock_ns(CLOCK_REALTIME_COARSE);
    if (!one->of_gpu) one->stop = clock_ns(CLOCK_MONOTONIC);
    grow(&totals->finished, 1);
    set(&totals->finished_ns, now);
    raise_to(&totals->finished_sequence, one->sequence + 1);
    if (one->start == 0 || one->stop < one->start || one->stop - one->start > LONGEST_NS) {
      add(&ring->header.lost, 1); /* a kernel that has not written its clock */
    } else {
      grow(&totals->timed, 1);
      grow(&totals->timed_ns, one->stop - one->start);
      write_record(place, one, now);
    }
  }
  __atomic_store_n(&one->word, 0, __ATOMIC_RELEASE);
}

void forget_collectives(struct communicator *of) {
  struct collective *places = collectives[of - communicators];
  uint64_t used = get(&of->tickets), i;
  for (i = 0; i < IN_FLIGHT && i <= used; i++) set(&places[i].word, 0);
}
