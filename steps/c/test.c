/* Tests of lapwing_steps.h: byte offsets, and robustness of the loop. */
#define LAPWING_STEPS_IMPLEMENTATION
#include "lapwing_steps.h"

#include <pthread.h>
#include <sys/wait.h>

static char folder[] = "/tmp/lapwing-steps-c-XXXXXX";
static char bytes[1024 + 16384 * 192];
static int failures = 0;

#define CHECK(condition)                                                \
  do {                                                                  \
    if (!(condition)) {                                                 \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);   \
      failures++;                                                       \
    }                                                                   \
  } while (0)

static long contents(const char *path) {
  FILE *file = fopen(path, "rb");
  long length = file == NULL ? -1 : (long)fread(bytes, 1, sizeof bytes, file);
  if (file != NULL) fclose(file);
  return length;
}

static uint64_t u64(size_t offset) {
  uint64_t value;
  memcpy(&value, bytes + offset, sizeof value);
  return value;
}

static int32_t i32(size_t offset) {
  int32_t value;
  memcpy(&value, bytes + offset, sizeof value);
  return value;
}

static double f64(size_t offset) {
  double value;
  memcpy(&value, bytes + offset, sizeof value);
  return value;
}

static int files(void) {
  int count = 0;
  struct dirent *entry;
  DIR *directory = opendir(folder);
  while ((entry = readdir(directory)) != NULL) count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
  closedir(directory);
  return count;
}

static struct lapwing_steps_options options_here(void) {
  struct lapwing_steps_options options = LAPWING_STEPS_OPTIONS;
  options.directory = folder;
  options.job = "j";
  options.rank = 0;
  return options;
}

static void a_header_says_who_writes(void) {
  struct lapwing_steps_options options = options_here();
  options.job = "train/7b";
  options.rank = 3;
  options.local_rank = 1;
  options.world_size = 16;
  options.gpu_uuid = "GPU-0a1b";
  options.precision = "bf16";
  options.host = "node7";
  options.model_flops_per_token = 4.5e10;
  options.capacity = 8;
  options.parallel_rank[1] = 1;
  options.parallel_size[1] = 2;
  struct lapwing_steps *steps = lapwing_steps_open(&options);
  CHECK(steps != NULL && strstr(lapwing_steps_path(steps), "/train_7b.3.") != NULL);
  CHECK(contents(lapwing_steps_path(steps)) == 1024 + 8 * 192);
  CHECK(memcmp(bytes, "LAPWSTEP", 8) == 0);
  CHECK(i32(8) == 1 && i32(12) == 1024 && i32(16) == 192 && i32(20) == 8 && i32(24) == getpid() && i32(28) == 2);
  CHECK(u64(32) > 0 && u64(40) > 0);
  CHECK(i32(48) == 3 && i32(52) == 1 && i32(56) == 16 && i32(60) == -1);
  CHECK(i32(64) == -1 && i32(68) == 1 && i32(84) == 0 && i32(88) == 2);
  CHECK(f64(104) == 4.5e10 && u64(120) == 0 && u64(128) == 5 && u64(136) == u64(112));
  CHECK(strcmp(bytes + 256, "train/7b") == 0 && strcmp(bytes + 512, "GPU-0a1b") == 0);
  CHECK(strcmp(bytes + 608, "bf16") == 0 && strcmp(bytes + 656, "node7") == 0);
  lapwing_steps_close(steps);
  CHECK(files() == 0);
}

