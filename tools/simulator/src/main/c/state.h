/*
 * The state file resolved to arrays: immutable, one for each read of the file.
 *
 * Calls hold a reference while they run, so a new reading never changes values under a call. Only the reference count
 * is ever written after a state is published.
 */
#ifndef LAPWING_STATE_H
#define LAPWING_STATE_H

#include "expression.h"
#include "function.h"
#include "quantity.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum {
  GPUS_MAX = 16,
  LINKS_MAX = 18,
  PROCESSES_MAX = 16,
  INSTANCES_MAX = 8,
  INSTANCE_IDS = 16,
  FIELDS_MAX = 303,     /* one more than the highest field id that a state line can name */
  OVERRIDES_MAX = 255,  /* field values overridden, all GPUs together */
  EVENTS_MAX = 512,
  VGPUS_MAX = 8,
  SWITCHES_MAX = 12,
  CPUS_MAX = 8,
  DCGM_REJECTIONS_MAX = 32,
  DCGM_INCIDENTS_MAX = 64,
  DCGM_PORTS_MAX = 64,
  DCGM_PART_LINES_MAX = 1024,
  DCGM_VIOLATIONS_MAX = 64
};

enum gpm_mode { GPM_BY_ARCHITECTURE, GPM_NAN, GPM_UNSUPPORTED };

/* Faults of a call; none by default. */
struct fault {
  uint16_t code;  /* the return code, 0 for the normal answer */
  float seconds;  /* how long it blocks first; INFINITY for ever */
  bool crashes;   /* it ends the process by SIGSEGV instead */
};

struct process {
  unsigned pid;
  unsigned long long mebibytes;
  unsigned instance; /* of MIG, or NO_INSTANCE */
  double share;      /* of the GPU's utilization; negative: an equal one */
  bool mps;          /* a client of the Multi-Process Service */
};

enum { NO_INSTANCE = 0xffffffff };

/* The recorded answer of one field value for one scope: a link, ALL_LINKS, or 0. */
struct field_answer {
  uint16_t field;
  uint16_t code; /* 0, or the return code instead of a value */
  uint32_t scope;
  double value;
};

/* A GPU instance of MIG, with one compute instance. */
struct mig_instance {
  unsigned id;
  const struct mig_profile *profile;
  unsigned start;
  double activity; /* its gpm.* are the GPU's quantities times this */
};

/* A vGPU of a host; mebibytes is 0 where there is none. */
struct vgpu {
  unsigned long long mebibytes;
  unsigned license; /* NVML_GRID_LICENSE_STATE_* */
  unsigned utilization; /* percent of the SMs */
  char vm[80];
  char type[64];
};

struct gpu {
  struct expression quantity[QUANTITIES];
  char text[TEXTS][TEXT_SIZE];
  struct fault fault[FUNCTIONS];
  uint16_t field_return[FIELDS_MAX];
  uint8_t field_override[FIELDS_MAX]; /* 0, or 1 + index into the state's overrides */
  struct field_answer *answer; /* a later one of the same field and scope replaces an earlier one */
  int answers;
  int answers_room;
  struct process process[PROCESSES_MAX];
  int processes;
  struct mig_instance instance[INSTANCES_MAX];
  int instances;
  struct vgpu vgpu[VGPUS_MAX];
  uint64_t inactive_links;
  unsigned pci_domain;
  unsigned pci_bus;
  unsigned pci_device;
  enum gpm_mode gpm;
  bool lost;
  bool missing;
  unsigned generation; /* of this GPU alone: it was reset when this changes */
  double total_offset[INTEGRATED_QUANTITIES]; /* running total = this + integral */
};

/* field 0 is every field */
struct dcgm_rejection {
  uint16_t field;
  uint16_t code;
};

/* An incident of a health watch that no other line has a cause for. */
struct dcgm_incident {
  unsigned gpu;
  unsigned system;
  unsigned health;
  unsigned code;
};

/* A violation of a policy; it is reported once to every client that registered before. */
struct dcgm_violation {
  unsigned long number;
  unsigned gpu;
  unsigned condition; /* one bit of dcgmPolicyCondition_t */
};

