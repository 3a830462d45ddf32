/**
 * Rules on GPUs and their driver. Without a threshold of NVIDIA or AWS, the preset is Lapwing's own
 * and its text states that.
 */
@NullMarked
package io.lapwing.agent.health.rules.gpu;

import org.jspecify.annotations.NullMarked;
