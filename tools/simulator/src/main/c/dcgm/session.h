/* What a process has open in the host engine: connections, groups, field groups and watches. One lock guards them. */
#ifndef LAPWING_DCGM_SESSION_H
#define LAPWING_DCGM_SESSION_H

#include "../state.h"
#include "dcgm_abi.h"

enum { CONNECTIONS_MAX = 16, GROUPS_MAX = 64, ENTITIES_MAX = 64, FIELDS_OF_GROUP_MAX = 128, NAME_MAX_LENGTH = 255 };

struct entity_group {
  dcgmHandle_t owner; /* 0: free */
  unsigned health_systems; /* bits of those that are watched */
  unsigned long health_since; /* the number of the last XID before */
  int count;
  dcgmGroupEntityPair_t entity[ENTITIES_MAX];
};

struct field_group {
  dcgmHandle_t owner;
  int count;
  unsigned short field[FIELDS_OF_GROUP_MAX];
  char name[NAME_MAX_LENGTH + 1];
};

struct watch {
  dcgmHandle_t owner;
  dcgmGpuGrp_t group;
  dcgmFieldGrp_t fields;
  double period; /* seconds */
  double since;
};

struct session {
  struct entity_group group[GROUPS_MAX];
  struct field_group field_group[GROUPS_MAX];
  struct watch watch[GROUPS_MAX];
};

/* The session, locked until session_unlock. */
struct session *session_lock(void);
void session_unlock(struct session *session);

/* A connection to the engine of this generation, or one that is embedded. */
dcgmReturn_t connection_open(unsigned generation, bool embedded, dcgmHandle_t *handle);
void connection_close(dcgmHandle_t handle);

/* OK, or CONNECTION_NOT_VALID for one that is closed or whose engine is gone. */
dcgmReturn_t connection_check(dcgmHandle_t handle, const struct dcgm *engine);

/* The watch of a connection that covers this field of this entity, or NULL. */
const struct watch *watch_of(const struct session *session, dcgmHandle_t handle, dcgmGroupEntityPair_t entity,
                             unsigned short field);

#endif