/* DCGM's values of a Grace CPU, in this order. */
enum cpu_value { CPU_UTILIZATION, CPU_TEMPERATURE, CPU_POWER, CPU_POWER_LIMIT, CPU_SYSIO_POWER, CPU_MODULE_POWER, CPU_VALUES };

/* DCGM's values of an NVSwitch, and then of one of its ports, except SXids. */
enum switch_value {
  SWITCH_TEMPERATURE,
  SWITCH_POWER,
  SWITCH_RESET,
  PORT_STATUS,
  PORT_TX,
  PORT_RX,
  PORT_FATAL,
  PORT_NON_FATAL,
  PORT_REPLAY,
  PORT_RECOVERY,
  PORT_CRC,
  PORT_ECC,
  SWITCH_VALUES
};

enum { EVERY_PART = 0xff };

/* A line about one of them; the last that fits counts. */
struct dcgm_part_line {
  uint8_t nvswitch; /* or EVERY_PART, as the port */
  uint8_t port;
  uint8_t value;
  double number; /* INFINITY for a blank value */
};

/* The host engine of DCGM; it runs by default. */
struct dcgm {
  bool stopped;
  bool paused;         /* profiling, by another client */
  unsigned generation; /* it was restarted when this changes */
  char version[32];    /* empty for that of the library */
  char library_version[32]; /* empty for its own */
  int switches;
  struct {
    unsigned fatal;
    unsigned non_fatal;
  } sxid[SWITCHES_MAX];
  int ports; /* of each switch that a GPU is connected to; the others are off */
  int part_lines;
  struct dcgm_part_line part_line[DCGM_PART_LINES_MAX];
  int cpus;
  double cpu[CPUS_MAX][CPU_VALUES]; /* INFINITY for a blank value */
  char imex_domain[64];
  int imex_daemon;
  int rejections;
  struct dcgm_rejection rejection[DCGM_REJECTIONS_MAX];
  bool only_listed_incidents; /* other lines make none */
  int incidents;
  struct dcgm_incident incident[DCGM_INCIDENTS_MAX];
  unsigned policy[GPUS_MAX]; /* the conditions of each GPU's policy; 0 for none */
  int violations;
  struct dcgm_violation violation[DCGM_VIOLATIONS_MAX]; /* in the order of the lines */
};

struct event {
  unsigned long number;
  int gpu;
  unsigned long long type;
  unsigned long long data;
  unsigned instance; /* of MIG, or NO_INSTANCE */
};

struct state {
  atomic_int references;
  int ignored_lines; /* garbled ones */
  int gpus;
  bool driver_loaded;
  bool driver_mismatch;
  unsigned generation;
  char driver_version[80];
  char nvml_version[80];
  int cuda_version;
  double fixed_time; /* seconds since 1970, or 0 when time is live */
  double time_rate;  /* how fast time runs from fixed_time on; 0 if stopped */
  double time_since; /* start of that rate, by the real clock */
  double epoch;      /* start of counters and ramps */
  double since;      /* when this reading took effect */
  double check_seconds;
  struct fault fault[FUNCTIONS];
  struct dcgm dcgm;
  int overrides;
  struct expression override[OVERRIDES_MAX];
  int events;
  struct event event[EVENTS_MAX];
  struct gpu gpu[GPUS_MAX];
};

/* Reads text (which it changes) into a new state with one reference; path is for messages. NULL without memory. */
struct state *state_parse(char *text, const char *path);

/* Ends a state that nothing refers to. */
void state_free(struct state *state);

/* The state's own clock, in seconds since 1970. */
double state_now(const struct state *state);

/* Seconds of a wait per real second; 1 if time is stopped. */
double state_pace(const struct state *state);

/*
 * Continues running totals from the previous state, even if rates changed. Totals of a GPU restart if its generation or
 * the driver's changed.
 */
void state_continue(struct state *state, const struct state *before);

double gpu_value(const struct gpu *gpu, enum quantity quantity, double seconds);
double gpu_total(const struct gpu *gpu, enum quantity quantity, double seconds);

#endif