static void a_record_has_its_values_and_the_sums(void) {
  struct lapwing_steps_options options = options_here();
  options.capacity = 4;
  struct lapwing_steps *steps = lapwing_steps_open(&options);
  for (uint64_t n = 0; n < 11; n++) {
    struct lapwing_steps_record record = LAPWING_STEPS_RECORD;
    record.step = 100 + n;
    record.duration = 0.5;
    record.tokens = 10;
    record.loss = INFINITY;
    record.data_wait = n < 2 ? 0.125 : n == 2 ? -1.0 : n == 3 ? INFINITY : (double)NAN;
    lapwing_steps_record(steps, &record);
  }
  contents(lapwing_steps_path(steps));
  size_t slot = 1024 + 192 * (10 % 4);
  CHECK(u64(120) == 11 && u64(128) == 1);
  CHECK(u64(slot) == 22 && u64(slot + 168) == 22 && u64(slot + 8) == 110 && f64(slot + 24) == 0.5);
  CHECK(u64(slot + 16) > 1600000000000000000u);
  CHECK(u64(slot + 32) == 10 && isinf(f64(slot + 48)) && isnan(f64(slot + 72)));
  CHECK(u64(slot + 104) == 11 && u64(slot + 112) == 110 && f64(slot + 128) == 5.5);
  CHECK(f64(slot + 136) == 0.25 && isnan(f64(slot + 144)));
  CHECK(u64(1024 + 192 * (7 % 4)) == 16);
  lapwing_steps_close(steps);
}

static void a_step_without_a_duration_lasted_since_the_last_one(void) {
  struct lapwing_steps_options options = options_here();
  struct lapwing_steps *steps = lapwing_steps_open(&options);
  struct lapwing_steps_record record = LAPWING_STEPS_RECORD;
  const double odd[] = {(double)NAN, INFINITY, -INFINITY, -1.0, 1e300};
  for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
    record.duration = odd[i];
    lapwing_steps_record(steps, &record);
    contents(lapwing_steps_path(steps));
    CHECK(f64(1024 + 192 * i + 24) >= 0.0 && f64(1024 + 192 * i + 128) < 60.0);
  }
  lapwing_steps_close(steps);
}

static void a_rank_says_whether_it_waits_for_others(void) {
  struct lapwing_steps_options options = options_here();
  struct lapwing_steps *steps = lapwing_steps_open(&options);
  contents(lapwing_steps_path(steps));
  CHECK(u64(144) == 0 && u64(152) == 0);
  lapwing_steps_waiting(steps, 1);
  contents(lapwing_steps_path(steps));
  CHECK(u64(144) == 2 && u64(152) >= u64(112));
  lapwing_steps_waiting(steps, 0);
  contents(lapwing_steps_path(steps));
  CHECK(u64(144) == 1);
  lapwing_steps_waiting(NULL, 1);
  lapwing_steps_close(steps);
}

static void a_checkpoint_has_the_state_of_the_step_before_it_began(void) {
  struct lapwing_steps_options options = options_here();
  options.capacity = 4;
  struct lapwing_steps *steps = lapwing_steps_open(&options);
  contents(lapwing_steps_path(steps));
  CHECK(u64(160) == 0 && u64(176) == 0);
  for (uint64_t n = 1; n <= 9; n++) {
    struct lapwing_steps_record record = LAPWING_STEPS_RECORD;
    record.step = n;
    record.start_ns = u64(112) + n * 1000000;
    record.duration = 0.001;
    lapwing_steps_record(steps, &record);
    if (n == 3) lapwing_steps_phase(steps, LAPWING_STEPS_CHECKPOINT); /* an asynchronous save begins */
  }
  uint64_t created = u64(112);
  usleep(20000);
  lapwing_steps_checkpointed(steps, LAPWING_STEPS_LAST);
  contents(lapwing_steps_path(steps));
  CHECK(u64(160) == 2 && u64(168) == 3 && u64(176) >= created && u64(192) == 1);
  CHECK(u64(184) >= created + 3000000 && u64(184) <= created + 4000001);
  lapwing_steps_checkpointed(steps, 8);
  contents(lapwing_steps_path(steps));
  CHECK(u64(160) == 4 && u64(168) == 8 && u64(184) >= created + 8000000 && u64(184) <= u64(176));
  lapwing_steps_checkpointed(steps, 2); /* no longer in the ring, and before the recorded save */
  contents(lapwing_steps_path(steps));
  CHECK(u64(160) == 6 && u64(168) == 2 && u64(184) == created);
  lapwing_steps_checkpointed(steps, (uint64_t)1 << 60);
  contents(lapwing_steps_path(steps));
  CHECK(u64(160) == 8 && u64(168) == UINT64_MAX && u64(184) == created);
  lapwing_steps_checkpointed(NULL, 1);
  lapwing_steps_close(steps);
}

