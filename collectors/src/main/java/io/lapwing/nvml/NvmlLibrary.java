package io.lapwing.nvml;

import com.sun.jna.Library;
import com.sun.jna.Pointer;
import com.sun.jna.ptr.PointerByReference;

/**
 * The calls of {@code nvml.h}: {@code unsigned int} as int, {@code unsigned long long} as long,
 * every out-parameter a pointer, results {@code nvmlReturn_t}. A function that the loaded library
 * lacks throws {@link UnsatisfiedLinkError} only when called.
 */
interface NvmlLibrary extends Library {

  int nvmlInit_v2();

  int nvmlInit();

  int nvmlShutdown();

  int nvmlSystemGetDriverVersion(Pointer version, int length);

  int nvmlSystemGetNVMLVersion(Pointer version, int length);

  int nvmlSystemGetCudaDriverVersion_v2(Pointer version);

  int nvmlDeviceGetCount_v2(Pointer count);

  int nvmlDeviceGetHandleByIndex_v2(int index, PointerByReference device);

  int nvmlDeviceGetName(Pointer device, Pointer name, int length);

  int nvmlDeviceGetUUID(Pointer device, Pointer uuid, int length);

  int nvmlDeviceGetSerial(Pointer device, Pointer serial, int length);

  int nvmlDeviceGetPciInfo_v3(Pointer device, Pointer pci);

  int nvmlDeviceGetMinorNumber(Pointer device, Pointer minor);

  int nvmlDeviceGetVbiosVersion(Pointer device, Pointer version, int length);

  int nvmlDeviceGetBrand(Pointer device, Pointer brand);

  int nvmlDeviceGetInforomImageVersion(Pointer device, Pointer version, int length);

  int nvmlDeviceGetInforomVersion(Pointer device, int object, Pointer version, int length);

  int nvmlDeviceGetInforomConfigurationChecksum(Pointer device, Pointer checksum);

  int nvmlDeviceValidateInforom(Pointer device);

  int nvmlDeviceGetTemperature(Pointer device, int sensor, Pointer temperature);

  int nvmlDeviceGetTemperatureV(Pointer device, Pointer temperature);

  int nvmlDeviceGetMarginTemperature(Pointer device, Pointer margin);

  int nvmlDeviceGetTemperatureThreshold(Pointer device, int threshold, Pointer temperature);

  int nvmlDeviceGetPowerUsage(Pointer device, Pointer milliwatts);

  int nvmlDeviceGetEnforcedPowerLimit(Pointer device, Pointer milliwatts);

  int nvmlDeviceGetPowerManagementLimit(Pointer device, Pointer milliwatts);

  int nvmlDeviceGetPowerManagementDefaultLimit(Pointer device, Pointer milliwatts);

  int nvmlDeviceGetPowerManagementLimitConstraints(Pointer device, Pointer min, Pointer max);

  int nvmlDeviceGetClockInfo(Pointer device, int clock, Pointer megahertz);

  int nvmlDeviceGetMaxClockInfo(Pointer device, int clock, Pointer megahertz);

  int nvmlDeviceGetApplicationsClock(Pointer device, int clock, Pointer megahertz);

  int nvmlDeviceGetPerformanceState(Pointer device, Pointer state);

  int nvmlDeviceGetCurrentClocksEventReasons(Pointer device, Pointer reasons);

  int nvmlDeviceGetCurrentClocksThrottleReasons(Pointer device, Pointer reasons);

  int nvmlDeviceGetUtilizationRates(Pointer device, Pointer utilization);

  int nvmlDeviceGetEncoderUtilization(Pointer device, Pointer percent, Pointer samplingPeriod);

  int nvmlDeviceGetDecoderUtilization(Pointer device, Pointer percent, Pointer samplingPeriod);

  int nvmlDeviceGetMemoryInfo(Pointer device, Pointer memory);

  int nvmlDeviceGetMemoryInfo_v2(Pointer device, Pointer memory);

  int nvmlDeviceGetBAR1MemoryInfo(Pointer device, Pointer memory);

  int nvmlDeviceGetPersistenceMode(Pointer device, Pointer mode);

  int nvmlDeviceGetMemoryErrorCounter(
      Pointer device, int errorType, int counterType, int location, Pointer count);

