/**
 * A node that does not exist: libraries with the real NVML interface, /sys and /proc trees, and
 * scenarios that break it.
 */
@NullMarked
package io.lapwing.simulator;

import org.jspecify.annotations.NullMarked;
