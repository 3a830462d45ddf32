#include "state_file.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { STATE_FILE_MAX = 4 << 20 };

/* Identifies a version of the file. Writers rename a new file into place, so the inode changes too. */
struct stamp {
  dev_t device;
  ino_t inode;
  off_t size;
  struct timespec modified;
};

static pthread_mutex_t current_lock = PTHREAD_MUTEX_INITIALIZER; /* guards current and the taking of a reference */
static struct state *current;

static pthread_mutex_t reading_lock = PTHREAD_MUTEX_INITIALIZER; /* guards path and last_stamp */
static char path[PATH_MAX];
static struct stamp last_stamp;
static atomic_llong next_check; /* CLOCK_MONOTONIC, ns */

static long long monotonic_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000000ll + now.tv_nsec;
}

/* LAPWING_SIM_STATE, or `state` in the folder above this library. */
static void find_path(void) {
  const char *named = getenv("LAPWING_SIM_STATE");
  if (named != NULL && *named != '\0') {
    snprintf(path, sizeof path, "%s", named);
    return;
  }
  Dl_info self;
  char folder[PATH_MAX];
  char above[PATH_MAX + 4];
  if (dladdr(&last_stamp, &self) == 0 || self.dli_fname == NULL) {
    return;
  }
  const char *slash = strrchr(self.dli_fname, '/');
  int length = slash == NULL ? 0 : (int)(slash - self.dli_fname);
  snprintf(above, sizeof above, "%.*s/..", length == 0 ? 1 : length, length == 0 ? "." : self.dli_fname);
  if (realpath(above, folder) != NULL) { /* the process may change its folder later */
    snprintf(path, sizeof path, "%.*s/state", (int)sizeof path - 8, folder);
  }
}

static bool same(const struct stamp *a, const struct stamp *b) {
  return a->device == b->device && a->inode == b->inode && a->size == b->size &&
         a->modified.tv_sec == b->modified.tv_sec && a->modified.tv_nsec == b->modified.tv_nsec;
}

static struct stamp stamp_of(const struct stat *file) {
  return (struct stamp){file->st_dev, file->st_ino, file->st_size, file->st_mtim};
}

static void complain_once(const char *what) {
  static atomic_flag said = ATOMIC_FLAG_INIT;
  if (!atomic_flag_test_and_set(&said)) {
    fprintf(stderr, "lapwing simulator: %s: %s\n", path, what);
  }
}

static char *contents_of(int file, struct stamp *stamp) {
  struct stat about;
  if (fstat(file, &about) != 0 || !S_ISREG(about.st_mode) || about.st_size > STATE_FILE_MAX) {
    return NULL;
  }
  char *text = malloc((size_t)about.st_size + 1);
  if (text == NULL) {
    return NULL;
  }
  ssize_t length = read(file, text, (size_t)about.st_size);
  if (length < 0) {
    free(text);
    return NULL;
  }
  text[length] = '\0';
  *stamp = stamp_of(&about);
  return text;
}

static struct state *read_state(void) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    return NULL;
  }
  struct stamp stamp;
  char *text = contents_of(file, &stamp);
  close(file);
  if (text == NULL) {
    return NULL;
  }
  struct state *state = state_parse(text, path);
  free(text);
  if (state != NULL) {
    last_stamp = stamp;
  }
  return state;
}

/* Without a readable state there is no driver, so every call fails. */
static struct state *without_driver(void) {
  char nothing[] = "driver.loaded = 0";
  return state_parse(nothing, path);
}

static void publish(struct state *state) {
  struct state *before = current; /* only this thread writes current: reading_lock is held */
  state_continue(state, before);
  pthread_mutex_lock(&current_lock);
  current = state;
  pthread_mutex_unlock(&current_lock);
  if (before != NULL) {
    state_release(before);
  }
}

static bool changed(void) {
  struct stat about;
  if (stat(path, &about) != 0) {
    complain_once("cannot read the state file; keeping the last state");
    return false;
  }
  struct stamp stamp = stamp_of(&about);
  return !same(&stamp, &last_stamp);
}

static void check_file(long long now) {
  pthread_mutex_lock(&reading_lock);
  if (current == NULL) {
    find_path();
  }
  if (current == NULL || changed()) {
    struct state *state = read_state();
    if (state == NULL && current == NULL) {
      complain_once("cannot read the state file; answering as a host without driver");
      state = without_driver();
    }
    if (state == NULL && current == NULL) {
      abort(); /* no memory for the first state: there is nothing to answer with */
    }
    if (state != NULL) {
      publish(state);
    }
  }
  atomic_store(&next_check, now + (long long)(current->check_seconds * 1e9));
  pthread_mutex_unlock(&reading_lock);
}

struct state *state_acquire(void) {
  long long now = monotonic_ns();
  if (now >= atomic_load_explicit(&next_check, memory_order_relaxed)) {
    check_file(now);
  }
  pthread_mutex_lock(&current_lock);
  struct state *state = current;
  atomic_fetch_add_explicit(&state->references, 1, memory_order_relaxed);
  pthread_mutex_unlock(&current_lock);
  return state;
}

void state_release(struct state *state) {
  if (atomic_fetch_sub_explicit(&state->references, 1, memory_order_acq_rel) == 1) {
    state_free(state);
  }
}

const char *state_path(void) { return path; }
