/*
 * DCGM as a client of a host engine, as far as an agent calls it: connection, entities, watches and the latest values.
 *
 * The engine is part of this library; lines of the state start and stop it. Its samples are computed when they are read:
 * the averages of the running totals that GPM uses, too, over each period of a watch.
 */
#include "../call.h"
#include "../mig.h"
#include "dcgm_abi.h"
#include "health.h"
#include "links.h"
#include "policy.h"
#include "session.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#if DCGM_MAJOR == 3
#define LIBRARY_VERSION "3.3.9"
#else
#define LIBRARY_VERSION "4.4.2"
#endif

enum {
  FIELD_SXID_FATAL = 856,
  FIELD_SXID_NON_FATAL = 857,
  FIRST_PROFILING = 1001,
  LAST_PROFILING = 1016,
  FIELD_CPU_UTILIZATION = 1100,
  FIELD_CPU_TEMPERATURE = 1110,
  FIRST_CPU_POWER = 1130,
  LAST_CPU_POWER = 1133,
  FIELD_IMEX_DOMAIN = 1502,
  FIELD_IMEX_DAEMON = 1503
};

struct profiling_field {
  enum quantity quantity;
  bool bytes; /* MiB/s in the state, bytes/s here; else percent, and a ratio here */
};

/* From field 1001 on. */
static const struct profiling_field profiling[] = {
    {Q_GPM_GRAPHICS, false}, {Q_GPM_SM_ACTIVE, false}, {Q_GPM_SM_OCCUPANCY, false}, {Q_GPM_TENSOR, false},
    {Q_GPM_DRAM, false},     {Q_GPM_FP64, false},      {Q_GPM_FP32, false},         {Q_GPM_FP16, false},
    {Q_PCIE_TX, true},       {Q_PCIE_RX, true},        {Q_NVLINK_TX, true},         {Q_NVLINK_RX, true},
    {Q_GPM_IMMA, false},     {Q_GPM_HMMA, false},      {Q_GPM_DFMA, false},         {Q_GPM_INTEGER, false},
};

_Static_assert(sizeof profiling / sizeof profiling[0] == LAST_PROFILING - FIRST_PROFILING + 1, "a row for each field");

static bool is_profiling(unsigned short field) { return field >= FIRST_PROFILING && field <= LAST_PROFILING; }

/* Of their SXids. */
static bool is_of_switch(unsigned short field) { return field == FIELD_SXID_FATAL || field == FIELD_SXID_NON_FATAL; }

static bool is_of_cpu(unsigned short field) {
  return field == FIELD_CPU_UTILIZATION || field == FIELD_CPU_TEMPERATURE ||
         (field >= FIRST_CPU_POWER && field <= LAST_CPU_POWER);
}

/* Of the node, and of DCGM 4. */
static bool is_global(unsigned short field) {
  return DCGM_MAJOR > 3 && (field == FIELD_IMEX_DOMAIN || field == FIELD_IMEX_DAEMON);
}

static bool is_known(unsigned short field) {
  return is_profiling(field) || is_of_switch(field) || is_of_cpu(field) || is_global(field) ||
         part_field(DCGM_FE_SWITCH, field) != NULL || part_field(DCGM_FE_LINK, field) != NULL;
}

/* State lines have codes without their sign. */
static dcgmReturn_t begin_call(struct call *call, enum function function) {
  nvmlReturn_t refused = begin_cleanup_call(call, function);
  call->now = state_now(call->state);
  return (dcgmReturn_t) - (int)refused;
}

static dcgmReturn_t begin_engine_call(struct call *call, enum function function, dcgmHandle_t handle) {
  dcgmReturn_t refused = begin_call(call, function);
  if (refused != DCGM_ST_OK) {
    return refused;
  }
  refused = connection_check(handle, &call->state->dcgm);
  if (refused != DCGM_ST_OK) {
    return refused;
  }
  return call->state->driver_loaded ? DCGM_ST_OK : DCGM_ST_NVML_NOT_LOADED;
}

#define DCGM_BEGIN(call, begin)                   \
  CALL call = {0};                                \
  do {                                            \
    dcgmReturn_t refused = begin;                 \
    if (refused != DCGM_ST_OK) {                  \
      return refused;                             \
    }                                             \
  } while (0)

#define LIBRARY_CALL(call, name) DCGM_BEGIN(call, begin_call(&call, FUNCTION_##name))
#define ENGINE_CALL(call, name, handle) DCGM_BEGIN(call, begin_engine_call(&call, FUNCTION_##name, handle))

