/*
 * The part of dcgm_structs.h and dcgm_agent.h that the simulated library has, with the published layout: the same from
 * DCGM 3.1 to 4.6 but for the parameters of an embedded engine, the response of a health check and the callbacks of policies.
 */
#ifndef LAPWING_DCGM_ABI_H
#define LAPWING_DCGM_ABI_H

#include <stdint.h>

typedef uintptr_t dcgmHandle_t;
typedef uintptr_t dcgmGpuGrp_t;
typedef uintptr_t dcgmFieldGrp_t;

typedef enum {
  DCGM_ST_OK = 0,
  DCGM_ST_BADPARAM = -1,
  DCGM_ST_NOT_CONFIGURED = -5,
  DCGM_ST_NOT_SUPPORTED = -6,
  DCGM_ST_UNINITIALIZED = -10,
  DCGM_ST_VER_MISMATCH = -12,
  DCGM_ST_UNKNOWN_FIELD = -13,
  DCGM_ST_NO_DATA = -14,
  DCGM_ST_NOT_WATCHED = -16,
  DCGM_ST_GPU_IS_LOST = -18,
  DCGM_ST_CONNECTION_NOT_VALID = -21,
  DCGM_ST_MAX_LIMIT = -24,
  DCGM_ST_DUPLICATE_KEY = -26,
  DCGM_ST_INSUFFICIENT_SIZE = -31,
  DCGM_ST_MODULE_NOT_LOADED = -33,
  DCGM_ST_GROUP_IS_EMPTY = -35,
  DCGM_ST_NVML_NOT_LOADED = -56
} dcgmReturn_t;

enum { DCGM_FE_NONE = 0, DCGM_FE_GPU = 1, DCGM_FE_SWITCH = 3, DCGM_FE_GPU_I = 4, DCGM_FE_GPU_CI = 5, DCGM_FE_LINK = 6, DCGM_FE_CPU = 7 };
enum { DCGM_LINK_DISABLED = 1, DCGM_LINK_DOWN = 2, DCGM_LINK_UP = 3 };
enum { DCGM_GROUP_EMPTY = 1 };
enum { DCGM_HEALTH_RESULT_PASS = 0, DCGM_HEALTH_RESULT_WARN = 10, DCGM_HEALTH_RESULT_FAIL = 20 };
enum { DCGM_MODULES = 9, DCGM_MODULE_PROFILING = 8, DCGM_MODULE_LOADED = 3, DCGM_MODULE_PAUSED = 5 };

#define DCGM_VERSION_WORD(type, version) ((unsigned int)(sizeof(type) | (unsigned long)(version) << 24))

#define DCGM_INT64_BLANK 0x7ffffffffffffff0ll
#define DCGM_FP64_BLANK 140737488355328.0

typedef struct {
  unsigned int entityGroupId;
  unsigned int entityId;
} dcgmGroupEntityPair_t;

typedef struct {
  char gpuUuid[128];
  unsigned int nvmlGpuIndex;
  unsigned int nvmlInstanceId;
  unsigned int nvmlComputeInstanceId;
  unsigned int nvmlMigProfileId;
  unsigned int nvmlProfileSlices;
} dcgmMigEntityInfo_t;

typedef struct {
  dcgmGroupEntityPair_t entity;
  dcgmGroupEntityPair_t parent;
  dcgmMigEntityInfo_t info;
} dcgmMigHierarchyInfo_v2;

typedef struct {
  unsigned int version;
  unsigned int count;
  dcgmMigHierarchyInfo_v2 entityList[448];
} dcgmMigHierarchy_v2;

/* The id of a link as an entity. */
#pragma pack(push, 1)
typedef struct {
  union {
    struct {
      unsigned int type : 8;
      unsigned int index : 16;
      union {
        unsigned int gpuId : 8;
        unsigned int switchId : 8;
      };
    } parsed;
    unsigned int raw;
  };
} dcgm_link_t;
#pragma pack(pop)

typedef struct {
  unsigned int entityId;
  unsigned int linkState[18];
} dcgmNvLinkGpuLinkStatus_v3;

typedef struct {
  unsigned int entityId;
  unsigned int linkState[36];
} dcgmNvLinkGpuLinkStatus_v4;

/* DCGM 3 */
typedef struct {
  unsigned int entityId;
  unsigned int linkState[64];
} dcgmNvLinkNvSwitchLinkStatus_v1;

/* DCGM 4; the header has no number for either. */
typedef struct {
  unsigned int entityId;
  unsigned int linkState[256];
} dcgmNvLinkNvSwitchLinkStatus_v2;

/* DCGM 3 */
typedef struct {
  unsigned int version;
  unsigned int numGpus;
  dcgmNvLinkGpuLinkStatus_v3 gpus[32];
  unsigned int numNvSwitches;
  dcgmNvLinkNvSwitchLinkStatus_v1 nvSwitches[12];
} dcgmNvLinkStatus_v3;

/* DCGM 4.0 to 4.5 */
typedef struct {
  unsigned int version;
  unsigned int numGpus;
  dcgmNvLinkGpuLinkStatus_v3 gpus[32];
  unsigned int numNvSwitches;
  dcgmNvLinkNvSwitchLinkStatus_v2 nvSwitches[12];
} dcgmNvLinkStatus_v4;

