#include "state_dcgm.h"

#include "state_values.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* reject.1004 = 38, or reject.* for every field: dcgmWatchFields answers minus that code. */
static bool read_rejection(struct dcgm *dcgm, const char *field, const char *value) {
  unsigned long long id = 0;
  unsigned long long code;
  bool every = strcmp(field, "*") == 0;
  if (dcgm->rejections == DCGM_REJECTIONS_MAX || !read_up_to(value, 99, &code) ||
      (!every && (!read_up_to(field, UINT16_MAX, &id) || id == 0))) {
    return false;
  }
  dcgm->rejection[dcgm->rejections++] = (struct dcgm_rejection){(uint16_t)id, (uint16_t)code};
  return true;
}

static const char *const part_names[SWITCH_VALUES] = {"temperature", "power",     "reset_required", "status",
                                                      "tx",          "rx",        "fatal",          "non_fatal",
                                                      "replay",      "recovery",  "crc",            "ecc"};

/* 14, or * for every one */
static bool read_part(const char *text, unsigned most, uint8_t *part) {
  unsigned long long number = EVERY_PART;
  bool read = strcmp(text, "*") == 0 || read_up_to(text, most, &number);
  *part = (uint8_t)number;
  return read;
}

static bool read_part_line(struct dcgm *dcgm, struct dcgm_part_line line, const char *name, const char *value) {
  char rest;
  line.number = INFINITY;
  if (dcgm->part_lines == DCGM_PART_LINES_MAX ||
      (strcmp(value, "blank") != 0 && sscanf(value, "%lf%c", &line.number, &rest) != 1)) {
    return false;
  }
  bool of_port = line.value == PORT_STATUS;
  for (uint8_t v = of_port ? PORT_STATUS : 0; v < (of_port ? SWITCH_VALUES : PORT_STATUS); v++) {
    if (strcmp(name, part_names[v]) == 0) {
      line.value = v;
      dcgm->part_line[dcgm->part_lines++] = line;
      return true;
    }
  }
  return false;
}

/* link.2.14.crc = 7: of a port of a switch; link.*.*.tx = blank */
static bool read_link(struct dcgm *dcgm, const char *key, const char *value) {
  char nvswitch[4];
  char port[4];
  char name[16];
  char rest;
  struct dcgm_part_line line = {.value = PORT_STATUS};
  return sscanf(key, "%3[0-9*].%3[0-9*].%15[a-z_]%c", nvswitch, port, name, &rest) == 3 &&
         read_part(nvswitch, SWITCHES_MAX - 1, &line.nvswitch) && read_part(port, DCGM_PORTS_MAX - 1, &line.port) &&
         read_part_line(dcgm, line, name, value);
}

/* switch.2.temperature = 47, or blank */
static bool read_switch_value(struct dcgm *dcgm, const char *key, const char *value) {
  char nvswitch[4];
  char name[16];
  char rest;
  struct dcgm_part_line line = {.port = EVERY_PART};
  return sscanf(key, "%3[0-9*].%15[a-z_]%c", nvswitch, name, &rest) == 2 &&
         read_part(nvswitch, SWITCHES_MAX - 1, &line.nvswitch) && read_part_line(dcgm, line, name, value);
}

double dcgm_part_value(const struct dcgm *dcgm, enum switch_value value, unsigned nvswitch, unsigned port) {
  static const double presets[SWITCH_VALUES] = {[SWITCH_TEMPERATURE] = 45, [SWITCH_POWER] = 60, [PORT_STATUS] = 2};
  double found = value == PORT_STATUS && port >= (unsigned)dcgm->ports ? 0 : presets[value];
  for (int i = 0; i < dcgm->part_lines; i++) {
    const struct dcgm_part_line *line = &dcgm->part_line[i];
    if (line->value == value && (line->nvswitch == EVERY_PART || line->nvswitch == nvswitch) &&
        (line->port == EVERY_PART || line->port == port)) {
      found = line->number;
    }
  }
  return found;
}

