/**
 * Evaluates the health of the node: makes one event of each fault that the kernel log and NVML
 * report, builds snapshots of the sources, runs the rules and keeps the findings.
 */
@NullMarked
package io.lapwing.agent.health.engine;

import org.jspecify.annotations.NullMarked;
