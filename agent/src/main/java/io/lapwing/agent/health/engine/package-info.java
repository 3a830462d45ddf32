/** What the kernel log and NVML tell of faults becomes events: one for one fault, whoever told. */
@NullMarked
package io.lapwing.agent.health.engine;

import org.jspecify.annotations.NullMarked;
