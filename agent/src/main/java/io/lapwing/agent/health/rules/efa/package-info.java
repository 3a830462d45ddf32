/**
 * The rules on EFA devices. No vendor publishes thresholds for their counters; the presets are
 * Lapwing's own, and their texts state that.
 */
@NullMarked
package io.lapwing.agent.health.rules.efa;

import org.jspecify.annotations.NullMarked;
