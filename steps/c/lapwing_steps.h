/*
 * Records the steps of a training loop for the Lapwing agent of this node: one record per step in a file in shared memory.
 *
 *     #define LAPWING_STEPS_IMPLEMENTATION        // in one file, before any other #include
 *     #include "lapwing_steps.h"
 *
 *     struct lapwing_steps_options options = LAPWING_STEPS_OPTIONS;
 *     options.model_flops_per_token = 4.2e9;
 *     struct lapwing_steps *steps = lapwing_steps_open(&options);
 *     for (...) {
 *       struct lapwing_steps_record record = LAPWING_STEPS_RECORD;
 *       ...
 *       lapwing_steps_record(steps, &record);
 *     }
 *     lapwing_steps_close(steps);
 *
 * No function blocks, aborts or needs the agent. Files have random names. If the file is removed, the first record
 * after a minute starts another. Without a file, `steps` is NULL, which every function accepts. Use one
 * thread per handle. In a forked child the handle does nothing. C11 or C++17, Linux, little-endian.
 * See docs/steps-format.md for the layout and docs/training.md for the meaning of the fields.
 *
 * Apache License 2.0.
 */
#if defined(LAPWING_STEPS_IMPLEMENTATION) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif

#ifndef LAPWING_STEPS_H
#define LAPWING_STEPS_H

#include <math.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* dp, tp, pp, cp, ep */
#define LAPWING_STEPS_DIMENSIONS 5

/* A null text or a negative number means: from the environment, in the order of docs/training.md. */
struct lapwing_steps_options {
  const char *directory; /* else $LAPWING_STEPS_DIR, else /run/lapwing/steps; empty: write nowhere */
  const char *job, *run, *host;
  const char *gpu_uuid;      /* or */
  int32_t gpu_index;         /* NVML index on the host */
  const char *precision;     /* bf16, fp16, tf32, fp8, fp4: selects the peak FLOPS for MFU */
  const char *framework;
  int32_t rank, local_rank, world_size;
  int32_t parallel_rank[LAPWING_STEPS_DIMENSIONS], parallel_size[LAPWING_STEPS_DIMENSIONS];
  double model_flops_per_token; /* forward and backward; negative: unknown */
  uint32_t capacity;            /* records in the ring for late readers, 2 to 16384; 0: 512 */
  int simulated;                /* not 0: marks the metrics as simulated */
  uint32_t pid;                 /* these three for recordings only; 0: this process */
  uint64_t start_ticks, created_ns;
};

#define LAPWING_STEPS_OPTIONS \
  { 0, 0, 0, 0, 0, -1, 0, 0, -1, -1, -1, {-1, -1, -1, -1, -1}, {-1, -1, -1, -1, -1}, -1.0, 0, 0, 0, 0, 0 }

/* NaN means unknown. */
struct lapwing_steps_record {
  uint64_t step;
  uint64_t start_ns;       /* since the epoch; 0: now less the duration */
  double duration;         /* seconds, by a monotonic clock; NaN: since the last record */
  uint64_t tokens;         /* of this rank's GPU: its group's tokens divided by tp, pp and cp size */
  uint64_t samples;        /* likewise */
  double loss, gradient_norm, learning_rate;
  double data_wait, compute, communication_wait, checkpoint; /* seconds */
};

#ifdef __cplusplus
#define LAPWING_STEPS_NAN static_cast<double>(NAN)
#else
#define LAPWING_STEPS_NAN (double)NAN
#endif
#define LAPWING_STEPS_RECORD \
  { 0, 0, LAPWING_STEPS_NAN, 0, 0, LAPWING_STEPS_NAN, LAPWING_STEPS_NAN, LAPWING_STEPS_NAN, LAPWING_STEPS_NAN, \
    LAPWING_STEPS_NAN, LAPWING_STEPS_NAN, LAPWING_STEPS_NAN }

enum lapwing_steps_phase {
  LAPWING_STEPS_UNKNOWN = 0,
  LAPWING_STEPS_TRAINING = 1,
  LAPWING_STEPS_EVALUATION = 2,
  LAPWING_STEPS_CHECKPOINT = 3,
  LAPWING_STEPS_ENDED = 4,
  LAPWING_STEPS_STARTING = 5,
  LAPWING_STEPS_AFTER_LOOP = 6 /* the loop is over, and the process saves, evaluates or begins another loop */
};

struct lapwing_steps;

/* Creates the file. `options` may be null. On failure returns null and prints the reason to stderr once. */
struct lapwing_steps *lapwing_steps_open(const struct lapwing_steps_options *options);

/* Records a completed step. One thread at a time may use a handle: a record during another one is dropped. */
void lapwing_steps_record(struct lapwing_steps *steps, const struct lapwing_steps_record *record);

/* Sets the phase of the loop. A record sets it to training. */
void lapwing_steps_phase(struct lapwing_steps *steps, enum lapwing_steps_phase phase);

/* Not 0: this rank enters a collective, where it waits for other ranks; 0: it is back at its own work. With it the agent can
   tell which rank of a stalled job the others wait for. */
void lapwing_steps_waiting(struct lapwing_steps *steps, int waiting);

/* A checkpoint is durable now: a restart would find it whole, with the parts of all ranks. `step` is the last one that is in
   it; LAPWING_STEPS_LAST: the last one before the phase was last set to checkpoint, otherwise the last one. Asynchronous savers
   call it when they have finished, from the thread of the handle. */
#define LAPWING_STEPS_LAST UINT64_MAX
void lapwing_steps_checkpointed(struct lapwing_steps *steps, uint64_t step);

/* Sets the phase to ended, removes the file and frees the handle. */
void lapwing_steps_close(struct lapwing_steps *steps);

