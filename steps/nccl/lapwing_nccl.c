/*
 * A profiler plugin of NCCL that records the collectives of this process for the Lapwing agent of this node.
 *
 *     cc -O2 -shared -fPIC -fvisibility=hidden -I../c -o liblapwing-nccl.so lapwing_nccl.c -lm -lpthread
 *     NCCL_PROFILER_PLUGIN=/path/liblapwing-nccl.so python train.py
 *
 * It writes a file in shared memory (docs/nccl-format.md): totals of each operation of each communicator, and a ring of
 * the latest collectives. NCCL calls it from the threads that enqueue and from its proxy threads; no event takes a lock,
 * allocates or makes a system call. Whatever fails, NCCL gets success: a plugin that fails in `init` would be unloaded
 * under the other communicators.
 *
 * Apache License 2.0.
 */
#define LAPWING_STEPS_IMPLEMENTATION
#include "lapwing_steps.h" /* identity, names, lock and fork detection of step files */

#include <pthread.h>

#include "lapwing_nccl_ring.h"
#include "nccl_abi.h"

/* Collectives of one communicator that may be enqueued and unfinished; older ones are no longer timed. */
#define IN_FLIGHT 1024

/* Handles are numbers, not pointers: NCCL may pass one of a communicator that is gone, or of another process. */
#define HANDLE_COLLECTIVE 1u
#define HANDLE_CHANNEL 2u
#define HANDLE_GROUP 3u
#define HANDLE_BITS 2
#define COMMUNICATOR_BITS 5

#define LONGEST_NS 1000000000000000ull /* 11 days */
#define MOST_BYTES (1ull << 50)

/*
 * A place of a collective from its enqueueing to its end. The thread that enqueues owns it until it sets the word; the
 * proxy thread owns it from the first start of a channel, which sets bit 0 of the word, until it clears the word.
 */
struct collective {
  uint64_t word; /* 2 * ticket, + 1 once it has started; 0: free */
  uint64_t sequence, bytes, entered_ns, start, stop;
  uint32_t started, stopped; /* channels */
  uint8_t channels, operation, of_gpu;
};

struct communicator {
  struct ring_communicator *shared;
  uint64_t tickets;
  int live, bound;
  struct collective collectives[IN_FLIGHT];
};

static struct {
  struct ring_file *file;
  const volatile char *here;
  pid_t pid;
  int fd, live;
  dev_t device;
  ino_t inode;
  char path[PATH_MAX];
} ring = {NULL, NULL, 0, -1, 0, 0, 0, ""};

static pthread_mutex_t setup = PTHREAD_MUTEX_INITIALIZER;
static struct communicator communicators[RING_COMMUNICATORS];
static char unused_context; /* of a communicator that is not recorded */

_Static_assert(RING_COMMUNICATORS <= 1 << COMMUNICATOR_BITS, "handles");

/* --- Words ------------------------------------------------------------------------------------------------------ */

static uint64_t get(const uint64_t *word) { return __atomic_load_n(word, __ATOMIC_RELAXED); }

static void set(uint64_t *word, uint64_t value) { __atomic_store_n(word, value, __ATOMIC_RELAXED); }

static void add(uint64_t *word, uint64_t more) { __atomic_fetch_add(word, more, __ATOMIC_RELAXED); }

static void raise_to(uint64_t *word, uint64_t value) {
  if (value > get(word)) set(word, value);
}

