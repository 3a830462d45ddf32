/** What the kernel log and NVML tell of faults becomes events: one for one fault, whoever told. */
@NullMarked
package io.lapwing.agent.intake;

import org.jspecify.annotations.NullMarked;