  int nvmlDeviceGetSramEccErrorStatus(Pointer device, Pointer status);

  int nvmlDeviceGetRowRemapperHistogram(Pointer device, Pointer histogram);

  int nvmlDeviceGetUnrepairableMemoryFlag_v1(Pointer device, Pointer status);

  int nvmlDeviceGetCurrPcieLinkGeneration(Pointer device, Pointer generation);

  int nvmlDeviceGetCurrPcieLinkWidth(Pointer device, Pointer width);

  int nvmlDeviceGetMaxPcieLinkGeneration(Pointer device, Pointer generation);

  int nvmlDeviceGetMaxPcieLinkWidth(Pointer device, Pointer width);

  int nvmlDeviceGetGpuFabricInfo(Pointer device, Pointer fabric);

  int nvmlDeviceGetGpuFabricInfoV(Pointer device, Pointer fabric);

  int nvmlDeviceGetPlatformInfo(Pointer device, Pointer platform);

  int nvmlDeviceGetMigMode(Pointer device, Pointer current, Pointer pending);

  int nvmlDeviceGetMaxMigDeviceCount(Pointer device, Pointer count);

  int nvmlDeviceGetMigDeviceHandleByIndex(Pointer device, int index, Pointer mig);

  int nvmlDeviceGetGpuInstanceId(Pointer mig, Pointer id);

  int nvmlDeviceGetComputeInstanceId(Pointer mig, Pointer id);

  int nvmlDeviceGetAttributes_v2(Pointer mig, Pointer attributes);

  int nvmlDeviceGetGpuInstanceById(Pointer device, int id, Pointer gpuInstance);

  int nvmlGpuInstanceGetInfo(Pointer gpuInstance, Pointer info);

  int nvmlDeviceGetComputeRunningProcesses_v3(Pointer device, Pointer count, Pointer processes);

  int nvmlDeviceGetMPSComputeRunningProcesses_v3(Pointer device, Pointer count, Pointer processes);

  int nvmlDeviceGetProcessUtilization(Pointer device, Pointer samples, Pointer count, long since);

  int nvmlDeviceGetVirtualizationMode(Pointer device, Pointer mode);

  int nvmlDeviceGetActiveVgpus(Pointer device, Pointer count, Pointer instances);

  int nvmlDeviceGetVgpuUtilization(
      Pointer device, long since, Pointer valueType, Pointer count, Pointer samples);

  int nvmlVgpuInstanceGetUUID(int vgpu, Pointer uuid, int length);

  int nvmlVgpuInstanceGetVmID(int vgpu, Pointer id, int length, Pointer kind);

  int nvmlVgpuInstanceGetType(int vgpu, Pointer type);

  int nvmlVgpuInstanceGetFbUsage(int vgpu, Pointer bytes);

  int nvmlVgpuInstanceGetLicenseInfo_v2(int vgpu, Pointer info);

  int nvmlVgpuTypeGetName(int type, Pointer name, Pointer length);

  int nvmlVgpuTypeGetFramebufferSize(int type, Pointer bytes);

  int nvmlDeviceGetGridLicensableFeatures_v4(Pointer device, Pointer features);

  int nvmlDeviceGetP2PStatus(Pointer device, Pointer peer, int capability, Pointer status);

  int nvmlDeviceGetFieldValues(Pointer device, int count, Pointer values);

  int nvmlGpmQueryDeviceSupport(Pointer device, Pointer support);

  int nvmlGpmSampleAlloc(PointerByReference sample);

  int nvmlGpmSampleFree(Pointer sample);

  int nvmlGpmSampleGet(Pointer device, Pointer sample);

  int nvmlGpmMigSampleGet(Pointer device, int gpuInstance, Pointer sample);

  int nvmlGpmMetricsGet(Pointer metrics);

  int nvmlEventSetCreate(PointerByReference set);

  int nvmlEventSetFree(Pointer set);

  int nvmlDeviceGetSupportedEventTypes(Pointer device, Pointer types);

  int nvmlDeviceRegisterEvents(Pointer device, long types, Pointer set);

  int nvmlEventSetWait_v2(Pointer set, Pointer event, int timeoutMillis);

  int nvmlEventSetWait(Pointer set, Pointer event, int timeoutMillis);

  /** Only Lapwing's simulator has this one. */
  int lapwing_simulated();
}
