#include "state_watch.h"

#include "state_file.h"

#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <time.h>
#include <unistd.h>

/* Longer than the 20 ms for which a reading of the file is good. */
enum { SETTLE_MS = 25, NO_INOTIFY_MS = 20 };

static void sleep_ms(long long milliseconds) {
  struct timespec pause = {.tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000};
  nanosleep(&pause, NULL);
}

static long long shorter(long long a, long long b) { return a < b ? a : b; }

int watch_open(void) {
  char folder[PATH_MAX];
  snprintf(folder, sizeof folder, "%s", state_path());
  char *slash = strrchr(folder, '/');
  if (slash == NULL) {
    return -1;
  }
  *slash = '\0';
  int watch = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
  if (watch >= 0 && inotify_add_watch(watch, folder, IN_MOVED_TO | IN_CLOSE_WRITE) < 0) {
    close(watch);
    watch = -1;
  }
  return watch;
}

void watch_wait(int watch, long long milliseconds) {
  if (watch < 0) { /* no inotify left for this user */
    sleep_ms(shorter(milliseconds, NO_INOTIFY_MS));
    return;
  }
  struct pollfd change = {.fd = watch, .events = POLLIN};
  if (poll(&change, 1, (int)shorter(milliseconds, INT_MAX)) > 0) {
    char seen[4096];
    while (read(watch, seen, sizeof seen) > 0) {
    }
    sleep_ms(shorter(milliseconds, SETTLE_MS));
  }
}

void watch_close(int watch) {
  if (watch >= 0) {
    close(watch);
  }
}
