#include "nvlink.h"

unsigned nvlink_count(const struct call *call) {
  unsigned long long links = count_of(call, Q_NVLINK_COUNT);
  return links > LINKS_MAX ? LINKS_MAX : (unsigned)links;
}

unsigned nvlink_version(const struct call *call) { return (unsigned)count_of(call, Q_NVLINK_VERSION); }

bool nvlink_active(const struct call *call, unsigned link) {
  return link < nvlink_count(call) && (call->gpu->inactive_links >> link & 1) == 0;
}

unsigned long long nvlink_errors(const struct call *call, enum quantity errors, unsigned link) {
  return link == count_of(call, Q_NVLINK_ERROR_LINK) ? count_of(call, errors) : 0;
}
