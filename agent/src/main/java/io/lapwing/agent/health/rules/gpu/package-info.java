/**
 * Rules on GPUs and their driver, one file each: pure functions of a snapshot of the node. Where
 * NVIDIA or AWS give no threshold, the preset is Lapwing's own and its text states that.
 */
@NullMarked
package io.lapwing.agent.health.rules.gpu;

import org.jspecify.annotations.NullMarked;