static void without_a_folder_nothing_happens(void) {
  struct lapwing_steps_options options = options_here();
  struct lapwing_steps_record record = LAPWING_STEPS_RECORD;
  options.directory = "";
  CHECK(lapwing_steps_open(&options) == NULL);
  options.directory = "/proc/nowhere/steps";
  CHECK(lapwing_steps_open(&options) == NULL);
  lapwing_steps_record(NULL, &record);
  lapwing_steps_phase(NULL, LAPWING_STEPS_TRAINING);
  CHECK(lapwing_steps_path(NULL) == NULL);
  lapwing_steps_close(NULL);
}

static void each_writer_of_a_process_has_a_file(void) {
  struct lapwing_steps_options options = options_here();
  struct lapwing_steps *open[40];
  struct lapwing_steps_record record = LAPWING_STEPS_RECORD;
  int one, other;
  for (one = 0; one < 40; one++) {
    open[one] = lapwing_steps_open(&options);
    CHECK(open[one] != NULL);
    for (other = 0; other < one; other++) CHECK(strcmp(lapwing_steps_path(open[one]), lapwing_steps_path(open[other])) != 0);
  }
  CHECK(files() == 40);
  record.duration = 1.0;
  for (one = 0; one < 40; one++) {
    lapwing_steps_record(open[one], &record);
    CHECK(contents(lapwing_steps_path(open[one])) > 0 && u64(120) == 1);
    lapwing_steps_close(open[one]);
  }
  CHECK(files() == 0);
}

/* Another user can guess names: those of an earlier version are taken. */
static void names_that_can_be_guessed_are_not_used(void) {
  struct lapwing_steps_options options = options_here();
  char path[128];
  int number;
  for (number = 1; number <= 16; number++) {
    char suffix[8] = "";
    if (number > 1) snprintf(suffix, sizeof suffix, ".%d", number);
    snprintf(path, sizeof path, "%s/j.0.%d%s.steps", folder, (int)getpid(), suffix);
    CHECK(mkdir(path, 0700) == 0);
    snprintf(path, sizeof path, "%s/.j.0.%d%s.steps.tmp", folder, (int)getpid(), suffix);
    CHECK(mkdir(path, 0700) == 0);
  }
  struct lapwing_steps *steps = lapwing_steps_open(&options);
  CHECK(steps != NULL && contents(lapwing_steps_path(steps)) > 0);
  lapwing_steps_close(steps);
  for (number = 1; number <= 16; number++) {
    char suffix[8] = "";
    if (number > 1) snprintf(suffix, sizeof suffix, ".%d", number);
    snprintf(path, sizeof path, "%s/j.0.%d%s.steps", folder, (int)getpid(), suffix);
    CHECK(rmdir(path) == 0);
    snprintf(path, sizeof path, "%s/.j.0.%d%s.steps.tmp", folder, (int)getpid(), suffix);
    CHECK(rmdir(path) == 0);
  }
  CHECK(files() == 0);
}

static void a_removed_file_is_made_again(void) {
  struct lapwing_steps_options options = options_here();
  struct lapwing_steps_record record = LAPWING_STEPS_RECORD;
  struct lapwing_steps *steps = lapwing_steps_open(&options);
  record.duration = 1.0;
  record.tokens = 7;
  lapwing_steps_record(steps, &record);
  CHECK(unlink(lapwing_steps_path(steps)) == 0);
  lapwing_steps_record(steps, &record);
  CHECK(files() == 0); /* it checks once a minute */
  steps->check_at = 0.0;
  lapwing_steps_record(steps, &record);
  CHECK(files() == 1);
  CHECK(contents(lapwing_steps_path(steps)) > 0 && u64(120) == 1 && u64(128) == 1 && u64(1024 + 112) == 7 && i32(28) == 2);
  lapwing_steps_close(steps);
  CHECK(files() == 0);
}