/* switch.2.fatal = 20034: the last SXid of a kind; 0 for none. */
static bool read_sxid(struct dcgm *dcgm, const char *key, const char *value) {
  unsigned number;
  char kind[16];
  char rest;
  unsigned long long sxid;
  if (sscanf(key, "%u.%15[a-z_]%c", &number, kind, &rest) != 2 || number >= SWITCHES_MAX ||
      !read_up_to(value, 99999, &sxid)) {
    return false;
  }
  if (strcmp(kind, "fatal") == 0) {
    dcgm->sxid[number].fatal = (unsigned)sxid;
    return true;
  }
  if (strcmp(kind, "non_fatal") == 0) {
    dcgm->sxid[number].non_fatal = (unsigned)sxid;
    return true;
  }
  return false;
}

/* cpu.0.power = 187.5, cpu.*.temperature = blank */
static bool read_cpu(struct dcgm *dcgm, const char *key, const char *value) {
  static const char *const names[CPU_VALUES] = {"utilization", "temperature", "power",
                                                "power_limit", "sysio_power", "module_power"};
  char cpu[4];
  char name[16];
  char rest;
  if (sscanf(key, "%3[0-9*].%15[a-z_]%c", cpu, name, &rest) != 2) {
    return false;
  }
  bool every = strcmp(cpu, "*") == 0;
  unsigned long long number = 0;
  double found = INFINITY;
  if ((!every && !read_up_to(cpu, CPUS_MAX - 1, &number)) ||
      (strcmp(value, "blank") != 0 && sscanf(value, "%lf%c", &found, &rest) != 1)) {
    return false;
  }
  for (int v = 0; v < CPU_VALUES; v++) {
    if (strcmp(name, names[v]) == 0) {
      for (unsigned i = every ? 0 : (unsigned)number; i < (every ? CPUS_MAX : number + 1); i++) {
        dcgm->cpu[i][v] = found;
      }
      return true;
    }
  }
  return false;
}

/* 5, or -1 */
static bool read_imex_daemon(const char *value, int *status) {
  char rest;
  int found = 0;
  bool read = sscanf(value, "%d%c", &found, &rest) == 1;
  *status = read ? found : *status;
  return read;
}

void preset_dcgm(struct dcgm *dcgm) {
  static const double cpu[CPU_VALUES] = {0.25, 46, 180, 500, 30, 1300};
  for (int i = 0; i < CPUS_MAX; i++) {
    memcpy(dcgm->cpu[i], cpu, sizeof cpu);
  }
  read_text("NOT_INSTALLED", dcgm->imex_domain, sizeof dcgm->imex_domain);
  dcgm->imex_daemon = -1;
  dcgm->ports = 16;
}

/* incident.3 = 0x10 20 52: GPU, and the system, the result and the code of the incident; incident.3.1 = ... is another. */
static bool read_incident(struct dcgm *dcgm, const char *gpu, const char *value) {
  char rest;
  unsigned number;
  struct dcgm_incident next;
  int parts = sscanf(gpu, "%u.%u%c", &next.gpu, &number, &rest);
  if (dcgm->incidents == DCGM_INCIDENTS_MAX || (parts != 2 && (parts != 1 || strchr(gpu, '.') != NULL)) ||
      next.gpu >= GPUS_MAX ||
      sscanf(value, "%i %u %u %c", (int *)&next.system, &next.health, &next.code, &rest) != 3) {
    return false;
  }
  dcgm->incident[dcgm->incidents++] = next;
  return true;
}

