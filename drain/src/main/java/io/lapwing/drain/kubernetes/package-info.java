/** Kubernetes as the scheduler: nodes, the jobs of pods with GPUs, cordons and evictions. */
@NullMarked
package io.lapwing.drain.kubernetes;

import org.jspecify.annotations.NullMarked;
