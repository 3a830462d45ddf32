/* The lines of the state file that are about GPUs. */
#include "state_gpu.h"

#include "mig.h"
#include "state_values.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "0000:53:00.0", as lspci writes it. */
bool read_bus_id(struct gpu *gpu) {
  unsigned function;
  char rest;
  return sscanf(gpu->text[T_BUS_ID], "%x:%x:%x.%x%c", &gpu->pci_domain, &gpu->pci_bus, &gpu->pci_device, &function,
                &rest) == 4;
}

/* "*SHARE", "+mps" and "+server" behind a process; false if malformed. */
static bool read_manner(const char **text, struct process *process) {
  process->share = -1;
  process->mps = false;
  if (**text == '*') {
    char *end;
    process->share = strtod(*text + 1, &end);
    if (end == *text + 1 || !(process->share >= 0 && process->share <= 1)) {
      return false;
    }
    *text = end;
  }
  if (strncmp(*text, "+mps", 4) == 0) {
    process->mps = true;
    *text += 4;
  } else if (strncmp(*text, "+server", 7) == 0) {
    *text += 7;
  }
  return true;
}

/* "pid:MiB pid:MiB@INSTANCE*SHARE+mps", or nothing for an idle GPU. */
static bool read_processes(const char *text, struct gpu *gpu) {
  gpu->processes = 0;
  while (*text != '\0') {
    int length = 0;
    struct process *next = &gpu->process[gpu->processes];
    if (gpu->processes == PROCESSES_MAX ||
        sscanf(text, "%u:%llu%n", &next->pid, &next->mebibytes, &length) != 2) {
      return false;
    }
    text += length;
    next->instance = NO_INSTANCE;
    if (*text == '@') {
      if (sscanf(text, "@%u%n", &next->instance, &length) != 1) {
        return false;
      }
      text += length;
    }
    if (!read_manner(&text, next)) {
      return false;
    }
    gpu->processes++;
    text += strspn(text, " ,");
  }
  return true;
}

/* "7:1g.10gb@0 8:1g.10gb@1*0.5": id, profile, start of the placement, and activity if it is not 1. */
static bool read_instances(const char *text, struct gpu *gpu) {
  gpu->instances = 0;
  while (*text != '\0') {
    char profile[16];
    int length = 0;
    struct mig_instance *next = &gpu->instance[gpu->instances];
    if (gpu->instances == INSTANCES_MAX ||
        sscanf(text, "%u:%15[0-9a-z.+]@%u%n", &next->id, profile, &next->start, &length) != 3 ||
        next->id >= INSTANCE_IDS) {
      return false;
    }
    next->profile = mig_profile_named(profile);
    next->activity = 1;
    text += length;
    if (*text == '*') {
      char *end;
      next->activity = strtod(text + 1, &end);
      text = end;
    }
    if (next->profile == NULL || !(next->activity >= 0 && next->activity <= 1)) {
      return false;
    }
    gpu->instances++;
    text += strspn(text, " ,");
  }
  return true;
}

/* "5 7": the links that are down. */
static bool read_links(const char *text, uint64_t *links) {
  *links = 0;
  while (*text != '\0') {
    char *end;
    unsigned long link = strtoul(text, &end, 10);
    if (end == text || link >= LINKS_MAX) {
      return false;
    }
    *links |= 1ull << link;
    text = end + strspn(end, " ,");
  }
  return true;
}

static bool read_gpm(const char *text, enum gpm_mode *mode) {
  static const char *const words[] = {"by-architecture", "nan", "unsupported"};
  for (int i = 0; i < 3; i++) {
    if (strcmp(text, words[i]) == 0) {
      *mode = (enum gpm_mode)i;
      return true;
    }
  }
  return false;
}

static bool read_field_id(const char *text, unsigned long long *id) {
  return read_up_to(text, FIELDS_MAX - 1, id) && *id > 0;
}

static bool read_override(struct state *state, struct gpu *gpu, const char *id, const char *value) {
  unsigned long long field;
  if (!read_field_id(id, &field)) {
    return false;
  }
  uint8_t place = gpu->field_override[field];
  if (place == 0) {
    if (state->overrides == OVERRIDES_MAX) {
      return false;
    }
    place = (uint8_t)(state->overrides + 1);
  }
  if (!expression_parse(value, QUANTITIES, &state->override[place - 1])) {
    return false;
  }
  if (place > state->overrides) {
    state->overrides = place;
  }
  gpu->field_override[field] = place;
  return true;
}

static bool read_field_return(struct gpu *gpu, const char *id, const char *value) {
  unsigned long long field;
  unsigned long long code;
  if (!read_field_id(id, &field) || !read_up_to(value, 999, &code)) {
    return false;
  }
  gpu->field_return[field] = (uint16_t)code;
  return true;
}

/* "202.5" or "138.all": a field id and a scope. */
static bool read_scoped_field(const char *text, struct field_answer *answer) {
  char id[8];
  size_t length = strcspn(text, ".");
  unsigned long long number;
  if (length >= sizeof id || text[length] == '\0') {
    return false;
  }
  memcpy(id, text, length);
  id[length] = '\0';
  if (!read_field_id(id, &number)) {
    return false;
  }
  answer->field = (uint16_t)number;
  if (strcmp(text + length + 1, "all") == 0) {
    answer->scope = UINT32_MAX;
    return true;
  }
  bool read = read_up_to(text + length + 1, UINT16_MAX, &number);
  answer->scope = (uint32_t)number;
  return read;
}

