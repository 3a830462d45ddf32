/* Processes with memory on the GPU, from the state's `processes` line. */
#include "call.h"

static nvmlReturn_t running(nvmlDevice_t device, enum function function, unsigned int *count,
                            nvmlProcessInfo_t *infos) {
  BEGIN(call, begin_device_call(&call, function, device));
  if (count == NULL) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  unsigned int room = *count;
  *count = (unsigned int)call.gpu->processes;
  if (*count > room) {
    return NVML_ERROR_INSUFFICIENT_SIZE;
  }
  if (*count > 0 && infos == NULL) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  for (unsigned int i = 0; i < *count; i++) {
    infos[i] = (nvmlProcessInfo_t){
        .pid = call.gpu->process[i].pid,
        .usedGpuMemory = call.gpu->process[i].mebibytes << 20,
        .gpuInstanceId = call.gpu->process[i].instance,
        .computeInstanceId = call.gpu->process[i].instance == NO_INSTANCE ? NO_INSTANCE : 0,
    };
  }
  return NVML_SUCCESS;
}

API nvmlReturn_t nvmlDeviceGetComputeRunningProcesses_v2(nvmlDevice_t device, unsigned int *count,
                                                         nvmlProcessInfo_t *infos) {
  return running(device, FUNCTION_nvmlDeviceGetComputeRunningProcesses_v2, count, infos);
}

API nvmlReturn_t nvmlDeviceGetComputeRunningProcesses_v3(nvmlDevice_t device, unsigned int *count,
                                                         nvmlProcessInfo_t *infos) {
  return running(device, FUNCTION_nvmlDeviceGetComputeRunningProcesses_v3, count, infos);
}

/* The first interface's struct ends after the memory; only the size of an item differs. */
API nvmlReturn_t nvmlDeviceGetComputeRunningProcesses(nvmlDevice_t device, unsigned int *count, void *infos) {
  struct first {
    unsigned int pid;
    unsigned long long used;
  };
  nvmlProcessInfo_t found[PROCESSES_MAX];
  unsigned int room = PROCESSES_MAX;
  nvmlReturn_t answer = running(device, FUNCTION_nvmlDeviceGetComputeRunningProcesses, &room, found);
  if (answer != NVML_SUCCESS || count == NULL) {
    return answer != NVML_SUCCESS ? answer : NVML_ERROR_INVALID_ARGUMENT;
  }
  bool fits = room <= *count;
  *count = room;
  if (!fits) {
    return NVML_ERROR_INSUFFICIENT_SIZE;
  }
  struct first *into = infos;
  for (unsigned int i = 0; i < room && into != NULL; i++) {
    into[i] = (struct first){found[i].pid, found[i].usedGpuMemory};
  }
  return NVML_SUCCESS;
}

API nvmlReturn_t nvmlDeviceGetProcessUtilization(nvmlDevice_t device, nvmlProcessUtilizationSample_t *samples,
                                                 unsigned int *count, unsigned long long last_seen) {
  DEVICE_CALL(call, nvmlDeviceGetProcessUtilization, device);
  unsigned long long now = to_u64(call.now * 1e6);
  if (count == NULL) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  unsigned int processes = (unsigned int)call.gpu->processes;
  if (processes == 0 || last_seen >= now) {
    *count = 0;
    return NVML_ERROR_NOT_FOUND;
  }
  if (samples == NULL || *count < processes) {
    *count = processes;
    return NVML_ERROR_INSUFFICIENT_SIZE;
  }
  *count = processes;
  for (unsigned int i = 0; i < processes; i++) {
    samples[i] = (nvmlProcessUtilizationSample_t){
        .pid = call.gpu->process[i].pid,
        .timeStamp = now,
        .smUtil = (unsigned int)(count_of(&call, Q_UTILIZATION_GPU) / processes),
        .memUtil = (unsigned int)(count_of(&call, Q_UTILIZATION_MEMORY) / processes),
    };
  }
  return NVML_SUCCESS;
}

#if NVML_VINTAGE >= 550
API nvmlReturn_t nvmlDeviceGetProcessesUtilizationInfo(nvmlDevice_t device, nvmlProcessesUtilizationInfo_v1_t *info) {
  DEVICE_CALL(call, nvmlDeviceGetProcessesUtilizationInfo, device);
  if (info == NULL) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  if (info->version != nvmlProcessesUtilizationInfo_v1) {
    return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
  }
  unsigned int processes = (unsigned int)call.gpu->processes;
  unsigned int room = info->processSamplesCount;
  info->processSamplesCount = processes;
  if (processes == 0) {
    return NVML_ERROR_NOT_FOUND;
  }
  if (info->procUtilArray == NULL || room < processes) {
    return NVML_ERROR_INSUFFICIENT_SIZE;
  }
  for (unsigned int i = 0; i < processes; i++) {
    info->procUtilArray[i] = (nvmlProcessUtilizationInfo_v1_t){
        .timeStamp = to_u64(call.now * 1e6),
        .pid = call.gpu->process[i].pid,
        .smUtil = (unsigned int)(count_of(&call, Q_UTILIZATION_GPU) / processes),
        .memUtil = (unsigned int)(count_of(&call, Q_UTILIZATION_MEMORY) / processes),
    };
  }
  return NVML_SUCCESS;
}
#endif