static void a_count_that_no_step_has_spoils_no_total(void) {
  struct lapwing_steps_options options = options_here();
  struct lapwing_steps_record record = LAPWING_STEPS_RECORD;
  struct lapwing_steps *steps = lapwing_steps_open(&options);
  const uint64_t counts[] = {5, UINT64_MAX, (uint64_t)1 << 63, (uint64_t)1 << 53, 6};
  record.duration = 1.0;
  for (int i = 0; i < 5; i++) {
    record.tokens = record.samples = counts[i];
    lapwing_steps_record(steps, &record);
  }
  contents(lapwing_steps_path(steps));
  CHECK(u64(1024 + 192 + 32) == 0 && u64(1024 + 4 * 192 + 112) == 11 && u64(1024 + 4 * 192 + 120) == 11);
  lapwing_steps_close(steps);
}

static void a_child_leaves_the_file_alone_and_the_lock_is_the_parents(void) {
  struct lapwing_steps_options options = options_here();
  struct lapwing_steps_record record = LAPWING_STEPS_RECORD;
  struct lapwing_steps *steps = lapwing_steps_open(&options);
  record.duration = 1.0;
  lapwing_steps_record(steps, &record);
  int status = 0;
  pid_t child = fork();
  if (child == 0) {
    struct flock lock;
    memset(&lock, 0, sizeof lock);
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    lock.l_len = 1;
    int fd = open(lapwing_steps_path(steps), O_RDWR);
    int held = fcntl(fd, F_GETLK, &lock) == 0 && lock.l_type == F_WRLCK && lock.l_pid == getppid();
    lapwing_steps_record(steps, &record);
    lapwing_steps_phase(steps, LAPWING_STEPS_CHECKPOINT);
    lapwing_steps_close(steps);
    _exit(held ? 0 : 1);
  }
  CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
  contents(lapwing_steps_path(steps));
  CHECK(u64(120) == 1 && u64(128) == 1);
  lapwing_steps_close(steps);
  CHECK(files() == 0);
}

static void what_a_reader_accepts_while_the_writer_writes_is_whole(void) {
  struct lapwing_steps_options options = options_here();
  options.capacity = 2;
  char path[128];
  const uint64_t last = 300000;
  int ready[2];
  memset(path, 0, sizeof path);
  char once[192], again[192];
  CHECK(pipe(ready) == 0);
  pid_t child = fork();
  if (child == 0) {
    struct lapwing_steps *steps = lapwing_steps_open(&options);
    (void)!write(ready[1], lapwing_steps_path(steps), strlen(lapwing_steps_path(steps)));
    for (uint64_t n = 0; n < last; n++) {
      struct lapwing_steps_record record = LAPWING_STEPS_RECORD;
      record.step = n;
      record.duration = 1.0;
      record.tokens = 3 * n;
      record.loss = (double)n;
      lapwing_steps_record(steps, &record);
    }
    _exit(0); /* the file stays: the parent reads on */
  }
  CHECK(read(ready[0], path, sizeof path - 1) > 0);
  int fd = open(path, O_RDONLY);
  uint64_t written = 0;
  CHECK(fd >= 0);
  for (int ended = 0; fd >= 0 && written < last && !ended;) {
    ended = waitpid(child, NULL, WNOHANG) != 0;
    if (pread(fd, &written, 8, 120) != 8 || written == 0) continue;
    off_t slot = 1024 + 192 * (off_t)((written - 1) % 2);
    if (pread(fd, once, 192, slot) != 192 || pread(fd, again, 192, slot) != 192) continue;
    memcpy(bytes, once, 192);
    if (memcmp(once, again, 192) != 0 || u64(0) != 2 * written || u64(168) != 2 * written) continue;
    CHECK(u64(8) == written - 1 && u64(32) == 3 * u64(8) && f64(48) == (double)u64(8) && u64(104) == written);
  }
  CHECK(written == last);
  waitpid(child, NULL, 0);
  close(fd);
  close(ready[0]);
  close(ready[1]);
  unlink(path);
}

static void files_of_dead_processes_are_swept(void) {
  struct lapwing_steps_options options = options_here();
  pid_t child = fork();
  if (child == 0) {
    lapwing_steps_open(&options);
    _exit(0);
  }
  waitpid(child, NULL, 0);
  CHECK(files() == 1);
  struct lapwing_steps *steps = lapwing_steps_open(&options);
  CHECK(files() == 1);
  lapwing_steps_close(steps);
  CHECK(files() == 0);
}

