/* Tests the plugin with a driver that calls it as NCCL does. usage: test PLUGIN */
#define _GNU_SOURCE
#include "driver.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#define CHECK(condition)                                                             \
  do {                                                                               \
    if (!(condition)) {                                                              \
      fprintf(stderr, "%s:%d: in %s: %s\n", __FILE__, __LINE__, __func__, #condition); \
      exit(1);                                                                       \
    }                                                                                \
  } while (0)

static const char *library;
static char folder[64];

/* The ring files of the folder; `path` is the last one's. */
static int files(char *path, size_t size, const char *suffix) {
  DIR *all = opendir(folder);
  struct dirent *entry;
  int found = 0;
  while (all != NULL && (entry = readdir(all)) != NULL) {
    size_t length = strlen(entry->d_name), tail = strlen(suffix);
    if (length <= tail || strcmp(entry->d_name + length - tail, suffix) != 0) continue;
    found++;
    if (path != NULL) snprintf(path, size, "%s/%s", folder, entry->d_name);
  }
  if (all != NULL) closedir(all);
  return found;
}

/* The only ring file, read by a child: if this process opened it, closing it would drop the lock. */
static struct ring_file *snapshot(void) {
  static struct ring_file *copy;
  char path[512];
  int done[2], status;
  CHECK(files(path, sizeof path, ".nccl") == 1);
  if (copy == NULL) copy = mmap(NULL, sizeof *copy, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  CHECK(pipe(done) == 0);
  if (fork() == 0) {
    int fd = open(path, O_RDONLY);
    ssize_t length = pread(fd, copy, sizeof *copy, 0);
    struct stat size;
    _exit(length == (ssize_t)sizeof *copy && fstat(fd, &size) == 0 && size.st_size == (off_t)sizeof *copy ? 0 : 1);
  }
  close(done[0]);
  close(done[1]);
  CHECK(wait(&status) > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0);
  return copy;
}

/* Whether another process sees the lock. */
static int is_locked(void) {
  char path[512];
  int status;
  CHECK(files(path, sizeof path, ".nccl") == 1);
  if (fork() == 0) {
    struct flock lock;
    int fd = open(path, O_RDONLY);
    memset(&lock, 0, sizeof lock);
    lock.l_type = F_RDLCK;
    lock.l_whence = SEEK_SET;
    lock.l_len = 1;
    _exit(fcntl(fd, F_GETLK, &lock) == 0 && lock.l_type == F_WRLCK ? 0 : 1);
  }
  CHECK(wait(&status) > 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static struct plugin opened(int version) {
  struct plugin one;
  CHECK(plugin_open(&one, library, version));
  return one;
}

static void closed(struct plugin *one) { CHECK(dlclose(one->library) == 0); }

static void every_version(void) {
  static const int masks[] = {0, 0, 6, 70, 70, 70, 4166};
  int version;
  for (version = 2; version <= 6; version++) {
    struct plugin one = opened(version);
    struct ring_file *file;
    struct ring_totals *totals;
    void *context;
    int i;
    CHECK(plugin_init(&one, &context, 0xae94, "dp", 8, 3) == 0 && context != NULL);
    CHECK(one.mask == masks[version]);
    for (i = 0; i < 10; i++) plugin_run(&one, context, 0xae94, 3, (uint64_t)i, "AllReduce", 1000, 4, 5000, 700);
    plugin_run(&one, context, 0xae94, 3, 0, "ReduceScatter", 10, 1, 9000, 100);
    file = snapshot();
    CHECK(memcmp(file->header.magic, RING_MAGIC, 8) == 0 && file->header.version == 1);
    CHECK(file->header.pid == (uint32_t)getpid() && file->header.api == (uint32_t)version);
    CHECK((file->header.flags & 2) != 0 && is_locked());
    CHECK(strcmp(file->header.job, "4711") == 0 && file->header.rank == 3);
    CHECK(file->communicators[0].state == 1 && file->communicators[0].hash == 0xae94);
    CHECK(file->communicators[0].rank == 3);
    CHECK(strcmp(file->communicators[0].name, version < 4 ? "old" : "dp") == 0);
    CHECK(file->communicators[0].ranks == (version < 4 ? 0 : 8));
    totals = &file->communicators[0].operations[RING_ALL_REDUCE];
    CHECK(totals->entered == 10 && totals->bytes == 40000 && totals->entered_sequence == 10);
    if (version == 2) {
      CHECK(totals->started == 0 && totals->finished == 0 && file->header.written == 0);
    } else {
      CHECK(totals->started == 10 && totals->finished == 10 && totals->finished_sequence == 10);
      CHECK(file->header.written == 11 && file->header.lost == 0 && totals->timed == 10);
      CHECK(file->records[9].mark == 20 && file->records[9].mark_again == 20 && file->records[9].sequence == 9);
      CHECK(file->records[9].bytes == 4000 && file->records[9].communicator == 0);
      CHECK(file->records[9].generation == file->communicators[0].generation);
      CHECK(file->records[10].operation == RING_REDUCE_SCATTER);
      CHECK(file->records[9].flags == (version > 3 ? 1 : 0));
    }
    if (version > 3) CHECK(totals->timed_ns == 7000 && file->records[9].duration_ns == 700);
    CHECK(plugin_finalize(&one, context) == 0);
    CHECK(snapshot()->communicators[0].state == 0);
    closed(&one);
    CHECK(files(NULL, 0, ".nccl") == 0 && files(NULL, 0, ".tmp") == 0);
  }
}

/* A later NCCL finds no version 7 and tries the next one. */
static void an_unknown_version_is_absent(void) {
  struct plugin one;
  CHECK(!plugin_open(&one, library, 7) && one.library != NULL);
  closed(&one);
}

static void what_is_not_a_collective(void) {
  struct plugin one = opened(6);
  struct nccl_descriptor_5 event;
  struct ring_file *file;
  void *context, *handle;
  uint64_t type;
  plugin_init(&one, &context, 1, NULL, 2, 0);
  for (type = 1; type <= 1 << 20; type <<= 1) {
    memset(&event, 0, sizeof event);
    event.type = type;
    handle = (void *)0x5;
    CHECK(one.new->start(context, &handle, &event) == 0);
    CHECK((handle != NULL) == (type == NCCL_GROUP));
    plugin_stop(&one, handle);
  }
  CHECK(plugin_p2p(&one, context, "Send", 100, "ncclBfloat16") == NULL);
  memset(&event, 0, sizeof event);
  event.type = NCCL_COPY_ENGINE;
  event.of.collective.function = "AllGather";
  event.of.collective.count = 7;
  event.of.collective.datatype = "ncclFloat64";
  one.new->start(context, &handle, &event);
  CHECK(handle == NULL);
  file = snapshot();
  CHECK(file->communicators[0].operations[RING_SEND_RECEIVE].entered == 2);
  CHECK(file->communicators[0].operations[RING_SEND_RECEIVE].bytes == 200);
  CHECK(file->communicators[0].operations[RING_COPY_ENGINE].bytes == 56);
  CHECK(file->communicators[0].operations[RING_OTHER].entered == 1); /* a collective without a name */
  plugin_finalize(&one, context);
  closed(&one);
}

static void types_and_names(void) {
  static const struct { const char *type; uint64_t bytes; } types[] = {
      {"ncclInt8", 3},      {"ncclUint8", 3},      {"ncclFloat8e4m3", 3}, {"ncclFloat16", 6}, {"ncclBfloat16", 6},
      {"ncclInt32", 12},    {"ncclFloat64", 24},   {"Unknown", 0},        {NULL, 0},          {"", 0}};
  static const struct { const char *name; int place; } names[] = {
      {"AllReduce", RING_ALL_REDUCE}, {"AllGather", RING_ALL_GATHER}, {"ReduceScatter", RING_REDUCE_SCATTER},
      {"Broadcast", RING_BROADCAST},  {"Reduce", RING_REDUCE},        {"AlltoAll", RING_ALL_TO_ALL},
      {"AllGatherV", RING_OTHER},     {"", RING_OTHER},               {NULL, RING_OTHER}};
  struct plugin one = opened(5);
  void *context;
  uint64_t all = 0;
  size_t i;
  plugin_init(&one, &context, 1, "", 2, 0);
  for (i = 0; i < sizeof types / sizeof *types; i++) {
    plugin_collective(&one, context, 1, 0, i, "AllReduce", 3, types[i].type, 0);
    all += types[i].bytes;
    CHECK(snapshot()->communicators[0].operations[RING_ALL_REDUCE].bytes == all);
  }
  plugin_collective(&one, context, 1, 0, i, "AllReduce", SIZE_MAX, "ncclFloat32", 0);
  CHECK(snapshot()->communicators[0].operations[RING_ALL_REDUCE].bytes == all);
  for (i = 1; i < sizeof names / sizeof *names; i++) {
    uint64_t before = snapshot()->communicators[0].operations[names[i].place].entered;
    plugin_collective(&one, context, 1, 0, i, names[i].name, 3, "ncclInt8", 0);
    CHECK(snapshot()->communicators[0].operations[names[i].place].entered == before + 1);
  }
  plugin_finalize(&one, context);
  closed(&one);
}

static void a_collective_in_flight(void) {
  struct plugin one = opened(6);
  struct ring_totals *totals;
  void *context, *first, *second, *channels[2];
  plugin_init(&one, &context, 1, "", 2, 0);
  first = plugin_collective(&one, context, 1, 0, 0, "AllGather", 1, "ncclInt8", 2);
  second = plugin_collective(&one, context, 1, 0, 1, "AllGather", 1, "ncclInt8", 2);
  channels[0] = plugin_channel(&one, context, first, 0, 1000);
  channels[1] = plugin_channel(&one, context, first, 1, 990);
  plugin_channel_stop(&one, channels[0], 5000);
  totals = &snapshot()->communicators[0].operations[RING_ALL_GATHER];
  CHECK(totals->entered_sequence == 2 && totals->started_sequence == 1 && totals->finished_sequence == 0);
  CHECK(totals->entered_ns > 0 && totals->started_ns > 0);
  plugin_channel_stop(&one, channels[1], 4000);
  totals = &snapshot()->communicators[0].operations[RING_ALL_GATHER];
  CHECK(totals->finished_sequence == 1 && totals->timed_ns == 4010);
  plugin_channel_stop(&one, channels[1], 9000); /* an outdated handle */
  CHECK(plugin_channel(&one, context, first, 0, 1) == NULL);
  CHECK(plugin_channel(&one, context, NULL, 0, 1) == NULL);
  CHECK(plugin_channel(&one, context, (void *)(uintptr_t)0x7fffdeadbeef, 0, 1) == NULL);
  channels[0] = plugin_channel(&one, context, second, 0, 0); /* a kernel without a clock */
  channels[1] = plugin_channel(&one, context, second, 1, 0);
  plugin_channel_stop(&one, channels[0], 0);
  plugin_channel_stop(&one, channels[1], 0);
  totals = &snapshot()->communicators[0].operations[RING_ALL_GATHER];
  CHECK(totals->finished_sequence == 2 && totals->timed == 1 && snapshot()->header.written == 1);
  /* An abort: the communicator ends with a collective in flight, whose kernel is reported afterwards. */
  second = plugin_collective(&one, context, 1, 0, 2, "AllGather", 1, "ncclInt8", 1);
  channels[0] = plugin_channel(&one, context, second, 0, 10);
  plugin_finalize(&one, context);
  plugin_channel_stop(&one, channels[0], 20);
  CHECK(plugin_channel(&one, context, second, 0, 10) == NULL);
  plugin_finalize(&one, context); /* twice */
  plugin_init(&one, &context, 2, "", 2, 0);
  plugin_channel_stop(&one, channels[0], 20); /* of the communicator that had this place */
  CHECK(snapshot()->communicators[0].generation == 2 && snapshot()->header.written == 1);
  plugin_finalize(&one, context);
  closed(&one);
}

static void more_in_flight_than_places(void) {
  struct plugin one = opened(6);
  struct ring_totals *totals;
  void *context, *handles[3000];
  int i;
  plugin_init(&one, &context, 1, "", 2, 0);
  for (i = 0; i < 3000; i++) handles[i] = plugin_collective(&one, context, 1, 0, (uint64_t)i, "AllReduce", 1, "ncclInt8", 1);
  for (i = 0; i < 3000; i++) plugin_channel_stop(&one, plugin_channel(&one, context, handles[i], 0, 10), 20);
  totals = &snapshot()->communicators[0].operations[RING_ALL_REDUCE];
  CHECK(totals->entered == 3000 && totals->finished == 1024 && totals->finished_sequence == 3000);
  CHECK(snapshot()->header.lost == 3000 - 1024);
  plugin_finalize(&one, context);
  closed(&one);
}

static void more_communicators_than_places(void) {
  struct plugin one = opened(6);
  void *contexts[40];
  int i;
  for (i = 0; i < 40; i++) {
    CHECK(plugin_init(&one, &contexts[i], (uint64_t)i + 1, "a", 2, 0) == 0 && contexts[i] != NULL);
    plugin_run(&one, contexts[i], 1, 0, 0, "AllReduce", 1, 1, 10, 10);
  }
  CHECK(snapshot()->header.refused == 8 && snapshot()->header.written == 32);
  for (i = 0; i < 40; i++) plugin_finalize(&one, contexts[i]);
  plugin_init(&one, &contexts[0], 99, "b", 2, 1);
  CHECK(snapshot()->communicators[0].hash == 99 && snapshot()->communicators[0].operations[0].entered == 0);
  plugin_finalize(&one, contexts[0]);
  closed(&one);
}

struct work {
  struct plugin *plugin;
  void *context;
  uint64_t hash;
  void *queue[256];
  int from, to;
};

#define ROUNDS 20000

static void *proxy(void *argument) {
  struct work *work = (struct work *)argument;
  int i;
  for (i = 0; i < ROUNDS; i++) {
    void *parent, *channels[2];
    while (__atomic_load_n(&work->to, __ATOMIC_ACQUIRE) <= i) sched_yield();
    parent = work->queue[i % 256];
    channels[0] = plugin_channel(work->plugin, work->context, parent, 0, 1000);
    channels[1] = plugin_channel(work->plugin, work->context, parent, 1, 1001);
    plugin_channel_stop(work->plugin, channels[0], 1100);
    plugin_channel_stop(work->plugin, channels[1], 1101);
    __atomic_store_n(&work->from, i + 1, __ATOMIC_RELEASE);
  }
  return NULL;
}

static void *enqueuer(void *argument) {
  struct work *work = (struct work *)argument;
  int i;
  for (i = 0; i < ROUNDS; i++) {
    void *parent = plugin_collective(work->plugin, work->context, work->hash, 0, (uint64_t)i, "AllReduce", 1, "ncclInt8", 2);
    while (i - __atomic_load_n(&work->from, __ATOMIC_ACQUIRE) >= 255) sched_yield();
    work->queue[i % 256] = parent;
    __atomic_store_n(&work->to, i + 1, __ATOMIC_RELEASE);
    plugin_stop(work->plugin, parent);
    if (i % 1000 == 0) { /* communicators come and go meanwhile */
      void *other;
      plugin_init(work->plugin, &other, 1000, "short", 2, 0);
      plugin_run(work->plugin, other, 1000, 0, 0, "Broadcast", 1, 1, 10, 10);
      plugin_finalize(work->plugin, other);
    }
  }
  return NULL;
}

/* Four communicators, each with a thread that enqueues and a proxy thread. */
static void threads(void) {
  static struct work works[4];
  struct plugin one = opened(6);
  pthread_t ids[8];
  struct ring_file *file;
  uint64_t records = 0, n;
  int i;
  for (i = 0; i < 4; i++) {
    works[i].plugin = &one;
    works[i].hash = (uint64_t)i + 1;
    works[i].from = works[i].to = 0;
    plugin_init(&one, &works[i].context, works[i].hash, "t", 2, 0);
  }
  for (i = 0; i < 4; i++) {
    CHECK(pthread_create(&ids[2 * i], NULL, enqueuer, &works[i]) == 0);
    CHECK(pthread_create(&ids[2 * i + 1], NULL, proxy, &works[i]) == 0);
  }
  for (i = 0; i < 8; i++) pthread_join(ids[i], NULL);
  file = snapshot();
  for (i = 0; i < 4; i++) {
    struct ring_totals *totals = &file->communicators[i].operations[RING_ALL_REDUCE];
    CHECK(totals->entered == ROUNDS && totals->bytes == ROUNDS && totals->entered_sequence == ROUNDS);
    CHECK(totals->finished == ROUNDS && totals->timed_ns == 101ull * ROUNDS);
  }
  CHECK(file->header.written == 4 * ROUNDS + 4 * (ROUNDS / 1000) && file->header.refused == 0);
  for (n = file->header.written - RING_CAPACITY; n < file->header.written; n++) {
    struct ring_record *record = &file->records[n % RING_CAPACITY];
    if (record->mark != 2 * n + 2) continue; /* skipped, and counted */
    CHECK(record->mark_again == record->mark && record->duration_ns == (record->operation == RING_ALL_REDUCE ? 101 : 10));
    records++;
  }
  CHECK(records + file->header.lost >= RING_CAPACITY && records > RING_CAPACITY / 2);
  for (i = 0; i < 4; i++) plugin_finalize(&one, works[i].context);
  closed(&one);
}

static void a_forked_child(void) {
  struct plugin one = opened(6);
  void *context;
  int status;
  plugin_init(&one, &context, 1, "parent", 2, 0);
  plugin_run(&one, context, 1, 0, 0, "AllReduce", 1, 1, 10, 10);
  if (fork() == 0) {
    void *own;
    plugin_run(&one, context, 1, 0, 1, "AllReduce", 1, 1, 10, 10); /* must not be written */
    plugin_finalize(&one, context);
    if (files(NULL, 0, ".nccl") != 1) _exit(2);
    plugin_init(&one, &own, 2, "child", 2, 1); /* has a file of its own */
    plugin_run(&one, own, 2, 1, 0, "AllReduce", 1, 1, 10, 10);
    if (files(NULL, 0, ".nccl") != 2) _exit(3);
    plugin_finalize(&one, own);
    exit(0); /* with destructors */
  }
  CHECK(wait(&status) > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0);
  if (fork() == 0) exit(0);
  CHECK(wait(&status) > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0);
  CHECK(files(NULL, 0, ".nccl") == 1 && is_locked());
  CHECK(snapshot()->header.written == 1 && snapshot()->header.ended == 0 && snapshot()->communicators[0].state == 1);
  plugin_finalize(&one, context);
  closed(&one);
}

/* Exit without finalize, and a kill. The next process removes the file of a killed one. */
static void processes_that_end(void) {
  struct plugin one;
  void *context;
  int status;
  if (fork() == 0) {
    one = opened(6);
    plugin_init(&one, &context, 1, "", 2, 0);
    plugin_collective(&one, context, 1, 0, 0, "AllReduce", 1, "ncclInt8", 1);
    exit(0);
  }
  CHECK(wait(&status) > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0);
  CHECK(files(NULL, 0, ".nccl") == 0);
  if (fork() == 0) {
    one = opened(6);
    plugin_init(&one, &context, 1, "", 2, 0);
    raise(9);
  }
  CHECK(wait(&status) > 0 && WIFSIGNALED(status));
  CHECK(files(NULL, 0, ".nccl") == 1 && !is_locked());
  one = opened(6);
  plugin_init(&one, &context, 1, "", 2, 0);
  CHECK(files(NULL, 0, ".nccl") == 1 && is_locked());
  plugin_finalize(&one, context);
  closed(&one);
}

/* Reads what a child prints to stderr. */
static int complaints(void (*body)(void), char *text, size_t size) {
  int ends[2], status;
  ssize_t length = 0, more;
  CHECK(pipe(ends) == 0);
  if (fork() == 0) {
    dup2(ends[1], 2);
    close(ends[0]);
    close(ends[1]);
    body();
    exit(0);
  }
  close(ends[1]);
  while ((more = read(ends[0], text + length, size - 1 - (size_t)length)) > 0) length += more;
  text[length] = '\0';
  close(ends[0]);
  CHECK(wait(&status) > 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void use(void) {
  struct plugin one = opened(6);
  void *contexts[3];
  int i;
  for (i = 0; i < 3; i++) {
    CHECK(plugin_init(&one, &contexts[i], 1, "", 2, 0) == 0 && contexts[i] != NULL && one.mask == 0);
    plugin_run(&one, contexts[i], 1, 0, 0, "AllReduce", 1, 2, 10, 10);
  }
  for (i = 0; i < 3; i++) CHECK(plugin_finalize(&one, contexts[i]) == 0);
  closed(&one);
}

static void nowhere(void) {
  setenv("LAPWING_STEPS_DIR", "/proc/nowhere/steps", 1);
  use();
}

static void a_file_as_folder(void) {
  setenv("LAPWING_STEPS_DIR", "/dev/null", 1);
  use();
}

static void no_room(void) {
  struct rlimit small = {4096, 4096};
  signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &small);
  use();
}

static void switched_off(void) {
  setenv("LAPWING_STEPS_DIR", "", 1);
  use();
}

static void later(void) { /* the folder is repaired before the second communicator */
  struct plugin one = opened(6);
  void *first, *second;
  setenv("LAPWING_STEPS_DIR", "/proc/nowhere/steps", 1);
  plugin_init(&one, &first, 1, "", 2, 0);
  setenv("LAPWING_STEPS_DIR", folder, 1);
  plugin_init(&one, &second, 2, "", 2, 0);
  plugin_run(&one, first, 1, 0, 0, "AllReduce", 1, 2, 10, 10);
  plugin_run(&one, second, 2, 0, 0, "AllReduce", 1, 2, 10, 10);
  CHECK(one.mask == 4166 && snapshot()->header.written == 1);
  plugin_finalize(&one, first);
  plugin_finalize(&one, second);
  closed(&one);
}

static void failures(void) {
  char text[2000];
  CHECK(complaints(nowhere, text, sizeof text) == 0);
  CHECK(strstr(text, "lapwing-nccl: collectives are not recorded: ") == text);
  CHECK(strchr(text, '\n') == text + strlen(text) - 1); /* one line */
  CHECK(complaints(a_file_as_folder, text, sizeof text) == 0 && strstr(text, "Not a directory") != NULL);
  CHECK(complaints(no_room, text, sizeof text) == 0 && strstr(text, "not recorded") != NULL);
  CHECK(complaints(switched_off, text, sizeof text) == 0 && text[0] == '\0');
  CHECK(complaints(later, text, sizeof text) == 0);
  CHECK(files(NULL, 0, ".nccl") == 0 && files(NULL, 0, ".tmp") == 0);
}

int main(int count, char **arguments) {
  CHECK(count == 2);
  library = arguments[1];
  snprintf(folder, sizeof folder, "/tmp/lapwing-nccl-XXXXXX");
  CHECK(mkdtemp(folder) != NULL);
  setenv("LAPWING_STEPS_DIR", folder, 1);
  setenv("SLURM_JOB_ID", "4711", 1);
  setenv("RANK", "3", 1);
  every_version();
  an_unknown_version_is_absent();
  what_is_not_a_collective();
  types_and_names();
  a_collective_in_flight();
  more_in_flight_than_places();
  more_communicators_than_places();
  threads();
  a_forked_child();
  processes_that_end();
  failures();
  CHECK(rmdir(folder) == 0);
  puts("steps/nccl: all tests passed");
  return 0;
}
