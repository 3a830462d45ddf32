/* Init, shutdown and system queries. */
#include "call.h"
#include "devices.h"

/* Identifies the simulator to an agent. No real library has it. */
API int lapwing_simulated(void);
API int lapwing_simulated(void) { return 1; }

/* How many lines of the state file are garbled; for tests of scenarios, which must not have any. */
API int lapwing_ignored_lines(void);
API int lapwing_ignored_lines(void) {
  CALL call = {.state = state_acquire()};
  return call.state->ignored_lines;
}

static nvmlReturn_t initialise(enum function function) {
  BEGIN(call, begin_call_before_init(&call, function));
  enumerate(call.state);
  return NVML_SUCCESS;
}

API nvmlReturn_t nvmlInit_v2(void) { return initialise(FUNCTION_nvmlInit_v2); }

API nvmlReturn_t nvmlInit(void) { return initialise(FUNCTION_nvmlInit); }

API nvmlReturn_t nvmlInitWithFlags(unsigned int flags) {
  return flags > 7 ? NVML_ERROR_INVALID_ARGUMENT : initialise(FUNCTION_nvmlInitWithFlags);
}

API nvmlReturn_t nvmlShutdown(void) {
  BEGIN(call, begin_cleanup_call(&call, FUNCTION_nvmlShutdown));
  return forget_devices() ? NVML_SUCCESS : NVML_ERROR_UNINITIALIZED;
}

API nvmlReturn_t nvmlSystemGetDriverVersion(char *version, unsigned int length) {
  SYSTEM_CALL(call, nvmlSystemGetDriverVersion);
  return answer_text(call.state->driver_version, version, length);
}

API nvmlReturn_t nvmlSystemGetNVMLVersion(char *version, unsigned int length) {
  BEGIN(call, begin_call_before_init(&call, FUNCTION_nvmlSystemGetNVMLVersion));
  return answer_text(call.state->nvml_version, version, length);
}

static nvmlReturn_t cuda_version(const struct call *call, int *version) {
  if (version == NULL) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  *version = call->state->cuda_version;
  return NVML_SUCCESS;
}

API nvmlReturn_t nvmlSystemGetCudaDriverVersion(int *version) {
  BEGIN(call, begin_call_before_init(&call, FUNCTION_nvmlSystemGetCudaDriverVersion));
  return cuda_version(&call, version);
}

API nvmlReturn_t nvmlSystemGetCudaDriverVersion_v2(int *version) {
  BEGIN(call, begin_call_before_init(&call, FUNCTION_nvmlSystemGetCudaDriverVersion_v2));
  return cuda_version(&call, version);
}
