/**
 * Programs that call the GPU driver for {@code tools/bench/gpu-acceptance}, each in a process of
 * its own that may be killed: {@link io.lapwing.bench.gpu.LoadMain} keeps GPUs busy, {@link
 * io.lapwing.bench.gpu.RecordMain} records what NVML and DCGM answer.
 *
 * <p>Their class path has the agent's jar too, whose clients of the driver they use.
 */
@NullMarked
package io.lapwing.bench.gpu;

import org.jspecify.annotations.NullMarked;
