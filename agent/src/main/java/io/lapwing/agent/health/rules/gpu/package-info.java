/**
 * The rules, one file each: pure functions of what is known of the node at one moment. Where NVIDIA
 * or AWS give no threshold, the preset is Lapwing's own and says so.
 */
@NullMarked
package io.lapwing.agent.health.rules.gpu;

import org.jspecify.annotations.NullMarked;