API dcgmReturn_t dcgmInit(void) {
  LIBRARY_CALL(call, dcgmInit);
  return DCGM_ST_OK;
}

API dcgmReturn_t dcgmShutdown(void) {
  LIBRARY_CALL(call, dcgmShutdown);
  return DCGM_ST_OK;
}

API dcgmReturn_t dcgmConnect_v2(const char *address, dcgmConnectV2Params_v2 *params, dcgmHandle_t *handle) {
  LIBRARY_CALL(call, dcgmConnect_v2);
  if (address == NULL || *address == '\0' || params == NULL || handle == NULL) {
    return DCGM_ST_BADPARAM;
  }
  if (params->version != DCGM_VERSION_WORD(dcgmConnectV2Params_v2, 2)) {
    return DCGM_ST_VER_MISMATCH;
  }
  if (call.state->dcgm.stopped) {
    return DCGM_ST_CONNECTION_NOT_VALID;
  }
  return connection_open(call.state->dcgm.generation, false, handle);
}

#if DCGM_MAJOR > 3
/* Takes a URI; here one of vsock only. */
API dcgmReturn_t dcgmConnect_v3(const char *uri, dcgmConnectV3Params_v1 *params, dcgmHandle_t *handle) {
  LIBRARY_CALL(call, dcgmConnect_v3);
  unsigned cid;
  unsigned short port;
  char rest;
  if (uri == NULL || params == NULL || handle == NULL || sscanf(uri, "vsock://%u:%hu%c", &cid, &port, &rest) != 2) {
    return DCGM_ST_BADPARAM;
  }
  if (params->version != DCGM_VERSION_WORD(dcgmConnectV3Params_v1, 1)) {
    return DCGM_ST_VER_MISMATCH;
  }
  if (call.state->dcgm.stopped) {
    return DCGM_ST_CONNECTION_NOT_VALID;
  }
  return connection_open(call.state->dcgm.generation, false, handle);
}
#endif

API dcgmReturn_t dcgmDisconnect(dcgmHandle_t handle) {
  LIBRARY_CALL(call, dcgmDisconnect);
  policy_unwatch(handle);
  connection_close(handle);
  return DCGM_ST_OK;
}

/* The place of the handle is the same in all versions. */
API dcgmReturn_t dcgmStartEmbedded_v2(dcgmStartEmbeddedV2Params_v1 *params) {
  LIBRARY_CALL(call, dcgmStartEmbedded_v2);
  if (params == NULL || params->opMode < 1 || params->opMode > 2) {
    return DCGM_ST_BADPARAM;
  }
  bool known = params->version == DCGM_VERSION_WORD(dcgmStartEmbeddedV2Params_v1, 1) ||
               params->version == DCGM_VERSION_WORD(dcgmStartEmbeddedV2Params_v2, 2);
  known |= DCGM_MAJOR > 3 && params->version == DCGM_VERSION_WORD(dcgmStartEmbeddedV2Params_v3, 3);
  return known ? connection_open(call.state->dcgm.generation, true, &params->dcgmHandle) : DCGM_ST_VER_MISMATCH;
}

API dcgmReturn_t dcgmStopEmbedded(dcgmHandle_t handle) {
  LIBRARY_CALL(call, dcgmStopEmbedded);
  policy_unwatch(handle);
  connection_close(handle);
  return DCGM_ST_OK;
}

static dcgmReturn_t answer_version(dcgmVersionInfo_v2 *info, const char *version) {
  if (info == NULL) {
    return DCGM_ST_BADPARAM;
  }
  if (info->version != DCGM_VERSION_WORD(dcgmVersionInfo_v2, 2)) {
    return DCGM_ST_VER_MISMATCH;
  }
  snprintf(info->rawBuildInfoString, sizeof info->rawBuildInfoString,
           "version:%s;arch:x86_64;buildtype:Release;buildid:;builddate:;commit:;branch:;buildplatform:", version);
  return DCGM_ST_OK;
}

API dcgmReturn_t dcgmVersionInfo(dcgmVersionInfo_v2 *info) {
  LIBRARY_CALL(call, dcgmVersionInfo);
  const char *version = call.state->dcgm.library_version;
  return answer_version(info, *version == '\0' ? LIBRARY_VERSION : version);
}

API dcgmReturn_t dcgmHostengineVersionInfo(dcgmHandle_t handle, dcgmVersionInfo_v2 *info) {
  ENGINE_CALL(call, dcgmHostengineVersionInfo, handle);
  const char *version = call.state->dcgm.version;
  return answer_version(info, *version == '\0' ? LIBRARY_VERSION : version);
}

