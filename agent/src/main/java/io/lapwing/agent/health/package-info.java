/**
 * The health model: snapshots as the rules' input, detections, findings, policies and the report.
 * Nothing here reads a device or serves HTTP.
 */
@NullMarked
package io.lapwing.agent.health;

import org.jspecify.annotations.NullMarked;