/* The path of the open file; null without one. */
const char *lapwing_steps_path(const struct lapwing_steps *steps);

/* Seconds of a monotonic clock, for durations. */
double lapwing_steps_now(void);

#ifdef __cplusplus
}
#endif
#endif /* LAPWING_STEPS_H */

#if defined(LAPWING_STEPS_IMPLEMENTATION) && !defined(LAPWING_STEPS_IMPLEMENTED)
#define LAPWING_STEPS_IMPLEMENTED

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <locale.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#if !defined(O_CLOEXEC) || !defined(CLOCK_MONOTONIC) || !defined(PATH_MAX)
#error "lapwing_steps.h: with LAPWING_STEPS_IMPLEMENTATION include it before any other header, or define _GNU_SOURCE"
#endif

#ifdef __cplusplus
#define LAPWING_ASSERT(condition) static_assert(condition, #condition)
extern "C" {
#else
#define LAPWING_ASSERT(condition) _Static_assert(condition, #condition)
#endif

/* --- The layout ------------------------------------------------------------------------------------------------- */

struct lapwing_header_ {
  char magic[8];
  uint32_t version, header_size, record_size, capacity, pid, flags;
  uint64_t start_ticks, pid_namespace;
  int32_t rank, local_rank;
  uint32_t world_size;
  int32_t gpu_index;
  int32_t parallel_rank[LAPWING_STEPS_DIMENSIONS];
  uint32_t parallel_size[LAPWING_STEPS_DIMENSIONS];
  double model_flops_per_token;
  uint64_t created_ns, written, phase, phase_since_ns, waiting, waiting_since_ns;
  uint64_t checkpoint_sequence, checkpoint_step, durable_since_ns, unsaved_since_ns, checkpoint_source;
  char unused1[56];
  char job[128], run[128], gpu_uuid[96], precision[16], framework[32], host[64];
  char unused2[304];
};

struct lapwing_slot_ {
  uint64_t sequence, step, start_ns;
  double duration;
  uint64_t tokens, samples;
  double loss, gradient_norm, learning_rate, data_wait, compute, communication_wait, checkpoint;
  uint64_t all_steps, all_tokens, all_samples;
  double all_duration, all_data_wait, all_compute, all_communication_wait, all_checkpoint;
  uint64_t sequence_again;
  char unused[16];
};

LAPWING_ASSERT(sizeof(struct lapwing_header_) == 1024);
LAPWING_ASSERT(sizeof(struct lapwing_slot_) == 192);
LAPWING_ASSERT(offsetof(struct lapwing_header_, model_flops_per_token) == 104);
LAPWING_ASSERT(offsetof(struct lapwing_header_, waiting) == 144);
LAPWING_ASSERT(offsetof(struct lapwing_header_, checkpoint_sequence) == 160);
LAPWING_ASSERT(offsetof(struct lapwing_header_, job) == 256);
LAPWING_ASSERT(offsetof(struct lapwing_header_, host) == 656);
LAPWING_ASSERT(offsetof(struct lapwing_slot_, sequence_again) == 168);

struct lapwing_steps {
  struct lapwing_header_ *header;
  struct lapwing_slot_ *slots;
  const volatile char *here; /* 1 in this process and 0 in a forked child; null if unsupported */
  struct lapwing_slot_ totals;
  double mark; /* when the last record ended */
  double check_at; /* when to check whether the file still exists */
  uint64_t began_ns, saving_step, saving_step_ns; /* the loop; the last step before a save, and its end: 0 if unknown */
  uint64_t written;
  uint32_t capacity;
  uint32_t recording; /* 1 while a record is under way */
  size_t size;
  pid_t pid;
  int fd;
  dev_t device;
  ino_t inode;
  char path[PATH_MAX];
};

static void lapwing_complain_(const char *what, const char *where) {
  static int said = 0;
  if (said) return;
  said = 1;
  fprintf(stderr, "lapwing_steps: steps are not recorded: %s: %.200s\n", what, where);
}

/* --- Time ------------------------------------------------------------------------------------------------------- */

double lapwing_steps_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static uint64_t lapwing_wall_ns_(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return now.tv_sec < 0 ? 0 : (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* --- Identity of the writer: docs/training.md has the order ---------------------------------------------------------- */

static const char *lapwing_env_(const char *name) {
  const char *value = getenv(name);
  return value != NULL && value[0] != '\0' ? value : NULL;
}

static int lapwing_decimal_(const char *text, long most, long *value) {
  char *end;
  if (text == NULL || text[0] < '0' || text[0] > '9') return 0;
  errno = 0;
  *value = strtol(text, &end, 10);
  return errno == 0 && *end == '\0' && *value <= most;
}

/* With a decimal point in every locale. */
static double lapwing_real_(const char *text) {
  locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  double number = plain != (locale_t)0 ? strtod_l(text, NULL, plain) : NAN;
  if (plain != (locale_t)0) freelocale(plain);
  return number;
}

/* The value of the first variable with a number; the names end with a null. */
static int32_t lapwing_number_(int32_t given, const char *const names[], int32_t unknown) {
  long value;
  if (given >= 0) return given;
  for (; *names != NULL; names++)
    if (lapwing_decimal_(getenv(*names), INT32_MAX, &value)) return (int32_t)value;
  return unknown;
}

/* UTF-8 truncated at a character boundary, with a final NUL, without ASCII control characters. */
static void lapwing_text_(char *field, size_t size, const char *text) {
  size_t length = 0;
  memset(field, 0, size);
  if (text == NULL) return;
  while (length < size - 1 && text[length] != '\0') {
    unsigned char c = (unsigned char)text[length];
    field[length++] = c < 0x20 || c == 0x7f ? ' ' : (char)c;
  }
  if (text[length] == '\0') return;
  while (length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80) length--;
  memset(field + length, 0, size - length);
}

static const char *lapwing_torch_run_(void) {
  const char *run = lapwing_env_("TORCHELASTIC_RUN_ID");
  return run != NULL && strcmp(run, "none") != 0 ? run : NULL;
}

static int lapwing_digits_(const char *text, size_t length) {
  size_t i;
  for (i = 0; i < length; i++)
    if (text[i] < '0' || text[i] > '9') return 0;
  return length > 0;
}

/* `train-worker-3` of the training operator and `train-3-x7k2p` of an indexed job belong to job `train`. */
static void lapwing_owner_of_pod_(char *job, size_t size, const char *pod) {
  static const char *const roles[] = {"-master-", "-worker-", "-launcher-", "-node-", NULL};
  const char *index = lapwing_env_("JOB_COMPLETION_INDEX");
  char tail[32];
  char *at;
  int i;
  snprintf(job, size, "%s", pod);
  for (i = 0; roles[i] != NULL; i++) {
    at = strstr(job, roles[i]);
    if (at != NULL && lapwing_digits_(at + strlen(roles[i]), strcspn(at + strlen(roles[i]), "-"))) *at = '\0';
  }
  if (index == NULL || !lapwing_digits_(index, strlen(index)) || strlen(index) > 9) return;
  snprintf(tail, sizeof tail, "-%s", index);
  for (at = strstr(job, tail); at != NULL; at = strstr(at + 1, tail)) {
    size_t rest = strlen(at + strlen(tail));
    if (rest == 0 || (rest == 6 && at[strlen(tail)] == '-')) {
      *at = '\0';
      return;
    }
  }
}

static void lapwing_job_(char *job, size_t size, const char *given) {
  const char *name = given;
  if (name == NULL || name[0] == '\0') name = lapwing_env_("LAPWING_JOB");
  if (name == NULL) name = lapwing_env_("SLURM_JOB_ID");
  if (name == NULL) name = lapwing_env_("SLURM_JOBID");
  if (name == NULL && lapwing_env_("KUBERNETES_SERVICE_HOST") != NULL) {
    const char *pod = lapwing_env_("POD_NAME") != NULL ? lapwing_env_("POD_NAME") : lapwing_env_("HOSTNAME");
    name = lapwing_env_("JOB_NAME");
    if (name == NULL && pod != NULL) {
      lapwing_owner_of_pod_(job, size, pod);
      if (job[0] != '\0') return;
    }
  }
  if (name == NULL) name = lapwing_torch_run_();
  snprintf(job, size, "%s", name != NULL ? name : "local");
}

/* Copies entry `place` of a comma-separated list; returns the number of entries. */
static int lapwing_entry_(const char *list, int place, char *entry, size_t size) {
  int entries = 0;
  entry[0] = '\0';
  while (list != NULL && *list != '\0') {
    size_t length = strcspn(list, ",");
    const char *begin = list;
    list += length + (list[length] == ',');
    while (length > 0 && *begin == ' ') begin++, length--;
    while (length > 0 && begin[length - 1] == ' ') length--;
    if (length == 0) continue;
    if (entries == place && length < size) {
      memcpy(entry, begin, length);
      entry[length] = '\0';
    }
    entries++;
  }
  return entries;
}

static int lapwing_is_uuid_(const char *entry) {
  return strncmp(entry, "GPU-", 4) == 0 || strncmp(entry, "MIG-", 4) == 0;
}

static int lapwing_within_(const char *parts, const char *whole) {
  char part[96], other[96];
  int i, j, found, parts_size = lapwing_entry_(parts, 0, part, sizeof part);
  int whole_size = lapwing_entry_(whole, 0, other, sizeof other);
  for (i = 0; i < parts_size; i++) {
    lapwing_entry_(parts, i, part, sizeof part);
    for (found = 0, j = 0; j < whole_size && !found; j++) {
      lapwing_entry_(whole, j, other, sizeof other);
      found = strcmp(part, other) == 0;
    }
    if (!found) return 0;
  }
  return 1;
}

static void lapwing_index_or_uuid_(const char *entry, int32_t *index, char *uuid, size_t size) {
  long number;
  if (lapwing_is_uuid_(entry))
    snprintf(uuid, size, "%s", entry);
  else if (lapwing_decimal_(entry, 9999, &number))
    *index = (int32_t)number;
}

/* SLURM_*_GPUS are host indexes; CUDA_VISIBLE_DEVICES starts at 0 in a cgroup that hides other GPUs. */
static void lapwing_gpu_of_slurm_(const char *slurm, const char *visible, const char *entry, int local, int32_t *index) {
  char found[96], uuid[96];
  int of_slurm = lapwing_entry_(slurm, local, found, sizeof found);
  int of_visible = lapwing_entry_(visible, 0, uuid, sizeof uuid);
  long place;
  if (of_visible == 0) {
    if (of_slurm == 1) lapwing_entry_(slurm, 0, found, sizeof found);
    lapwing_index_or_uuid_(found, index, uuid, sizeof uuid);
  } else if (lapwing_within_(visible, slurm) && (of_visible == of_slurm || strcmp(entry, found) == 0)) {
    lapwing_index_or_uuid_(entry, index, uuid, sizeof uuid);
  } else if (of_visible == of_slurm && lapwing_decimal_(entry, 9999, &place)) {
    lapwing_entry_(slurm, (int)place, found, sizeof found);
    lapwing_index_or_uuid_(found, index, uuid, sizeof uuid);
  }
}

static void lapwing_gpu_(const struct lapwing_steps_options *given, int local, int32_t *index, char *uuid, size_t size) {
  const char *visible = getenv("CUDA_VISIBLE_DEVICES"), *container = lapwing_env_("NVIDIA_VISIBLE_DEVICES");
  const char *slurm = lapwing_env_("SLURM_STEP_GPUS"), *own = lapwing_env_("LAPWING_GPU");
  char entry[96], behind[96];
  int of_visible, of_container;
  long place = local;
  *index = -1;
  uuid[0] = '\0';
  if (given->gpu_index >= 0) *index = given->gpu_index;
  if (given->gpu_uuid != NULL) snprintf(uuid, size, "%s", given->gpu_uuid);
  if (*index >= 0 || uuid[0] != '\0') return;
  if (own != NULL) {
    lapwing_index_or_uuid_(own, index, uuid, size);
    return;
  }
  if (visible != NULL && visible[0] == '\0') return; /* no GPU for this process */
  of_visible = lapwing_entry_(visible, local, entry, sizeof entry);
  if (of_visible == 1) lapwing_entry_(visible, 0, entry, sizeof entry);
  if (of_visible > 0 && !lapwing_decimal_(entry, 9999, &place)) place = -1;
  of_container = lapwing_entry_(container, (int)place, behind, sizeof behind);
  if (of_visible == 0 && of_container == 1) lapwing_entry_(container, 0, behind, sizeof behind);
  if (slurm == NULL) slurm = lapwing_env_("SLURM_JOB_GPUS");
  if (lapwing_is_uuid_(entry))
    snprintf(uuid, size, "%s", entry);
  else if (lapwing_is_uuid_(behind))
    snprintf(uuid, size, "%s", behind);
  else if (slurm != NULL)
    lapwing_gpu_of_slurm_(slurm, visible, entry, local, index);
  else if (container != NULL && (strcmp(container, "none") == 0 || strcmp(container, "void") == 0))
    return;
  else if (container != NULL && strcmp(container, "all") != 0)
    lapwing_index_or_uuid_(behind, index, uuid, size);
  else if (place >= 0 && place <= 9999)
    *index = (int32_t)place;
}

static void lapwing_parallel_(const struct lapwing_steps_options *given, struct lapwing_header_ *header) {
  static const char *const names[LAPWING_STEPS_DIMENSIONS] = {"dp=", "tp=", "pp=", "cp=", "ep="};
  const char *written = lapwing_env_("LAPWING_PARALLEL");
  int i;
  for (i = 0; i < LAPWING_STEPS_DIMENSIONS; i++) {
    const char *at = written != NULL ? strstr(written, names[i]) : NULL;
    long rank = given->parallel_rank[i], size = given->parallel_size[i];
    if ((rank < 0 || size <= 0) && (at == NULL || sscanf(at + 3, "%9ld/%9ld", &rank, &size) != 2)) rank = size = -1;
    header->parallel_rank[i] = rank >= 0 && rank < size ? (int32_t)rank : -1;
    header->parallel_size[i] = rank >= 0 && rank < size ? (uint32_t)size : 0;
  }
}

/* When the process started; 0 if there is none. */
static uint64_t lapwing_start_ticks_(const char *process) {
  char stat[2048], path[32];
  char *at;
  int field, fd = -1;
  ssize_t length;
  if ((size_t)snprintf(path, sizeof path, "/proc/%s/stat", process) < sizeof path) fd = open(path, O_RDONLY | O_CLOEXEC);
  length = fd < 0 ? -1 : read(fd, stat, sizeof stat - 1);
  if (fd >= 0) close(fd);
  if (length <= 0) return 0;
  stat[length] = '\0';
  at = strrchr(stat, ')'); /* the name before it may hold anything */
  for (field = 2; at != NULL && field < 22; field++) at = strchr(at + 1, ' ');
  return at != NULL ? strtoull(at + 1, NULL, 10) : 0;
}

static uint64_t lapwing_pid_namespace_(void) {
  struct stat status;
  return stat("/proc/self/ns/pid", &status) == 0 ? (uint64_t)status.st_ino : 0;
}

static void lapwing_identify_(const struct lapwing_steps_options *given, struct lapwing_header_ *header) {
  static const char *const ranks[] = {"LAPWING_RANK", "RANK", "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK",
                                      "MV2_COMM_WORLD_RANK", "SLURM_PROCID", NULL};
  static const char *const locals[] = {"LAPWING_LOCAL_RANK", "LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_RANK",
                                       "MPI_LOCALRANKID", "MV2_COMM_WORLD_LOCAL_RANK", "SLURM_LOCALID", NULL};
  static const char *const worlds[] = {"LAPWING_WORLD_SIZE", "WORLD_SIZE", "OMPI_COMM_WORLD_SIZE", "PMI_SIZE",
                                       "MV2_COMM_WORLD_SIZE", "SLURM_NTASKS", "SLURM_NPROCS", NULL};
  const char *run = given->run, *host = given->host, *flops = lapwing_env_("LAPWING_MODEL_FLOPS_PER_TOKEN");
  char text[256], uuid[96];
  memcpy(header->magic, "LAPWSTEP", 8);
  header->version = 1;
  header->header_size = sizeof(struct lapwing_header_);
  header->record_size = sizeof(struct lapwing_slot_);
  header->pid = given->pid != 0 ? given->pid : (uint32_t)getpid();
  header->start_ticks = given->pid != 0 ? given->start_ticks : lapwing_start_ticks_("self");
  header->pid_namespace = lapwing_pid_namespace_();
  header->rank = lapwing_number_(given->rank, ranks, -1);
  header->local_rank = lapwing_number_(given->local_rank, locals, -1);
  header->world_size = (uint32_t)lapwing_number_(given->world_size, worlds, 0);
  lapwing_gpu_(given, header->local_rank, &header->gpu_index, uuid, sizeof uuid);
  lapwing_parallel_(given, header);
  header->model_flops_per_token = given->model_flops_per_token;
  if (!(header->model_flops_per_token >= 0)) header->model_flops_per_token = flops != NULL ? lapwing_real_(flops) : NAN;
  if (!isfinite(header->model_flops_per_token)) header->model_flops_per_token = NAN;
  lapwing_job_(text, sizeof text, given->job);
  lapwing_text_(header->job, sizeof header->job, text);
  if (run == NULL) run = lapwing_env_("LAPWING_RUN");
  if (run == NULL) run = lapwing_env_("WANDB_NAME");
  if (run == NULL) run = lapwing_env_("SLURM_JOB_NAME");
  if (run == NULL) run = lapwing_torch_run_();
  lapwing_text_(header->run, sizeof header->run, run);
  lapwing_text_(header->gpu_uuid, sizeof header->gpu_uuid, uuid);
  lapwing_text_(header->precision, sizeof header->precision,
                given->precision != NULL ? given->precision : lapwing_env_("LAPWING_PRECISION"));
  lapwing_text_(header->framework, sizeof header->framework,
                given->framework != NULL ? given->framework : lapwing_env_("LAPWING_FRAMEWORK"));
  if (host == NULL) host = lapwing_env_("LAPWING_HOST");
  if (host == NULL && gethostname(text, sizeof text) == 0) {
    text[sizeof text - 1] = '\0';
    host = text;
  }
  lapwing_text_(header->host, sizeof header->host, host);
}

/* --- The file --------------------------------------------------------------------------------------------------- */

/* Eight hexadecimal digits: in a folder of all users a name that can be guessed can be taken by another user. */
static void lapwing_random_(char text[9]) {
  static uint32_t counter = 0;
  uint32_t number = 0;
  int fd = open("/dev/urandom", O_RDONLY | O_CLOEXEC);
  if (fd < 0 || read(fd, &number, sizeof number) != (ssize_t)sizeof number)
    number = (uint32_t)(lapwing_wall_ns_() * 2654435761u) ^ ((uint32_t)getpid() << 16) ^ ++counter;
  if (fd >= 0) close(fd);
  snprintf(text, 9, "%08x", (unsigned)number);
}

/* <job>.<rank>.<pid>, to which a random part is added. */
static void lapwing_name_(char *name, size_t size, const struct lapwing_header_ *who) {
  char job[65];
  size_t i;
  for (i = 0; i < 64 && who->job[i] != '\0'; i++) {
    char c = who->job[i];
    int plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
    job[i] = plain ? c : '_';
  }
  job[i] = '\0';
  snprintf(name, size, "%s.%d.%u", job, (int)who->rank, (unsigned)who->pid);
}

/* 0 if the path is too long. */
static int lapwing_random_path_(char *path, size_t size, const char *directory, const char *dot, const char *name,
                                const char *suffix) {
  char random[9];
  lapwing_random_(random);
  return (size_t)snprintf(path, size, "%s/%s%s.%s%s", directory, dot, name, random, suffix) < size;
}

/* Renames the file to an unpredictable name, so that no other user can have taken it. */
static int lapwing_publish_(const char *hidden, char *path, size_t size, const char *directory, const char *name,
                            const char *suffix) {
  int tried, failed;
  struct stat status;
  for (tried = 0; tried < 100; tried++) {
    if (!lapwing_random_path_(path, size, directory, "", name, suffix)) return 0;
    if (lstat(path, &status) == 0) continue;
    if (rename(hidden, path) == 0) return 1;
    failed = errno;
    if (lstat(path, &status) != 0) {
      errno = failed;
      return 0;
    }
  }
  errno = EEXIST;
  return 0;
}

static void lapwing_make_directory_(const char *directory) {
  char parent[PATH_MAX];
  char *slash;
  if (access(directory, F_OK) == 0 || strlen(directory) >= sizeof parent) return;
  strcpy(parent, directory);
  slash = strrchr(parent, '/');
  if (slash != NULL && slash != parent) {
    *slash = '\0';
    (void)mkdir(parent, 0755);
  }
  if (mkdir(directory, 01777) == 0) {
    (void)chmod(directory, 01777);
    fprintf(stderr, "lapwing_steps: the folder of the step files was missing: made %.200s, which the agent reads only if it is the host's\n",
            directory);
  }
}

/* The names of files of a kind that this process has open, through whatever library; -1 if they are too many or unknown. */
static int lapwing_held_(char names[][128], int most, const char *suffix) {
  char link[64], target[PATH_MAX];
  struct dirent *entry;
  int count = 0;
  DIR *folder = opendir("/proc/self/fd");
  if (folder == NULL) return -1;
  while ((entry = readdir(folder)) != NULL) {
    ssize_t length = -1;
    const char *name;
    if ((size_t)snprintf(link, sizeof link, "/proc/self/fd/%.20s", entry->d_name) < sizeof link)
      length = readlink(link, target, sizeof target - 1);
    if (length <= 0) continue;
    target[length] = '\0';
    name = strrchr(target, '/') != NULL ? strrchr(target, '/') + 1 : target;
    if (strstr(name, suffix) == NULL || strlen(name) >= 128) continue;
    if (count == most) {
      closedir(folder);
      return -1;
    }
    strcpy(names[count++], name);
  }
  closedir(folder);
  return count;
}

static int lapwing_is_free_(int fd) {
  struct flock lock;
  memset(&lock, 0, sizeof lock);
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_len = 1;
  return fcntl(fd, F_GETLK, &lock) == 0 && lock.l_type == F_UNLCK;
}

/* Whether the process that wrote the file is known to be gone: by its lock, which works across containers, or by its pid. */
static int lapwing_is_dead_(const char *path, uint64_t pid_namespace, const char *magic) {
  struct lapwing_header_ owner;
  char process[16], place[32];
  uint64_t started;
  /* Non-blocking: it may be a FIFO. */
  int locked, dead, fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) return 0;
  dead = pread(fd, &owner, 48, 0) == 48 && memcmp(owner.magic, magic, 8) == 0;
  locked = dead && (owner.flags & 2) != 0;
  if (locked && !lapwing_is_free_(fd)) dead = 0;
  close(fd);
  if (!dead) return 0;
  if (pid_namespace == 0 || owner.pid_namespace != pid_namespace) return locked;
  snprintf(process, sizeof process, "%u", (unsigned)owner.pid);
  snprintf(place, sizeof place, "/proc/%s", process);
  started = lapwing_start_ticks_(process);
  if (started == 0) return access(place, F_OK) != 0;
  return owner.pid == (uint32_t)getpid() || (owner.start_ticks != 0 && owner.start_ticks != started);
}

/* Removes files of a kind whose processes of this user have ended, so that crashing jobs do not fill the memory. */
static void lapwing_sweep_(const char *directory, uint64_t pid_namespace, const char *suffix, const char *magic) {
  char held[64][128], path[PATH_MAX];
  struct dirent *entry;
  struct stat status;
  int i, seen = 0, count = lapwing_held_(held, 64, suffix);
  DIR *folder = count < 0 ? NULL : opendir(directory);
  while (folder != NULL && (entry = readdir(folder)) != NULL && seen++ < 1000) {
    size_t length = strlen(entry->d_name), tail = strlen(suffix);
    int is_kind = length > tail && strcmp(entry->d_name + length - tail, suffix) == 0;
    int is_hidden = length > 4 && entry->d_name[0] == '.' && strcmp(entry->d_name + length - 4, ".tmp") == 0;
    if (!is_kind && !is_hidden) continue;
    if ((size_t)snprintf(path, sizeof path, "%s/%s", directory, entry->d_name) >= sizeof path) continue;
    /* Closing any descriptor of the file would drop this process's lock. */
    for (i = 0; i < count && strcmp(held[i], entry->d_name) != 0; i++) continue;
    if (i < count || lstat(path, &status) != 0 || status.st_uid != geteuid()) continue;
    if (is_kind ? lapwing_is_dead_(path, pid_namespace, magic) : time(NULL) - status.st_ctime > 60) (void)unlink(path);
  }
  if (folder != NULL) closedir(folder);
}

static int lapwing_lock_(int fd) {
  struct flock lock;
  memset(&lock, 0, sizeof lock);
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_len = 1;
  return fcntl(fd, F_SETLK, &lock) == 0;
}

/* A new file under a hidden name. No other user may open it before it is locked: even a read lock would prevent that. */
static int lapwing_create_(char *hidden, size_t length, const char *directory, const char *name, size_t size) {
  int tried, fd = -1;
  for (tried = 0; tried < 100 && fd < 0; tried++) {
    errno = ENAMETOOLONG;
    if (!lapwing_random_path_(hidden, length, directory, ".", name, ".tmp")) return -1;
    fd = open(hidden, O_CREAT | O_EXCL | O_NOFOLLOW | O_RDWR | O_CLOEXEC, 0600);
    if (fd < 0 && errno != EEXIST) return -1;
  }
  if (fd < 0) return -1;
  (void)lapwing_lock_(fd);
  /* Allocate all blocks: on a full tmpfs a store into the mapping would cause SIGBUS. */
  errno = posix_fallocate(fd, 0, (off_t)size);
  if (errno == 0 && fchmod(fd, 0644) == 0) return fd; /* despite the umask: the agent runs as another user */
  close(fd);
  (void)unlink(hidden);
  return -1;
}

static const volatile char *lapwing_here_(void) {
#ifdef MADV_WIPEONFORK
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  char *here = (char *)mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (here == (char *)MAP_FAILED) return NULL;
  if (madvise(here, page, MADV_WIPEONFORK) == 0) {
    *here = 1;
    return here;
  }
  munmap(here, page);
#endif
  return NULL;
}

static int lapwing_mine_(const struct lapwing_steps *steps) {
  if (steps == NULL) return 0;
  return steps->here != NULL ? *steps->here : steps->pid == getpid(); /* getpid() is a system call */
}

static struct lapwing_steps *lapwing_map_(const char *directory, const struct lapwing_header_ *who) {
  struct lapwing_steps *steps = (struct lapwing_steps *)calloc(1, sizeof *steps);
  char hidden[PATH_MAX], name[96];
  struct stat status;
  void *map = MAP_FAILED;
  if (steps == NULL) return NULL;
  steps->capacity = who->capacity;
  steps->size = sizeof *who + who->capacity * sizeof(struct lapwing_slot_);
  steps->pid = getpid();
  steps->fd = -1;
  lapwing_name_(name, sizeof name, who);
  steps->fd = lapwing_create_(hidden, sizeof hidden, directory, name, steps->size);
  if (steps->fd >= 0) map = mmap(NULL, steps->size, PROT_READ | PROT_WRITE, MAP_SHARED, steps->fd, 0);
  if (map != MAP_FAILED) {
    steps->header = (struct lapwing_header_ *)map;
    steps->slots = (struct lapwing_slot_ *)(void *)((char *)map + sizeof *who);
    *steps->header = *who;
    if (lapwing_lock_(steps->fd)) steps->header->flags |= 2;
    if (fstat(steps->fd, &status) == 0 && lapwing_publish_(hidden, steps->path, sizeof steps->path, directory, name, ".steps")) {
      steps->device = status.st_dev;
      steps->inode = status.st_ino;
      return steps;
    }
    munmap(map, steps->size);
  }
  lapwing_complain_(strerror(errno), directory);
  if (steps->fd >= 0) {
    close(steps->fd);
    (void)unlink(hidden);
  }
  free(steps);
  return NULL;
}

static void lapwing_start_(struct lapwing_steps *steps) {
  memset(&steps->totals, 0, sizeof steps->totals);
  steps->totals.all_data_wait = steps->totals.all_compute = NAN;
  steps->totals.all_communication_wait = steps->totals.all_checkpoint = NAN;
  steps->written = 0;
  steps->check_at = lapwing_steps_now() + 60.0;
}

static int lapwing_is_there_(const struct lapwing_steps *steps) {
  struct stat status;
  return lstat(steps->path, &status) == 0 && status.st_dev == steps->device && status.st_ino == steps->inode;
}

/* Once a minute: if the file was removed, starts another. */
static void lapwing_still_there_(struct lapwing_steps *steps) {
  char directory[PATH_MAX];
  struct lapwing_header_ who;
  struct lapwing_steps *other;
  steps->check_at = lapwing_steps_now() + 60.0;
  if (steps->path[0] != '/' || lapwing_is_there_(steps)) return; /* the working directory may have changed */
  memcpy(directory, steps->path, sizeof directory);
  *strrchr(directory, '/') = '\0';
  who = *steps->header;
  who.flags &= 1u;
  who.written = 0;
  who.created_ns = who.phase_since_ns = lapwing_wall_ns_();
  lapwing_make_directory_(directory);
  other = lapwing_map_(directory, &who);
  if (other == NULL) return;
  munmap(steps->header, steps->size);
  close(steps->fd);
  steps->header = other->header;
  steps->slots = other->slots;
  steps->fd = other->fd;
  steps->device = other->device;
  steps->inode = other->inode;
  memcpy(steps->path, other->path, sizeof steps->path);
  free(other);
  lapwing_start_(steps);
}

struct lapwing_steps *lapwing_steps_open(const struct lapwing_steps_options *options) {
  static const struct lapwing_steps_options none = LAPWING_STEPS_OPTIONS;
  const struct lapwing_steps_options *given = options != NULL ? options : &none;
  const char *directory = given->directory != NULL ? given->directory : getenv("LAPWING_STEPS_DIR");
  const uint16_t one = 1;
  struct lapwing_header_ who;
  struct lapwing_steps *steps;
  if (directory == NULL) directory = "/run/lapwing/steps";
  if (directory[0] == '\0' || *(const char *)&one != 1) return NULL;
  memset(&who, 0, sizeof who);
  lapwing_identify_(given, &who);
  who.flags = given->simulated ? 1 : 0;
  who.capacity = given->capacity == 0 ? 512 : given->capacity < 2 ? 2 : given->capacity > 16384 ? 16384 : given->capacity;
  who.created_ns = given->created_ns != 0 ? given->created_ns : lapwing_wall_ns_();
  who.phase = LAPWING_STEPS_STARTING;
  who.phase_since_ns = who.created_ns;
  lapwing_make_directory_(directory);
  steps = lapwing_map_(directory, &who);
  if (steps == NULL) return NULL;
  steps->here = lapwing_here_();
  steps->mark = lapwing_steps_now();
  steps->began_ns = who.created_ns;
  lapwing_start_(steps);
  lapwing_sweep_(directory, who.pid_namespace, ".steps", "LAPWSTEP");
  return steps;
}

/* --- Steps ------------------------------------------------------------------------------------------------------ */

/* Adds a part to a total. Returns NaN for invalid values, which would decrease the total or make it infinite. */
static double lapwing_add_(double *total, double part) {
  if (!(part >= 0.0 && part <= 1e9)) return NAN;
  *total = isnan(*total) ? part : *total + part;
  return part;
}

/* Adds a count to a total. Returns 0 for an impossible one: a wrong number must not corrupt the total permanently. */
static uint64_t lapwing_count_(uint64_t *total, uint64_t count) {
  if (count >= (uint64_t)1 << 53 || *total >= (uint64_t)1 << 62) return 0;
  *total += count;
  return count;
}

static void lapwing_record_(struct lapwing_steps *steps, const struct lapwing_steps_record *record) {
  struct lapwing_slot_ *slot, *all;
  uint64_t whole, wall, lasted;
  double now, duration;
  if (steps->header->phase != LAPWING_STEPS_TRAINING) lapwing_steps_phase(steps, LAPWING_STEPS_TRAINING);
  now = lapwing_steps_now();
  if (now > steps->check_at) lapwing_still_there_(steps);
  duration = record->duration;
  if (!(duration >= 0.0 && duration <= 1e9)) duration = now - steps->mark;
  steps->mark = now;
  all = &steps->totals;
  whole = 2 * steps->written + 2;
  slot = &steps->slots[steps->written % steps->capacity];
  __atomic_store_n(&slot->sequence, whole - 1, __ATOMIC_RELAXED);
  __atomic_thread_fence(__ATOMIC_RELEASE);
  slot->step = record->step;
  slot->start_ns = record->start_ns;
  if (record->start_ns == 0) {
    wall = lapwing_wall_ns_();
    lasted = (uint64_t)(duration * 1e9);
    slot->start_ns = wall > lasted ? wall - lasted : 0;
  }
  slot->duration = duration;
  slot->tokens = lapwing_count_(&all->all_tokens, record->tokens);
  slot->samples = lapwing_count_(&all->all_samples, record->samples);
  slot->loss = record->loss;
  slot->gradient_norm = record->gradient_norm;
  slot->learning_rate = record->learning_rate;
  slot->data_wait = lapwing_add_(&all->all_data_wait, record->data_wait);
  slot->compute = lapwing_add_(&all->all_compute, record->compute);
  slot->communication_wait = lapwing_add_(&all->all_communication_wait, record->communication_wait);
  slot->checkpoint = lapwing_add_(&all->all_checkpoint, record->checkpoint);
  slot->all_steps = all->all_steps += 1;
  slot->all_tokens = all->all_tokens;
  slot->all_samples = all->all_samples;
  slot->all_duration = all->all_duration += duration;
  slot->all_data_wait = all->all_data_wait;
  slot->all_compute = all->all_compute;
  slot->all_communication_wait = all->all_communication_wait;
  slot->all_checkpoint = all->all_checkpoint;
  __atomic_store_n(&slot->sequence_again, whole, __ATOMIC_RELEASE);
  __atomic_store_n(&slot->sequence, whole, __ATOMIC_RELEASE);
  steps->written++;
  __atomic_store_n(&steps->header->written, steps->written, __ATOMIC_RELEASE);
}

void lapwing_steps_record(struct lapwing_steps *steps, const struct lapwing_steps_record *record) {
  if (!lapwing_mine_(steps) || record == NULL) return;
  if (__atomic_exchange_n(&steps->recording, (uint32_t)1, __ATOMIC_ACQUIRE) != 0) return;
  lapwing_record_(steps, record);
  __atomic_store_n(&steps->recording, (uint32_t)0, __ATOMIC_RELEASE);
}

/* The last record; `before` 1: the one before it. */
static const struct lapwing_slot_ *lapwing_last_(const struct lapwing_steps *steps, uint64_t before) {
  return &steps->slots[(steps->written - 1 - before) % steps->capacity];
}

static uint64_t lapwing_end_(const struct lapwing_slot_ *slot) { return slot->start_ns + (uint64_t)(slot->duration * 1e9); }

/* When that step ended, or a time before. */
static uint64_t lapwing_ended_(const struct lapwing_steps *steps, uint64_t step) {
  uint64_t before;
  for (before = 0; before < steps->written && before < steps->capacity; before++)
    if (lapwing_last_(steps, before)->step == step) return lapwing_end_(lapwing_last_(steps, before));
  return steps->saving_step_ns > 0 && steps->saving_step <= step ? steps->saving_step_ns : steps->began_ns;
}

void lapwing_steps_phase(struct lapwing_steps *steps, enum lapwing_steps_phase phase) {
  if (!lapwing_mine_(steps)) return;
  if (phase == LAPWING_STEPS_TRAINING) steps->mark = lapwing_steps_now();
  if (phase == LAPWING_STEPS_CHECKPOINT && steps->written > 0) {
    const struct lapwing_slot_ *last = lapwing_last_(steps, 0);
    steps->saving_step = last->step;
    steps->saving_step_ns = lapwing_end_(last);
  }
  __atomic_store_n(&steps->header->phase_since_ns, lapwing_wall_ns_(), __ATOMIC_RELAXED);
  __atomic_store_n(&steps->header->phase, (uint64_t)phase, __ATOMIC_RELEASE);
}

void lapwing_steps_waiting(struct lapwing_steps *steps, int waiting) {
  if (!lapwing_mine_(steps)) return;
  __atomic_store_n(&steps->header->waiting_since_ns, lapwing_wall_ns_(), __ATOMIC_RELAXED);
  __atomic_store_n(&steps->header->waiting, waiting ? (uint64_t)2 : (uint64_t)1, __ATOMIC_RELEASE);
}

void lapwing_steps_checkpointed(struct lapwing_steps *steps, uint64_t step) {
  uint64_t sequence, unsaved, now = lapwing_wall_ns_();
  if (!lapwing_mine_(steps)) return;
  if (step == LAPWING_STEPS_LAST && steps->saving_step_ns > 0) step = steps->saving_step;
  if (step == LAPWING_STEPS_LAST && steps->written > 0) step = lapwing_last_(steps, 0)->step;
  if (now < steps->header->durable_since_ns) return; /* the clock was set back */
  if (step >= (uint64_t)1 << 53) step = UINT64_MAX;
  unsaved = step == UINT64_MAX ? steps->began_ns : lapwing_ended_(steps, step);
  if (unsaved < steps->began_ns) unsaved = steps->began_ns;
  sequence = steps->header->checkpoint_sequence | 1;
  __atomic_store_n(&steps->header->checkpoint_sequence, sequence, __ATOMIC_RELAXED);
  __atomic_thread_fence(__ATOMIC_RELEASE);
  steps->header->checkpoint_step = step;
  steps->header->durable_since_ns = now;
  steps->header->unsaved_since_ns = unsaved < now ? unsaved : now;
  steps->header->checkpoint_source = 1;
  __atomic_store_n(&steps->header->checkpoint_sequence, sequence + 1, __ATOMIC_RELEASE);
}

const char *lapwing_steps_path(const struct lapwing_steps *steps) { return steps != NULL ? steps->path : NULL; }

void lapwing_steps_close(struct lapwing_steps *steps) {
  if (!lapwing_mine_(steps)) return; /* also in a forked child */
  lapwing_steps_phase(steps, LAPWING_STEPS_ENDED);
  if (lapwing_is_there_(steps)) (void)unlink(steps->path); /* unless it was replaced */
  munmap(steps->header, steps->size);
  close(steps->fd);
  if (steps->here != NULL) munmap((void *)(uintptr_t)steps->here, (size_t)sysconf(_SC_PAGESIZE));
  free(steps);
}

#ifdef __cplusplus
}
#endif
#endif /* LAPWING_STEPS_IMPLEMENTATION */
