/**
 * NVML, the driver's library: {@link io.lapwing.nvml.Nvml} and {@link io.lapwing.nvml.NvmlGpu} are
 * the ports, {@code NvmlLibrary} the C header, {@code JnaNvml} and {@code JnaGpu} the adapters.
 */
@NullMarked
package io.lapwing.nvml;

import org.jspecify.annotations.NullMarked;