/* policy.3 = 0x48, policy.* = 0: the conditions of a GPU's policy */
static bool read_policy(struct dcgm *dcgm, const char *gpu, const char *value) {
  unsigned long long slot = 0;
  unsigned conditions;
  char rest;
  bool every = strcmp(gpu, "*") == 0;
  if ((!every && !read_up_to(gpu, GPUS_MAX - 1, &slot)) || sscanf(value, "%i%c", (int *)&conditions, &rest) != 1) {
    return false;
  }
  for (unsigned i = every ? 0 : (unsigned)slot; i < (every ? GPUS_MAX : slot + 1); i++) {
    dcgm->policy[i] = conditions;
  }
  return true;
}

/* violation.7 = 3 0x8: number, GPU and condition */
static bool read_violation(struct dcgm *dcgm, const char *number, const char *value) {
  struct dcgm_violation next;
  char rest;
  if (dcgm->violations == DCGM_VIOLATIONS_MAX || sscanf(number, "%lu%c", &next.number, &rest) != 1 ||
      sscanf(value, "%u %i %c", &next.gpu, (int *)&next.condition, &rest) != 2 || next.gpu >= GPUS_MAX) {
    return false;
  }
  dcgm->violation[dcgm->violations++] = next;
  return true;
}

bool read_dcgm_line(struct dcgm *dcgm, const char *key, const char *value) {
  if (strcmp(key, "engine") == 0) {
    bool running;
    bool read = read_flag(value, &running);
    dcgm->stopped = read ? !running : dcgm->stopped;
    return read;
  }
  if (strcmp(key, "generation") == 0) {
    return read_generation(value, &dcgm->generation);
  }
  if (strcmp(key, "paused") == 0) {
    return read_flag(value, &dcgm->paused);
  }
  if (strcmp(key, "incidents.derived") == 0) {
    bool derived;
    bool read = read_flag(value, &derived);
    dcgm->only_listed_incidents = read ? !derived : dcgm->only_listed_incidents;
    return read;
  }
  if (strcmp(key, "library.version") == 0) {
    return read_text(value, dcgm->library_version, sizeof dcgm->library_version);
  }
  if (strcmp(key, "version") == 0) {
    return read_text(value, dcgm->version, sizeof dcgm->version);
  }
  if (strcmp(key, "switches") == 0) {
    unsigned long long number;
    bool read = read_up_to(value, SWITCHES_MAX, &number);
    dcgm->switches = read ? (int)number : dcgm->switches;
    return read;
  }
  if (strcmp(key, "cpus") == 0) {
    unsigned long long number;
    bool read = read_up_to(value, CPUS_MAX, &number);
    dcgm->cpus = read ? (int)number : dcgm->cpus;
    return read;
  }
  if (strcmp(key, "imex.domain") == 0) {
    return read_text(value, dcgm->imex_domain, sizeof dcgm->imex_domain);
  }
  if (strcmp(key, "imex.daemon") == 0) {
    return read_imex_daemon(value, &dcgm->imex_daemon);
  }
  if (strncmp(key, "cpu.", 4) == 0) {
    return read_cpu(dcgm, key + 4, value);
  }
  if (strncmp(key, "reject.", 7) == 0) {
    return read_rejection(dcgm, key + 7, value);
  }
  if (strncmp(key, "incident.", 9) == 0) {
    return read_incident(dcgm, key + 9, value);
  }
  if (strcmp(key, "ports") == 0) {
    unsigned long long number;
    bool read = read_up_to(value, DCGM_PORTS_MAX, &number);
    dcgm->ports = read ? (int)number : dcgm->ports;
    return read;
  }
  if (strncmp(key, "link.", 5) == 0) {
    return read_link(dcgm, key + 5, value);
  }
  if (strncmp(key, "policy.", 7) == 0) {
    return read_policy(dcgm, key + 7, value);
  }
  if (strncmp(key, "violation.", 10) == 0) {
    return read_violation(dcgm, key + 10, value);
  }
  return strncmp(key, "switch.", 7) == 0 &&
         (read_sxid(dcgm, key + 7, value) || read_switch_value(dcgm, key + 7, value));
}
