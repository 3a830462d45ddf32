/**
 * Runs the collectors: a worker for each source, a deadline for each call, a board for the
 * snapshots.
 */
@NullMarked
package io.lapwing.agent.sources;

import org.jspecify.annotations.NullMarked;
