#include "line.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

volatile int ended;

static void end(int number) {
  (void)number;
  ended = 1;
}

void line_take_signals(void) {
  const int numbers[] = {SIGTERM, SIGINT, SIGHUP};
  struct sigaction action;
  sigset_t blocked;
  memset(&action, 0, sizeof action);
  action.sa_handler = end;
  sigemptyset(&blocked);
  for (int i = 0; i < 3; i++) {
    sigaddset(&blocked, numbers[i]);
    sigaction(numbers[i], &action, NULL);
  }
  sigprocmask(SIG_BLOCK, &blocked, NULL);
  signal(SIGPIPE, SIG_IGN);
}

int line_wait(struct pollfd *lines, size_t count, double seconds) {
  struct timespec most = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
  sigset_t none;
  sigemptyset(&none);
  if (ended) {
    return -1;
  }
  return ppoll(lines, count, seconds < 0 ? NULL : &most, &none);
}

bool line_say(int line, const char *text) { return send(line, text, strlen(text), MSG_NOSIGNAL) > 0; }

bool line_hear(int line, char text[LINE_BYTES]) {
  ssize_t length = recv(line, text, LINE_BYTES - 1, 0);
  text[length > 0 ? length : 0] = '\0';
  return length > 0;
}