/* By DCGM's number of a GPU instance: its place among those of its GPU. Another instance may get it later. */
static const struct mig_instance *instance_of(const struct state *state, double now, unsigned entity) {
  unsigned slot = entity / INSTANCES_MAX;
  unsigned place = entity % INSTANCES_MAX;
  return slot < (unsigned)state->gpus && !state->gpu[slot].missing && place < (unsigned)state->gpu[slot].instances &&
                 mig_enabled(&state->gpu[slot], now)
             ? &state->gpu[slot].instance[place]
             : NULL;
}

/* DCGM's number of a GPU is its place in the chassis; NVML's numbers have no gaps for missing GPUs. */
static bool is_here(const struct state *state, dcgmGroupEntityPair_t entity) {
  if (entity.entityGroupId == DCGM_FE_GPU) {
    return entity.entityId < (unsigned)state->gpus && !state->gpu[entity.entityId].missing;
  }
  if (entity.entityGroupId == DCGM_FE_GPU_I) {
    return instance_of(state, state_now(state), entity.entityId) != NULL;
  }
  if (entity.entityGroupId == DCGM_FE_CPU) {
    return entity.entityId < (unsigned)state->dcgm.cpus;
  }
  if (entity.entityGroupId == DCGM_FE_LINK) {
    dcgm_link_t link = {.raw = entity.entityId};
    return link.parsed.type == DCGM_FE_SWITCH && link.parsed.switchId < (unsigned)state->dcgm.switches &&
           link.parsed.index < DCGM_PORTS_MAX;
  }
  return entity.entityGroupId == DCGM_FE_SWITCH && entity.entityId < (unsigned)state->dcgm.switches;
}

API dcgmReturn_t dcgmGetEntityGroupEntities(dcgmHandle_t handle, int group, unsigned int *entities, int *count,
                                            unsigned int flags) {
  ENGINE_CALL(call, dcgmGetEntityGroupEntities, handle);
  if (entities == NULL || count == NULL || flags > 1) {
    return DCGM_ST_BADPARAM;
  }
  if (group == DCGM_FE_CPU && call.state->dcgm.cpus == 0) {
    return DCGM_ST_MODULE_NOT_LOADED; /* of a CPU of another vendor */
  }
  if (group != DCGM_FE_GPU && group != DCGM_FE_SWITCH && group != DCGM_FE_GPU_I && group != DCGM_FE_CPU) {
    return DCGM_ST_NOT_SUPPORTED;
  }
  int room = *count;
  *count = 0;
  for (unsigned id = 0; id < GPUS_MAX * INSTANCES_MAX; id++) {
    if (is_here(call.state, (dcgmGroupEntityPair_t){(unsigned)group, id})) {
      if (*count < room) {
        entities[*count] = id;
      }
      ++*count;
    }
  }
  return *count > room ? DCGM_ST_INSUFFICIENT_SIZE : DCGM_ST_OK;
}

/* Each GPU instance, and its one compute instance. */
API dcgmReturn_t dcgmGetGpuInstanceHierarchy(dcgmHandle_t handle, dcgmMigHierarchy_v2 *hierarchy) {
  ENGINE_CALL(call, dcgmGetGpuInstanceHierarchy, handle);
  if (hierarchy == NULL) {
    return DCGM_ST_BADPARAM;
  }
  if (hierarchy->version != DCGM_VERSION_WORD(dcgmMigHierarchy_v2, 2)) {
    return DCGM_ST_VER_MISMATCH;
  }
  hierarchy->count = 0;
  for (unsigned id = 0; id < GPUS_MAX * INSTANCES_MAX; id++) {
    const struct mig_instance *found = instance_of(call.state, call.now, id);
    if (found != NULL) {
      unsigned slot = id / INSTANCES_MAX;
      dcgmMigHierarchyInfo_v2 *info = &hierarchy->entityList[hierarchy->count++];
      *info = (dcgmMigHierarchyInfo_v2){
          .entity = {DCGM_FE_GPU_I, id},
          .parent = {DCGM_FE_GPU, slot},
          .info = {.nvmlGpuIndex = slot,
                   .nvmlInstanceId = found->id,
                   .nvmlComputeInstanceId = 0xffffffff,
                   .nvmlMigProfileId = found->profile->id,
                   .nvmlProfileSlices = found->profile->slices}};
      snprintf(info->info.gpuUuid, sizeof info->info.gpuUuid, "%s", call.state->gpu[slot].text[T_UUID]);
      dcgmMigHierarchyInfo_v2 *compute = &hierarchy->entityList[hierarchy->count++];
      *compute = *info;
      compute->entity = (dcgmGroupEntityPair_t){DCGM_FE_GPU_CI, id};
      compute->parent = info->entity;
      compute->info.nvmlComputeInstanceId = 0;
    }
  }
  return DCGM_ST_OK;
}

