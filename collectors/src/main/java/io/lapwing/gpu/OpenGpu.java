package io.lapwing.gpu;

import io.lapwing.nvml.NvmlGpu;

/** A GPU with its handle, while the driver of that moment lives. */
record OpenGpu(NvmlGpu gpu, GpuIdentity identity, GpuLabels labels, long driverGeneration) {}
