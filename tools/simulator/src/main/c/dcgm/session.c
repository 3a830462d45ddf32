#include "session.h"

#include <pthread.h>
#include <string.h>

struct connection {
  bool open;
  bool embedded;
  unsigned generation;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct session session;
static struct connection connection[CONNECTIONS_MAX];

struct session *session_lock(void) {
  pthread_mutex_lock(&lock);
  return &session;
}

void session_unlock(struct session *locked) {
  (void)locked;
  pthread_mutex_unlock(&lock);
}

dcgmReturn_t connection_open(unsigned generation, bool embedded, dcgmHandle_t *handle) {
  dcgmReturn_t answer = DCGM_ST_MAX_LIMIT;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < CONNECTIONS_MAX && answer != DCGM_ST_OK; i++) {
    if (!connection[i].open) {
      connection[i] = (struct connection){true, embedded, generation};
      *handle = (dcgmHandle_t)(i + 1);
      answer = DCGM_ST_OK;
    }
  }
  pthread_mutex_unlock(&lock);
  return answer;
}

/* An engine drops the watches of a client that has disconnected. */
void connection_close(dcgmHandle_t handle) {
  pthread_mutex_lock(&lock);
  if (handle >= 1 && handle <= CONNECTIONS_MAX) {
    connection[handle - 1].open = false;
  }
  for (int i = 0; i < GROUPS_MAX; i++) {
    if (session.group[i].owner == handle) {
      memset(&session.group[i], 0, sizeof session.group[i]);
    }
    if (session.field_group[i].owner == handle) {
      memset(&session.field_group[i], 0, sizeof session.field_group[i]);
    }
    if (session.watch[i].owner == handle) {
      memset(&session.watch[i], 0, sizeof session.watch[i]);
    }
  }
  pthread_mutex_unlock(&lock);
}

dcgmReturn_t connection_check(dcgmHandle_t handle, const struct dcgm *engine) {
  dcgmReturn_t answer = DCGM_ST_CONNECTION_NOT_VALID;
  pthread_mutex_lock(&lock);
  if (handle >= 1 && handle <= CONNECTIONS_MAX && connection[handle - 1].open) {
    const struct connection *one = &connection[handle - 1];
    bool there = one->embedded || (!engine->stopped && one->generation == engine->generation);
    answer = there ? DCGM_ST_OK : DCGM_ST_CONNECTION_NOT_VALID;
  }
  pthread_mutex_unlock(&lock);
  return answer;
}

static bool has_entity(const struct entity_group *group, dcgmGroupEntityPair_t entity) {
  for (int i = 0; i < group->count; i++) {
    if (group->entity[i].entityGroupId == entity.entityGroupId && group->entity[i].entityId == entity.entityId) {
      return true;
    }
  }
  return false;
}

static bool has_field(const struct field_group *fields, unsigned short field) {
  for (int i = 0; i < fields->count; i++) {
    if (fields->field[i] == field) {
      return true;
    }
  }
  return false;
}

const struct watch *watch_of(const struct session *locked, dcgmHandle_t handle, dcgmGroupEntityPair_t entity,
                             unsigned short field) {
  for (int i = 0; i < GROUPS_MAX; i++) {
    const struct watch *watch = &locked->watch[i];
    if (watch->owner == handle && has_entity(&locked->group[watch->group - 1], entity) &&
        has_field(&locked->field_group[watch->fields - 1], field)) {
      return watch;
    }
  }
  return NULL;
}