/* A file of this process from before its exec: the pid exists, and no process holds the lock. */
static void files_that_this_process_has_no_more_open_are_swept(void) {
  struct lapwing_steps_options options = options_here();
  struct lapwing_steps *steps = lapwing_steps_open(&options);
  close(steps->fd);
  steps->fd = -1;
  struct lapwing_steps *other = lapwing_steps_open(&options);
  CHECK(files() == 1 && contents(lapwing_steps_path(other)) > 0);
  lapwing_steps_close(steps);
  lapwing_steps_close(other);
  CHECK(files() == 0);
}

/* The lock shows across containers whether a writer is running. */
static void files_of_other_containers_are_swept_by_their_lock(void) {
  struct lapwing_steps_options options = options_here();
  char path[128];
  int ready[2], done[2], flags;
  memset(path, 0, sizeof path);
  CHECK(pipe(ready) == 0 && pipe(done) == 0);
  pid_t child = fork();
  if (child == 0) {
    struct lapwing_steps *steps = lapwing_steps_open(&options);
    steps->header->pid_namespace = 1;
    (void)!write(ready[1], lapwing_steps_path(steps), strlen(lapwing_steps_path(steps)));
    (void)!read(done[0], &flags, 1);
    _exit(0);
  }
  CHECK(read(ready[0], path, sizeof path - 1) > 0);
  struct lapwing_steps *steps = lapwing_steps_open(&options);
  CHECK(files() == 2);
  lapwing_steps_close(steps);
  CHECK(write(done[1], "x", 1) == 1 && waitpid(child, NULL, 0) == child);
  steps = lapwing_steps_open(&options);
  CHECK(files() == 1);
  lapwing_steps_close(steps);
  for (int i = 0; i < 2; i++) {
    close(ready[i]);
    close(done[i]);
  }
}

static void texts_are_cut_at_a_character(void) {
  struct lapwing_steps_options options = options_here();
  static char huge[1000000];
  memset(huge, 'x', sizeof huge - 1);
  memcpy(huge, "a\nb", 3);
  for (size_t i = 3; i + 1 < 400; i += 2) memcpy(huge + i, "\xc3\xa9", 2);
  options.job = huge;
  struct lapwing_steps *steps = lapwing_steps_open(&options);
  contents(lapwing_steps_path(steps));
  CHECK(memcmp(bytes + 256, "a b\xc3\xa9", 5) == 0 && strlen(bytes + 256) == 127);
  options.host = huge;
  struct lapwing_steps *other = lapwing_steps_open(&options);
  contents(lapwing_steps_path(other));
  CHECK(strlen(bytes + 656) == 63 && (unsigned char)bytes[656 + 62] == 0xa9);
  lapwing_steps_close(other);
  lapwing_steps_close(steps);
}

static void set(const char *name, const char *value) {
  if (value != NULL)
    setenv(name, value, 1);
  else
    unsetenv(name);
}

static void environment(const char *const pairs[], const char *job, int rank, int gpu, const char *uuid) {
  struct lapwing_steps_options options = LAPWING_STEPS_OPTIONS;
  options.directory = folder;
  clearenv();
  for (int i = 0; pairs[i] != NULL; i += 2) set(pairs[i], pairs[i + 1]);
  struct lapwing_steps *steps = lapwing_steps_open(&options);
  contents(lapwing_steps_path(steps));
  lapwing_steps_close(steps);
  if (strcmp(bytes + 256, job) != 0 || i32(48) != rank || i32(60) != gpu || strcmp(bytes + 512, uuid) != 0) {
    fprintf(stderr, "%s=%s ...: job %s, rank %d, gpu %d %s\n", pairs[0], pairs[1], bytes + 256, i32(48), i32(60), bytes + 512);
    failures++;
  }
}