/* NSCQ lists no links as entities. */
API dcgmReturn_t dcgmGetNvLinkLinkStatus(dcgmHandle_t handle, void *status) {
  ENGINE_CALL(call, dcgmGetNvLinkLinkStatus, handle);
  return status == NULL ? DCGM_ST_BADPARAM : answer_links(call.state, status);
}

API dcgmReturn_t dcgmGetDeviceAttributes(dcgmHandle_t handle, unsigned int gpu, dcgmDeviceAttributes_v3 *attributes) {
  ENGINE_CALL(call, dcgmGetDeviceAttributes, handle);
  if (attributes == NULL || !is_here(call.state, (dcgmGroupEntityPair_t){DCGM_FE_GPU, gpu})) {
    return DCGM_ST_BADPARAM;
  }
  if (attributes->version != DCGM_VERSION_WORD(dcgmDeviceAttributes_v3, 3)) {
    return DCGM_ST_VER_MISMATCH;
  }
  dcgmDeviceIdentifiers_v1 *identifiers = &attributes->identifiers;
  const struct gpu *device = &call.state->gpu[gpu];
  snprintf(identifiers->deviceName, sizeof identifiers->deviceName, "%s", device->text[T_NAME]);
  snprintf(identifiers->serial, sizeof identifiers->serial, "%s", device->text[T_SERIAL]);
  snprintf(identifiers->uuid, sizeof identifiers->uuid, "%s", device->text[T_UUID]);
  return DCGM_ST_OK;
}

API dcgmReturn_t dcgmGroupCreate(dcgmHandle_t handle, int type, const char *name, dcgmGpuGrp_t *group) {
  ENGINE_CALL(call, dcgmGroupCreate, handle);
  if (name == NULL || group == NULL) {
    return DCGM_ST_BADPARAM;
  }
  if (type != DCGM_GROUP_EMPTY) {
    return DCGM_ST_NOT_SUPPORTED;
  }
  dcgmReturn_t answer = DCGM_ST_MAX_LIMIT;
  struct session *session = session_lock();
  for (int i = 0; i < GROUPS_MAX && answer != DCGM_ST_OK; i++) {
    if (session->group[i].owner == 0) {
      session->group[i].owner = handle;
      *group = (dcgmGpuGrp_t)(i + 1);
      answer = DCGM_ST_OK;
    }
  }
  session_unlock(session);
  return answer;
}

static struct entity_group *group_of(struct session *session, dcgmHandle_t handle, dcgmGpuGrp_t group) {
  return group >= 1 && group <= GROUPS_MAX && session->group[group - 1].owner == handle ? &session->group[group - 1]
                                                                                        : NULL;
}

static struct field_group *fields_of(struct session *session, dcgmHandle_t handle, dcgmFieldGrp_t fields) {
  return fields >= 1 && fields <= GROUPS_MAX && session->field_group[fields - 1].owner == handle
             ? &session->field_group[fields - 1]
             : NULL;
}

API dcgmReturn_t dcgmGroupAddEntity(dcgmHandle_t handle, dcgmGpuGrp_t id, int entity_group, unsigned int entity) {
  ENGINE_CALL(call, dcgmGroupAddEntity, handle);
  dcgmGroupEntityPair_t pair = {(unsigned)entity_group, entity};
  dcgmReturn_t answer = DCGM_ST_BADPARAM;
  struct session *session = session_lock();
  struct entity_group *group = group_of(session, handle, id);
  if (group != NULL && group->count < ENTITIES_MAX && is_here(call.state, pair)) {
    group->entity[group->count++] = pair;
    answer = DCGM_ST_OK;
  }
  session_unlock(session);
  return answer;
}

API dcgmReturn_t dcgmGroupDestroy(dcgmHandle_t handle, dcgmGpuGrp_t id) {
  ENGINE_CALL(call, dcgmGroupDestroy, handle);
  struct session *session = session_lock();
  struct entity_group *group = group_of(session, handle, id);
  if (group != NULL) {
    memset(group, 0, sizeof *group);
  }
  session_unlock(session);
  return group == NULL ? DCGM_ST_BADPARAM : DCGM_ST_OK;
}

static bool is_taken(const struct session *session, const char *name) {
  for (int i = 0; i < GROUPS_MAX; i++) {
    if (session->field_group[i].owner != 0 && strcmp(session->field_group[i].name, name) == 0) {
      return true;
    }
  }
  return false;
}

