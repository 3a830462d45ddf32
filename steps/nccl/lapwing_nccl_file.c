/* The ring file of this process: created with its first communicator, removed when the process ends. */
#define LAPWING_STEPS_IMPLEMENTATION
#include "lapwing_steps.h" /* identity, names, lock and fork detection of step files */

#include <pthread.h>

#include "lapwing_nccl.h"

static struct {
  const volatile char *here;
  pid_t pid;
  int fd, live;
  dev_t device;
  ino_t inode;
  char path[PATH_MAX];
} own = {NULL, 0, -1, 0, 0, 0, ""};

static pthread_mutex_t setup = PTHREAD_MUTEX_INITIALIZER;

struct ring_file *ring = NULL;
struct communicator communicators[RING_COMMUNICATORS];

/* Whether this process has opened the file, and not a parent from which it was forked. */
static int is_here(void) {
  const volatile char *here = __atomic_load_n(&own.here, __ATOMIC_ACQUIRE);
  return here != NULL ? *here : __atomic_load_n(&own.pid, __ATOMIC_RELAXED) == getpid();
}

static int is_forked(void) { return __atomic_load_n(&own.pid, __ATOMIC_RELAXED) != 0 && !is_here(); }

static int is_communicator(const void *context) {
  const struct communicator *one = (const struct communicator *)context;
  return one >= communicators && one < communicators + RING_COMMUNICATORS;
}

struct communicator *recorded(void *context) {
  struct communicator *one = (struct communicator *)context;
  return is_communicator(one) && __atomic_load_n(&one->live, __ATOMIC_ACQUIRE) && is_here() ? one : NULL;
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
  own.fd = lapwing_create_(hidden, sizeof hidden, directory, name, sizeof(struct ring_file));
  if (own.fd < 0) return 0;
  map = mmap(NULL, sizeof(struct ring_file), PROT_READ | PROT_WRITE, MAP_SHARED, own.fd, 0);
  if (map != MAP_FAILED) {
    if (lapwing_lock_(own.fd)) header.flags |= 2;
    ((struct ring_file *)map)->header = header;
    if (fstat(own.fd, &status) == 0 &&
        lapwing_publish_(hidden, own.path, sizeof own.path, directory, name, ".nccl")) {
      ring = (struct ring_file *)map;
      own.device = status.st_dev;
      own.inode = status.st_ino;
      return 1;
    }
    munmap(map, sizeof(struct ring_file));
  }
  close(own.fd);
  own.fd = -1;
  (void)unlink(hidden);
  return 0;
}

/* Drops the state that a forked child inherited from its parent. */
static void forget_parent(void) {
  static const pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;
  int i;
  setup = fresh; /* another thread of the parent may have held it */
  munmap(ring, sizeof(struct ring_file));
  close(own.fd);
  ring = NULL;
  own.fd = -1;
  own.live = 0;
  if (own.here != NULL) munmap((void *)(uintptr_t)own.here, (size_t)sysconf(_SC_PAGESIZE));
  own.here = NULL;
  own.pid = 0;
  for (i = 0; i < RING_COMMUNICATORS; i++) {
    communicators[i].live = 0;
    forget_collectives(&communicators[i]);
  }
}

static int is_open(uint32_t api) {
  const char *directory = getenv("LAPWING_STEPS_DIR");
  const uint16_t one = 1;
  const volatile char *here;
  if (ring != NULL) return 1;
  if (directory == NULL) directory = "/run/lapwing/steps";
  if (directory[0] == '\0' || *(const char *)&one != 1) return 0;
  lapwing_make_directory_(directory);
  if (!make_file(directory, api)) {
    complain(strerror(errno), directory);
    return 0;
  }
  here = lapwing_here_();
  __atomic_store_n(&own.pid, getpid(), __ATOMIC_RELAXED);
  __atomic_store_n(&own.here, here, __ATOMIC_RELEASE);
  lapwing_sweep_(directory, ring->header.pid_namespace, ".nccl", RING_MAGIC);
  return 1;
}

/* At exit or when NCCL unloads the plugin. Unmapped only without communicators, because proxy threads may still call. */
__attribute__((destructor)) static void close_file(void) {
  struct stat status;
  if (ring == NULL || !is_here()) return;
  __atomic_store_n(&ring->header.ended, 1, __ATOMIC_RELEASE);
  if (lstat(own.path, &status) == 0 && status.st_dev == own.device && status.st_ino == own.inode)
    (void)unlink(own.path);
  if (own.live > 0) return;
  munmap(ring, sizeof(struct ring_file));
  ring = NULL;
  close(own.fd);
  if (own.here != NULL) munmap((void *)(uintptr_t)own.here, (size_t)sysconf(_SC_PAGESIZE));
  own.here = NULL;
}

/* --- Communicators -------------------------------------------------------------------------------------------------- */

static struct communicator *add_communicator(const char *name, uint64_t hash, int nodes, int ranks, int rank) {
  struct ring_communicator *shared;
  uint32_t generation;
  int i = 0;
  while (i < RING_COMMUNICATORS && communicators[i].live) i++;
  if (i == RING_COMMUNICATORS) {
    add(&ring->header.refused, 1);
    return NULL;
  }
  shared = &ring->communicators[i];
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
  communicators[i].bound = hash != 0;
  __atomic_store_n(&communicators[i].live, 1, __ATOMIC_RELEASE);
  own.live++;
  return &communicators[i];
}

struct communicator *communicator_begins(uint32_t api, const char *name, uint64_t hash, int nodes, int ranks, int rank,
                                         nccl_log log) {
  struct communicator *one = NULL;
  int opened = 0;
  if (is_forked()) forget_parent();
  pthread_mutex_lock(&setup);
  if (is_open(api)) one = add_communicator(name, hash, nodes, ranks, rank);
  opened = one != NULL && own.live == 1;
  pthread_mutex_unlock(&setup);
  if (opened && log != NULL)
    log(NCCL_LOG_INFO, NCCL_LOG_INIT, "lapwing_nccl.c", __LINE__, "PROFILER/Plugin: lapwing records in %s", own.path);
  return one;
}

void communicator_ends(void *context) {
  struct communicator *one = (struct communicator *)context;
  if (!is_communicator(one) || !is_here()) return;
  pthread_mutex_lock(&setup);
  if (one->live) {
    __atomic_store_n(&one->live, 0, __ATOMIC_RELEASE);
    __atomic_store_n(&one->shared->state, 0, __ATOMIC_RELEASE);
    forget_collectives(one);
    own.live--;
  }
  pthread_mutex_unlock(&setup);
}

void communicator_is(struct communicator *one, const char *name, uint64_t hash, int rank) {
  if (one->bound) return;
  one->bound = 1;
  one->shared->rank = rank;
  lapwing_text_(one->shared->name, sizeof one->shared->name, name);
  __atomic_store_n(&one->shared->hash, hash, __ATOMIC_RELEASE);
}