static void the_environment_says_who_writes(void) {
  static const char *const torchrun[] = {"RANK", "9", "LOCAL_RANK", "1", "TORCHELASTIC_RUN_ID", "exp1", NULL};
  environment(torchrun, "exp1", 9, 1, "");
  static const char *const slurm[] = {"SLURM_JOB_ID", "77", "SLURM_PROCID", "5", "SLURM_LOCALID", "1", "SLURM_STEP_GPUS",
                                      "4,6", "CUDA_VISIBLE_DEVICES", "0,1", NULL};
  environment(slurm, "77", 5, 6, "");
  static const char *const uuids[] = {"SLURM_JOB_ID", "77", "SLURM_LOCALID", "1", "CUDA_VISIBLE_DEVICES", "GPU-a, GPU-b", NULL};
  environment(uuids, "77", -1, -1, "GPU-b");
  static const char *const mpi[] = {"SLURM_JOB_ID", "8", "SLURM_PROCID", "0", "OMPI_COMM_WORLD_RANK", "6",
                                    "OMPI_COMM_WORLD_LOCAL_RANK", "2", "CUDA_VISIBLE_DEVICES", "", NULL};
  environment(mpi, "8", 6, -1, "");
  static const char *const pod[] = {"KUBERNETES_SERVICE_HOST", "10.0.0.1", "POD_NAME", "llm-worker-12", "RANK", "x",
                                    "PMI_RANK", "2", "NVIDIA_VISIBLE_DEVICES", "GPU-z", NULL};
  environment(pod, "llm", 2, -1, "GPU-z");
  static const char *const indexed[] = {"KUBERNETES_SERVICE_HOST", "10.0.0.1", "HOSTNAME", "llm-3-x7k2p",
                                        "JOB_COMPLETION_INDEX", "3", "NVIDIA_VISIBLE_DEVICES", "void", NULL};
  environment(indexed, "llm", -1, -1, "");
  static const char *const own[] = {"LAPWING_JOB", "mine", "LAPWING_RANK", "1", "LAPWING_GPU", "7", "SLURM_JOB_ID", "1", NULL};
  environment(own, "mine", 1, 7, "");
}

static void *records_many(void *steps) {
  struct lapwing_steps_record record = LAPWING_STEPS_RECORD;
  int i;
  record.duration = 0.5;
  record.tokens = 1;
  for (i = 0; i < 100000; i++) lapwing_steps_record((struct lapwing_steps *)steps, &record);
  return NULL;
}

static void threads_that_share_a_handle_leave_its_file_whole(void) {
  struct lapwing_steps_options options = options_here();
  struct lapwing_steps *steps = lapwing_steps_open(&options);
  pthread_t threads[4];
  uint64_t written, n;
  int i;
  for (i = 0; i < 4; i++) CHECK(pthread_create(&threads[i], NULL, records_many, steps) == 0);
  for (i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  CHECK(contents(lapwing_steps_path(steps)) == 1024 + 512 * 192);
  written = u64(120);
  CHECK(written >= 1000 && written <= 400000);
  for (n = written - 512; n < written; n++) {
    size_t slot = 1024 + (size_t)(n % 512) * 192;
    CHECK(u64(slot) == 2 * n + 2 && u64(slot + 104) == n + 1 && u64(slot + 112) == n + 1);
  }
  lapwing_steps_close(steps);
}

int main(void) {
  if (mkdtemp(folder) == NULL) return 1;
  a_header_says_who_writes();
  a_record_has_its_values_and_the_sums();
  a_step_without_a_duration_lasted_since_the_last_one();
  a_rank_says_whether_it_waits_for_others();
  a_checkpoint_has_the_state_of_the_step_before_it_began();
  without_a_folder_nothing_happens();
  each_writer_of_a_process_has_a_file();
  names_that_can_be_guessed_are_not_used();
  a_removed_file_is_made_again();
  a_count_that_no_step_has_spoils_no_total();
  a_child_leaves_the_file_alone_and_the_lock_is_the_parents();
  what_a_reader_accepts_while_the_writer_writes_is_whole();
  files_of_dead_processes_are_swept();
  files_that_this_process_has_no_more_open_are_swept();
  files_of_other_containers_are_swept_by_their_lock();
  texts_are_cut_at_a_character();
  the_environment_says_who_writes();
  threads_that_share_a_handle_leave_its_file_whole();
  rmdir(folder);
  if (failures == 0) puts("lapwing_steps.h: all tests pass");
  return failures != 0;
}