/* One unknown field invalidates the group. */
API dcgmReturn_t dcgmFieldGroupCreate(dcgmHandle_t handle, int count, const unsigned short *fields, const char *name,
                                      dcgmFieldGrp_t *group) {
  ENGINE_CALL(call, dcgmFieldGroupCreate, handle);
  if (fields == NULL || name == NULL || strlen(name) > NAME_MAX_LENGTH || group == NULL || count < 1 ||
      count > FIELDS_OF_GROUP_MAX) {
    return DCGM_ST_BADPARAM;
  }
  for (int i = 0; i < count; i++) {
    if (!is_known(fields[i])) {
      return DCGM_ST_UNKNOWN_FIELD;
    }
  }
  struct session *session = session_lock();
  dcgmReturn_t answer = is_taken(session, name) ? DCGM_ST_DUPLICATE_KEY : DCGM_ST_MAX_LIMIT;
  for (int i = 0; i < GROUPS_MAX && answer == DCGM_ST_MAX_LIMIT; i++) {
    if (session->field_group[i].owner == 0) {
      session->field_group[i].owner = handle;
      session->field_group[i].count = count;
      memcpy(session->field_group[i].field, fields, (size_t)count * sizeof *fields);
      snprintf(session->field_group[i].name, sizeof session->field_group[i].name, "%s", name);
      *group = (dcgmFieldGrp_t)(i + 1);
      answer = DCGM_ST_OK;
    }
  }
  session_unlock(session);
  return answer;
}

API dcgmReturn_t dcgmFieldGroupDestroy(dcgmHandle_t handle, dcgmFieldGrp_t id) {
  ENGINE_CALL(call, dcgmFieldGroupDestroy, handle);
  struct session *session = session_lock();
  struct field_group *fields = fields_of(session, handle, id);
  if (fields != NULL) {
    memset(fields, 0, sizeof *fields);
  }
  session_unlock(session);
  return fields == NULL ? DCGM_ST_BADPARAM : DCGM_ST_OK;
}

/* A watch is refused as a whole for any of its fields. */
static dcgmReturn_t rejection(const struct dcgm *engine, const struct field_group *fields) {
  for (int f = 0; f < fields->count; f++) {
    for (int i = 0; i < engine->rejections; i++) {
      if (engine->rejection[i].field == 0 || engine->rejection[i].field == fields->field[f]) {
        return (dcgmReturn_t) - (int)engine->rejection[i].code;
      }
    }
  }
  return DCGM_ST_OK;
}

API dcgmReturn_t dcgmWatchFields(dcgmHandle_t handle, dcgmGpuGrp_t group, dcgmFieldGrp_t fields, long long period,
                                 double keep_seconds, int keep_samples) {
  ENGINE_CALL(call, dcgmWatchFields, handle);
  if (period <= 0 || (keep_seconds <= 0 && keep_samples <= 0)) {
    return DCGM_ST_BADPARAM;
  }
  struct session *session = session_lock();
  const struct entity_group *entities = group_of(session, handle, group);
  const struct field_group *wanted = fields_of(session, handle, fields);
  dcgmReturn_t answer = entities == NULL || wanted == NULL ? DCGM_ST_BADPARAM
                        : entities->count == 0             ? DCGM_ST_GROUP_IS_EMPTY
                                                           : rejection(&call.state->dcgm, wanted);
  bool kept = false;
  for (int i = 0; i < GROUPS_MAX && answer == DCGM_ST_OK && !kept; i++) {
    if (session->watch[i].owner == 0) {
      session->watch[i] = (struct watch){handle, group, fields, (double)period / 1e6, call.now};
      kept = true;
    }
  }
  session_unlock(session);
  return answer == DCGM_ST_OK && !kept ? DCGM_ST_MAX_LIMIT : answer;
}

/* An engine keeps watches by connection and entity: unwatching one ends the others of the same kind. */
static bool is_of_kind(const struct entity_group *group, unsigned kind) {
  return group != NULL && group->count > 0 &&
         (group->entity[0].entityGroupId == kind ||
          (kind == DCGM_FE_SWITCH && group->entity[0].entityGroupId == DCGM_FE_LINK));
}