/* DCGM 4.6 */
typedef struct {
  unsigned int version;
  unsigned int numGpus;
  dcgmNvLinkGpuLinkStatus_v4 gpus[32];
  unsigned int numNvSwitches;
  dcgmNvLinkNvSwitchLinkStatus_v2 nvSwitches[12];
} dcgmNvLinkStatus_v5;

typedef struct {
  unsigned int version;
  unsigned int entityGroupId;
  unsigned int entityId;
  unsigned short fieldId;
  unsigned short fieldType;
  int status;
  unsigned int unused;
  int64_t ts;
  union {
    int64_t i64;
    double dbl;
    char str[256];
    char blob[4096];
  } value;
} dcgmFieldValue_v2;

typedef struct {
  unsigned int version;
  unsigned int persistAfterDisconnect;
  unsigned int timeoutMs;
  unsigned int addressIsUnixSocket;
} dcgmConnectV2Params_v2;

/* DCGM 4.5 */
typedef struct {
  unsigned int version;
  unsigned int persistAfterDisconnect;
  unsigned int timeoutMs;
} dcgmConnectV3Params_v1;

typedef struct {
  unsigned int version;
  int opMode;
  dcgmHandle_t dcgmHandle;
  const char *logFile;
  int severity;
  unsigned int denyListCount;
  unsigned int denyList[10];
} dcgmStartEmbeddedV2Params_v1;

typedef struct {
  unsigned int version;
  int opMode;
  dcgmHandle_t dcgmHandle;
  const char *logFile;
  int severity;
  unsigned int denyListCount;
  const char *serviceAccount;
  unsigned int denyList[10];
} dcgmStartEmbeddedV2Params_v2;

typedef struct {
  unsigned int version;
  int opMode;
  dcgmHandle_t dcgmHandle;
  const char *logFile;
  int severity;
  unsigned int denyListCount;
  const char *serviceAccount;
  unsigned int denyList[16];
} dcgmStartEmbeddedV2Params_v3;

typedef struct {
  unsigned int version;
  char brandName[256];
  char deviceName[256];
  char pciBusId[256];
  char serial[256];
  char uuid[256];
  char vbios[256];
  char inforomImageVersion[256];
  unsigned int pciDeviceId;
  unsigned int pciSubSystemId;
  char driverVersion[256];
  unsigned int virtualizationMode;
} dcgmDeviceIdentifiers_v1;

typedef struct {
  unsigned int version;
  char clockSets[3080];
  char thermalSettings[12];
  char powerLimits[24];
  dcgmDeviceIdentifiers_v1 identifiers;
  char memoryUsage[20];
  char settings[16];
} dcgmDeviceAttributes_v3;

typedef struct {
  unsigned int version;
  char rawBuildInfoString[512];
} dcgmVersionInfo_v2;

typedef struct {
  unsigned int version;
  unsigned int numStatuses;
  struct {
    unsigned int id;
    unsigned int status;
  } statuses[16];
} dcgmModuleGetStatuses_v1;

typedef struct {
  unsigned int version;
  dcgmGpuGrp_t groupId;
  unsigned int systems;
  int64_t updateInterval;
  double maxKeepAge;
} dcgmHealthSetParams_v2;

typedef struct {
  char msg[1024];
  unsigned int code;
} dcgmDiagErrorDetail_t;

typedef struct {
  unsigned int system;
  unsigned int health;
  dcgmDiagErrorDetail_t error;
  dcgmGroupEntityPair_t entityInfo;
} dcgmIncidentInfo_t;

/* DCGM 3 */
typedef struct {
  unsigned int version;
  unsigned int overallHealth;
  unsigned int incidentCount;
  dcgmIncidentInfo_t incidents[64];
} dcgmHealthResponse_v4;

/* DCGM 4 */
typedef struct {
  unsigned int version;
  unsigned int overallHealth;
  unsigned int incidentCount;
  dcgmIncidentInfo_t incidents[1024];
} dcgmHealthResponse_v5;

typedef struct {
  unsigned int tag;
  union {
    unsigned int boolean;
    unsigned long long llval;
  } val;
} dcgmPolicyConditionParams_t;

typedef struct {
  unsigned int version;
  unsigned int condition;
  unsigned int mode;
  unsigned int isolation;
  unsigned int action;
  unsigned int validation;
  unsigned int response;
  dcgmPolicyConditionParams_t parms[7];
} dcgmPolicy_v1;

/* Replaces all structs of the union: each has a time and then one or two numbers. */
typedef struct {
  long long timestamp;
  unsigned int number;
  unsigned int second;
} dcgmPolicyConditionValue_t;

/* DCGM 3 */
typedef struct {
  unsigned int version;
  unsigned int condition;
  dcgmPolicyConditionValue_t val;
} dcgmPolicyCallbackResponse_v1;

/* DCGM 4 */
typedef struct {
  unsigned int version;
  unsigned int condition;
  dcgmPolicyConditionValue_t val;
  unsigned int gpuId;
} dcgmPolicyCallbackResponse_v2;

typedef struct {
  unsigned short fieldId;
  char fieldType;
  unsigned char size;
  char tag[48];
  int scope;
  int nvmlFieldId;
  int entityLevel;
  const void *valueFormat;
} dcgm_field_meta_t;

#endif