static uint64_t clock_ns(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Whether this process has opened the file, and not a parent from which it was forked. */
static int is_here(void) {
  const volatile char *here = __atomic_load_n(&ring.here, __ATOMIC_ACQUIRE);
  return here != NULL ? *here : __atomic_load_n(&ring.pid, __ATOMIC_RELAXED) == getpid();
}

static int is_forked(void) { return __atomic_load_n(&ring.pid, __ATOMIC_RELAXED) != 0 && !is_here(); }

/* The communicator of a context; null unless it is recorded, and by this process: a forked child must not write. */
static struct communicator *recorded(void *context) {
  struct communicator *one = (struct communicator *)context;
  if (one < communicators || one >= communicators + RING_COMMUNICATORS) return NULL;
  return __atomic_load_n(&one->live, __ATOMIC_ACQUIRE) && is_here() ? one : NULL;
}

static void *handle_of(const struct communicator *one, uint64_t ticket, unsigned kind) {
  uint64_t place = (uint64_t)(one - communicators);
  return (void *)(uintptr_t)(((ticket << COMMUNICATOR_BITS | place) << HANDLE_BITS) | kind);
}

static unsigned kind_of(const void *handle) { return (unsigned)((uintptr_t)handle & ((1u << HANDLE_BITS) - 1)); }

/* The place that a handle names, which may be another collective's by now; null if the communicator is gone. */
static struct collective *place_of(const void *handle, unsigned kind, struct communicator **of, uint64_t *ticket) {
  uint64_t number = (uint64_t)(uintptr_t)handle >> HANDLE_BITS;
  if (kind_of(handle) != kind) return NULL;
  *of = &communicators[number & (RING_COMMUNICATORS - 1)];
  *ticket = number >> COMMUNICATOR_BITS;
  return recorded(*of) != NULL ? &(*of)->collectives[*ticket % IN_FLIGHT] : NULL;
}

/* --- What NCCL calls things ------------------------------------------------------------------------------------------ */

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

/* --- Events --------------------------------------------------------------------------------------------------------- */

/* A number of the ring for each record; the place is skipped if a slower thread still writes there. */
static void write_record(uint64_t place, const struct collective *one, const struct ring_communicator *of,
                         uint64_t finished_ns, uint64_t duration_ns) {
  uint64_t number = __atomic_fetch_add(&ring.file->header.written, 1, __ATOMIC_ACQ_REL);
  struct ring_record *record = &ring.file->records[number % RING_CAPACITY];
  uint64_t before = get(&record->mark);
  if ((before & 1) != 0 || before > 2 * number ||
      !__atomic_compare_exchange_n(&record->mark, &before, 2 * number + 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
    add(&ring.file->header.lost, 1);
    return;
  }
  __atomic_thread_fence(__ATOMIC_RELEASE);
  set(&record->sequence, one->sequence);
  set(&record->bytes, one->bytes);
  set(&record->entered_ns, one->entered_ns);
  set(&record->finished_ns, finished_ns);
  set(&record->duration_ns, duration_ns);
  record->communicator = (uint8_t)place;
  record->operation = one->operation;
  record->flags = one->of_gpu;
  record->generation = of->generation;
  __atomic_store_n(&record->mark_again, 2 * number + 2, __ATOMIC_RELEASE);
  __atomic_store_n(&record->mark, 2 * number + 2, __ATOMIC_RELEASE);
}

/* Called when the last channel has stopped. */
static void finish(struct communicator *of, struct collective *one, uint64_t ticket) {
  struct collective own = *one;
  struct ring_totals *totals;
  uint64_t now, word = 2 * ticket + 1;
  if (!__atomic_compare_exchange_n(&one->word, &word, 0, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) return;
  totals = &of->shared->operations[own.operation];
  now = clock_ns(CLOCK_REALTIME_COARSE);
  add(&totals->finished, 1);
  set(&totals->finished_ns, now);
  raise_to(&totals->finished_sequence, own.sequence + 1);
  if (own.start == 0 || own.stop < own.start || own.stop - own.start > LONGEST_NS) {
    add(&ring.file->header.lost, 1); /* a kernel that has not written its clock */
    return;
  }
  add(&totals->timed, 1);
  add(&totals->timed_ns, own.stop - own.start);
  write_record((uint64_t)(of - communicators), &own, of->shared, now, own.stop - own.start);
}

static void *enter(struct communicator *of, enum ring_operation operation, uint64_t sequence, uint64_t bytes,
                   unsigned channels) {
  struct ring_totals *totals = &of->shared->operations[operation];
  struct collective *one;
  uint64_t now = clock_ns(CLOCK_REALTIME), ticket, word;
  add(&totals->entered, 1);
  add(&totals->bytes, bytes);
  set(&totals->entered_ns, now);
  raise_to(&totals->entered_sequence, sequence + 1);
  if (channels == 0) return NULL; /* without an end that a plugin could see */
  ticket = __atomic_add_fetch(&of->tickets, 1, __ATOMIC_RELAXED);
  one = &of->collectives[ticket % IN_FLIGHT];
  word = get(&one->word);
  if (word != 0) { /* so many are enqueued that its place is taken: the older one is no longer timed, unless it runs */
    add(&ring.file->header.lost, 1);
    if ((word & 1) != 0) return NULL;
    if (!__atomic_compare_exchange_n(&one->word, &word, 0, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) return NULL;
  } else {
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
  }
  one->sequence = sequence;
  one->bytes = bytes;
  one->entered_ns = now;
  one->start = one->stop = 0;
  one->started = one->stopped = 0;
  one->channels = (uint8_t)channels;
  one->operation = (uint8_t)operation;
  one->of_gpu = 0;
  __atomic_store_n(&one->word, 2 * ticket, __ATOMIC_RELEASE);
  return handle_of(of, ticket, HANDLE_COLLECTIVE);
}

/* A send or receive: its number is not the same on all ranks, so that there is nothing to compare. */
static void count_p2p(void *context, uint64_t count, const char *datatype) {
  struct communicator *of = recorded(context);
  struct ring_totals *totals;
  if (of == NULL) return;
  totals = &of->shared->operations[RING_SEND_RECEIVE];
  add(&totals->entered, 1);
  add(&totals->bytes, bytes_of(count, datatype));
}

static void start(struct communicator *of, const struct collective *one) {
  struct ring_totals *totals = &of->shared->operations[one->operation];
  add(&totals->started, 1);
  raise_to(&totals->started_sequence, one->sequence + 1);
  set(&totals->started_ns, clock_ns(CLOCK_REALTIME_COARSE));
}

static void *channel_starts(void *parent, uint64_t timer, int of_gpu) {
  struct communicator *of;
  uint64_t ticket, word;
  struct collective *one = place_of(parent, HANDLE_COLLECTIVE, &of, &ticket);
  if (one == NULL) return NULL;
  word = __atomic_load_n(&one->word, __ATOMIC_ACQUIRE);
  if (word == 2 * ticket && ticket != 0) {
    if (!__atomic_compare_exchange_n(&one->word, &word, word + 1, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) return NULL;
    one->start = timer;
    one->of_gpu = (uint8_t)of_gpu;
    start(of, one);
  } else if (word != 2 * ticket + 1) {
    return NULL;
  }
  if (timer < one->start) one->start = timer;
  one->started++;
  return handle_of(of, ticket, HANDLE_CHANNEL);
}

static void channel_stops(void *handle, uint64_t timer) {
  struct communicator *of;
  uint64_t ticket;
  struct collective *one = place_of(handle, HANDLE_CHANNEL, &of, &ticket);
  if (one == NULL || get(&one->word) != 2 * ticket + 1) return;
  if (timer > one->stop) one->stop = timer;
  if (++one->stopped >= one->channels) finish(of, one, ticket);
}

/* --- The file ------------------------------------------------------------------------------------------------------- */

static void complain(const char *what, const char *where) {
  static int said = 0;
  if (said) return;
  said = 1;
  fprintf(stderr, "lapwing-nccl: collectives are not recorded: %s: %.200s\n", what, where);
}

static void identify(struct ring_header *header, const struct lapwing_header_ *step, uint32_t api) {
  memcpy(header->magic, RING_MAGIC, 8);
  header->version = RING_VERSION;
  header->header_size = sizeof(struct ring_header);
  header->record_size = sizeof(struct ring_record);
  header->capacity = RING_CAPACITY;
  header->pid = step->pid;
  header->start_ticks = step->start_ticks;
  header->pid_namespace = step->pid_namespace;
  header->rank = step->rank;
  header->local_rank = step->local_rank;
  header->world_size = step->world_size;
  header->gpu_index = step->gpu_index;
  header->communicators = RING_COMMUNICATORS;
  header->communicator_size = sizeof(struct ring_communicator);
  header->api = api;
  header->created_ns = clock_ns(CLOCK_REALTIME);
  memcpy(header->job, step->job, sizeof header->job);
  memcpy(header->run, step->run, sizeof header->run);
  memcpy(header->gpu_uuid, step->gpu_uuid, sizeof header->gpu_uuid);
  memcpy(header->host, step->host, sizeof header->host);
}

static int make_file(const char *directory, uint32_t api) {
  static const struct lapwing_steps_options none = LAPWING_STEPS_OPTIONS;
  struct lapwing_header_ who;
  struct ring_header header;
  struct stat status;
  char hidden[PATH_MAX], name[96];
  void *map = MAP_FAILED;
  memset(&who, 0, sizeof who);
  memset(&header, 0, sizeof header);
  lapwing_identify_(&none, &who);
  identify(&header, &who, api);
  lapwing_name_(name, sizeof name, &who);
  ring.fd = lapwing_create_(hidden, sizeof hidden, directory, name, sizeof(struct ring_file));
  if (ring.fd < 0) return 0;
  map = mmap(NULL, sizeof(struct ring_file), PROT_READ | PROT_WRITE, MAP_SHARED, ring.fd, 0);
  if (map != MAP_FAILED) {
    if (lapwing_lock_(ring.fd)) header.flags |= 2;
    ((struct ring_file *)map)->header = header;
    if (fstat(ring.fd, &status) == 0 &&
        lapwing_publish_(hidden, ring.path, sizeof ring.path, directory, name, ".nccl")) {
      ring.file = (struct ring_file *)map;
      ring.device = status.st_dev;
      ring.inode = status.st_ino;
      return 1;
    }
    munmap(map, sizeof(struct ring_file));
  }
  close(ring.fd);
  ring.fd = -1;
  (void)unlink(hidden);
  return 0;
}

/* Leaves what was inherited from the parent to the parent. */
static void forget_parent(void) {
  static const pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;
  int i;
  setup = fresh; /* another thread of the parent may have had it */
  munmap(ring.file, sizeof(struct ring_file));
  close(ring.fd);
  ring.file = NULL;
  ring.fd = -1;
  ring.live = 0;
  if (ring.here != NULL) munmap((void *)(uintptr_t)ring.here, (size_t)sysconf(_SC_PAGESIZE));
  ring.here = NULL;
  ring.pid = 0;
  for (i = 0; i < RING_COMMUNICATORS; i++) communicators[i].live = 0;
}

static int is_open(uint32_t api) {
  const char *directory = getenv("LAPWING_STEPS_DIR");
  const uint16_t one = 1;
  const volatile char *here;
  if (ring.file != NULL) return 1;
  if (directory == NULL) directory = "/run/lapwing/steps";
  if (directory[0] == '\0' || *(const char *)&one != 1) return 0;
  lapwing_make_directory_(directory);
  if (!make_file(directory, api)) {
    complain(strerror(errno), directory);
    return 0;
  }
  here = lapwing_here_();
  __atomic_store_n(&ring.pid, getpid(), __ATOMIC_RELAXED);
  __atomic_store_n(&ring.here, here, __ATOMIC_RELEASE);
  lapwing_sweep_(directory, ring.file->header.pid_namespace, ".nccl", RING_MAGIC);
  return 1;
}

/* At exit or when NCCL unloads the plugin. Proxy threads may still call: only without communicators is it unmapped. */
__attribute__((destructor)) static void close_file(void) {
  struct stat status;
  if (ring.file == NULL || !is_here()) return;
  __atomic_store_n(&ring.file->header.ended, 1, __ATOMIC_RELEASE);
  if (lstat(ring.path, &status) == 0 && status.st_dev == ring.device && status.st_ino == ring.inode)
    (void)unlink(ring.path);
  if (ring.live > 0) return;
  munmap(ring.file, sizeof(struct ring_file));
  ring.file = NULL;
  close(ring.fd);
  if (ring.here != NULL) munmap((void *)(uintptr_t)ring.here, (size_t)sysconf(_SC_PAGESIZE));
  ring.here = NULL;
}

/* --- Communicators -------------------------------------------------------------------------------------------------- */

static struct communicator *add_communicator(const char *name, uint64_t hash, int nodes, int ranks, int rank) {
  struct ring_communicator *shared;
  uint32_t generation;
  int i = 0, j;
  while (i < RING_COMMUNICATORS && communicators[i].live) i++;
  if (i == RING_COMMUNICATORS) {
    add(&ring.file->header.refused, 1);
    return NULL;
  }
  shared = &ring.file->communicators[i];
  generation = shared->generation + 1;
  memset(shared, 0, sizeof *shared);
  __atomic_store_n(&shared->generation, generation, __ATOMIC_RELEASE);
  shared->hash = hash;
  shared->rank = rank;
  shared->ranks = ranks > 0 ? (uint32_t)ranks : 0;
  shared->nodes = nodes > 0 ? (uint32_t)nodes : 0;
  shared->since_ns = clock_ns(CLOCK_REALTIME);
  lapwing_text_(shared->name, sizeof shared->name, name);
  __atomic_store_n(&shared->state, 1, __ATOMIC_RELEASE);
  communicators[i].shared = shared;
  for (j = 0; j < IN_FLIGHT && get(&communicators[i].tickets) != 0; j++) set(&communicators[i].collectives[j].word, 0);
  communicators[i].bound = hash != 0;
  __atomic_store_n(&communicators[i].live, 1, __ATOMIC_RELEASE);
  ring.live++;
  return &communicators[i];
}

static void begin(void **context, int *mask, uint32_t api, const char *name, uint64_t hash, int nodes, int ranks,
                  int rank, nccl_log log) {
  struct communicator *one = NULL;
  int opened = 0;
  if (context == NULL) return;
  if (is_forked()) forget_parent();
  pthread_mutex_lock(&setup);
  if (is_open(api)) one = add_communicator(name, hash, nodes, ranks, rank);
  opened = one != NULL && ring.live == 1;
  pthread_mutex_unlock(&setup);
  *context = one != NULL ? (void *)one : (void *)&unused_context;
  if (one == NULL || mask == NULL) return; /* the mask is that of all communicators */
  *mask = NCCL_COLLECTIVE | NCCL_P2P | (api >= 3 ? NCCL_KERNEL_CHANNEL : 0) | (api >= 6 ? NCCL_COPY_ENGINE : 0);
  if (opened && log != NULL)
    log(NCCL_LOG_INFO, NCCL_LOG_INIT, "lapwing_nccl.c", __LINE__, "PROFILER/Plugin: lapwing records in %s", ring.path);
}

static int finalize(void *context) {
  struct communicator *one = (struct communicator *)context;
  if (one < communicators || one >= communicators + RING_COMMUNICATORS) return 0;
  if (!is_here()) return 0;
  pthread_mutex_lock(&setup);
  if (one->live) {
    __atomic_store_n(&one->live, 0, __ATOMIC_RELEASE);
    __atomic_store_n(&one->shared->state, 0, __ATOMIC_RELEASE);
    ring.live--;
  }
  pthread_mutex_unlock(&setup);
  return 0;
}

/* --- The tables of functions ---------------------------------------------------------------------------------------- */

static void *enter_collective(void *context, uint64_t sequence, const char *function, uint64_t count,
                              const char *datatype, unsigned channels) {
  struct communicator *of = recorded(context);
  return of == NULL ? NULL : enter(of, operation_of(function), sequence, bytes_of(count, datatype), channels);
}

/* Up to version 3, the communicator is named by its first collective. */
static void bind_communicator(void *context, const char *name, uint64_t hash, int rank) {
  struct communicator *of = recorded(context);
  if (of == NULL || of->bound) return;
  of->bound = 1;
  of->shared->rank = rank;
  lapwing_text_(of->shared->name, sizeof of->shared->name, name);
  __atomic_store_n(&of->shared->hash, hash, __ATOMIC_RELEASE);
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
      count_p2p(context, event->of.p2p.count, event->of.p2p.datatype);
      break;
    default:
      break;
  }
  return 0;
}

static int start_3(void *context, void **handle, struct nccl_descriptor_2 *event) {
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
      count_p2p(context, event->of.p2p.count, event->of.p2p.datatype);
      break;
    case NCCL_KERNEL_CHANNEL:
      *handle = channel_starts(event->parent, clock_ns(CLOCK_MONOTONIC), 0);
      break;
    default:
      break;
  }
  return 0;
}

static inline int start_4_to_6(void *context, void **handle, uint64_t type, void *parent,
                               const union nccl_event_4 *event) {
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
      count_p2p(context, event->p2p.count, event->p2p.datatype);
      break;
    case NCCL_KERNEL_CHANNEL:
      *handle = channel_starts(parent, event->kernel.timer, 1);
      break;
    case NCCL_COPY_ENGINE: {
      struct communicator *of = recorded(context);
      uint64_t bytes = bytes_of(event->collective.count, event->collective.datatype);
      if (of != NULL) (void)enter(of, RING_COPY_ENGINE, event->collective.sequence, bytes, 0);
      break;
    }
    default:
      break;
  }
  return 0;
}

static int start_4(void *context, void **handle, struct nccl_descriptor_4 *event) {
  return start_4_to_6(context, handle, event->type, event->parent, &event->of);
}

static int start_5(void *context, void **handle, struct nccl_descriptor_5 *event) {
  return start_4_to_6(context, handle, event->type, event->parent, &event->of);
}

/* Without the GPU's clock a channel has stopped when the host says so. */
static int stop_3(void *handle) {
  if (kind_of(handle) == HANDLE_CHANNEL) channel_stops(handle, clock_ns(CLOCK_MONOTONIC));
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