API dcgmReturn_t dcgmUnwatchFields(dcgmHandle_t handle, dcgmGpuGrp_t group, dcgmFieldGrp_t fields) {
  ENGINE_CALL(call, dcgmUnwatchFields, handle);
  dcgmReturn_t answer = DCGM_ST_NOT_WATCHED;
  struct session *session = session_lock();
  const struct entity_group *ended = group_of(session, handle, group);
  unsigned kind = ended != NULL && ended->count > 0 ? ended->entity[0].entityGroupId : DCGM_FE_NONE;
  bool together = kind == DCGM_FE_SWITCH || kind == DCGM_FE_GPU_I;
  for (int i = 0; i < GROUPS_MAX; i++) {
    struct watch *watch = &session->watch[i];
    bool own = watch->group == group && watch->fields == fields;
    if (watch->owner == handle && (own || (together && is_of_kind(group_of(session, handle, watch->group), kind)))) {
      memset(watch, 0, sizeof *watch);
      answer = own ? DCGM_ST_OK : answer;
    }
  }
  session_unlock(session);
  return answer;
}

/* activity: the share of the GPU's quantities that the entity has. */
static void sample_gpu(const struct call *call, const struct watch *watch, unsigned slot, double activity,
                       dcgmFieldValue_v2 *value) {
  const struct gpu *gpu = &call->state->gpu[slot];
  struct profiling_field field = profiling[value->fieldId - FIRST_PROFILING];
  double periods = floor((call->now - watch->since) / watch->period);
  double at = watch->since + periods * watch->period;
  value->fieldType = field.bytes ? 'i' : 'd';
  if (gpu->lost) {
    value->status = DCGM_ST_GPU_IS_LOST;
    return;
  }
  if (periods < 1) {
    value->status = DCGM_ST_NO_DATA;
    return;
  }
  value->ts = (int64_t)(at * 1e6);
  double blank = call->state->dcgm.paused ? 0 : gpu->quantity[field.quantity].unsupported ? 2 : -1;
  double from = gpu_total(gpu, field.quantity, at - watch->period);
  double rate = fmax((gpu_total(gpu, field.quantity, at) - from) / watch->period, 0);
  if (field.bytes) {
    value->value.i64 = blank >= 0 ? DCGM_INT64_BLANK + (int64_t)blank : (int64_t)llround(rate * 1048576);
  } else {
    value->value.dbl = blank >= 0 ? DCGM_FP64_BLANK + blank : fmin(rate / 100 * activity, 1);
  }
}

static void sample_switch(const struct call *call, const struct watch *watch, dcgmFieldValue_v2 *value) {
  unsigned sxid = value->fieldId == FIELD_SXID_FATAL ? call->state->dcgm.sxid[value->entityId].fatal
                                                     : call->state->dcgm.sxid[value->entityId].non_fatal;
  value->fieldType = 'i';
  value->status = sxid == 0 ? DCGM_ST_NO_DATA : DCGM_ST_OK;
  value->ts = (int64_t)(watch->since * 1e6);
  value->value.i64 = sxid;
}

static enum cpu_value cpu_value(unsigned short field) {
  return field == FIELD_CPU_UTILIZATION   ? CPU_UTILIZATION
         : field == FIELD_CPU_TEMPERATURE ? CPU_TEMPERATURE
                                          : (enum cpu_value)(CPU_POWER + field - FIRST_CPU_POWER);
}

/* A utilization needs two samples. */
static void sample_cpu(const struct call *call, const struct watch *watch, dcgmFieldValue_v2 *value) {
  double found = call->state->dcgm.cpu[value->entityId][cpu_value(value->fieldId)];
  value->fieldType = 'd';
  value->ts = (int64_t)(call->now * 1e6);
  if (value->fieldId == FIELD_CPU_UTILIZATION && call->now - watch->since < watch->period) {
    value->status = DCGM_ST_NO_DATA;
  }
  value->value.dbl = isinf(found) ? DCGM_FP64_BLANK : found;
}

/* The value of the node, whichever entity it is read at. */
static void sample_node(const struct call *call, dcgmFieldValue_v2 *value) {
  value->ts = (int64_t)(call->now * 1e6);
  if (value->fieldId == FIELD_IMEX_DOMAIN) {
    value->fieldType = 's';
    snprintf(value->value.str, sizeof value->value.str, "%s", call->state->dcgm.imex_domain);
  } else {
    value->fieldType = 'i';
    value->value.i64 = call->state->dcgm.imex_daemon;
  }
}

