package io.lapwing.gpu;

import java.time.InstantSource;

/** What the sources of the GPUs share. */
public record GpuContext(NvmlDriver driver, GpuRoster roster, GpuView view, InstantSource clock) {}