static bool keep_answer(struct gpu *gpu, struct field_answer answer) {
  for (int i = 0; i < gpu->answers; i++) {
    if (gpu->answer[i].field == answer.field && gpu->answer[i].scope == answer.scope) {
      gpu->answer[i] = answer;
      return true;
    }
  }
  if (gpu->answers == gpu->answers_room) {
    int room = gpu->answers_room == 0 ? 64 : 2 * gpu->answers_room;
    struct field_answer *more = realloc(gpu->answer, (size_t)room * sizeof *more);
    if (more == NULL) {
      return false;
    }
    gpu->answer = more;
    gpu->answers_room = room;
  }
  gpu->answer[gpu->answers++] = answer;
  return true;
}

/* A recorded value is a number, which does not change. */
static bool read_answer(struct gpu *gpu, const char *scoped, const char *value) {
  struct field_answer answer = {0};
  char *end;
  answer.value = strtod(value, &end);
  return end > value && *end == '\0' && read_scoped_field(scoped, &answer) && keep_answer(gpu, answer);
}

static bool read_answer_code(struct gpu *gpu, const char *scoped, const char *value) {
  struct field_answer answer = {0};
  unsigned long long code;
  if (!read_up_to(value, 999, &code) || code == 0 || !read_scoped_field(scoped, &answer)) {
    return false;
  }
  answer.code = (uint16_t)code;
  return keep_answer(gpu, answer);
}

/* vgpu.2 = 8192 5 40 VM TYPE: MiB, licence, percent, and two texts of which the last may have blanks; or none */
static bool read_vgpu(struct gpu *gpu, const char *place, const char *value) {
  unsigned long long index;
  struct vgpu next = {0};
  if (!read_up_to(place, VGPUS_MAX - 1, &index) ||
      (strcmp(value, "none") != 0 && (sscanf(value, "%llu %u %u %79s %63[^\n]", &next.mebibytes, &next.license,
                                             &next.utilization, next.vm, next.type) != 5 ||
                                      next.mebibytes == 0))) {
    return false;
  }
  gpu->vgpu[index] = next;
  return true;
}

static bool read_gpu_line(struct state *state, struct gpu *gpu, const char *key, const char *value) {
  int named = quantity_named(key);
  if (named != NOT_A_QUANTITY) {
    return expression_parse(value, named, &gpu->quantity[named]);
  }
  named = text_named(key);
  if (named == T_BUS_ID) {
    return read_text(value, gpu->text[named], TEXT_SIZE) && read_bus_id(gpu);
  }
  if (named != NOT_A_QUANTITY) {
    return read_text(value, gpu->text[named], TEXT_SIZE);
  }
  if (strcmp(key, "lost") == 0) {
    return read_flag(value, &gpu->lost);
  }
  if (strcmp(key, "missing") == 0) {
    return read_flag(value, &gpu->missing);
  }
  if (strcmp(key, "generation") == 0) {
    return read_generation(value, &gpu->generation);
  }
  if (strcmp(key, "gpm") == 0) {
    return read_gpm(value, &gpu->gpm);
  }
  if (strcmp(key, "processes") == 0) {
    return read_processes(value, gpu);
  }
  if (strcmp(key, "mig.instances") == 0) {
    return read_instances(value, gpu);
  }
  if (strncmp(key, "vgpu.", 5) == 0) {
    return read_vgpu(gpu, key + 5, value);
  }
  if (strcmp(key, "nvlink.inactive") == 0) {
    return read_links(value, &gpu->inactive_links);
  }
  if (strncmp(key, "field.", 6) == 0) {
    return strchr(key + 6, '.') == NULL ? read_override(state, gpu, key + 6, value) : read_answer(gpu, key + 6, value);
  }
  if (strncmp(key, "fieldreturn.", 12) == 0) {
    return strchr(key + 12, '.') == NULL ? read_field_return(gpu, key + 12, value)
                                         : read_answer_code(gpu, key + 12, value);
  }
  return read_fault(key, value, gpu->fault);
}

/* gpu.SELECTOR.KEY; GPUs beyond gpu.count are read as well, so that lines may be in any order. */
bool read_gpu_lines(struct state *state, const char *rest, const char *value) {
  const char *dot = strchr(rest, '.');
  if (dot == NULL) {
    return false;
  }
  int first = 0;
  int last = GPUS_MAX - 1;
  if (strncmp(rest, "*.", 2) != 0) {
    char *end;
    unsigned long selected = strtoul(rest, &end, 10);
    if (!isdigit((unsigned char)*rest) || end != dot || selected >= GPUS_MAX) {
      return false;
    }
    first = last = (int)selected;
  }
  for (int i = first; i <= last; i++) {
    if (!read_gpu_line(state, &state->gpu[i], dot + 1, value)) {
      return false;
    }
  }
  return true;
}
