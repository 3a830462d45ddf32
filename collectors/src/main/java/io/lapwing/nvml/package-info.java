/**
 * NVML, the library that comes with the driver: {@link io.lapwing.nvml.Nvml} and {@link
 * io.lapwing.nvml.NvmlGpu} are what the rest of Lapwing speaks, {@code NvmlLibrary} is the C
 * header, {@code JnaNvml} and {@code JnaGpu} stand between.
 */
@NullMarked
package io.lapwing.nvml;

import org.jspecify.annotations.NullMarked;
