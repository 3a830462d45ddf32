/*
 * A C library, loaded by LD_PRELOAD, that changes the time of day of one process and makes its disk hang. The file that
 * FAULTY_LIBC names has its orders, and may change while the process runs:
 *
 *   clock SECONDS     added to the time of day; the monotonic clock is unchanged
 *   sync MILLIS       how long fsync and fdatasync take; -1: until the line is removed
 *   folder PATH       listing and opening below this folder does not return until the line is removed
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

struct orders {
  long clock;
  long sync;
  char folder[512];
};

static const char *orders_file(void) {
  static const char *file;
  return file != NULL ? file : (file = getenv("FAULTY_LIBC"));
}

static int plain_open(const char *path, int flags, mode_t mode) {
  return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

static struct orders orders(void) {
  struct orders orders = {0};
  char text[1024];
  const char *path = orders_file();
  int file = path == NULL ? -1 : plain_open(path, O_RDONLY | O_CLOEXEC, 0);
  if (file < 0) {
    return orders;
  }
  ssize_t length = read(file, text, sizeof text - 1);
  close(file);
  text[length < 0 ? 0 : length] = '\0';
  char *rest;
  for (char *line = strtok_r(text, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
    sscanf(line, "clock %ld", &orders.clock);
    sscanf(line, "sync %ld", &orders.sync);
    sscanf(line, "folder %511[^\n]", orders.folder);
  }
  return orders;
}

static void rest_ms(long milliseconds) {
  struct timespec pause = {milliseconds / 1000, milliseconds % 1000 * 1000000};
  nanosleep(&pause, NULL);
}

/* The time of day is read often, so the file is read at most every 20 ms. */
static long ahead(void) {
  static _Thread_local long known;
  static _Thread_local struct timespec looked;
  struct timespec now;
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
  if (looked.tv_sec == 0 || now.tv_sec != looked.tv_sec || now.tv_nsec - looked.tv_nsec > 20000000) {
    looked = now;
    known = orders().clock;
  }
  return known;
}

int clock_gettime(clockid_t clock, struct timespec *time) {
  int answer = (int)syscall(SYS_clock_gettime, clock, time);
  if (answer == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
    time->tv_sec += ahead();
  }
  return answer;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
  struct timespec now;
  (void)zone;
  clock_gettime(CLOCK_REALTIME, &now);
  time->tv_sec = now.tv_sec;
  time->tv_usec = now.tv_nsec / 1000;
  return 0;
}

static void slow_sync(void) {
  long wait = orders().sync;
  if (wait > 0) {
    rest_ms(wait);
  }
  while (orders().sync < 0) {
    rest_ms(20);
  }
}

int fsync(int file) {
  slow_sync();
  return (int)syscall(SYS_fsync, file);
}

int fdatasync(int file) {
  slow_sync();
  return (int)syscall(SYS_fdatasync, file);
}

static void wait_for_folder(const char *path) {
  for (;;) {
    struct orders now = orders();
    if (now.folder[0] == '\0' || path == NULL || strncmp(path, now.folder, strlen(now.folder)) != 0) {
      return;
    }
    rest_ms(20);
  }
}

DIR *opendir(const char *path) {
  static DIR *(*plain)(const char *);
  if (plain == NULL) {
    plain = (DIR * (*)(const char *)) dlsym(RTLD_NEXT, "opendir");
  }
  wait_for_folder(path);
  return plain(path);
}

static int open_after_wait(const char *path, int flags, va_list rest) {
  mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
  wait_for_folder(path);
  return plain_open(path, flags, mode);
}

int open(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  int answer = open_after_wait(path, flags, rest);
  va_end(rest);
  return answer;
}

int open64(const char *path, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  int answer = open_after_wait(path, flags, rest);
  va_end(rest);
  return answer;
}