static void sample(const struct call *call, const struct watch *watch, dcgmFieldValue_v2 *value) {
  if (watch == NULL) {
    value->status = DCGM_ST_NOT_WATCHED;
  } else if (value->entityGroupId == DCGM_FE_GPU && is_profiling(value->fieldId)) {
    double activity = mig_activity(&call->state->gpu[value->entityId], call->now);
    sample_gpu(call, watch, value->entityId, activity, value);
  } else if (value->entityGroupId == DCGM_FE_GPU_I && is_profiling(value->fieldId)) {
    double activity = instance_of(call->state, call->now, value->entityId)->activity;
    sample_gpu(call, watch, value->entityId / INSTANCES_MAX, activity, value);
  } else if (value->entityGroupId == DCGM_FE_SWITCH && is_of_switch(value->fieldId)) {
    sample_switch(call, watch, value);
  } else if (part_field(value->entityGroupId, value->fieldId) != NULL) {
    sample_part(call->state, call->now, value);
  } else if (value->entityGroupId == DCGM_FE_CPU && is_of_cpu(value->fieldId)) {
    sample_cpu(call, watch, value);
  } else if (is_global(value->fieldId)) {
    sample_node(call, value);
  } else {
    value->status = DCGM_ST_NO_DATA;
  }
}

API dcgmReturn_t dcgmEntitiesGetLatestValues(dcgmHandle_t handle, const dcgmGroupEntityPair_t *entities,
                                             unsigned int entity_count, const unsigned short *fields,
                                             unsigned int field_count, unsigned int flags, dcgmFieldValue_v2 *values) {
  ENGINE_CALL(call, dcgmEntitiesGetLatestValues, handle);
  if (entities == NULL || entity_count == 0 || fields == NULL || field_count == 0 || values == NULL || flags > 1) {
    return DCGM_ST_BADPARAM;
  }
  struct session *session = session_lock();
  for (unsigned e = 0; e < entity_count; e++) {
    for (unsigned f = 0; f < field_count; f++) {
      dcgmFieldValue_v2 *value = &values[e * field_count + f];
      memset(value, 0, offsetof(dcgmFieldValue_v2, value) + sizeof value->value.i64);
      value->version = DCGM_VERSION_WORD(dcgmFieldValue_v2, 2);
      value->entityGroupId = entities[e].entityGroupId;
      value->entityId = entities[e].entityId;
      value->fieldId = fields[f];
      bool here = is_here(call.state, entities[e]);
      sample(&call, here ? watch_of(session, handle, entities[e], fields[f]) : NULL, value);
    }
  }
  session_unlock(session);
  return DCGM_ST_OK;
}

API dcgmReturn_t dcgmModuleGetStatuses(dcgmHandle_t handle, dcgmModuleGetStatuses_v1 *statuses) {
  ENGINE_CALL(call, dcgmModuleGetStatuses, handle);
  if (statuses == NULL) {
    return DCGM_ST_BADPARAM;
  }
  if (statuses->version != DCGM_VERSION_WORD(dcgmModuleGetStatuses_v1, 1)) {
    return DCGM_ST_VER_MISMATCH;
  }
  statuses->numStatuses = DCGM_MODULES;
  for (unsigned id = 0; id < DCGM_MODULES; id++) {
    bool paused = id == DCGM_MODULE_PROFILING && call.state->dcgm.paused;
    statuses->statuses[id].id = id;
    statuses->statuses[id].status = paused ? DCGM_MODULE_PAUSED : DCGM_MODULE_LOADED;
  }
  return DCGM_ST_OK;
}

API dcgmReturn_t dcgmHealthSet_v2(dcgmHandle_t handle, dcgmHealthSetParams_v2 *params) {
  ENGINE_CALL(call, dcgmHealthSet_v2, handle);
  if (params == NULL) {
    return DCGM_ST_BADPARAM;
  }
  if (params->version != DCGM_VERSION_WORD(dcgmHealthSetParams_v2, 2)) {
    return DCGM_ST_VER_MISMATCH;
  }
  if (params->updateInterval <= 0 || params->maxKeepAge <= 0) {
    return DCGM_ST_BADPARAM;
  }
  struct session *session = session_lock();
  struct entity_group *group = group_of(session, handle, params->groupId);
  if (group != NULL) {
    group->health_systems = params->systems;
    group->health_since = newest_xid(call.state);
  }
  session_unlock(session);
  return group == NULL ? DCGM_ST_BADPARAM : DCGM_ST_OK;
}

