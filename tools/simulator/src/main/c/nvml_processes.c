/* Processes with memory on the GPU, from the state's `processes` line. */
#include "call.h"
#include "mig.h"

/* All processes, or the clients of MPS. */
static nvmlReturn_t listed(nvmlDevice_t device, enum function function, bool mps_only, unsigned int *count,
                           nvmlProcessInfo_t *infos) {
  BEGIN(call, begin_device_call(&call, function, device));
  if (count == NULL) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  unsigned int room = *count;
  *count = 0;
  for (int i = 0; i < call.gpu->processes; i++) {
    *count += call.gpu->process[i].mps || !mps_only;
  }
  if (*count > room) {
    return NVML_ERROR_INSUFFICIENT_SIZE;
  }
  if (*count > 0 && infos == NULL) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  unsigned int next = 0;
  for (int i = 0; i < call.gpu->processes; i++) {
    const struct process *process = &call.gpu->process[i];
    if (process->mps || !mps_only) {
      infos[next++] = (nvmlProcessInfo_t){
          .pid = process->pid,
          .usedGpuMemory = process->mebibytes << 20,
          .gpuInstanceId = process->instance,
          .computeInstanceId = process->instance == NO_INSTANCE ? NO_INSTANCE : 0,
      };
    }
  }
  return NVML_SUCCESS;
}

static nvmlReturn_t running(nvmlDevice_t device, enum function function, unsigned int *count,
                            nvmlProcessInfo_t *infos) {
  return listed(device, function, false, count, infos);
}

API nvmlReturn_t nvmlDeviceGetMPSComputeRunningProcesses_v3(nvmlDevice_t device, unsigned int *count,
                                                            nvmlProcessInfo_t *infos) {
  return listed(device, FUNCTION_nvmlDeviceGetMPSComputeRunningProcesses_v3, true, count, infos);
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

static unsigned int sm_of(const struct call *call, const struct process *process) {
  double share = process->share < 0 ? 1.0 / call->gpu->processes : process->share;
  return (unsigned int)(count_of(call, Q_UTILIZATION_GPU) * share);
}

/* Not supported while the GPU is divided by MIG; a process that did nothing has no sample. */
API nvmlReturn_t nvmlDeviceGetProcessUtilization(nvmlDevice_t device, nvmlProcessUtilizationSample_t *samples,
                                                 unsigned int *count, unsigned long long last_seen) {
  DEVICE_CALL(call, nvmlDeviceGetProcessUtilization, device);
  unsigned long long now = to_u64(call.now * 1e6);
  if (count == NULL) {
    return NVML_ERROR_INVALID_ARGUMENT;
  }
  if (mig_enabled(call.gpu, call.now)) {
    return NVML_ERROR_NOT_SUPPORTED;
  }
  unsigned int busy = 0;
  for (int i = 0; i < call.gpu->processes; i++) {
    busy += sm_of(&call, &call.gpu->process[i]) > 0;
  }
  if (busy == 0 || last_seen >= now) {
    *count = 0;
    return NVML_ERROR_NOT_FOUND;
  }
  if (samples == NULL || *count < busy) {
    *count = busy;
    return NVML_ERROR_INSUFFICIENT_SIZE;
  }
  *count = 0;
  for (int i = 0; i < call.gpu->processes; i++) {
    const struct process *process = &call.gpu->process[i];
    if (sm_of(&call, process) > 0) {
      samples[(*count)++] = (nvmlProcessUtilizationSample_t){
          .pid = process->pid,
          .timeStamp = now,
          .smUtil = sm_of(&call, process),
          .memUtil = (unsigned int)(count_of(&call, Q_UTILIZATION_MEMORY) / call.gpu->processes),
      };
    }
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
        .smUtil = sm_of(&call, &call.gpu->process[i]),
        .memUtil = (unsigned int)(count_of(&call, Q_UTILIZATION_MEMORY) / processes),
    };
  }
  return NVML_SUCCESS;
}
#endif
