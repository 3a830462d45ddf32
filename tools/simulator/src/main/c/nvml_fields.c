/* nvmlDeviceGetFieldValues: many numbers in one call, each with its own return code and type. */
#include "fields.h"
#include "nvlink.h"

#include <math.h>

static bool has(const struct call *call, enum needs needs) {
  if (needs == NEEDS_NOTHING) {
    return true;
  }
  if (nvlink_count(call) == 0) {
    return false;
  }
  return needs == NEEDS_NVLINK || (needs == NEEDS_NVLINK_5) == (nvlink_version(call) >= 5);
}

static nvmlReturn_t overridden(const struct call *call, const struct expression *override, double *value) {
  *value = expression_value(override, call->gpu->quantity, call->now);
  return override->unsupported ? NVML_ERROR_NOT_SUPPORTED : NVML_SUCCESS;
}

static const struct field_answer *recorded(const struct call *call, const nvmlFieldValue_t *asked) {
  for (int i = 0; i < call->gpu->answers; i++) {
    const struct field_answer *answer = &call->gpu->answer[i];
    if (answer->field == asked->fieldId && answer->scope == asked->scopeId) {
      return answer;
    }
  }
  return NULL;
}

static nvmlReturn_t read_value(const struct call *call, const nvmlFieldValue_t *asked, const struct field *field,
                               double *value) {
  if (field == NULL) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  const struct field_answer *answer = recorded(call, asked);
  if (answer != NULL) {
    *value = answer->value;
    return (nvmlReturn_t)answer->code;
  }
  uint16_t code = call->gpu->field_return[asked->fieldId];
  if (code != 0) {
    return (nvmlReturn_t)code;
  }
  uint8_t override = call->gpu->field_override[asked->fieldId];
  if (override != 0) {
    return overridden(call, &call->state->override[override - 1], value);
  }
  if (field->read == NULL || !has(call, field->needs)) {
    return NVML_ERROR_NOT_SUPPORTED;
  }
  return field->read(call, field, asked->scopeId, value);
}

static void store(nvmlFieldValue_t *into, nvmlValueType_t type, double value) {
  into->valueType = type;
  into->value.ullVal = 0;
  if (type == NVML_VALUE_TYPE_SIGNED_INT) {
    into->value.siVal = (int)lround(value);
  } else if (type == NVML_VALUE_TYPE_UNSIGNED_INT) {
    into->value.uiVal = (unsigned int)to_u64(value);
  } else {
    into->value.ullVal = to_u64(value);
  }
}

API nvmlReturn_t nvmlDeviceGetFieldValues(nvmlDevice_t device, int count, nvmlFieldValue_t *values) {
  DEVICE_CALL(call, nvmlDeviceGetFieldValues, device);
  if (count <= 0 || values == NULL) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  long long microseconds = (long long)(call.now * 1e6);
  for (int i = 0; i < count; i++) {
    const struct field *field = field_by_id(values[i].fieldId);
    double value = 0;
    values[i].nvmlReturn = read_value(&call, &values[i], field, &value);
    values[i].timestamp = microseconds;
    values[i].latencyUsec = 0;
    if (values[i].nvmlReturn == NVML_SUCCESS) {
      store(&values[i], field->read == NULL ? NVML_VALUE_TYPE_UNSIGNED_LONG_LONG : field->type, value);
    }
  }
  return NVML_SUCCESS;
}