/* A group that is not watched has no incidents, as with DCGM. */
API dcgmReturn_t dcgmHealthCheck(dcgmHandle_t handle, dcgmGpuGrp_t id, DCGM_HEALTH_RESPONSE *response) {
  ENGINE_CALL(call, dcgmHealthCheck, handle);
  if (response == NULL) {
    return DCGM_ST_BADPARAM;
  }
  if (response->version != DCGM_VERSION_WORD(DCGM_HEALTH_RESPONSE, DCGM_HEALTH_VERSION)) {
    return DCGM_ST_VER_MISMATCH;
  }
  struct health health = {.response = response, .call = &call};
  response->overallHealth = DCGM_HEALTH_RESULT_PASS;
  response->incidentCount = 0;
  struct session *session = session_lock();
  const struct entity_group *group = group_of(session, handle, id);
  if (group != NULL) {
    health.systems = group->health_systems;
    health.since = group->health_since;
    for (int i = 0; i < group->count; i++) {
      if (group->entity[i].entityGroupId == DCGM_FE_GPU && is_here(call.state, group->entity[i])) {
        check_gpu(&health, group->entity[i].entityId);
      }
    }
  }
  session_unlock(session);
  return group == NULL ? DCGM_ST_BADPARAM : DCGM_ST_OK;
}

/* A policy belongs to the GPU, whichever group it was set with. */
API dcgmReturn_t dcgmPolicyGet(dcgmHandle_t handle, dcgmGpuGrp_t id, int count, dcgmPolicy_v1 *policies,
                               uintptr_t statuses) {
  ENGINE_CALL(call, dcgmPolicyGet, handle);
  (void)statuses;
  if (policies == NULL || count < 1) {
    return DCGM_ST_BADPARAM;
  }
  for (int i = 0; i < count; i++) {
    if (policies[i].version != DCGM_VERSION_WORD(dcgmPolicy_v1, 1)) {
      return DCGM_ST_VER_MISMATCH;
    }
  }
  struct session *session = session_lock();
  const struct entity_group *group = group_of(session, handle, id);
  int found = 0;
  for (int i = 0; group != NULL && i < group->count; i++) {
    if (group->entity[i].entityGroupId == DCGM_FE_GPU && is_here(call.state, group->entity[i]) && found < count) {
      memset(&policies[found], 0, sizeof policies[found]);
      policies[found].version = DCGM_VERSION_WORD(dcgmPolicy_v1, 1);
      policies[found++].condition = call.state->dcgm.policy[group->entity[i].entityId];
    }
  }
  session_unlock(session);
  return group == NULL ? DCGM_ST_BADPARAM : found == 0 ? DCGM_ST_NOT_CONFIGURED : DCGM_ST_OK;
}

static dcgmReturn_t policy_register(const struct call *call, dcgmHandle_t handle, dcgmGpuGrp_t id,
                                    struct registration wanted) {
  if (wanted.conditions == 0) {
    return DCGM_ST_BADPARAM;
  }
  struct session *session = session_lock();
  const struct entity_group *group = group_of(session, handle, id);
  wanted.handle = handle;
  for (int i = 0; group != NULL && i < group->count; i++) {
    if (group->entity[i].entityGroupId == DCGM_FE_GPU) {
      wanted.gpus |= 1u << group->entity[i].entityId;
    }
  }
  session_unlock(session);
  return group == NULL ? DCGM_ST_BADPARAM : policy_watch(call->state, wanted);
}

#if DCGM_MAJOR == 3
API dcgmReturn_t dcgmPolicyRegister(dcgmHandle_t handle, dcgmGpuGrp_t group, unsigned int conditions,
                                    policy_callback_v1 begin, policy_callback_v1 finish) {
  ENGINE_CALL(call, dcgmPolicyRegister, handle);
  return policy_register(&call, handle, group,
                         (struct registration){.conditions = conditions, .begin = begin, .finish = finish});
}
#else
API dcgmReturn_t dcgmPolicyRegister_v2(dcgmHandle_t handle, dcgmGpuGrp_t group, unsigned int conditions,
                                       policy_callback_v2 callback, uint64_t user_data) {
  ENGINE_CALL(call, dcgmPolicyRegister_v2, handle);
  return policy_register(
      &call, handle, group,
      (struct registration){.conditions = conditions, .callback = callback, .user_data = user_data});
}
#endif

/* Of the whole connection, as with DCGM. */
API dcgmReturn_t dcgmPolicyUnregister(dcgmHandle_t handle, dcgmGpuGrp_t id, unsigned int conditions) {
  ENGINE_CALL(call, dcgmPolicyUnregister, handle);
  (void)conditions;
  struct session *session = session_lock();
  bool known = group_of(session, handle, id) != NULL;
  session_unlock(session);
  if (known) {
    policy_unwatch(handle);
  }
  return known ? DCGM_ST_OK : DCGM_ST_BADPARAM;
}

/* NULL for a field that this version of DCGM does not know. */
API const dcgm_field_meta_t *DcgmFieldGetById(unsigned short field) {
  static const dcgm_field_meta_t known = {.scope = 1};
  return is_known(field) ? &known : NULL;
}
